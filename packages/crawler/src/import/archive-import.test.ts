import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Collection, deadLetters, forgetPages, forgetSite } from '@comity/collection'
import type { CaptureRow, PageRow } from '@comity/collection'
import { DONE, Frontier, EXCLUDED, orderNamed, politeDefaults } from '@comity/frontier'
import type { SiteRow } from '@comity/frontier'
import {
  encodeRecord,
  gzipRecord,
  readRecordAt,
  requestRecord,
  responseHead,
  responseRecord,
  revisitRecord,
  warcField,
  warcinfoRecord,
} from '@comity/protocol'
import type { Capture, HeaderList, WarcRecord } from '@comity/protocol'
import { missing, sharedData } from '@comity/protocol/testing'
import { PageHandler } from '@comity/ingest'
import { importArchives } from './archive-import.ts'
import type { ImportSummary } from './import-call.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-import-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const newFolder = (): string => join(mkdtempSync(join(scratch, 'c-')), 'collection')

const DAY = 86_400_000
const site = 'http://a.example'
const html: HeaderList = [['Content-Type', 'text/html']]

interface Kind {
  readonly status?: number
  readonly headers?: HeaderList
  readonly truncated?: 'length' | 'disconnect'
}

function page(path: string, at: number, body: string, kind: Kind = {}): WarcRecord {
  const { status = 200, headers = html, ...more } = kind
  const httpHead = responseHead({ status, statusText: 'X', headers })
  return responseRecord({ url: site + path, at, httpHead, body: Buffer.from(body), ...more })
}

const packed = (records: readonly WarcRecord[]): Buffer => Buffer.concat(records.map((record) => gzipRecord(record)))

async function* piecesOf(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function take(into: string, archive: Uint8Array | readonly WarcRecord[], threads = 0): Promise<ImportSummary> {
  const bytes = archive instanceof Uint8Array ? archive : packed(archive)
  return await importArchives({
    into,
    archives: [{ name: 'a', bytes: piecesOf(bytes) }],
    now: () => Date.UTC(2026, 0, 1),
    limits: { threads, maxRecordBytes: 1 << 20 },
  })
}

interface Seen {
  readonly row: PageRow | undefined
  readonly captures: readonly (CaptureRow & { readonly at: number })[]
  readonly links: readonly string[]
  readonly state: number
}

/** What a collection says of some pages. */
async function seen(dir: string, paths: readonly string[]): Promise<Seen[]> {
  await using collection = Collection.openReadOnly(dir)
  const frontier = frontierOf(collection)
  return paths.map((path) => {
    const id = frontier.findUrl(site + path)
    assert.notEqual(id, -1, `${path} is not known`)
    return {
      row: collection.page(id),
      captures: Array.from(collection.captures(id), ({ key, value }) => ({ at: key[1], ...value })),
      links: collection.links(id).map(({ to }) => collection.url(to) ?? ''),
      state: frontier.pages.stateOf(id),
    }
  })
}

function frontierOf(collection: Collection): Frontier {
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 1, maxBytes: 1, maxKnown: 1e6 }),
    maxTries: 1,
    random: () => 0,
    gates: false,
    textOf: (id) => collection.text(id),
  })
  const source = {
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
  }
  frontier.restore(source, 0, true)
  return frontier
}

const home = page('/', DAY, '<title>Home</title><a href="/b">b</a><a href="/c">c</a>')

for (const threads of [0, 1]) {
  test(`a response becomes a page as if it had been crawled at its date (${threads} threads)`, async () => {
    const dir = newFolder()
    const summary = await take(dir, [home, page('/b', DAY + 1, '<title>B</title>')], threads)
    assert.deepEqual([summary.records, summary.captures, summary.pages, summary.skipped], [2, 2, 2, {}])
    const [first, second, third] = (await seen(dir, ['/', '/b', '/c'])) as [Seen, Seen, Seen]
    assert.deepEqual([first.row?.title, first.row?.visitedAt, first.row?.outcome], ['Home', DAY, 'ok'])
    assert.deepEqual(first.links, [`${site}/b`, `${site}/c`])
    assert.deepEqual([first.state, second.state, third.state], [DONE, DONE, EXCLUDED])
    assert.deepEqual([second.row?.title, third.row], ['B', undefined])
    assert.deepEqual(
      first.captures.map(({ source, at, status }) => [source, at, status]),
      [['dump', DAY, 200]],
    )
  })
}

test('what is stored is the record of the archive, by its own name and date', async () => {
  const dir = newFolder()
  await take(dir, [home])
  const [{ captures } = { captures: [] }] = await seen(dir, ['/'])
  await using collection = Collection.openReadOnly(dir)
  const { file, offset, length } = captures[0]?.record ?? { file: 0, offset: 0, length: 0 }
  const bytes = readFileSync(collection.warcPaths[file] ?? '')
  const item = readRecordAt(bytes.subarray(offset, offset + length))
  assert.ok(item.kind === 'record')
  for (const name of ['WARC-Record-ID', 'WARC-Date', 'WARC-Target-URI', 'WARC-Payload-Digest']) {
    assert.equal(warcField(item.record, name), warcField(home, name), name)
  }
  assert.deepEqual(Buffer.from(item.record.block), Buffer.from(home.block))
})

test('onCapture is told of each whole page that is new, once', async () => {
  const [dir, told] = [newFolder(), [] as string[]]
  const archives = [{ name: 'a', bytes: piecesOf(packed([home, page('/cut', DAY, 'x', { truncated: 'length' })])) }]
  const hooks = { onCapture: ({ url, at, source }: Capture) => void told.push(`${url} ${at} ${source}`) }
  await importArchives({ into: dir, archives, now: () => Date.UTC(2026, 0, 1), hooks })
  assert.deepEqual(told, [`${site}/ ${DAY} dump`])
  const again = [{ name: 'a', bytes: piecesOf(packed([home])) }]
  await importArchives({ into: dir, archives: again, now: () => Date.UTC(2026, 0, 1), hooks })
  assert.equal(told.length, 1)
})

test('the index follows what is new, and is not begun where nothing is', async () => {
  const dir = newFolder()
  const load = async (): Promise<ImportSummary> =>
    await importArchives({
      into: dir,
      archives: [{ name: 'a', bytes: piecesOf(packed([home])) }],
      now: () => Date.UTC(2026, 0, 1),
      limits: { threads: 0 },
      index: true,
    })
  assert.deepEqual([(await load()).index?.pages, (await load()).index], [1, undefined])
})

test('importing twice changes nothing, nor does a part of the archive again', async () => {
  const dir = newFolder()
  const records = [home, page('/b', DAY, 'b'), page('/', 2 * DAY, 'changed')]
  await take(dir, records)
  const before = await seen(dir, ['/', '/b', '/c'])
  for (const again of [records, records.slice(1), [...records, ...records]]) {
    const summary = await take(dir, again)
    assert.deepEqual([summary.captures, summary.pages, summary.skipped], [0, 0, { known: again.length }])
  }
  assert.deepEqual(await seen(dir, ['/', '/b', '/c']), before)
})

test('the newest capture is the row of its page, in whatever order they come', async () => {
  const records = [1, 2, 3].map((day) =>
    page('/', day * DAY, `<title>Day ${day}</title><a href="/of-day-${day}">x</a> ${'word '.repeat(100 * day)}`),
  )
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(records, { minLength: 3 }), async (shuffled) => {
      const dir = newFolder()
      const summary = await take(dir, shuffled)
      assert.equal(summary.pages, 1)
      const [{ row, links, captures } = { row: undefined, links: [], captures: [] }] = await seen(dir, ['/'])
      assert.deepEqual([row?.title, row?.visitedAt, row?.visits], ['Day 3', 3 * DAY, 3])
      assert.deepEqual([links, captures.length], [[`${site}/of-day-3`], 3])
    }),
    { numRuns: 6 },
  )
})

test('a page that was archived in two codings has not changed, and one that could not be served is as it was', async () => {
  const text = '<title>Same</title>'
  const gzip: HeaderList = [...html, ['Content-Encoding', 'gzip'], ['Date', 'Fri, 02 Jan 1970 00:00:00 GMT']]
  const again = responseRecord({
    url: `${site}/`,
    at: 2 * DAY,
    httpHead: responseHead({ status: 200, headers: gzip }),
    body: gzipSync(text),
  })
  const dir = newFolder()
  await take(dir, [page('/', DAY, text), again, page('/', 3 * DAY, 'sorry', { status: 503 })])
  const [{ row } = { row: undefined }] = await seen(dir, ['/'])
  assert.deepEqual([row?.visits, row?.changes, row?.changedAt, row?.title], [3, 0, DAY, 'Same'])
  assert.deepEqual([row?.status, row?.servedAt], [503, DAY])
})

test('an error that is newer than a page leaves the page its body and links', async () => {
  for (const records of [
    [home, page('/', 2 * DAY, 'gone', { status: 404 })],
    [page('/', 2 * DAY, 'gone', { status: 404 }), home],
  ]) {
    const dir = newFolder()
    await take(dir, records)
    const [{ row, links, captures } = { row: undefined, links: [], captures: [] }] = await seen(dir, ['/'])
    assert.deepEqual([row?.outcome, row?.status, links.length], ['client-error', 404, 2])
    assert.deepEqual(row?.body, captures[0]?.body)
  }
})

const twin = (path: string, at: number, original: WarcRecord, more = {}): WarcRecord =>
  revisitRecord({
    url: site + path,
    at,
    profile: 'identical-payload-digest',
    refersToUri: warcField(original, 'WARC-Target-URI') ?? '',
    refersToDate: Date.parse(warcField(original, 'WARC-Date') ?? ''),
    payloadDigest: warcField(original, 'WARC-Payload-Digest') ?? '',
    httpHead: responseHead({ status: 200, headers: html }),
    ...more,
  })

test('a revisit is a page with the body it repeats, also before that, and in a body stored once', async () => {
  for (const records of [
    [home, twin('/copy', 2 * DAY, home)],
    [twin('/copy', 2 * DAY, home), home],
    [home, twin('/copy', 2 * DAY, home, { refersToUri: 'http://nowhere.example/' })],
  ]) {
    const dir = newFolder()
    const summary = await take(dir, records)
    assert.deepEqual([summary.captures, summary.pages, summary.skipped], [2, 2, {}])
    const [first, copy] = (await seen(dir, ['/', '/copy'])) as [Seen, Seen]
    assert.deepEqual([copy.row?.title, copy.row?.digest, copy.links], ['Home', first.row?.digest, first.links])
    assert.deepEqual(copy.row?.body, first.row?.body)
    assert.notDeepEqual(copy.captures[0]?.record, first.captures[0]?.record)
  }
})

test('a revisit of what nobody has is left out', async () => {
  const summary = await take(newFolder(), [twin('/copy', DAY, home)])
  assert.deepEqual([summary.captures, summary.skipped], [0, { 'revisit-without-original': 1 }])
})

test('a 304 is a capture of the page that was there', async () => {
  const dir = newFolder()
  const notModified = page('/', 3 * DAY, '', { status: 304, headers: [] })
  await take(dir, [notModified, home])
  const [{ row, captures } = { row: undefined, captures: [] }] = await seen(dir, ['/'])
  assert.deepEqual([row?.outcome, row?.status, row?.title, row?.visitedAt], ['not-modified', 304, 'Home', 3 * DAY])
  assert.deepEqual(captures[1]?.body, captures[0]?.body)
  assert.deepEqual((await take(dir, [notModified, home])).skipped, { known: 2 })
})

const inTransferCoding = responseRecord({
  url: `${site}/`,
  at: DAY,
  httpHead: Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: y\r\n\r\n'),
  body: Buffer.from('<a href=/x>'),
})
const endings: [sentence: string, record: WarcRecord, outcome: string][] = [
  ['a redirect', page('/', DAY, '', { status: 302, headers: [['Location', '/to']] }), 'redirect'],
  ['a redirect to itself', page('/', DAY, '', { status: 302, headers: [['Location', '/']] }), 'redirect-loop'],
  ['a redirect without a target', page('/', DAY, '', { status: 301, headers: [] }), 'redirect-nowhere'],
  ['an error', page('/', DAY, 'no', { status: 500 }), 'server-error'],
  ['a body cut by its length', page('/', DAY, '<a href=/x>', { truncated: 'length' }), 'too-large'],
  ['a body that broke off', page('/', DAY, '<a href=/x>', { truncated: 'disconnect' }), 'truncated'],
  ['a transfer coding nobody undid', inTransferCoding, 'bad-coding'],
  ['a coding nobody knows', page('/', DAY, 'x', { headers: [...html, ['Content-Encoding', 'y']] }), 'bad-coding'],
]
for (const [sentence, record, outcome] of endings) {
  test(`${sentence} ends as ${outcome}, and nothing it links to is believed`, async () => {
    const dir = newFolder()
    await take(dir, [record])
    const [{ row, links } = { row: undefined, links: [] }] = await seen(dir, ['/'])
    assert.deepEqual([row?.outcome, links], [outcome, []])
  })
}

test('what a page asks of robots is kept with it', async () => {
  const dir = newFolder()
  await take(dir, [page('/', DAY, '<meta name="robots" content="noindex, noarchive"><a href="/x">x</a>')])
  const [{ row } = { row: undefined }] = await seen(dir, ['/'])
  assert.deepEqual([row?.noindex, row?.noarchive, row?.nofollow], [true, true, undefined])
})

test('records that are no answers are counted by their kind', async () => {
  const at = DAY
  const request = requestRecord({ url: `${site}/`, at, httpHead: Buffer.from('GET / HTTP/1.1\r\n\r\n') })
  const info = warcinfoRecord({ at, filename: 'a', software: 'b' })
  const robots = page('/robots.txt', at, 'User-agent: *')
  const summary = await take(newFolder(), [info, request, home, robots])
  assert.deepEqual(summary.skipped, { warcinfo: 1, request: 1, robots: 1 })
  assert.equal(summary.captures, 1)
})

const whole = packed([home, page('/b', DAY, 'b'.repeat(2_000)), page('/c', DAY, 'c')])
const damages: [sentence: string, bytes: Uint8Array, captures: number, skipped: readonly string[]][] = [
  ['whose end is missing', whole.subarray(0, whole.length - 30), 2, ['truncated']],
  ['with a hole in a record', Buffer.from(whole).fill(0xff, 400, 430), 2, ['bad-gzip']],
  ['that is empty', new Uint8Array(0), 0, []],
  ['that is no WARC at all', Buffer.from('<html>not found</html>'), 0, ['bad-version']],
  ['with a record too large', packed([page('/', DAY, 'x'.repeat(2 << 20)), home]), 1, ['too-large']],
]
for (const [sentence, bytes, captures, skipped] of damages) {
  test(`a file ${sentence} gives what can be read, and says what could not`, async () => {
    const summary = await take(newFolder(), bytes)
    assert.deepEqual([summary.captures, Object.keys(summary.skipped)], [captures, skipped])
  })
}

test('plain files, and files compressed as a whole, are read as well', async () => {
  const plain = Buffer.concat([home, page('/b', DAY, 'b')].map((record) => encodeRecord(record)))
  for (const bytes of [plain, gzipSync(plain)]) assert.equal((await take(newFolder(), bytes)).captures, 2)
})

test('a site that was forgotten stays out', async () => {
  const dir = newFolder()
  await take(dir, [home])
  {
    await using collection = await Collection.open(dir, DAY)
    const frontier = frontierOf(collection)
    for (let id = 0; id < frontier.pages.count; id++) frontier.forget(id)
    await forgetSite(collection, frontier.site(site), DAY, { frontier: frontier.drain() })
  }
  const summary = await take(dir, [home])
  assert.deepEqual([summary.captures, summary.skipped], [0, { forgotten: 1 }])
})

test('a page that was forgotten stays out in every spelling', async () => {
  const dir = newFolder()
  await take(dir, [home, page('/a', DAY, 'a')])
  {
    await using collection = await Collection.open(dir, DAY)
    const frontier = frontierOf(collection)
    const gone = frontier.findUrl(`${site}/a`)
    frontier.forget(gone)
    await forgetPages(collection, [gone], DAY, { frontier: frontier.drain() })
  }
  const spellings = ['/a', '//a', '/%2Fa', '/x/..%2Fa'].map((path) => page(path, DAY, 'a'))
  const summary = await take(dir, spellings)
  assert.deepEqual([summary.captures, summary.skipped], [0, { forgotten: spellings.length }])
})

test('a collection that somebody writes is not touched', async () => {
  const dir = newFolder()
  await using writer = await Collection.open(dir, DAY)
  await assert.rejects(take(dir, [home]), { code: 'COLLECTION_HELD' })
  assert.equal(writer.dir, dir)
})

test('an import that is stopped goes on when it is run again', async () => {
  const dir = newFolder()
  const records = Array.from({ length: 30 }, (_, n) => page(`/${n}`, DAY, `page ${n}`))
  const stop = new AbortController()
  async function* stopping(): AsyncGenerator<Uint8Array> {
    for (const [n, record] of records.entries()) {
      if (n === 10) stop.abort()
      yield await Promise.resolve(gzipRecord(record))
    }
  }
  const archives = [{ name: 'a', bytes: stopping() }]
  const first = await importArchives({ into: dir, archives, signal: stop.signal, limits: { threads: 0 } })
  assert.ok(first.interrupted && first.captures > 0 && first.captures < 30)
  const second = await take(dir, records)
  assert.equal(first.captures + second.captures, 30)
})

/** A file, and how many captures it holds that can be read. */
const WARC = 'conformance/warc'
const real: [file: string, records: number, captures: number][] = [
  ['iipc/primers/web-archive-formats/hello-world.warc', 6, 1],
  ['iipc/primers/web-archive-formats/hello-world.warc.gz', 6, 1],
  ['jwarc/test-resources/org/netpreserve/jwarc/cc.warc.gz', 1, 1],
  ['jwat/jwat-warc/src/test/resources/IAH-20080430204825-00000-blackbook.warc.gz', 822, 223],
]
for (const [file, records, captures] of real) {
  test(`of real archives: ${basename(file)}`, async (t) => {
    const path = sharedData(`${WARC}/${file}`)
    if (path === undefined) return missing(t, `${WARC}/${file}`)
    const dir = newFolder()
    const load = (): Promise<ImportSummary> =>
      importArchives({ into: dir, archives: [{ name: file, bytes: createReadStream(path) }] })
    const summary = await load()
    const left = Object.values(summary.skipped).reduce((sum, count) => sum + count, 0)
    assert.deepEqual([summary.records, summary.captures, left], [records, captures, records - captures])
    assert.equal((await load()).captures, 0)
  })
}

test('of real archives: a revisit finds its original in another file', async (t) => {
  const folder = 'iipc/specifications/warc-deduplication/samples'
  const names = [
    '20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz',
    '20141129-heritrix-original.warc.gz',
  ]
  const paths = names.map((name) => sharedData(`${WARC}/${folder}/${name}`))
  if (paths.includes(undefined)) return missing(t, `${WARC}/${folder}`)
  const archives = paths.map((path = '') => ({ name: path, bytes: createReadStream(path) }))
  const summary = await importArchives({ into: newFolder(), archives })
  assert.deepEqual([summary.captures, summary.skipped], [2, {}])
})

// ── nothing is lost ──────────────────────────────────────────────────────────────────────────────────────────────

const total = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)

test('an archive with a member above 16 MiB is taken in to its end', { timeout: 120_000 }, async () => {
  const large = page('/large', DAY, 'x'.repeat(17 << 20))
  const others = Array.from({ length: 51 }, (_, n) => page(`/${n}`, DAY, randomBytes(6_000).toString('base64')))
  const bytes = packed([...others.slice(0, 26), large, ...others.slice(26)])
  const summary = await importArchives({
    into: newFolder(),
    archives: [{ name: 'a', bytes: piecesOf(bytes, 1 << 18) }],
    now: () => Date.UTC(2026, 0, 1),
    limits: { threads: 1 },
  })
  assert.deepEqual([summary.seen, summary.captures, summary.skipped], [52, 52, {}])
})

/** Something between good records: none of them may go with it, and it must be accounted for. */
const between: [sentence: string, bytes: Uint8Array, seen: number][] = [
  ['a record that is too large', packed([page('/bad', DAY, 'y'.repeat(2 << 20))]), 1],
  ['a damaged member', Buffer.concat([packed([page('/bad', DAY, 'bad')]).subarray(0, -40), Buffer.alloc(9)]), 1],
  ['garbage', Buffer.alloc(4_000, 'garbage'), 1],
  ['a digest of no kind', packed([withField(page('/bad', DAY, 'bad'), 'WARC-Payload-Digest', 'constructor:AAAA')]), 1],
  ['a record of no kind', packed([withField(page('/bad', DAY, 'bad'), 'WARC-Type', '__proto__')]), 1],
  ['a URL that is none', packed([withField(page('/bad', DAY, 'bad'), 'WARC-Target-URI', 'http://[')]), 1],
  ['no HTTP', packed([{ ...page('/bad', DAY, 'bad'), block: Buffer.from('constructor') }]), 1],
]
for (const [sentence, bytes, more] of between) {
  test(`${sentence} between good records takes none of them with it, and is counted`, { timeout: 60_000 }, async () => {
    const good = Array.from({ length: 8 }, (_, n) => page(`/${n}`, DAY, `page ${n}`))
    const summary = await take(newFolder(), Buffer.concat([packed(good.slice(0, 4)), bytes, packed(good.slice(4))]))
    assert.equal(summary.seen, 8 + more, JSON.stringify(summary))
    assert.ok(summary.captures >= 8, JSON.stringify(summary))
    assert.equal(summary.captures + total(summary.skipped), summary.seen)
  })
}

test('a record that we fail on is kept aside with where it stands, and the others are taken in', async (t) => {
  const dir = newFolder()
  // oxlint-disable-next-line typescript/unbound-method -- it is called as the method that it is.
  const { answered } = PageHandler.prototype
  t.mock.method(PageHandler.prototype, 'answered', function (this: PageHandler, ...given: Parameters<typeof answered>) {
    if (given[0].task.url.endsWith('/bad')) throw new TypeError('cannot read properties of undefined')
    return Reflect.apply(answered, this, given)
  })
  const summary = await take(dir, [page('/0', DAY, 'a'), page('/bad', DAY, 'b'), page('/1', DAY, 'c')])
  assert.deepEqual([summary.captures, summary.skipped], [2, { fault: 1 }])
  const [letter] = deadLetters(dir)
  assert.deepEqual([letter?.kind, letter?.url], ['record', `${site}/bad`])
  assert.match(letter?.reason ?? '', /cannot read properties/)
  assert.match(letter?.from ?? '', /^a, at \d+$/)
})

test('a disk that fails ends an import: that is no fault of a record', async (t) => {
  t.mock.method(PageHandler.prototype, 'answered', () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
  await assert.rejects(take(newFolder(), [page('/0', DAY, 'a')]), /no space/)
})

function withField(record: WarcRecord, name: string, value: string): WarcRecord {
  const fields = record.fields.filter(([field]) => field !== name)
  return { ...record, fields: [...fields, [name, value]] }
}
