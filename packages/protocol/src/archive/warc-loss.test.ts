/**
 * Nothing behind a bad record is lost: whatever is wrong with one record of an archive, all others come out, and what is
 * wrong has a name.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { WARC_LIMITS, type WarcItem, type WarcLimits } from './warc-parser.ts'
import { createWarcReader } from './warc-reader.ts'
import { warcField, type WarcRecord } from './warc-record.ts'
import { encodeRecord, gzipRecord } from './warc-writer.ts'

const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)

function record(id: string, block: Uint8Array): WarcRecord {
  const fields = [
    ['WARC-Type', 'resource'],
    ['WARC-Record-ID', `<urn:x:${id}>`],
    ['WARC-Date', '2026-01-01T00:00:00Z'],
  ] as const
  return { version: '1.1', fields, block }
}

const good = (n: number): WarcRecord => record(`good-${n}`, Buffer.from(`record ${n} `.repeat(1 + ((n * 7) % 40))))

async function read(file: Uint8Array, size: number, limits: Partial<WarcLimits> = {}): Promise<WarcItem[]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < file.length; at += size) yield await Promise.resolve(file.subarray(at, at + size))
  }
  return Array.fromAsync(createWarcReader(pieces(), { verify: true, limits }))
}

const idsOf = (items: readonly WarcItem[]): (string | undefined)[] =>
  items.flatMap((item) => (item.kind === 'record' ? [warcField(item.record, 'WARC-Record-ID')?.slice(7, -1)] : []))

const goodIds = (items: readonly WarcItem[]): (string | undefined)[] =>
  idsOf(items).filter((id) => id?.startsWith('good-'))

const problemsOf = (items: readonly WarcItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []))

const LARGE = 17 << 20
const largeMember = (id: string): Buffer => Buffer.from(gzipRecord(record(id, randomBytes(LARGE)), 1))

test('records behind a gzip member above 16 MiB are read, in pieces of any size', { timeout: 120_000 }, async () => {
  for (const member of [gzipRecord(record('even', Buffer.alloc(LARGE, 'x'))), largeMember('random')]) {
    // Of bytes that cannot be packed, so that they fill more than one piece of what is read at once.
    const others = Array.from({ length: 51 }, (_, n) => gzipRecord(record(`good-${n}`, randomBytes(8_000))))
    const file = Buffer.concat([...others.slice(0, 26), member, ...others.slice(26)])
    for (const size of [1 << 18, 40_000]) {
      const items = await read(file, size)
      assert.deepEqual([idsOf(items).length, problemsOf(items)], [52, []])
      assert.deepEqual(
        goodIds(items),
        Array.from({ length: 51 }, (_, n) => `good-${n}`),
      )
    }
  }
})

test('two large members in a row, one of them damaged, lose one record', { timeout: 120_000 }, async () => {
  const members = [
    gzipRecord(good(0)),
    largeMember('bad'),
    largeMember('good-1'),
    gzipRecord(good(2)),
    gzipRecord(good(3)),
  ]
  for (const at of [1_000, 5_000_000, LARGE - 10_000]) {
    const damaged = members.map((member) => Buffer.from(member))
    damaged[1]!.fill(0xff, at, at + 64)
    const items = await read(Buffer.concat(damaged), 1 << 18)
    assert.deepEqual(goodIds(items), ['good-0', 'good-1', 'good-2', 'good-3'], `damaged at ${at}`)
    assert.ok(problemsOf(items).includes('bad-gzip'), `damaged at ${at}`)
  }
})

/** Ways to spoil the encoded bytes of one record. */
const spoilt: Readonly<Record<string, (record: Buffer) => Buffer>> = {
  'a length too short': (bytes) => replaced(bytes, /Content-Length: (\d+)/, (n) => Math.max(0, n - 3)),
  'a length too long': (bytes) => replaced(bytes, /Content-Length: (\d+)/, (n) => n + 60),
  'a length past the limit': (bytes) => replaced(bytes, /Content-Length: (\d+)/, () => 99_999_999_999),
  'a length past all that follows': (bytes) => replaced(bytes, /Content-Length: (\d+)/, () => 900_000),
  'a length that is none': (bytes) => edited(bytes, 'Content-Length: ', 'Content-Length: x'),
  'no length': (bytes) => edited(bytes, 'Content-Length', 'Content-Strength'),
  'a head that breaks off': (bytes) => bytes.subarray(0, bytes.indexOf('WARC-Record-ID')),
  'a block that breaks off': (bytes) => bytes.subarray(0, bytes.length - 20),
  'garbage before it': (bytes) => Buffer.concat([randomBytes(700), bytes]),
  'garbage instead of it': () => randomBytes(700),
  'an unknown version': (bytes) => edited(bytes, 'WARC/1.1', 'WARC/7.1'),
  'a digest of other bytes': (bytes) =>
    edited(bytes, 'WARC-Date', `WARC-Block-Digest: sha1:${'A'.repeat(32)}\r\nWARC-Date`),
  'a digest of no kind': (bytes) => edited(bytes, 'WARC-Date', 'WARC-Block-Digest: constructor:AAAA\r\nWARC-Date'),
  'a line without a colon': (bytes) => edited(bytes, 'WARC-Date', 'nothing\r\nWARC-Date'),
  'a type that nobody knows': (bytes) => edited(bytes, 'resource', '__proto__'),
  'more than is taken in': (bytes) =>
    Buffer.from(encodeRecord(record('bad', Buffer.concat([bytes, Buffer.alloc(200_000, 'y')])))),
}

/** Ways to spoil a gzip member. */
const spoiltMembers: Readonly<Record<string, (member: Buffer) => Buffer>> = {
  'a flipped byte': (member) => flipped(member, member.length >> 1),
  'a wrong sum': (member) => flipped(member, member.length - 6),
  'a wrong size': (member) => flipped(member, member.length - 2),
  'a damaged head': (member) => flipped(member, 2),
  'a member that breaks off': (member) => member.subarray(0, member.length >> 1),
  'garbage before it': (member) => Buffer.concat([randomBytes(300), member]),
  'the beginning of a member before it': (member) => Buffer.concat([member.subarray(0, 12), member]),
  'more than is taken in': () => Buffer.from(gzipRecord(record('bad', randomBytes(300_000)), 1)),
}

const LIMITS = { ...WARC_LIMITS, maxRecordBytes: 100_000 }

for (const [sentence, spoil] of Object.entries(spoilt)) {
  test(`${sentence}: every other record is read, plain, in members and packed as a whole (COMITY_SEED=${seed})`, async () => {
    const property = fc.asyncProperty(
      fc.nat(6),
      fc.nat(6),
      fc.integer({ min: 50, max: 9_000 }),
      async (before, behind, size) => {
        const parts = archive(
          before,
          behind,
          spoil(Buffer.from(encodeRecord(record('bad', Buffer.from('bad '.repeat(50)))))),
        )
        const whole = goodOf(before, behind)
        // What is cut short has no end to tell; what stands behind it is found where it begins.
        for (const file of [
          Buffer.concat(parts),
          gzipSync(Buffer.concat(parts)),
          Buffer.concat(parts.map((part) => gzipSync(part))),
        ]) {
          const items = await read(file, size, LIMITS)
          assert.deepEqual(goodIds(items), whole)
          assert.ok(idsOf(items).includes('bad') || problemsOf(items).length > 0, 'what was left out has a name')
        }
      },
    )
    await fc.assert(property, { numRuns: 12, seed })
  })
}

for (const [sentence, spoil] of Object.entries(spoiltMembers)) {
  test(`${sentence}: every other member is read (COMITY_SEED=${seed})`, async () => {
    const property = fc.asyncProperty(
      fc.nat(6),
      fc.nat(6),
      fc.integer({ min: 50, max: 9_000 }),
      async (before, behind, size) => {
        const bad = spoil(Buffer.from(gzipRecord(record('bad', Buffer.from('bad '.repeat(50))))))
        const members = archive(before, behind, bad, (one) => Buffer.from(gzipRecord(one)))
        // The first member says that it is gzip at all.
        const file = Buffer.concat([gzipRecord(good(99)), ...members])
        const items = await read(file, size, LIMITS)
        assert.deepEqual(goodIds(items), ['good-99', ...goodOf(before, behind)])
        assert.ok(problemsOf(items).length > 0, 'what was left out has a name')
      },
    )
    await fc.assert(property, { numRuns: 12, seed })
  })
}

test('a record inside a whole record is no record of the archive, however it is written', async () => {
  const nested = Buffer.concat([
    Buffer.from('\r\n\r\n'),
    encodeRecord(record('forged', Buffer.from('forged'))),
    Buffer.from('tail'),
  ])
  const large = Buffer.concat([nested, Buffer.alloc(200_000, 'z')])
  for (const block of [nested, large, Buffer.from(gzipRecord(record('forged', nested)))]) {
    const parts = [good(0), record('outer', block), good(1)]
    const plain = Buffer.concat(parts.map((part) => encodeRecord(part)))
    for (const file of [
      plain,
      gzipSync(plain),
      Buffer.concat(parts.map((part) => gzipSync(encodeRecord(part), { level: 0 }))),
    ]) {
      const items = await read(file, 5_000, LIMITS)
      assert.deepEqual(
        idsOf(items).filter((id) => id !== 'outer'),
        ['good-0', 'good-1'],
      )
    }
    // Nor when the file ends inside it.
    const cut = await read(plain.subarray(0, plain.length - encodeRecord(good(1)).length - 7), 5_000, LIMITS)
    assert.deepEqual(idsOf(cut), ['good-0'])
  }
})

test('heads within heads are not looked at without end', { timeout: 60_000 }, async () => {
  const line = 'a: WARC/1.1\r\n'
  const block = Buffer.from(`WARC/1.1\r\n${line.repeat(300_000)}`)
  const spoil = replaced(Buffer.from(encodeRecord(record('bad', block))), /Content-Length: (\d+)/, (n) => n - 4)
  const items = await read(Buffer.concat([encodeRecord(good(0)), spoil, encodeRecord(good(1))]), 1 << 16)
  assert.deepEqual(goodIds(items), ['good-0', 'good-1'])
})

function archive(
  before: number,
  behind: number,
  bad: Buffer,
  encode = (one: WarcRecord) => Buffer.from(encodeRecord(one)),
): Buffer[] {
  const all = Array.from({ length: before + behind }, (_, n) => encode(good(n)))
  return [...all.slice(0, before), bad, ...all.slice(before)]
}

const goodOf = (before: number, behind: number): string[] =>
  Array.from({ length: before + behind }, (_, n) => `good-${n}`)

function replaced(bytes: Buffer, pattern: RegExp, change: (n: number) => number): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(pattern, (all, n: string) => all.replace(n, String(change(Number(n))))),
    'latin1',
  )
}

const edited = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 0x55
  return copy
}
