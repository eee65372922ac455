import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import {
  WACZ_PATHS,
  ZipWriter,
  cdxjLine,
  defaultUrlRules,
  encodeRecord,
  gzipRecord,
  payloadDigest,
  responseHead,
  responseRecord,
} from '@comity/protocol'
import type { DumpedPage } from '@comity/ingest'
import { createFaults } from '@comity/ingest/testing'
import { FileUnreadable } from './ranged-file.ts'
import { planWacz, readWaczArchive } from './wacz-copy.ts'
import type { PartedFile, WaczPlan } from './wacz-copy.ts'

const ORIGIN = 'https://a.example'
const AT = Date.UTC(2026, 10, 14)
const textOf = (n: number): string => `<title>page ${n}</title>${'words and more of them '.repeat(30 + n)}`

interface Archived {
  readonly status?: number
  /** As the record is; gzip members when not given. */
  readonly isPlain?: boolean
}

function recordOf(n: number, { status = 200, isPlain = false }: Archived): Uint8Array {
  const body = Buffer.from(textOf(n))
  const httpHead = responseHead({
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['ETag', `"${n}"`],
    ],
  })
  const digest = { payloadDigest: payloadDigest(body) }
  const record = responseRecord({ url: `${ORIGIN}/${n}`, at: AT, httpHead, body, ...digest })
  return isPlain ? encodeRecord(record) : gzipRecord(record, 6)
}

/** A WACZ with one WARC file of so many pages. */
function waczOf(pages: number, archived: Archived = {}): Uint8Array {
  const name = archived.isPlain === true ? 'pages.warc' : 'pages.warc.gz'
  const records = Array.from({ length: pages }, (_, n) => recordOf(n, archived))
  let offset = 0
  const lines = records.map((record, n) => {
    const place = { filename: name, offset, length: record.length }
    offset += record.length
    const { status = 200 } = archived
    return cdxjLine({ url: `${ORIGIN}/${n}`, at: AT, mime: 'text/html', status, digest: undefined, ...place })
  })
  const files: [string, Uint8Array][] = [
    [`${WACZ_PATHS.archive}${name}`, Buffer.concat(records)],
    [WACZ_PATHS.index, gzipSync(lines.join('\n'))],
  ]
  const zip = new ZipWriter(new Date(AT))
  const pieces: Uint8Array[] = []
  for (const [path, body] of files) {
    pieces.push(zip.begin(path))
    zip.add(body)
    pieces.push(body, zip.end())
  }
  return Buffer.concat([...pieces, zip.finish()])
}

function inMemory(bytes: Uint8Array): PartedFile & { readonly loads: number[] } {
  const loads: number[] = []
  return {
    size: bytes.length,
    loads,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    open: async () => undefined,
    load: async (start, end) => void loads.push(end - start),
  }
}

const terms = { isWanted: () => true, room: 1_000, maxPackageBytes: 1 << 20 }
const scratch = mkdtempSync(join(tmpdir(), 'comity-wacz-'))
after(() => rmSync(scratch, { recursive: true }))
const reading = { faults: createFaults(scratch), now: () => AT, urlRules: defaultUrlRules, maxRecordBytes: 1 << 20 }

async function pagesOf(file: PartedFile, { archives }: WaczPlan): Promise<DumpedPage[]> {
  const pages: DumpedPage[] = []
  for (const entry of archives) for await (const page of readWaczArchive(file, entry, reading)) pages.push(page)
  return pages
}

for (const isPlain of [false, true]) {
  test(`pages come with the head that they were answered with, from ${isPlain ? 'plain' : 'packed'} WARC files`, async () => {
    const file = inMemory(waczOf(12, { isPlain }))
    const pages = await pagesOf(file, await planWacz(file, terms))
    assert.deepEqual(
      pages.map(({ url, body }) => [url, Buffer.from(body).toString()]),
      Array.from({ length: 12 }, (_, n) => [`${ORIGIN}/${n}`, textOf(n)]),
    )
    assert.deepEqual([pages[3]?.type, pages[3]?.headers?.[1]], ['text/html', ['ETag', '"3"']])
    assert.equal(file.loads.length, 2, 'the index, and the WARC file, each in one part')
  })
}

const plans: [sentence: string, wacz: Uint8Array, given: Partial<typeof terms>, archives: number, problem: boolean][] =
  [
    ['an archive whose pages are wanted is taken', waczOf(20), {}, 1, false],
    ['one whose pages are held already is not', waczOf(20), { isWanted: () => false }, 0, false],
    ['one with errors alone is not', waczOf(20, { status: 404 }), {}, 0, false],
    ['one that is too large to hold is not', waczOf(20), { maxPackageBytes: 500 }, 0, false],
    ['nothing is taken where there is no room for all of it', waczOf(20), { room: 10 }, 0, true],
  ]
for (const [sentence, wacz, given, archives, isProblem] of plans) {
  test(sentence, async () => {
    const plan = await planWacz(inMemory(wacz), { ...terms, ...given })
    assert.deepEqual([plan.archives.length, plan.problem !== undefined], [archives, isProblem])
  })
}

test('a page whose bytes are not those of its digest is left out, and a file with a wrong sum is not read on', async () => {
  const whole = Buffer.from(waczOf(5, { isPlain: true }))
  whole[whole.indexOf('page 3') + 5] = 0x37
  const file = inMemory(whole)
  const { archives } = await planWacz(file, terms)
  const urls: string[] = []
  await assert.rejects(async () => {
    for await (const { url } of readWaczArchive(file, archives[0]!, reading)) urls.push(url)
  }, FileUnreadable)
  assert.ok(!urls.includes(`${ORIGIN}/3`), urls.join(' '))
})

test('no damage makes it throw anything but what it should, hang, or give a page that nobody archived', async () => {
  const whole = waczOf(4)
  const good = new Set(Array.from({ length: 4 }, (_, n) => textOf(n)))
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(whole.length), async (bytes, cut) => {
      const spoilt = Uint8Array.from(whole)
      for (const [at, value] of bytes) spoilt[at] = value
      const file = inMemory(bytes.length % 2 === 0 ? spoilt.subarray(0, cut) : spoilt)
      try {
        for (const { body } of await pagesOf(file, await planWacz(file, terms)))
          assert.ok(good.has(Buffer.from(body).toString()))
      } catch (error) {
        if (!(error instanceof FileUnreadable)) throw error
      }
    }),
    { numRuns: 200 },
  )
})
