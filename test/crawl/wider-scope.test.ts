/** A crawl that goes on with other rules than it began with: what they kept out, and only that, is fetched. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Collection, FACTS } from '@comity/collection'
import { crawlDefaults } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import { restored } from './holdings.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'

const PAGES: Readonly<Record<string, string>> = {
  '/start/':
    '<a href="/start/in">in</a><a href="/other/out">out</a><a href="/cgi-bin/do?x=1">do</a><a href="/kept">kept</a><a rel="nofollow" href="/unfollowed">no</a>',
  '/start/in': '<a href="/start/deep">deep</a>',
  '/start/deep': 'deep',
  '/other/out': 'out',
  '/cgi-bin/do?x=1': 'done',
  '/kept': 'kept back by robots.txt',
  '/unfollowed': 'not followed',
}
const asked: string[] = []
const server = createServer(({ url = '' }, response) => {
  asked.push(url)
  if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /kept\n')
  else response.writeHead(PAGES[url] === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(PAGES[url])
})
let origin = ''
before(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => void server.close())

async function fetchedBy(into: string, options: Partial<CrawlOptions>): Promise<string[]> {
  asked.length = 0
  await quickCrawl(into, [`${origin}/start/`], { dumps: false, ...options })
  return asked.filter((url) => PAGES[url] !== undefined).toSorted()
}

const cases: [
  sentence: string,
  first: () => Partial<CrawlOptions>,
  then: () => Partial<CrawlOptions>,
  more: string[],
][] = [
  ['a wider scope', () => ({ scope: 'prefix' }), () => ({ scope: 'host' }), ['/other/out']],
  ['more clicks', () => ({ maxDepth: 1 }), () => ({ maxDepth: 9 }), ['/start/deep']],
  ['no --exclude', () => ({ exclude: ['*/other/*'] }), () => ({}), ['/other/out']],
  ['no --include', () => ({ include: ['*/start/*'] }), () => ({}), ['/other/out']],
  ['programs too', () => ({}), () => ({ avoidSideEffects: false }), ['/cgi-bin/do?x=1']],
  [
    'one more start page',
    () => ({ scope: 'prefix' }),
    () => ({ scope: 'prefix', seeds: [`${origin}/start/`, `${origin}/other/`] }),
    ['/other/out'],
  ],
  ['the same rules', () => ({ scope: 'prefix', maxDepth: 1 }), () => ({ scope: 'prefix', maxDepth: 1 }), []],
  ['a narrower scope', () => ({ scope: 'host' }), () => ({ scope: 'prefix' }), []],
]
for (const [sentence, first, then, more] of cases)
  test(
    `a crawl that goes on with ${sentence} fetches what that lets in, and nothing else`,
    { timeout: 60_000 },
    async () => {
      const into = newDirectory()
      const begun = await fetchedBy(into, first())
      assert.ok(begun.includes('/start/') && more.every((path) => !begun.includes(path)), begun.join(' '))
      assert.deepEqual(await fetchedBy(into, then()), more)
    },
  )

test(
  'what a version before left alone, by rules that are kinder today, is looked at again',
  { timeout: 60_000 },
  async () => {
    const into = newDirectory()
    assert.ok(!(await fetchedBy(into, { exclude: ['*/other/*'] })).includes('/other/out'))
    // The note of a crawl without `exclude`, as it was written while nothing told the rules of one version from those of the next.
    const { scope, maxDepth } = crawlDefaults
    const rules = [scope, [], [], [], maxDepth, true, [], [`${origin}/start/`]]
    {
      await using collection = await Collection.open(into, Date.now())
      collection.putFact(FACTS.scope, createHash('sha256').update(JSON.stringify(rules)).digest('hex'))
      await collection.commit(restored(collection).drain())
    }
    assert.deepEqual(await fetchedBy(into, {}), ['/other/out'])
  },
)
