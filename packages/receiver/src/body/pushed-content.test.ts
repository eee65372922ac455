import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { gzipRecord, responseHead, responseRecord } from '@comity/protocol'
import { checkContent, contentKind, schemeOf } from './pushed-content.ts'
import type { ContentKind } from './pushed-content.ts'
import { PushRefusal } from '../admit/push-refusal.ts'
import { AT, dump, notification, SITE, warc } from '../testing/sample-receiver.ts'

const terms = {
  scheme: 'pages',
  type: 'application/warc',
  origin: SITE,
  door: 'push',
  topic: `${SITE}/`,
  maxUnpackedBytes: 1 << 20,
} as const

/** What becomes of it: the scheme it has, or the kind of refusal. In memory and on the disk it must be the same. */
async function outcome(kind: ContentKind, bytes: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'comity-content-'))
  try {
    const path = join(folder, 'body')
    writeFileSync(path, bytes)
    const inMemory = await judged(kind, { bytes })
    if (kind === 'notice') return inMemory
    assert.equal(await judged(kind, { bytes: new Uint8Array(), spool: { path, bytes: bytes.length } }), inMemory)
    return inMemory
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function judged(kind: ContentKind, body: Parameters<typeof checkContent>[0]): Promise<string> {
  try {
    return (await checkContent(body, { ...terms, kind })).scheme
  } catch (error) {
    if (error instanceof PushRefusal) return error.kind
    throw error
  }
}

/** A page of nothing but spaces, packed. */
function bomb(bytes: number): Buffer {
  const head = responseHead({ status: 200, headers: [] })
  return Buffer.from(
    gzipRecord(responseRecord({ url: `${SITE}/`, at: AT, httpHead: head, body: Buffer.alloc(bytes, ' ') })),
  )
}

const cases: [sentence: string, kind: ContentKind, bytes: () => Uint8Array, expected: string][] = [
  ['a WARC of the site’s pages', 'warc', () => warc(['/1', '/2']), 'pages'],
  ['a WARC packed as a whole', 'warc', () => gzipSync(warc(['/1', '/2'])), 'pages'],
  [
    'a WARC with a page of another site',
    'warc',
    () => Buffer.concat([warc(), warc(['/'], 'https://b.example')]),
    'foreign',
  ],
  ['a WARC with a page of a subdomain', 'warc', () => warc(['/'], 'https://www.a.example'), 'foreign'],
  ['a WARC with a page of the site without TLS', 'warc', () => warc(['/'], 'http://a.example'), 'foreign'],
  ['no WARC', 'warc', () => Buffer.from('not a WARC'), 'malformed'],
  ['an empty WARC', 'warc', () => new Uint8Array(), 'malformed'],
  ['a WARC that was cut', 'warc', () => warc().subarray(0, 200), 'malformed'],
  ['a WARC that unpacks to more than it may', 'warc', () => bomb(2 << 20), 'too-large'],
  [
    'a WARC of many such records',
    'warc',
    () => Buffer.concat(Array.from({ length: 5 }, () => bomb(300_000))),
    'too-large',
  ],
  ['a dump of changes', 'zip', () => dump(['/1', '/2']), 'batches'],
  ['a dump of the site', 'zip', () => dump(['/1'], 'resourcedump-manifest'), 'site'],
  [
    'a dump with a page of another site',
    'zip',
    () => dump(['/'], 'changedump-manifest', 'https://b.example'),
    'foreign',
  ],
  ['no ZIP', 'zip', () => Buffer.from('PK'), 'malformed'],
  ['a ZIP that was cut', 'zip', () => dump().subarray(0, -30), 'malformed'],
  ['a ZIP whose manifest is damaged', 'zip', () => damaged(dump()), 'malformed'],
  ['a notice', 'notice', () => Buffer.from(notification(['/1'])), 'changes'],
  ['a notice of another site’s page', 'notice', () => Buffer.from(notification(['/'], 'https://b.example')), 'foreign'],
  [
    'a notice of nothing',
    'notice',
    () => Buffer.from('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'),
    'malformed',
  ],
  ['something else that is XML', 'notice', () => Buffer.from('<html><body/></html>'), 'malformed'],
]
for (const [sentence, kind, bytes, expected] of cases) {
  test(`${sentence}: ${expected}`, async () => assert.equal(await outcome(kind, bytes()), expected))
}

/** With a byte of its manifest changed. */
function damaged(zip: Buffer): Buffer {
  const at = zip.indexOf('<urlset')
  assert.ok(at > 0)
  zip[at + 1] = 'U'.charCodeAt(0)
  return zip
}

test('a ZIP that says to unpack to more than it may is refused before it is', async () => {
  const zip = dump()
  const entry = zip.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  zip.writeUInt32LE(1 << 30, entry + 24)
  assert.match(await outcome('zip', zip), /^(?:too-large|malformed)$/)
})

test('no bytes make it throw anything but a refusal', async () => {
  const kinds = fc.constantFrom<ContentKind[]>('warc', 'zip', 'notice')
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .tuple(fc.constantFrom(warc(), dump(), gzipSync(warc()), Buffer.from(notification())), fc.nat(), fc.nat(255))
      .map(([whole, at, value]) => {
        const copy = Buffer.from(whole)
        copy[at % copy.length] = value
        return copy
      }),
  )
  await fc.assert(
    fc.asyncProperty(kinds, bytes, async (kind, body) => {
      await judged(kind, { bytes: body })
    }),
    { numRuns: 300 },
  )
})

const types: [
  type: string,
  scheme: Parameters<typeof contentKind>[1],
  encoding: string | undefined,
  expected: string,
][] = [
  ['application/xml', 'changes', undefined, 'notice'],
  ['application/warc', 'changes', undefined, 'wrong-type'],
  ['application/warc', 'differences', undefined, 'warc'],
  ['application/warc', 'pages', 'gzip', 'warc'],
  ['application/warc', 'pages', 'br', 'wrong-type'],
  ['application/xml', 'pages', 'gzip', 'wrong-type'],
  ['application/zip', 'site', 'identity', 'zip'],
  ['application/zip', 'site', 'gzip', 'wrong-type'],
  ['text/html', 'pages', undefined, 'wrong-type'],
  ['constructor', 'pages', undefined, 'wrong-type'],
  ['__proto__', 'changes', undefined, 'wrong-type'],
  ['', 'changes', undefined, 'wrong-type'],
  ['application/x-ndjson', 'agent', undefined, 'rows'],
]
for (const [type, scheme, encoding, expected] of types) {
  test(`"${type}" for ${scheme}${encoding === undefined ? '' : `, packed by ${encoding}`}: ${expected}`, () => {
    try {
      assert.equal(contentKind(type, scheme, encoding), expected)
    } catch (error) {
      assert.equal((error as PushRefusal).kind, expected)
    }
  })
}

test('what nobody subscribed to is known by its topic, or else by its type', () => {
  assert.equal(schemeOf('application/warc', `${SITE}/push/differences`), 'differences')
  assert.equal(schemeOf('application/warc', undefined), 'pages')
  assert.equal(schemeOf('application/xml', `${SITE}/changelist.xml`), 'changes')
  assert.equal(schemeOf('application/zip', 'not a url'), 'batches')
  assert.equal(schemeOf('application/zip', `${SITE}/push/site`), 'site')
  assert.equal(schemeOf('constructor', undefined), 'changes')
})
