import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { missing } from '../testing/shared-data.ts'
import { readZipDirectory, readZipEntry } from './zip-reader.ts'
import type { ByteSource, ZipDirectory } from './zip-reader.ts'
import type { ZipEntry } from './zip-entries.ts'
import { ZipWriter } from './zip-writer.ts'

const files = fc.array(fc.tuple(fc.string({ minLength: 1, unit: 'binary', maxLength: 20 }), fc.uint8Array()), {
  maxLength: 5,
})
type Files = readonly (readonly [name: string, bytes: Uint8Array])[]

function zipOf(contents: Files, date = new Date(0)): Buffer {
  const zip = new ZipWriter(date)
  const pieces: Uint8Array[] = []
  for (const [i, [name, bytes]] of contents.entries()) {
    // Short and wide entries in turn, and those whose sums are known, packed or not.
    if (i % 4 >= 2) {
      const [method, data] = i % 4 === 2 ? (['stored', bytes] as const) : (['deflate', deflateRawSync(bytes)] as const)
      const sizes = { crc32: crc32(bytes), bytes: bytes.length, packedBytes: data.length }
      pieces.push(zip.place({ name, method, ...sizes }), data)
      continue
    }
    pieces.push(i % 4 === 0 ? zip.begin(name, bytes.length) : zip.begin(name))
    zip.add(bytes)
    pieces.push(bytes, zip.end())
  }
  return Buffer.concat([...pieces, zip.finish()])
}

const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
})

async function contentOf(source: ByteSource, entry: ZipEntry): Promise<Buffer | string> {
  const pieces: Uint8Array[] = []
  const bytes = readZipEntry(source, entry)
  let step = await bytes.next()
  for (; step.done !== true; step = await bytes.next()) pieces.push(step.value)
  return step.value.kind === 'bad' ? step.value.message : Buffer.concat(pieces)
}

function entriesOf(directory: ZipDirectory): readonly ZipEntry[] {
  assert.equal(directory.kind, 'ok', directory.kind === 'bad' ? directory.message : '')
  return directory.kind === 'ok' ? directory.entries : []
}

/** A file with one deflated entry, by hand, as others write it: sizes in the local head, no bytes behind the data. */
function deflated(content: Uint8Array, change: (entry: Buffer) => void = () => undefined): Buffer {
  const data = deflateRawSync(content)
  const entry = Buffer.alloc(46 + 1)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(crc32(content), 16)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(1, 28)
  entry.write('d', 46)
  const local = Buffer.alloc(30 + 1)
  local.writeUInt32LE(0x04034b50, 0)
  entry.copy(local, 4, 6, 32)
  local.write('d', 30)
  change(entry)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length + data.length, 16)
  return Buffer.concat([local, data, entry, end])
}

test('what the writer writes, the reader reads', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (contents) => {
      const source = sourceOf(zipOf(contents))
      const entries = entriesOf(await readZipDirectory(source))
      assert.deepEqual(
        entries.map(({ name }) => name),
        contents.map(([name]) => Buffer.from(name).toString()),
      )
      for (const [i, entry] of entries.entries()) {
        assert.deepEqual(await contentOf(source, entry), Buffer.from(contents[i]?.[1] ?? []))
      }
    }),
  )
})

const readers: [name: string, command: string, args: (path: string) => string[]][] = [
  ['unzip', 'unzip', (path) => ['-tq', path]],
  ["Python's zipfile", 'python3', (path) => ['-m', 'zipfile', '-t', path]],
]
for (const [name, command, args] of readers) {
  test(`${name} accepts what the writer writes`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'comity-zip-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'a.zip')
    writeFileSync(
      path,
      zipOf([
        ['archive/a.warc.gz', Buffer.alloc(100_000, 'x')],
        ['größe', Buffer.alloc(0)],
        ['stored', Buffer.alloc(1_000, 'y')],
        ['packed', Buffer.alloc(100_000, 'z')],
      ]),
    )
    try {
      const said = execFileSync(command, args(path), { encoding: 'utf8', stdio: 'pipe' })
      assert.match(said, /No errors detected|Done testing/)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') missing(t, command, 'install it')
      else throw error
    }
  })
}

test('an entry of more than 4 GiB, and one behind it, are written and found with 64-bit fields', async () => {
  const zip = new ZipWriter(new Date(0))
  const [head, hole] = [zip.begin('large'), 2 ** 32 + 5]
  const zeros = Buffer.alloc(1 << 26)
  for (let left = hole; left > 0; left -= zeros.length) zip.add(zeros.subarray(0, Math.min(left, zeros.length)))
  const tail = Buffer.concat([zip.end(), zip.begin('small', 9)])
  const small = Buffer.from('behind it')
  zip.add(small)
  const rest = Buffer.concat([tail, small, zip.end(), zip.finish()])
  const restAt = head.length + hole
  const source: ByteSource = {
    size: restAt + rest.length,
    read: (offset, length) => {
      const bytes = Buffer.alloc(Math.min(length, restAt + rest.length - offset))
      rest.copy(bytes, Math.max(0, restAt - offset), Math.max(0, offset - restAt))
      return Promise.resolve(bytes)
    },
  }
  const entries = entriesOf(await readZipDirectory(source))
  assert.deepEqual(
    entries.map(({ name, bytes, offset }) => [name, bytes, offset]),
    [
      ['large', hole, 0],
      ['small', 9, restAt + 24],
    ],
  )
  assert.equal(String(await contentOf(source, entries[1] as ZipEntry)), 'behind it')
})

test('a deflated entry is unpacked, also when something stands before the archive', async () => {
  const content = Buffer.from('a page, '.repeat(10_000))
  for (const before of ['', '#!/bin/sh\n']) {
    const source = sourceOf(Buffer.concat([Buffer.from(before), deflated(content)]))
    const [entry] = entriesOf(await readZipDirectory(source))
    assert.deepEqual(await contentOf(source, entry as ZipEntry), content)
  }
})

const zeros = Buffer.alloc(1 << 20)
const damaged: [sentence: string, file: Buffer, message: RegExp][] = [
  ['a wrong sum', deflated(zeros, (entry) => entry.writeUInt32LE(1, 16)), /damaged/],
  ['more than it says', deflated(zeros, (entry) => entry.writeUInt32LE(1_000, 24)), /more than its 1000 bytes/],
  ['less than it says', deflated(zeros, (entry) => entry.writeUInt32LE(2 << 20, 24)), /damaged/],
  ['a password', deflated(zeros, (entry) => entry.writeUInt16LE(1, 8)), /encrypted/],
  ['another method', deflated(zeros, (entry) => entry.writeUInt16LE(93, 10)), /method 93/],
  ['an offset elsewhere', deflated(zeros, (entry) => entry.writeUInt32LE(5, 42)), /no entry at its offset/],
]
for (const [sentence, file, message] of damaged) {
  test(`an entry with ${sentence} is read to a bad end`, async () => {
    const source = sourceOf(file)
    const [entry] = entriesOf(await readZipDirectory(source))
    assert.match(String(await contentOf(source, entry as ZipEntry)), message)
  })
}

test('entries that share their bytes are refused', async () => {
  const one = deflated(zeros)
  const directory = one.subarray(one.length - 22 - 47, one.length - 22)
  const end = Buffer.from(one.subarray(-22))
  end.writeUInt16LE(50, 10)
  end.writeUInt32LE(47 * 50, 12)
  const bomb = Buffer.concat([one.subarray(0, -22 - 47), ...Array.from({ length: 50 }, () => directory), end])
  assert.deepEqual(await readZipDirectory(sourceOf(bomb)), { kind: 'bad', message: 'its entries overlap' })
})

test('whatever the bytes are, reading ends, and with an outcome', async () => {
  const sound = zipOf([
    ['a', Buffer.from('hello')],
    ['b', Buffer.from('world')],
  ])
  const changes = fc.array(fc.tuple(fc.nat({ max: sound.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 })
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(changes, fc.nat({ max: sound.length })).map(([list, length]) => {
      const bytes = Uint8Array.from(sound)
      for (const [at, byte] of list) bytes[at] = byte
      return bytes.subarray(bytes.length - length)
    }),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (bytes) => {
      const source = sourceOf(bytes)
      const directory = await readZipDirectory(source)
      if (directory.kind === 'ok') for (const entry of directory.entries) await contentOf(source, entry)
      else assert.ok(directory.message !== '')
    }),
    { numRuns: 2_000 },
  )
})
