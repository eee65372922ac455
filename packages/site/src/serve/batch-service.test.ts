import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { WARCParser } from 'warcio'
import { applyDelta, BATCH_PATH, BATCH_TYPE, headerOf, readBatchAnswer, writeBatch } from '@comity/protocol'
import type { BatchLine, ReadBatch } from '@comity/protocol'
import { etagOf, pageEtag } from '../page-etag.ts'
import { BASE, SampleSite, requestOf } from '../testing/site-sample.ts'
import type { Asked, ReadAnswer } from '../testing/site-sample.ts'
import type { SiteOptions } from '../site-options.ts'

const url = (path: string): string => new URL(path, BASE).href
const long = (word: string): string =>
  `<title>${word}</title>${'<p>what all pages of this site say</p>\n'.repeat(50)}<p>${word}</p>`

const typed = ['Content-Type', BATCH_TYPE] as const
const query = (lines: readonly BatchLine[], more: Asked = {}): Asked => ({
  method: 'QUERY',
  body: writeBatch(lines),
  ...more,
  headers: [typed, ...(more.headers ?? [])],
})

async function batch(
  sample: SampleSite,
  lines: readonly BatchLine[],
  more: Asked = {},
): Promise<ReadBatch & { answer: ReadAnswer }> {
  const answer = await sample.ask(BATCH_PATH, query(lines, more))
  assert.deepEqual([answer.status, answer.header('content-type')], [200, 'application/warc'])
  const read = readBatchAnswer(answer.body)
  assert.deepEqual(read.problems, [])
  return { ...read, answer }
}

async function batchSite(options: Partial<SiteOptions> = {}): Promise<SampleSite> {
  const sample = new SampleSite(options)
  await sample.put({ '/a': long('a'), '/b': long('b'), '/c': long('c'), '/gone': 'soon gone' })
  await sample.put({ '/a': long('a, again'), '/gone': null })
  return sample
}

test('pages come as they are, what is held is left out, what is gone or not ours is said', async () => {
  const sample = await batchSite()
  const b = sample.journal.page('/b')!
  const c = sample.journal.page('/c')!
  const { pages, closing } = await batch(sample, [
    { url: url('/a') },
    { url: url('/b'), etag: etagOf(b.digest) },
    { url: url('/c'), digest: c.digest },
    { url: url('/gone') },
    { url: url('/never') },
    { url: 'https://b.example/a' },
    { url: 'nonsense' },
  ])
  assert.deepEqual(
    pages.map(({ url: of, status }) => [of, status]),
    [
      [url('/a'), 200],
      [url('/gone'), 410],
    ],
  )
  const [a] = pages
  assert.equal(Buffer.from(a!.body).toString('utf8'), long('a, again'))
  assert.equal(headerOf(a!.headers, 'etag'), pageEtag(sample.journal.page('/a')!))
  assert.equal(headerOf(a!.headers, 'content-type'), 'text/html')
  const { token, ...rest } = closing!
  assert.deepEqual(rest, {
    sent: 2,
    unchanged: 2,
    rest: [],
    refused: [url('/never'), 'https://b.example/a', 'nonsense'],
    more: false,
  })
  assert.match(token!, /^[0-9a-f]{16}\.6$/)
})

test('whoever holds an earlier version and takes a difference gets one that makes the page', async () => {
  const sample = await batchSite()
  const earlier = sample.journal.changesAfter(0)!.find(({ path }) => path === '/a')!
  for (const held of [{ etag: etagOf(earlier.digest) }, { digest: earlier.digest }]) {
    const { pages } = await batch(sample, [{ url: url('/a'), delta: true, ...held }])
    const [one] = pages
    assert.equal(one?.status, 226)
    assert.ok(one.body.length < 100)
    const offered = new Map([[etagOf(earlier.digest), Buffer.from(long('a'))]])
    const applied = applyDelta(one, offered, { maxBytes: 1 << 20 })
    assert.ok(applied.kind === 'ok' && applied.isVerified)
    assert.equal(Buffer.from(applied.body).toString('utf8'), long('a, again'))
  }
})

test('without the wish, without its base, or where it would save nothing, the page comes whole', async () => {
  const sample = await batchSite()
  const earlier = sample.journal.changesAfter(0)!.find(({ path }) => path === '/a')!
  await sample.put({ '/b': 'all is new' })
  const lines: BatchLine[][] = [
    [{ url: url('/a'), etag: etagOf(earlier.digest) }],
    [{ url: url('/a'), etag: '"unknown"', delta: true }],
    [{ url: url('/a'), delta: true }],
    [
      {
        url: url('/b'),
        digest: sample.journal.changesAfter(0)!.find(({ path }) => path === '/b')!.digest,
        delta: true,
      },
    ],
  ]
  for (const some of lines)
    assert.deepEqual(
      (await batch(sample, some)).pages.map(({ status }) => status),
      [200],
    )
})

test('warcio reads the stream, in every content coding', async () => {
  const sample = await batchSite()
  for (const coding of ['zstd', 'br', 'gzip', 'identity']) {
    const answer = await sample.ask(
      BATCH_PATH,
      query([{ url: url('/a') }, { url: url('/b') }], { headers: [['Accept-Encoding', coding]] }),
    )
    assert.equal(answer.header('content-encoding'), coding === 'identity' ? undefined : coding)
    const seen: string[] = []
    for await (const record of new WARCParser(new Blob([new Uint8Array(answer.body)]).stream())) {
      seen.push(`${record.warcType} ${record.warcTargetURI ?? ''}`)
      if (record.warcTargetURI === url('/b')) assert.equal(await record.contentText(), long('b'))
    }
    assert.deepEqual(seen, [`response ${url('/a')}`, `response ${url('/b')}`, `metadata ${url(BATCH_PATH)}`])
  }
})

test('an answer ends when it is long enough and says what it did not reach', async () => {
  const sample = await batchSite({ limits: { answerBytes: 3_000 } })
  const all = ['/a', '/b', '/c'].map((path) => ({ url: url(path) }))
  const first = await batch(sample, all)
  assert.deepEqual([first.pages.length, first.closing?.rest], [1, [url('/b'), url('/c')]])
  const second = await batch(
    sample,
    first.closing!.rest.map((one) => ({ url: one })),
  )
  assert.deepEqual([second.pages.length, second.closing?.rest], [1, [url('/c')]])
})

test('POST does as QUERY does, and a packed body is read', async () => {
  const sample = await batchSite()
  const lines = [{ url: url('/a') }]
  assert.equal((await batch(sample, lines, { method: 'POST' })).pages.length, 1)
  const packed = await batch(sample, lines, {
    body: gzipSync(writeBatch(lines)),
    headers: [['Content-Encoding', 'gzip']],
  })
  assert.equal(packed.pages.length, 1)
})

test('a masked page is said to be unchanged by its weak tag, and is never sent', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a': 'masked' }, { masked: true })
  const etag = pageEtag(sample.journal.page('/a')!)
  assert.match(etag, /^W\//)
  assert.equal((await batch(sample, [{ url: url('/a'), etag }])).closing?.unchanged, 1)
  assert.deepEqual((await batch(sample, [{ url: url('/a') }])).closing?.refused, [url('/a')])
})

test('a page whose bytes are not those that were recorded is refused', async () => {
  const sample = new SampleSite(
    {},
    { versions: { put: async () => undefined, get: () => undefined, supersede: () => undefined } },
  )
  await sample.put({ '/a': 'recorded' })
  sample.bodies.set('/a', Buffer.from('rerecorde'))
  assert.deepEqual((await batch(sample, [{ url: url('/a') }])).closing?.refused, [url('/a')])
})

const refusals: [sentence: string, asked: Asked, status: number, pattern: RegExp][] = [
  ['GET', { method: 'GET' }, 405, /QUERY or POST/],
  ['a body without a type', { method: 'QUERY', body: '{}' }, 400, /application\/x-ndjson/],
  [
    'a body of another type',
    { method: 'QUERY', body: '{}', headers: [['Content-Type', 'text/plain']] },
    415,
    /application\/x-ndjson/,
  ],
  ['a coding nobody knows', query([], { headers: [['Content-Encoding', 'lzma']] }), 415, /gzip/],
  ['a damaged coding', query([], { body: 'no gzip', headers: [['Content-Encoding', 'gzip']] }), 400, /damaged/],
  ['a body that is too large', query([], { body: 'x'.repeat(1_001) }), 413, /1000 bytes/],
  [
    'a body that unpacks to too much',
    query([], { body: gzipSync('x'.repeat(5_000)), headers: [['Content-Encoding', 'gzip']] }),
    413,
    /1000 bytes/,
  ],
  ['too many lines', query([{ url: url('/1') }, { url: url('/2') }, { url: url('/3') }]), 413, /2 lines/],
  ['lines that are none', query([], { body: 'nonsense\n{"a":1}\n' }), 422, /No line/],
  ['an empty body', query([]), 422, /No line/],
]
for (const [sentence, asked, status, pattern] of refusals) {
  test(`${sentence} is answered ${status}, with what may be asked`, async () => {
    const sample = await batchSite({ limits: { requestBytes: 1_000, batchPages: 2 } })
    const answer = await sample.ask(BATCH_PATH, asked)
    assert.equal(answer.status, status)
    assert.match(answer.text, pattern)
    if (answer.header('accept-encoding') === undefined)
      assert.equal(answer.header('accept-query'), '"application/x-ndjson"')
  })
}

test('OPTIONS says which methods and bodies there are', async () => {
  const { status, header } = await (await batchSite()).ask(BATCH_PATH, { method: 'OPTIONS' })
  assert.deepEqual(
    [status, header('allow'), header('accept-query')],
    [204, 'QUERY, POST, OPTIONS', '"application/x-ndjson"'],
  )
})

test('when enough answers are being made the next is asked to wait, until one is given up', async () => {
  const sample = await batchSite({ limits: { streams: 1 } })
  const lines = [{ url: url('/a') }, { url: url('/b') }]
  const slow = await sample.site.answer(requestOf(BATCH_PATH, query(lines)))
  assert.ok(slow !== undefined && !(slow.body instanceof Uint8Array))
  const chunks = slow.body[Symbol.asyncIterator]()
  await chunks.next()
  const busy = await sample.ask(BATCH_PATH, query(lines))
  assert.deepEqual([busy.status, busy.header('retry-after')], [503, '5'])
  await chunks.return?.()
  assert.equal((await sample.ask(BATCH_PATH, query(lines))).status, 200)
})
