import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { INBOX_DOORS, INBOX_SCHEMES } from '@comity/collection'
import type { SentContent } from '@comity/collection'
import { WARC_TYPE, writeBatchPage, writeClosing } from '@comity/protocol'
import { batchItem, NOON } from '@comity/ingest/testing'
import { unpackGatewayBatch, urlsOfNews } from '@comity/ingest'
import { packageOf } from '@comity/follow/testing'
import { redactSent } from './redact-sent.ts'

const ORIGIN = 'https://a.example'
const HUSH = `${ORIGIN}/hush`
const leaves = (url: string): boolean => url === HUSH
const NDJSON = 'application/x-ndjson'

const warcOf = (...pages: readonly (readonly [path: string, text: string])[]): Uint8Array => {
  const records = pages.map(([path, text]) =>
    writeBatchPage({ url: ORIGIN + path, status: 200, headers: [], body: Buffer.from(text) }, NOON),
  )
  const closing = { sent: pages.length, unchanged: 0, rest: [], refused: [] }
  return Buffer.concat([...records, writeClosing(closing, `${ORIGIN}/`, NOON)])
}
const pushed = (body: Uint8Array, more: Partial<SentContent> = {}): SentContent => ({
  door: 'push',
  scheme: 'pages',
  type: WARC_TYPE,
  origin: ORIGIN,
  body,
  ...more,
})
const text = (body: Uint8Array): string => Buffer.from(body).toString()

test('a page that links to one that leaves is none that leaves', async () => {
  const body = warcOf(['/other', `<a href="${HUSH}">hush</a>`])
  assert.equal(await redactSent(pushed(body), leaves), 'all')
})

test('the address that a push of pages is closed with is no page of it', async () => {
  assert.equal(await redactSent(pushed(warcOf(['/other', 'words'])), (url) => url === `${ORIGIN}/`), 'all')
})

test('of pages the others are named, those that are gone as gone', async () => {
  const gone = writeBatchPage({ url: `${ORIGIN}/gone`, status: 410, headers: [], body: new Uint8Array(0) }, NOON)
  const left = await redactSent(pushed(Buffer.concat([gone, warcOf(['/hush', 'h'], ['/other', 'o'])])), leaves)
  assert.ok(typeof left === 'object')
  assert.deepEqual([left.scheme, left.type], ['changes', NDJSON])
  const lines = text(left.body).trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      { url: `${ORIGIN}/gone`, change: 'deleted', channel: 'websub' },
      { url: `${ORIGIN}/other`, change: 'updated', channel: 'websub' },
    ],
  )
})

test('of what an agent says the other lines stay, and the last one counts them', async () => {
  const rows = [{ agent: 'a' }, ...['/hush', '/other'].map((path) => ({ record: { url: ORIGIN + path } }))]
  const body = Buffer.from([...rows, { end: 'done', records: 2 }].map((row) => `${JSON.stringify(row)}\n`).join(''))
  const left = await redactSent(pushed(body, { scheme: 'agent', type: NDJSON }), leaves)
  assert.ok(typeof left === 'object')
  assert.equal(text(left.body), `{"agent":"a"}\n{"record":{"url":"${ORIGIN}/other"}}\n{"end":"done","records":1}\n`)
})

test("a gateway's batch keeps its number, and all rows of other pages as they are", async () => {
  const [hush, other] = [HUSH, `${ORIGIN}/other`].map((url) => ({ url, text: `words of ${url}`, at: NOON }))
  const made = (...passed: readonly (typeof hush)[]): ReturnType<typeof batchItem> =>
    batchItem('north', 7, {
      words: passed.map((one) => one!),
      whole: passed.map((one) => one!),
      seen: passed.map((one) => one!),
      hits: passed.map((one) => ({ url: one!.url, readers: 1, robots: 2 })),
      gone: passed.map((one) => ({ url: one!.url, status: 410, at: NOON })),
    })
  const left = await redactSent(made(hush, other), leaves)
  assert.ok(typeof left === 'object')
  const [read, expected] = [unpackGatewayBatch(left.body), unpackGatewayBatch(made(other).body)]
  assert.ok(read.kind === 'news' && expected.kind === 'news')
  assert.equal(urlsOfNews(read.news).some(leaves), false)
  const { figures: _, pages: p1, ...batch } = read.news.batch
  const { figures: __, pages: p2, ...alone } = expected.news.batch
  assert.deepEqual(batch, alone)
  assert.ok(p1.length > 0 && p2.length > 0)
  assert.deepEqual(
    [read.news.documents, read.news.pages.map(({ url, body }) => [url, text(body)])],
    [expected.news.documents, expected.news.pages.map(({ url, body }) => [url, text(body)])],
  )
})

const cases: [sentence: string, content: SentContent][] = [
  ['a push that is cut within its first record', pushed(warcOf(['/other', 'words']).subarray(0, 40))],
  ['lines of which one is none', pushed(Buffer.from(`{"url":"${ORIGIN}/x"}\n{`), { type: NDJSON })],
  ['a package without a directory', pushed(packageOf(ORIGIN, []).subarray(0, 20), { type: 'application/zip' })],
  ['a package that names no page', pushed(packageOf(ORIGIN, []), { type: 'application/zip' })],
  ['a batch that is none', pushed(Buffer.from('cgb\u0001?'), { door: 'gateway', type: '' })],
  ['bytes that are no text', { body: Buffer.from([0xff, 0, 1]) }],
  ['an answer of which nobody wrote down whose it is', { body: Buffer.from('HTTP/1.1 200 OK\r\n\r\nwords') }],
  ['what is packed and cut', { body: Buffer.from([0x1f, 0x8b, 8, 0, 0]) }],
]
for (const [sentence, content] of cases) {
  test(`${sentence} is unreadable`, async () => assert.equal(await redactSent(content, leaves), 'unreadable'))
}

test('whatever bytes are said to be whatever, there is an answer', async () => {
  const start = fc.constantFrom(
    '',
    'cgb\u0001',
    'WARC/1.1\r\n',
    'PK\u0003\u0004',
    '\u001f\u008b',
    '{"url":"',
    '<urlset>',
  )
  const content = fc.record({
    door: fc.constantFrom(undefined, ...INBOX_DOORS),
    scheme: fc.constantFrom(undefined, ...INBOX_SCHEMES),
    type: fc.constantFrom(undefined, NDJSON, WARC_TYPE, 'application/zip', 'constructor'),
    body: fc.tuple(start, fc.uint8Array()).map(([head, rest]) => Buffer.concat([Buffer.from(head, 'latin1'), rest])),
  })
  await fc.assert(
    fc.asyncProperty(content, async (one) => {
      const left = await redactSent(one, leaves)
      assert.ok(typeof left === 'object' || ['all', 'nothing', 'unreadable'].includes(left))
    }),
    { numRuns: 500 },
  )
})
