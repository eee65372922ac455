/** What a crawl excluded is told with an example of each reason: by its last screen, by `--json`, and by `comity inspect`. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { EXCLUSION_REASONS, exclusionSentence } from '@comity/frontier'
import type { ExclusionReason } from '@comity/frontier'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { newDirectory } from './quick-crawl.ts'

/** What a site tells of a file's type has a test of its own, `told-types.test.ts`; and one machine alone has all pages at home. */
type ShownReason = Exclude<ExclusionReason, 'told-type' | 'elsewhere'>

const EXAMPLES: Readonly<Record<ShownReason, string>> = {
  scope: 'http://elsewhere.example/',
  depth: '/1/deep',
  nofollow: '/unfollowed',
  type: '/picture.png',
  trap: '/a/a/a/a/a',
  'side-effect': '/logout',
  robots: '/kept',
  excluded: '/draft',
  'do-not-crawl': 'http://banned.example/',
  'plug-in': '/hooked',
}
const links = Object.entries(EXAMPLES)
  .filter(([reason]) => reason !== 'depth')
  .map(([reason, href]) => `<a ${reason === 'nofollow' ? 'rel="nofollow" ' : ''}href="${href}">${reason}</a>`)
const PAGES = new Map([
  [
    '/',
    `${links.join('')}<a href="/1/">one</a><a href="/manual/logout.html">a page</a><a href="/cgi/Request.html">too</a>`,
  ],
  ['/1/', '<a href="/1/deep">deep</a>'],
  ['/manual/logout.html', 'how to leave'],
  ['/cgi/Request.html', 'how it was done'],
])
const server = createServer(({ url = '' }, response) => {
  const body = url === '/robots.txt' ? 'User-agent: *\nDisallow: /kept\n' : PAGES.get(url)
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body)
})
let origin = ''
before(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => void server.close())

test('every reason that a crawl met is told with one URL of it', { timeout: 60_000 }, async () => {
  const into = newDirectory()
  const [hook, banned] = [`${into}-hook.ts`, `${into}-banned.txt`]
  writeFileSync(hook, `export const scope = (url: string) => !url.endsWith('/hooked')\n`)
  writeFileSync(banned, 'banned.example\n')
  const words = ['crawl', `${origin}/`, '--into', into, '--allow-private', '--delay', '0', '--max-depth', '1']
  const rules = ['--exclude', '*/draft', '--do-not-crawl', banned, '--hook', hook, '--user-agent', 'comity-test/1.0']
  const told = await comityHere([...words, ...rules])
  assert.equal(told.code, 0, told.stderr)
  const examples = Object.fromEntries(
    EXCLUSION_REASONS.flatMap((reason) =>
      reason === 'told-type' || reason === 'elsewhere' ? [] : [[reason, new URL(EXAMPLES[reason], origin).href]],
    ),
  )
  for (const dir of ['crawl', 'inspect'] as const) {
    const again = dir === 'crawl' ? [...words, ...rules] : ['inspect', into]
    const json = lastJson(await comityHere([...again, '--json']))
    assert.deepEqual(json['outsideExamples'], examples, dir)
    assert.deepEqual(Object.keys(json['outside'] as object), Object.keys(examples), dir)
  }
  const inspected = await comityHere(['inspect', into])
  for (const screen of [`${told.stdout}${told.stderr}`, inspected.stdout])
    for (const [reason, url] of Object.entries(examples)) {
      const lines = screen.split('\n')
      const at = lines.findIndex((line) => line.includes(exclusionSentence(reason)))
      assert.match(lines[at + 1] ?? '', new RegExp(`such as ${RegExp.escape(url)}$`), `${reason}\n${screen}`)
    }
  const held = lastJson(await comityHere(['inspect', into, '--json']))
  assert.equal(held['pages'], 4, 'a page that is called like an action is a page')
})
