/** What no reader of a site's documents may do, whatever the site answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parseRobots, writeSyncDocument } from '@comity/protocol'
import { pollArchives } from './polls/archive-poll.ts'
import { pollChangeList } from './polls/change-list-poll.ts'
import type { Inquiry } from './inquiry.ts'
import type { Ask, Reply, Exchange } from '@comity/ingest'
import { NO_REQUEST, UNASKED } from './inquiry.ts'
import { replyOf } from '@comity/ingest'
import { pollFeeds } from './polls/feed-poll.ts'
import { pollFilter } from './polls/filter-poll.ts'
import { ownUrl } from './offer-poll.ts'
import type { OfferPoll, ReportedPage } from './offer-poll.ts'
import { OfferMemory } from './offers/memory.ts'
import { searchOffers } from './offers/search.ts'
import { pollPageList } from './polls/page-list-poll.ts'
import { pollRobotsRdf } from './polls/robots-rdf-poll.ts'
import { newOffer } from './site-offers.ts'
import type { PolledKind } from './site-offers.ts'

const origin = 'https://a.example'
const robots = parseRobots(
  [
    `Sitemap: ${origin}/sitemap.xml`,
    'Sitemap: https://b.example/sitemap.xml',
    `Metadata: ${origin}/metadata/archives.txt`,
    `Metadata: ${origin}/metadata/20260101T000000Z-20260102T000000Z.0001.text~html.gz`,
    'Metadata: https://b.example/20260101T000000Z-.0002.other.gz',
  ].join('\n'),
)

function exchangeOf(status: number, body: Uint8Array, isCut = false, headers: [string, string][] = []): Exchange {
  return {
    kind: 'answered',
    head: { status, statusText: '', headers },
    body: Uint8Array.from(body),
    truncated: isCut ? 'disconnect' : undefined,
    declined: false,
    startedAt: 0,
    endedAt: 0,
    firstByteMs: 0,
    transferMs: 0,
  }
}

/** Drives an inquiry; fails when it asks for another site or does not end. */
function driven<Result>(inquiry: Inquiry<Result>, answer: (ask: Ask, n: number) => Reply): Result {
  let step = inquiry.next()
  for (let asked = 0; step.done !== true; asked++) {
    assert.ok(asked < 3_000, 'it does not end')
    if (step.value === NO_REQUEST) {
      step = inquiry.next(UNASKED)
      continue
    }
    assert.equal(ownUrl(step.value.url, origin), step.value.url)
    step = inquiry.next(answer(step.value, asked))
  }
  return step.value
}

const url = fc.oneof(
  fc.constantFrom(
    `${origin}/x`,
    `${origin}/sitemap.xml`,
    'https://b.example/y',
    '/z',
    '//c.example/',
    'javascript:1',
    ' ',
  ),
  fc.webUrl(),
)
const instant = fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined })
const entry = fc.record({
  url,
  modifiedAt: instant,
  change: fc.constantFrom('created', 'updated', 'deleted', undefined),
  changedAt: instant,
  capability: fc.constantFrom('resourcelist', 'changelist', 'capabilitylist', 'resourcedump', undefined),
  from: instant,
  until: instant,
} as const)
const sync = fc
  .record({
    capability: fc.constantFrom('resourcelist', 'changelist', 'capabilitylist', 'description', 'resourcedump'),
    entries: fc.array(entry, { maxLength: 8 }),
    isIndex: fc.boolean(),
    until: instant,
  } as const)
  .map(({ capability, entries, isIndex, until }) => {
    const usable = entries.filter((one) => URL.canParse(one.url))
    return Buffer.from(writeSyncDocument({ capability, until }, usable, { isIndex }))
  })
const lines = fc.array(
  fc.oneof(
    url.map((one) => JSON.stringify({ url: one, change: 'updated', at: 5 })),
    fc.nat(9).map((n) => JSON.stringify({ token: `t${n}`, more: true })),
    fc.nat(20).map((n) => `20260101T000000Z-.${String(n).padStart(4, '0')}.other.gz`),
    fc.nat(20).map((n) => `archives.${n}.abc.txt`),
    fc.constant('06/Feb/1999:00:01:30 +0000 index.html 5120 text/html'),
    fc.string(),
  ),
)
const body = fc.oneof(
  sync,
  lines.map((all) => Buffer.from(all.join('\n'))),
  lines.map((all) => Buffer.from(gzipSync(all.join('\n')))),
  url.map((one) =>
    Buffer.from(`<rdf:RDF xmlns:rdf="x"><item rdf:about="${one}"/><rdfs:seeAlso rdf:resource="${one}"/></rdf:RDF>`),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)
const answer = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 304, 301, 404, 405, 410, 500, 503),
  body,
  cut: fc.oneof(fc.constant(0), fc.nat(50)),
})
const OFFER_POLLS: Readonly<Record<PolledKind, OfferPoll>> = {
  filter: pollFilter,
  'change-list': pollChangeList,
  'metadata-archive': pollArchives,
  'robots-rdf': pollRobotsRdf,
  sitemap: pollPageList,
  feed: pollFeeds,
}
const replies = fc.array(answer, { minLength: 1, maxLength: 12 })
type Answers = readonly { readonly status: number; readonly body: Buffer; readonly cut: number }[]
const replier =
  (answers: Answers) =>
  (ask: Ask, n: number): Reply => {
    const { status, body: bytes, cut } = answers[n % answers.length]!
    return replyOf(ask, exchangeOf(status, bytes.subarray(0, Math.max(0, bytes.length - cut)), cut > 0))
  }

for (const [kind, look] of Object.entries(OFFER_POLLS)) {
  test(`${kind}: whatever a site answers, a poll ends, asks nobody else, and goes on from what it remembers`, () => {
    fc.assert(
      fc.property(replies, replies, (first, second) => {
        const memory = new OfferMemory()
        const told: ReportedPage[] = []
        const offer = newOffer(kind as PolledKind, `${origin}/begin`)
        const parts = { origin, offer, robots, tell: (one: ReportedPage) => told.push(one), keep: () => undefined }
        driven(look({ ...parts, memory }), replier(first))
        // As it would come back from the collection.
        const row = structuredClone({ lookedAt: 0, lookAgainAt: 0, offers: [], ...memory.row() })
        driven(look({ ...parts, memory: new OfferMemory(row) }), replier(second))
        for (const one of told) assert.equal(typeof one.url, 'string')
      }),
      { numRuns: 200 },
    )
  })
}

test('whatever a site answers, a search ends, asks nobody else, and finds only what is the site’s own', () => {
  fc.assert(
    fc.property(replies, (answers) => {
      const parts = { origin, robots, capabilityLists: ['https://b.example/c', `${origin}/c`], allows: () => true }
      const { offers } = driven(searchOffers(parts), replier(answers))
      for (const offer of offers) {
        for (const one of [offer.url, ...(offer.also ?? [])]) assert.equal(ownUrl(one, origin), one)
      }
    }),
    { numRuns: 300 },
  )
})

const REPLIES: readonly [sentence: string, status: number, kind: Reply['kind']][] = [
  ['200 is a document', 200, 'document'],
  ['304 to a condition of ours means the same', 304, 'same'],
  ['a redirect is not followed', 301, 'absent'],
  ['404 is not there', 404, 'absent'],
  ['410 is not there', 410, 'absent'],
  ['403 is not for us', 403, 'absent'],
  ['429 may be over soon', 429, 'trouble'],
  ['500 may be over soon', 500, 'trouble'],
]
for (const [sentence, status, kind] of REPLIES) {
  test(`reply: ${sentence}`, () => {
    const ask = { url: `${origin}/x`, mark: { etag: '"x"', hash: 'other' } }
    assert.equal(replyOf(ask, exchangeOf(status, Buffer.from('text'))).kind, kind)
  })
}

test('a 304 that nobody asked for is no answer, and the bytes we know are the same without one', () => {
  const ask = { url: `${origin}/x` }
  assert.equal(replyOf(ask, exchangeOf(304, Buffer.alloc(0))).kind, 'trouble')
  const first = replyOf(ask, exchangeOf(200, Buffer.from('text'), false, [['ETag', '"y"']]))
  assert.ok(first.kind === 'document' && first.mark.etag === '"y"')
  assert.equal(replyOf({ ...ask, mark: first.mark }, exchangeOf(200, Buffer.from('text'))).kind, 'same')
  assert.equal(replyOf({ ...ask, mark: first.mark }, exchangeOf(200, Buffer.from('texts'))).kind, 'document')
  assert.equal(
    replyOf({ ...ask, mark: first.mark }, exchangeOf(200, Buffer.from('text'), true)).kind,
    'document',
    'cut off',
  )
})

test('where nothing older is held and new pages are not wanted, archives of earlier changes are left alone', () => {
  const names = [
    '20200101T000000Z-20200102T000000Z.0001.text~html.gz',
    '20260101T000000Z-20260102T000000Z.0002.text~html.gz',
  ]
  const listing = parseRobots(names.map((name) => `Metadata: ${origin}/${name}`).join('\n'))
  const offer = newOffer('metadata-archive', `${origin}/robots.txt`)
  const memory = new OfferMemory()
  const asked: string[] = []
  const parts = { origin, offer, memory, robots: listing, tell: () => undefined, keep: () => undefined }
  driven(pollArchives({ ...parts, since: Date.UTC(2025, 0) }), (ask) => {
    asked.push(ask.url)
    return replyOf(ask, exchangeOf(200, gzipSync('')))
  })
  assert.deepEqual(asked, [`${origin}/${names[1]}`])
  assert.equal(memory.archivesUpTo, 2)
})
