/** Keeping a collection fresh: what is due is fetched again, within a budget, as conditions and differences, and right. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { Collection, storedContent } from '@comity/collection'
import { watchOptions } from '@comity/crawler'
import type { WatchOptions } from '@comity/crawler'
import { deltaAnswer, encodeVcdiff, parseDeltaWish } from '@comity/protocol'
import { restored } from '../crawl/holdings.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Answer, Asked, SmallSite } from '../sites/small-site.ts'

const tagOf = (body: string): string => `"${hash('sha256', body).slice(0, 32)}"`

/** A page with validators. */
function validated(body: string, { headers }: Asked): Answer {
  const etag = tagOf(body)
  return headers['if-none-match'] === etag ? { status: 304, headers: { etag } } : { headers: { etag }, body }
}

/** Keeps fresh until `isEnough`; what is under way then is finished. */
async function watch(into: string, isEnough: () => boolean, options: Partial<WatchOptions> = {}): Promise<void> {
  const watched = watchOptions({ requestsPerSecond: 40, dayMs: 1_000, explore: 0, signals: false, ...options })
  const stop = new AbortController()
  const timer = setInterval(() => isEnough() && stop.abort(), 10)
  try {
    await quickCrawl(into, [], { watch: watched }, AbortSignal.any([stop.signal, AbortSignal.timeout(30_000)]))
  } finally {
    clearInterval(timer)
  }
  assert.ok(isEnough(), 'half a minute was not enough')
}

/** So many more requests than until now. */
function afterRequests(site: SmallSite, count: number): () => boolean {
  const before = site.asked.length
  return () => site.asked.length >= before + count
}

async function textOf(into: string, url: string): Promise<{ text: string; captures: readonly (string | undefined)[] }> {
  await using collection = Collection.openReadOnly(into)
  for (const { key, value } of collection.pages()) {
    if (collection.url(key) !== url) continue
    const content = storedContent(collection, value.body!)
    assert.equal(content.kind, 'ok')
    const captures = [...collection.captures(key)].map(({ value: { scheme } }) => scheme)
    return { text: Buffer.from(content.bytes).toString(), captures }
  }
  throw new Error(`${url} is not held`)
}

test('a page that changes is held as it is, and one that does not costs 304s', async () => {
  let version = 1
  await using site = await createSmallSite({
    '/': (asked) => validated(page('Home', '/news', '/still'), asked),
    '/news': (asked) => validated(page(`News ${version}`), asked),
    '/still': (asked) => validated(page('Still'), asked),
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  version = 2
  const seen = (path: string, count: number): boolean => site.paths.filter((one) => one === path).length >= count
  await watch(into, () => seen('/news', 3) && seen('/still', 2))
  const news = await textOf(into, `${site.origin}/news`)
  assert.match(news.text, /News 2/)
  assert.ok(news.captures.includes('not-modified'))
  assert.ok((await textOf(into, `${site.origin}/still`)).captures.slice(1).every((scheme) => scheme === 'not-modified'))
})

/** As if a run had ended just before this page was asked for once more. */
async function putInLine(into: string, url: string): Promise<void> {
  await using collection = await Collection.open(into, Date.now())
  const frontier = restored(collection)
  frontier.revisit(frontier.findUrl(url))
  assert.equal(frontier.count('waiting'), 1)
  await collection.commit(frontier.drain())
}

test('a page that was in line when a run ended is asked for in the next, also where new pages have no share', async () => {
  let version = 1
  await using site = await createSmallSite({ '/': page('Home', '/news'), '/news': () => page(`News ${version}`) })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  version = 2
  await putInLine(into, `${site.origin}/news`)
  await watch(into, () => site.paths.filter((path) => path === '/news').length === 2)
  const { text, captures } = await textOf(into, `${site.origin}/news`)
  assert.match(text, /News 2/)
  assert.equal(captures.length, 2)
})

test('requests keep to the budget, whatever they are for', async () => {
  const routes = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`/${n}`, (asked: Asked) => validated(page(`Page ${n}`), asked)]),
  )
  await using site = await createSmallSite({ '/': page('Home', ...Object.keys(routes)), ...routes })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const before = site.asked.length
  await watch(into, afterRequests(site, 20), { requestsPerSecond: 20 })
  const times = site.asked.slice(before).map(({ at }) => at)
  // One is there to begin with; and the clocks of two processes may differ by a moment.
  assert.ok(times.at(-1)! - times[0]! >= (times.length - 2) * 50 - 20, `${times.length} requests too quickly`)
})

test('new pages have their share of the requests, and none when there is no share', async () => {
  for (const explore of [0, 0.5]) {
    let links: string[] = []
    await using site = await createSmallSite({
      '/': (asked) => validated(page('Home', ...links), asked),
      '/new': (asked) => validated(page('New'), asked),
    })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`])
    links = ['/new']
    const hasNew = (): boolean => site.paths.includes('/new')
    await watch(into, explore > 0 ? hasNew : afterRequests(site, 10), { explore })
    assert.equal(hasNew(), explore > 0, `with a share of ${explore}`)
  }
})

test('new pages of a site that cannot be visited keep nothing else waiting', async () => {
  await using closed = await createSmallSite({ '/robots.txt': { status: 503 }, '/': page('Closed') }, '127.0.52.9')
  await using site = await createSmallSite({
    '/': (asked) => validated(page('Home', `${closed.origin}/`), asked),
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { scope: 'any', patienceMs: 0 })
  await watch(into, afterRequests(site, 8), { explore: 0.5 })
  assert.ok(closed.paths.every((path) => path === '/robots.txt'))
})

/** Answers with a difference from the version that the asker has, made by `spoil` into something else. */
function differing(versions: readonly string[], now: () => number, spoil?: (answer: Answer) => Answer) {
  return ({ headers }: Asked): Answer => {
    const body = versions[now()]!
    const etag = tagOf(body)
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    const request = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    const wish = parseDeltaWish(request)
    const baseOf = (tag: string): Uint8Array | undefined => {
      const base = versions.find((version) => tagOf(version) === tag)
      return base === undefined ? undefined : Buffer.from(base)
    }
    const delta = wish && deltaAnswer(wish, { etag, body: Buffer.from(body) }, baseOf)
    if (delta === undefined) return { headers: { etag }, body }
    const answer = { status: 226, headers: Object.fromEntries(delta.headers), body: delta.body }
    return spoil === undefined ? answer : spoil(answer)
  }
}

const longText = (word: string): string =>
  page(`Long ${word}`) + '<p>the same words again and again, '.repeat(200) + word
const versions = ['one', 'two', 'three'].map(longText)

test('a change comes as a difference, and what is stored is the whole page', async () => {
  let now = 0
  await using site = await createSmallSite({ '/': differing(versions, () => now) })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  now = 1
  await watch(into, afterRequests(site, 2))
  const { text, captures } = await textOf(into, `${site.origin}/`)
  assert.equal(text, versions[1])
  assert.ok(captures.includes('difference'))
})

const faults: [sentence: string, spoil: (answer: Answer) => Answer][] = [
  [
    'from another base than it says',
    (answer) => ({ ...answer, body: encodeVcdiff(Buffer.from('other'), Buffer.from('x')) }),
  ],
  ['without the header that says so, as a proxy left it', (answer) => ({ ...answer, headers: without(answer, 'IM') })],
  ['without a digest to check it by', (answer) => ({ ...answer, headers: without(answer, 'Repr-Digest') })],
  ['whose bytes were damaged', (answer) => ({ ...answer, body: Buffer.from(answer.body as Uint8Array).fill(7, 12) })],
]

function without({ headers = {} }: Answer, name: string): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

for (const [sentence, spoil] of faults) {
  test(`a difference ${sentence} is not believed: the page is asked for whole`, async () => {
    let now = 0
    await using site = await createSmallSite({ '/': differing(versions, () => now, spoil) })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`])
    now = 2
    // The difference, the page, and a look that finds it unchanged.
    await watch(into, afterRequests(site, 3))
    const { text, captures } = await textOf(into, `${site.origin}/`)
    assert.equal(text, versions[2])
    assert.ok(!captures.includes('difference'))
  })
}
