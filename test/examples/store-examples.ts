/** Examples that put what was crawled into a database, and those that follow a collection. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { linesOf, whileRunning } from './running-example.ts'
import type { ExamplePlace } from './running-example.ts'
import { withPostgres } from './postgres.ts'

/** The site that is crawled, with all its pages. */
interface CrawledSite {
  readonly home: string
  readonly pages: readonly string[]
}

export function storeExamples(place: ExamplePlace, { home, pages }: CrawledSite): Record<string, () => Promise<void>> {
  const { comity, scratch } = place
  const into = (name: string): string => join(scratch, name)
  const command = async (...args: string[]): Promise<void> =>
    void (await promisify(execFile)(process.execPath, [comity, ...args]))
  const crawled = async (name: string): Promise<string> => {
    await command('crawl', home, '--into', into(name), '--allow-private', '--delay', '0')
    return into(name)
  }
  return {
    'store-in-sqlite.ts': async () => {
      const lines = await linesOf(place, 'store-in-sqlite.ts', [into('rows'), home, into('pages.db')])
      assert.match(lines.at(-1)!, new RegExp(`pages: ${pages.length}, titles: ${pages.length} `))
    },
    'store-in-postgres.ts': async () => {
      const dir = await crawled('mirrored')
      await withPostgres(async (environment) => {
        Object.assign(process.env, environment)
        const mirrored = async (): Promise<string[]> => await linesOf(place, 'store-in-postgres.ts', [dir])
        assert.deepEqual(await mirrored(), [`${pages.length} pages`])
        await command('forget', dir, pages.at(-1)!)
        assert.deepEqual(await mirrored(), [`${pages.length - 1} pages`], 'what was forgotten is gone there, too')
      })
    },
    'follow-changes.ts': async () => {
      const dir = await crawled('followed')
      await whileRunning(place, 'follow-changes.ts', [dir, '0'], async ({ next }) => {
        const held: string[] = []
        while (held.length < pages.length)
          held.push(/^\d+ held \d+ (\S+) ".+" \d+ bytes$/.exec(await next())?.[1] ?? '')
        assert.deepEqual(held.toSorted(), pages.toSorted())
        // While it waits for more: pages that it linked to are looked at again, and itself perhaps before it is gone.
        await command('forget', dir, pages.at(-1)!)
        let line = await next()
        while (/^\d+ held /.test(line)) line = await next()
        assert.match(line, /^\d+ gone \d+ /)
      })
    },
  }
}
