/** Examples of sites that tell crawlers what changed: each on its real framework, asked over real connections. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, whileRunning } from './running-example.ts'
import type { ExamplePlace } from './running-example.ts'

export function siteExamples(place: ExamplePlace): Record<string, () => Promise<void>> {
  const into = (name: string): string => join(place.scratch, name)
  const framework = (name: string): [string, () => Promise<void>] => [
    `site-${name}.ts`,
    async () => {
      const base = `http://127.0.0.1:${await freePort()}/`
      await whileRunning(place, `site-${name}.ts`, [into(name), base], async ({ next }) => {
        assert.equal(await next(), base)
        const home = await fetch(base)
        assert.match(await home.text(), /Harbour/)
        await (await fetch(`${base}tides`)).text()
        assert.deepEqual(await toldBy(base, 2), ['created /', 'created /tides'])
        // The validators are ours: the page is known by now.
        const again = await fetch(base, { headers: { 'if-none-match': home.headers.get('etag') ?? '' } })
        assert.equal(again.status, 304)
      })
    },
  ]
  return {
    ...Object.fromEntries(['express', 'fastify', 'hono'].map(framework)),
    // Next is not installed: its handlers are called as Next calls them.
    'site-next.ts': async () => {
      Object.assign(process.env, { SITE_URL: 'https://www.example.org/', SITE_JOURNAL: into('next') })
      const { GET, told } = (await import(join(place.folder, 'site-next.ts'))) as NextRoute
      await told('/prices', '<h1>Prices</h1>')
      const changes = await GET(new Request('https://www.example.org/.well-known/comity/changes'))
      assert.match(await changes.text(), /"url":"https:\/\/www\.example\.org\/prices"/)
      assert.equal((await GET(new Request('https://www.example.org/.well-known/comity/none'))).status, 404)
    },
    'site-static-folder.ts': async () => {
      const [root, base] = [into('docroot'), `http://127.0.0.1:${await freePort()}/`]
      mkdirSync(root)
      writeFileSync(join(root, 'index.html'), '<h1>Harbour</h1>')
      await whileRunning(place, 'site-static-folder.ts', [root, into('folder-journal'), base], async ({ next }) => {
        assert.equal(await next(), base)
        assert.match(await (await fetch(base)).text(), /Harbour/)
        assert.deepEqual(await toldBy(base, 1), ['created /'])
        writeFileSync(join(root, 'tides.html'), '<h1>Tides</h1>')
        assert.deepEqual(await toldBy(base, 2), ['created /', 'created /tides.html'])
      })
    },
  }
}

interface NextRoute {
  readonly GET: (request: Request) => Promise<Response>
  readonly told: (path: string, html: string) => Promise<void>
}

/** What a site says that changed, as soon as it is that much: it learns a little after it has answered. */
async function toldBy(base: string, pages: number): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const text = await (await fetch(`${base}.well-known/comity/changes`)).text()
    const lines = text.trimEnd().split('\n').slice(0, -1)
    if (lines.length >= pages || tries === 200)
      return lines
        .map((line) => JSON.parse(line) as { url: string; change: string })
        .map(({ url, change }) => `${change} ${new URL(url).pathname}`)
        .toSorted()
    await sleep(50)
  }
}
