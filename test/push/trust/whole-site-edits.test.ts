/** A busy site that edits forty pages while all of it is sent, by the real site kit to the real crawler: it stays believed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTorture } from '@comity/protocol/testing'
import type { Post } from '@comity/site'
import { newDirectory, quickCrawl } from '../../crawl/quick-crawl.ts'
import { createCooperatingSite } from '../../watch/cooperating-site.ts'
import type { CooperatingSite } from '../../watch/cooperating-site.ts'
import { CALLS_ONLY, PushWatch, nextSecond, page, pushRecord, until } from '../push-watch.ts'

const PAGES = isTorture ? 2_931 : 600
const EDITED = 40
const paths = Array.from({ length: PAGES }, (_, number) => `/doc/${number}`)
const SITE = { '/': page('Home', ...paths), ...Object.fromEntries(paths.map((path) => [path, page(`First ${path}`)])) }

test(
  `of a site of ${PAGES} pages that edits ${EDITED} while all of it is sent nothing becomes a hint`,
  {
    timeout: 120_000,
  },
  async () => {
    const edited = new Set<string>()
    let site: CooperatingSite | undefined
    let step = 0
    /** Some pages with every delivery, of those that went already and of those that are still to go. */
    const line =
      (post: Post): Post =>
      async (...request) => {
        for (const [number, path] of [...paths.entries()].slice(step * 3, step * 3 + 4)) {
          const other = number % 2 === 0 ? path : paths[PAGES - 1 - number]!
          if (edited.size < EDITED) await site!.set(other, page(`Edit of ${other}`))
          edited.add(other)
        }
        step++
        return await post(...request)
      }
    const calls = { limits: { partBytes: PAGES * 12 }, line }
    await using served = await createCooperatingSite(SITE, { calls, schemes: CALLS_ONLY })
    site = served
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    await nextSecond()
    // What the crawl did not see.
    for (const [number, path] of paths.entries()) if (number % 5 < 3) await site.set(path, page(`Second ${path}`))
    await using watch = new PushWatch(into, { watch: { subscribeTo: ['site'] } })
    await until('all of it was sent', () => new Set(watch.events.map(({ url }) => url)).size >= PAGES)
    const compared = async (): Promise<number> => (await pushRecord({ site: served, into }))?.checked ?? 0
    await until('some of it was compared', async () => (await compared()) >= 3)
    assert.ok(edited.size >= EDITED, `${edited.size} were edited`)
    assert.deepEqual([...new Set(watch.events.map(({ outcome }) => outcome))].toSorted(), ['applied', 'same'])
    assert.equal((await pushRecord({ site, into }))?.strikes, 0)
  },
)
