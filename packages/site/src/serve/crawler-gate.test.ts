import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCEPT_BOT_SIGNATURE, BATCH_PATH, BATCH_TYPE, CHANGES_PATH, KEY_DIRECTORY_PATH } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { Ledger } from '../ledger/ledger.ts'
import { AT } from '../testing/journal-sample.ts'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { createSiteFront } from '../site-front.ts'
import type { SiteOptions } from '../site-options.ts'
import { SampleSite } from '../testing/site-sample.ts'
import type { Served } from '../served.ts'
import { SignedCrawler } from '../testing/signed-crawler-fixture.ts'

async function closedSite(options: Partial<SiteOptions> = {}): Promise<{
  sample: SampleSite
  crawler: SignedCrawler
  served: Served[]
  ask: (path: string, method?: string, body?: string) => Promise<number>
}> {
  const crawler = new SignedCrawler(1, AT)
  const served: Served[] = []
  const sample: SampleSite = new SampleSite({
    offersTo: 'proven',
    proof: { fetchKeys: async () => crawler.directory(sample.now) },
    push: { subscribers: new MemorySubscribers(), indexNowKey: 'abcdefgh' },
    onServed: (one) => served.push(one),
    ...options,
  })
  await sample.put({ '/': 'home', '/a.html': 'a' })
  const ask = async (path: string, method = 'GET', body?: string): Promise<number> => {
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const signed = crawler.sign(sample.now, { path, method, ...(bytes === undefined ? {} : { body: bytes }) })
    const headers: HeaderList = [['User-Agent', 'bot/1'], ['Content-Type', BATCH_TYPE], ...signed]
    return (await sample.ask(path, { method, headers, body: body ?? '' })).status
  }
  return { sample, crawler, served, ask }
}

const KEPT = [
  '/sitemap.xml',
  '/metadata/archives.txt',
  '/robots.rdf',
  '/.well-known/resourcesync',
  '/metadata/capabilitylist.xml',
  '/metadata/resourcelist.xml',
  '/metadata/changelist.xml',
  '/metadata/resourcedump.xml',
  '/metadata/changedump.xml',
  '/metadata/site.wacz',
  BATCH_PATH,
  CHANGES_PATH,
  '/push/hub',
  '/push/pages',
  '/push/events',
]
for (const path of KEPT) {
  test(`${path} is kept for proven crawlers, and others are told how to be one`, async () => {
    const { sample, ask } = await closedSite()
    const refused = await sample.ask(path)
    assert.equal(refused.status, 403)
    assert.equal(refused.header('accept-signature'), ACCEPT_BOT_SIGNATURE)
    assert.equal(refused.header('cache-control'), 'no-store')
    assert.match(refused.text, /Sign the request \(RFC 9421\) .* Pages are open to everybody/)
    if (path === '/push/events') return // A stream without end; that it begins is seen elsewhere.
    assert.ok([200, 405].includes(await ask(path)))
  })
}

for (const path of ['/robots.txt', '/.well-known/api-catalog', '/abcdefgh.txt', KEY_DIRECTORY_PATH]) {
  test(`${path} stays open`, async () => {
    const ring = new SignedCrawler(2, AT)
    const keys = { ring: () => ring.keys }
    const { sample, crawler } = await closedSite({ keys })
    assert.equal((await sample.ask(path)).status, 200)
    assert.equal(crawler.fetched, 0)
  })
}

test('a batch is answered to whoever signed it, with the body that was signed', async () => {
  const { sample, crawler, ask } = await closedSite()
  const body = `${JSON.stringify({ url: 'https://a.example/' })}\n`
  assert.equal(await ask(BATCH_PATH, 'QUERY', body), 200)
  assert.equal(await ask(BATCH_PATH, 'POST', body), 200)
  const signed = crawler.sign(sample.now, { path: BATCH_PATH, method: 'QUERY', body: Buffer.from('other') })
  const forged = await sample.ask(BATCH_PATH, {
    method: 'QUERY',
    headers: [['Content-Type', BATCH_TYPE], ...signed],
    body,
  })
  assert.equal(forged.status, 403)
  assert.match(forged.text, /the body is not the one/)
})

test('an answer for a proven crawler is not to be handed on by caches', async () => {
  const { sample, crawler } = await closedSite()
  const { header } = await sample.ask('/sitemap.xml', { headers: crawler.sign(sample.now) })
  assert.match(header('cache-control')!, /^private, /)
  const open = new SampleSite()
  await open.put({ '/': 'home' })
  assert.doesNotMatch((await open.ask('/sitemap.xml')).header('cache-control')!, /private/)
})

test('a signature that comes again is 429, and one whose keys cannot be had is asked to come again', async () => {
  const { sample, crawler } = await closedSite()
  const headers = crawler.sign(sample.now)
  assert.equal((await sample.ask('/sitemap.xml', { headers })).status, 200)
  assert.equal((await sample.ask('/sitemap.xml', { headers })).status, 429)
  const lost = await closedSite()
  lost.crawler.instead = new Error('down')
  const answer = await lost.sample.ask('/sitemap.xml', { headers: lost.crawler.sign(lost.sample.now) })
  assert.equal(answer.status, 403)
  assert.match(answer.text, /cannot be had \(down\).* again in 5 s: come again then/)
})

const lists: [sentence: string, offersTo: readonly string[], agent: string, status: number][] = [
  ['a host is its keys at the well-known place', ['crawler.example'], 'https://crawler.example', 200],
  ['a host is not whatever stands on it', ['crawler.example'], 'https://crawler.example/keys.json', 403],
  ['a URL is what it says', ['https://crawler.example/keys.json'], 'https://crawler.example/keys.json', 200],
  ['a query makes nobody another', ['https://crawler.example/keys.json'], 'https://crawler.example/keys.json?x', 200],
  ['nobody else is among them', ['other.example'], 'https://crawler.example', 403],
]
for (const [sentence, offersTo, agent, status] of lists) {
  test(`offers for some: ${sentence}`, async () => {
    const crawler = new SignedCrawler(1, AT, agent)
    const { sample } = await closedSite({ offersTo, proof: { fetchKeys: async () => crawler.directory(AT) } })
    const answer = await sample.ask('/sitemap.xml', { headers: crawler.sign(sample.now) })
    assert.equal(answer.status, status)
    if (status === 403) assert.match(answer.text, /^You are https:\/\/crawler\.example\/.* ask the owner/)
  })
}

test('schemes that the owner leaves open are open', async () => {
  const { sample } = await closedSite({ openSchemes: ['robots', 'sitemap'] })
  assert.equal((await sample.ask('/sitemap.xml')).status, 200)
  assert.equal((await sample.ask('/.well-known/api-catalog')).status, 403)
})

test('the ledger names a proven crawler as such, and what it calls itself does not make anybody one', async () => {
  const { sample, served, ask } = await closedSite()
  await ask('/sitemap.xml')
  await sample.ask('/sitemap.xml', { headers: [['User-Agent', 'crawler.example (proven)']] })
  const ledger = new Ledger(AT)
  for (const one of served) ledger.note(one)
  const names = ledger.store().rows.map(({ crawler }) => crawler)
  assert.deepEqual(names.toSorted(), ['crawler.example', 'crawler.example (proven)'])
})

const wrong: [options: Partial<SiteOptions>, message: RegExp][] = [
  [{ offersTo: 'nobody' as 'proven' }, /offersTo is 'everyone', 'proven' or a list/],
  [{ offersTo: ['not a host'] }, /neither a host/],
  [{ openSchemes: ['maps' as 'sitemap'] }, /no scheme named maps/],
  [{ proof: { skewMs: -1 } }, /skewMs cannot be -1/],
]
for (const [options, message] of wrong) {
  test(`an option that cannot be meant is refused: ${JSON.stringify(options)}`, () => {
    assert.throws(() => new SampleSite(options), message)
  })
}

const text = (word: string): string => `<p>${'the same words again and again '.repeat(100)}${word}`

test('pages are for everybody; differences are for those who have proven who they are', async () => {
  const crawler = new SignedCrawler(1, AT)
  const sample = new SampleSite({}, {})
  const served: { scheme: string; proven?: string | undefined }[] = []
  const front = createSiteFront({
    journal: sample.journal,
    base: 'https://a.example/',
    now: () => sample.now,
    robots: '',
    offersTo: 'proven',
    proof: { fetchKeys: async () => crawler.directory(sample.now) },
    onServed: (one) => served.push(one),
  })
  const page = (word: string, headers: HeaderList): ReturnType<typeof front.page> => {
    sample.now += 1_000
    const answer = { status: 200, headers: [['Content-Type', 'text/html']] as const }
    return front.page({ method: 'GET', path: '/p', headers: [['Host', 'a.example'], ...headers] }, answer, text(word))
  }
  const first = page('one', [])
  await front.settled()
  const etag = first?.headers.find(([name]) => name === 'ETag')?.[1] ?? ''
  const wish: HeaderList = [
    ['A-IM', 'vcdiff'],
    ['If-None-Match', etag],
  ]
  assert.equal(page('two', wish)?.status, 200)
  const signed = (): HeaderList => [...wish, ...crawler.sign(sample.now + 1_000, { path: '/p' })]
  page('two', signed())
  await new Promise((resolve) => void setImmediate(resolve))
  assert.equal(page('two', signed())?.status, 226)
  assert.deepEqual(
    served.map(({ scheme, proven }) => `${scheme} ${proven}`),
    ['page undefined', 'page undefined', 'page undefined', 'difference crawler.example'],
  )
})
