/**
 * The hostile table: documents that are small on the wire and were made to cost their reader dearly, how each arrives, and the
 * name of what comes of it. Each is sent to a running crawl, a running watch (`hostile-watch.ts`), a running receiver, or the
 * reading threads of a crawl;
 * `hostile-table.test.ts` looks at what comes of it, `npm run bench:hostile` at how long the main thread is held up meanwhile.
 * Servers that misbehave on the wire are another table, `hostileCases` of the lab.
 */
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { crawl } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import { cdxjLine, WACZ_PATHS, ZipWriter } from '@comity/protocol'
import { ReadingPool } from '../../packages/ingest/src/read/pool.ts'
import { readingOptions } from '../../packages/ingest/src/testing/reading-fixture.ts'
import { sampleReceiver, SITE } from '../../packages/receiver/src/testing/sample-receiver.ts'
import type { SampleReceiver } from '../../packages/receiver/src/testing/sample-receiver.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite } from '../watch/cooperating-site.ts'
import { holdingsOf } from '../crawl/holdings.ts'
import { rawZip } from '../crawl/dumping-site.ts'
import { batchOf } from '../gateway/gateway-sender.ts'
import { openHostileWatch, newPushingSite, words } from './hostile-watch.ts'
import type { HostileWatch, WatchedArrival } from './hostile-watch.ts'
import { warcOf } from '../push/push-sender.ts'
import { createSmallSite } from '../sites/small-site.ts'

/** How it arrives: pushed to a receiver; as a document of a site that is crawled or watched; or at the threads that read. */
export type Arrival =
  | 'push'
  | 'robots'
  | 'sitemap'
  | 'page'
  | 'web archive'
  | 'difference'
  | 'batch'
  | 'index'
  | WatchedArrival

export interface HostileDocument {
  readonly name: string
  readonly arrives: Arrival
  readonly make: () => Uint8Array
  /** Content type of a push, content coding of a document, or the part of a web archive that it is. */
  readonly as?: string
  /** The outcome, by its name. */
  readonly expect: string
}

const MB = 1 << 20
const ADDRESS = '127.0.51.1'
const many = (piece: Uint8Array | string, times: number): Buffer =>
  Buffer.from(Buffer.alloc(piece.length * times, piece))
const blanks = gzipSync(Buffer.alloc(15 * MB, '\r\n'))
const blankMembers = (): Buffer => many(blanks, 40)
const emptyMembers = (): Buffer => many(gzipSync(''), 60_000)
const smallestRecords = (): Buffer => gzipSync(many('WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n', 400_000))
const windows = (count: number): Buffer =>
  Buffer.concat([Buffer.from([0xd6, 0xc3, 0xc4, 0, 0]), many(Buffer.from([0, 5, 0, 0, 0, 0, 0]), count)])
const spaces = (bytes: number): Buffer => Buffer.alloc(bytes, ' ')
const numbered = (line: (n: number) => string, bytes: number): Buffer => {
  const lines: string[] = ['User-agent: *\n']
  for (let [n, size] = [0, 0]; size < bytes; n++) size += lines[lines.push(line(n)) - 1]!.length
  return Buffer.from(lines.join(''))
}
const brokenInTheMiddle = (bytes: Buffer): Buffer => {
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64)
  return bytes
}
/** Pages that are worth a web archive of their own, as its index says. */
const listed = (origin: string): Buffer =>
  numbered((n) => {
    const place = { filename: 'pages.warc.gz', offset: n * 9_999, length: 9_999 }
    return `${cdxjLine({ url: `${origin}/${n}`, at: 0, mime: 'text/html', status: 200, digest: undefined, ...place })}\n`
  }, 64 << 10)
const waczOf = (archive: Uint8Array, index: Uint8Array): Buffer =>
  zipOf([
    [`${WACZ_PATHS.archive}pages.warc.gz`, archive],
    [WACZ_PATHS.index, index],
  ])
const emptyFiles = (): Buffer =>
  zipOf(Array.from({ length: 9_999 }, (_, n) => [`${WACZ_PATHS.archive}${n}.warc.gz`, new Uint8Array(0)] as const))
function zipOf(files: readonly (readonly [path: string, body: Uint8Array])[]): Buffer {
  const zip = new ZipWriter(new Date(0))
  const pieces = files.flatMap(([path, body]) => {
    const head = zip.begin(path)
    zip.add(body)
    return [head, body, zip.end()]
  })
  return Buffer.concat([...pieces, zip.finish()])
}
/** One window that says it makes this many bytes, out of one. */
function growingWindow(bytes: number): Buffer {
  const size = base128(bytes)
  const instructions = [0, ...size]
  const rest = [...size, 0, 1, instructions.length, 0, 0x20, ...instructions]
  return Buffer.from([0, rest.length, ...rest])
}
function base128(value: number): number[] {
  const high = Math.floor(value / 128)
  return high === 0 ? [value] : [...base128(high).map((digit) => digit | 0x80), value % 128]
}
const growing = (count: number): Buffer =>
  Buffer.concat([Buffer.from([0xd6, 0xc3, 0xc4, 0, 0]), many(growingWindow(8 * MB), count)])
const gzipped = (times: number, body: Uint8Array): Buffer =>
  Array.from({ length: times }).reduce<Buffer>((inner) => gzipSync(inner, { level: 1 }), Buffer.from(body))
/** What is packed with the page that is held as dictionary. */
const dcb = (stream: Uint8Array): Buffer => Buffer.concat([Buffer.from([0xff, 0x44, 0x43, 0x42]), heldHash(), stream])
const dcz = (stream: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]), heldHash(), stream])
const heldHash = (): Buffer => hash('sha256', words('a'), 'buffer')
/** A package, or what looks like one. */
const packed = (body: Buffer, bytes: number = body.length): { data: Buffer; bytes: number } => ({
  data: deflateRawSync(body, { level: 1 }),
  bytes,
})
const manifestZip = (manifest: Buffer): Uint8Array =>
  rawZip([{ name: 'manifest.xml', body: manifest, packed: packed(manifest) }])
const crowdedZip = (): Uint8Array =>
  rawZip(Array.from({ length: 60_000 }, (_, n) => ({ name: String(n), body: Buffer.alloc(0) })))
const emptyPages = (): Buffer => {
  const block = 'HTTP/1.1 200 OK\r\n\r\n'
  const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://${ADDRESS}/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`
  return gzipSync(many(`${head}${block}\r\n\r\n`, 300_000), { level: 1 })
}
const notices = (): Buffer => {
  const site = newPushingSite()
  const entries = Array.from(
    { length: 20_000 },
    (_, n) => `<url><loc>${site}/${n}</loc><rs:md change="updated"/></url>`,
  )
  return Buffer.from(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="changelist"/>${entries.join('')}</urlset>`,
  )
}
/** What an agent says of so many pages; its first line is put before it. */
const claims = (count: number): Buffer => {
  const site = newPushingSite()
  const page = `"sha-256:${'a'.repeat(64)}"`
  const lines = Array.from(
    { length: count },
    (_, n) => `{"page":${page},"record":{"kind":"meta","url":"${site}/c${n}","change":"updated"}}\n`,
  )
  return Buffer.from(`${lines.join('')}{"end":"done","records":${count}}\n`)
}
const halfLines = (): Buffer => {
  newPushingSite()
  return many('{"page":null,\n', 300_000)
}
const halfDifference = (): Buffer =>
  warcOf([
    {
      url: `${newPushingSite()}/`,
      status: 226,
      headers: [
        ['IM', 'vcdiff, gzip'],
        ['Delta-Base', '"a"'],
      ],
      body: gzipSync(windows(4_000_000)),
      at: Date.now(),
    },
  ])
const uni = (n: number): string => `http://www.uni.example/${n}`
let runs = 0
const gatewayBatch = (parts: Parameters<typeof batchOf>[2]): Uint8Array => batchOf(`hostile-run-${++runs}`, 1, parts)
const seenAgain = (): Uint8Array =>
  gatewayBatch({ seen: Array.from({ length: 50_000 }, (_, n) => ({ url: uni(n), html: '', at: Date.now() })) })
const counted = (): Uint8Array =>
  gatewayBatch({ hits: Array.from({ length: 50_000 }, (_, n) => ({ url: uni(n), readers: 1, robots: 1 })) })
const gatewayBomb = (): Buffer =>
  Buffer.concat([Buffer.from('cgb\u0001', 'latin1'), zstdCompressSync(spaces(256 * MB))])
const brokenBatch = (): Buffer =>
  brokenInTheMiddle(
    Buffer.from(gatewayBatch({ words: [{ url: uni(1), html: words('x').repeat(20), at: Date.now() }] })),
  )
const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

// oxfmt-ignore
export const hostileTable: readonly HostileDocument[] = [
  { name: 'a fine page, to compare',        arrives: 'page',       make: () => Buffer.from('<title>fine</title>'),           expect: 'ok' },
  { name: 'members full of blank lines',    arrives: 'push',       make: blankMembers,                                       as: 'application/warc', expect: 'malformed' },
  { name: 'empty members',                  arrives: 'push',       make: emptyMembers,                                       as: 'application/warc', expect: 'too-much-work' },
  { name: 'the smallest records',           arrives: 'push',       make: smallestRecords,                                    as: 'application/warc', expect: 'too-much-work' },
  { name: 'all blanks in one member',       arrives: 'push',       make: () => gzipSync(spaces(64 * MB), { level: 1 }),     as: 'application/warc', expect: 'too-much-work' },
  { name: 'a notice of nested tags',        arrives: 'push',       make: () => Buffer.from(URLSET + '<url><loc>'.repeat(90_000)), as: 'application/xml', expect: 'malformed' },
  { name: 'a notice of references',         arrives: 'push',       make: () => Buffer.from(`${URLSET}<url><loc>${'&a;'.repeat(300_000)}`), as: 'application/xml', expect: 'malformed' },
  { name: 'a packed notice of blanks',      arrives: 'push',       make: () => gzipSync(Buffer.concat([Buffer.from(URLSET), spaces(64 * MB)])), as: 'application/xml', expect: 'malformed' },
  { name: 'no ZIP, of one byte over again', arrives: 'push',       make: () => many('PK\x05\x06', 250_000),                  as: 'application/zip',  expect: 'malformed' },
  { name: 'rules without end',              arrives: 'robots',     make: () => many('Disallow: /*a*a*a*a*a*b\n', 20_000),    expect: 'ok' },
  { name: 'as many rules as there can be',  arrives: 'robots',     make: () => numbered((n) => `Allow: /*a*${n.toString(36)}*b\n`, 500 << 10), expect: 'ok' },
  { name: 'as many names as there can be',  arrives: 'robots',     make: () => numbered((n) => `User-agent: a\nAllow: /${n.toString(36)}\n`, 500 << 10), expect: 'ok' },
  { name: 'packed rules without end',       arrives: 'robots',     make: () => gzipSync(spaces(64 * MB), { level: 1 }),     as: 'gzip', expect: 'robots-unreachable' },
  { name: 'rules packed five times',        arrives: 'robots',     make: () => [1, 2, 3, 4].reduce((body) => gzipSync(body), gzipSync(spaces(64 * MB))), as: 'gzip, gzip, gzip, gzip, gzip', expect: 'robots-unreachable' },
  { name: 'a sitemap of members',           arrives: 'sitemap',    make: () => many(gzipSync('<'), 30_000),                  expect: 'ok' },
  { name: 'a packed sitemap of blanks',     arrives: 'sitemap',    make: () => gzipSync(Buffer.concat([Buffer.from(URLSET), spaces(64 * MB)]), { level: 1 }), expect: 'ok' },
  { name: 'a sitemap that is cut and bad',  arrives: 'sitemap',    make: () => gzipSync(spaces(45 * MB)).subarray(0, -9),    as: 'gzip', expect: 'ok' },
  { name: 'a sitemap broken in the middle', arrives: 'sitemap',    make: () => brokenInTheMiddle(gzipSync(spaces(60 * MB))), as: 'gzip', expect: 'ok' },
  { name: 'a sitemap of a million lines',   arrives: 'sitemap',    make: () => gzipSync(numbered((n) => `http://${ADDRESS}/${n}\n`, 24 * MB), { level: 1 }), expect: 'ok' },
  { name: 'a sitemap of half tags',         arrives: 'sitemap',    make: () => Buffer.from(URLSET + '<url><loc'.repeat(300_000)), expect: 'ok' },
  { name: 'a gzip bomb',                    arrives: 'page',       make: () => gzipSync(spaces(64 * MB), { level: 1 }),     as: 'gzip',    expect: 'decoded-too-large' },
  { name: 'a deflate bomb',                 arrives: 'page',       make: () => deflateSync(spaces(64 * MB), { level: 1 }),  as: 'deflate', expect: 'decoded-too-large' },
  { name: 'a brotli bomb',                  arrives: 'page',       make: () => brotliCompressSync(spaces(64 * MB), { params: { 1: 1 } }), as: 'br', expect: 'decoded-too-large' },
  { name: 'a zstd bomb',                    arrives: 'page',       make: () => zstdCompressSync(spaces(64 * MB)),           as: 'zstd',    expect: 'decoded-too-large' },
  { name: 'a page of half tags, packed',    arrives: 'page',       make: () => gzipSync(many('<a href="x', 1_500_000)),      as: 'gzip',    expect: 'ok' },
  { name: 'a web archive of blank members', arrives: 'web archive', make: blankMembers,              expect: 'too-much-work' },
  { name: 'one of empty members',           arrives: 'web archive', make: emptyMembers,              expect: 'too-much-work' },
  { name: 'one of the smallest records',    arrives: 'web archive', make: smallestRecords,           expect: 'too-much-work' },
  { name: 'one whose index is blank lines', arrives: 'web archive', make: () => gzipSync(Buffer.alloc(20 * MB, '\n'), { level: 1 }), as: 'index', expect: 'too-much-work' },
  { name: 'one of as many files as can be',  arrives: 'web archive', make: emptyFiles, as: 'zip',     expect: 'its archive: it has no index' },
  { name: 'packed windows of nothing',      arrives: 'difference', make: () => gzipSync(windows(4_000_000)),                 expect: 'too-much-work' },
  { name: 'a batch of blank members',       arrives: 'batch',      make: blankMembers,                                       expect: 'too-much-work' },
  { name: 'an index of blank lines',        arrives: 'index',      make: () => gzipSync(Buffer.alloc(20 * MB, '\n'), { level: 1 }), expect: 'too-much-work' },
  { name: 'small windows of nothing',       arrives: 'watched difference', make: () => windows(4_300),                    expect: 'the difference carries no digest to check it by' },
  { name: 'packed windows of nothing',      arrives: 'watched difference', make: () => gzipSync(windows(4_000_000)),      as: 'vcdiff, gzip', expect: 'too-much-work' },
  { name: 'windows that grow',              arrives: 'watched difference', make: () => growing(500),                      expect: 'too-large' },
  { name: 'a difference packed five times', arrives: 'watched difference', make: () => gzipped(5, windows(4_000_000)),    as: 'vcdiff, gzip, gzip, gzip, gzip, gzip', expect: 'the difference cannot be applied: unknown-manipulation' },
  { name: 'a brotli bomb, with its page',   arrives: 'watched dictionary', make: () => dcb(brotliCompressSync(spaces(64 * MB), { params: { 1: 1 } })), as: 'dcb', expect: 'too-large' },
  { name: 'a zstd bomb, with its page',     arrives: 'watched dictionary', make: () => dcz(zstdCompressSync(spaces(64 * MB))), as: 'dcz', expect: 'too-large' },
  { name: 'a dictionary coding of nothing', arrives: 'watched dictionary', make: () => dcb(new Uint8Array(0)),            as: 'dcb', expect: 'dcb cannot be undone: truncated' },
  { name: 'a batch of blank members',       arrives: 'watched batch',   make: blankMembers,                                expect: 'too-much-work' },
  { name: 'a batch of empty pages',         arrives: 'watched batch',   make: emptyPages,                                  expect: 'too-much-work' },
  { name: 'a batch packed twice',           arrives: 'watched batch',   make: () => gzipSync(blankMembers()),              as: 'gzip', expect: 'too-much-work' },
  { name: 'changes without end',            arrives: 'watched filter',  make: () => gzipSync(many('\n', 20 * MB), { level: 1 }), as: 'gzip', expect: 'the answer broke off' },
  { name: 'changes of half lines',          arrives: 'watched filter',  make: () => gzipSync(many('{"url":"/0"\n', 2_000_000), { level: 1 }), as: 'gzip', expect: 'too-much-work' },
  { name: 'changes, as many as can be',     arrives: 'watched filter',  make: () => gzipSync(numbered((n) => `{"url":"/${n}","change":"updated"}\n`, 4 * MB), { level: 1 }), as: 'gzip', expect: 'the answer broke off' },
  { name: 'a package that is one big blank', arrives: 'watched package', make: () => manifestZip(spaces(60 * MB)),         expect: 'a package: its manifest is none, or broke off' },
  { name: 'a package of many entries',      arrives: 'watched package', make: crowdedZip,                                  expect: 'a package: it has no manifest.xml' },
  { name: 'a notice of all there can be',   arrives: 'watched push',    make: notices,                                     as: 'application/xml', expect: 'heard' },
  { name: 'a difference that is sent',      arrives: 'watched push',    make: halfDifference,                              expect: 'visited' },
  { name: 'claims of many pages',           arrives: 'watched push', make: () => claims(30_000),                      as: 'application/x-ndjson', expect: 'heard' },
  { name: 'claims that are half lines',     arrives: 'watched push',    make: () => halfLines(),      as: 'application/x-ndjson', expect: 'unreadable' },
  { name: 'pages seen, as many as can be',  arrives: 'watched gateway', make: seenAgain,                                   expect: '50000 outside' },
  { name: 'hits, as many as can be',        arrives: 'watched gateway', make: counted,                                     expect: 'counted' },
  { name: 'a batch that is a bomb',         arrives: 'watched gateway', make: gatewayBomb,                                 expect: 'unreadable' },
  { name: 'a batch broken in the middle',   arrives: 'watched gateway', make: brokenBatch,                                 expect: 'unreadable' },
  { name: 'an index of half lines',         arrives: 'index',      make: () => gzipSync(many('a 20260101000000 {}\n', 200_000), { level: 1 }), expect: 'too-much-work' },
]

/** Running parts that documents arrive at. */
export interface HostileHost extends AsyncDisposable {
  /** What came of it, by its name. */
  arrive(document: HostileDocument, body: Uint8Array): Promise<string>
}

const options: Partial<CrawlOptions> = {
  userAgent: 'comity-test/1.0 (+https://example.org/bot)',
  allowPrivate: true,
  privateDelayMs: 0,
  threads: 1,
  maxTries: 1,
  maxDecodedBytes: 32 * MB,
  politeness: {
    delayMs: 0,
    pagesPerConnection: 100,
    slowdown: 1,
    backoffMs: 20,
    maxBackoffMs: 50,
    maxRetryAfterMs: 10_000,
  },
}

export async function openHostileHost(): Promise<HostileHost> {
  const stack = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'comity-hostile-table-'))
  stack.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const receiver = await sampleReceiver({
    after: (close) => stack.defer(async () => void (await close?.({} as never, () => undefined))),
  })
  const pool = stack.use(new ReadingPool({ ...readingOptions, maxDecodedBytes: 32 * MB }, 1, 64 * MB))
  let crawls = 0
  const watch: HostileWatch = stack.use(await openHostileWatch(join(scratch, 'watch'), { ...options, dumps: false }))
  return {
    arrive: async (document, body) => {
      if (isWatched(document.arrives)) return await watch.arrive(document.arrives, body, document.as)
      if (document.arrives === 'push') return await pushed(receiver, document, body)
      if (document.arrives === 'robots' || document.arrives === 'sitemap' || document.arrives === 'page')
        return await crawled(join(scratch, String(++crawls)), document, body)
      if (document.arrives === 'web archive') return await copied(join(scratch, String(++crawls)), document, body)
      return await workedOn(pool, document.arrives, body)
    },
    [Symbol.asyncDispose]: async () => await stack.disposeAsync(),
  }
}

const isWatched = (arrives: Arrival): arrives is WatchedArrival => arrives.startsWith('watched ')

/** The kind of the refusal; and whoever else asks is answered before and after. */
async function pushed(receiver: SampleReceiver, { as: type = '' }: HostileDocument, body: Uint8Array): Promise<string> {
  const reply = await receiver.push({ type, body, origin: SITE })
  const { status } = await receiver.ask('/')
  if (status !== 200) return `afterwards it answers ${status}`
  return reply.kind ?? String(reply.status)
}

/** How the visit of the start page ended, or why its site was given up. */
async function crawled(into: string, { arrives, as: coding }: HostileDocument, body: Uint8Array): Promise<string> {
  const answer = { headers: coding === undefined ? {} : { 'content-encoding': coding }, body }
  const named = { '/robots.txt': { body: `Sitemap: http://${ADDRESS}/s.xml\nSitemap: /s.xml\n` }, '/s.xml': answer }
  const routes = {
    '/': '<title>fine</title>',
    ...(arrives === 'robots' ? { '/robots.txt': answer } : arrives === 'sitemap' ? named : { '/': answer }),
  }
  await using site = await createSmallSite(routes, ADDRESS)
  const seed = `${site.origin}/`
  const summary = await crawl({ into, options: { ...options, seeds: [seed], maxPages: 1 } })
  const given = summary.givenUp.find(({ origin }) => origin === site.origin)?.outcome
  return (await holdingsOf(into)).get(seed)?.row?.outcome ?? given ?? 'nothing'
}

/** What a crawl says of the web archive that a site offers; its pages are crawled all the same. */
async function copied(into: string, { as: part }: HostileDocument, body: Uint8Array): Promise<string> {
  // A few pages that wait, so that a copy of all of them is worth a question.
  const paths = Array.from({ length: 20 }, (_, n) => `/page-${n}.html`)
  const pages = Object.fromEntries(paths.map((path) => [path, `<title>${path}</title>${path.repeat(100)}`]))
  await using site: CooperatingSite = await createCooperatingSite(
    { '/': `<title>fine</title>${paths.map((path) => `<a href="${path}">a page</a>`).join(' ')}`, ...pages },
    {
      schemes: ['robots', 'catalog', 'wacz'],
      before: ({ url = '' }, response) => {
        if (!url.endsWith('.wacz')) return false
        const index = part === 'index' ? body : gzipSync(listed(site.origin))
        response.end(part === 'zip' ? body : waczOf(part === 'index' ? Buffer.from('x') : body, index))
        return true
      },
    },
  )
  const seed = `${site.origin}/`
  const { dumps } = await crawl({ into, options: { ...options, seeds: [seed], dumps: true } })
  const isHeld = (await holdingsOf(into)).get(seed)?.row?.outcome === 'ok'
  const problem = dumps[0]?.problem ?? 'ok'
  return isHeld ? (/too-much-work/.exec(problem)?.[0] ?? problem) : 'its page is not held'
}

async function workedOn(pool: ReadingPool, arrives: Arrival, body: Uint8Array): Promise<string> {
  if (arrives === 'index') {
    const captures = await pool.work('captures', { body, isPacked: true })
    return typeof captures === 'string' ? captures : 'ok'
  }
  if (arrives === 'batch') {
    const read = await pool.work('batch', { body, coding: undefined, maxBytes: Infinity })
    const last =
      read === 'too-much-work' || read.kind === 'unreadable' ? 'too-much-work' : (read.problems.at(-1) ?? 'ok')
    return last.split(':', 1)[0]!
  }
  const headers = [
    ['IM', 'vcdiff, gzip'],
    ['ETag', '"b"'],
    ['Delta-Base', '"a"'],
  ] as const
  const applied = await pool.work('delta', {
    headers,
    body,
    baseName: '"a"',
    base: new Uint8Array(10),
    maxBytes: 64 * MB,
  })
  return applied === 'too-much-work' ? applied : applied.kind
}
