import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { readZipDirectory, readZipEntry } from '@comity/protocol'
import { packedZip } from './packed-zip.ts'
import { zipLayout } from './zip-layout.ts'

async function unpacked(zip: Uint8Array): Promise<Map<string, string>> {
  const source = { size: zip.length, read: async (at: number, length: number) => zip.subarray(at, at + length) }
  const directory = await readZipDirectory(source)
  assert.equal(directory.kind, 'ok')
  const files = new Map<string, string>()
  for (const entry of directory.kind === 'ok' ? directory.entries : []) {
    const chunks: Uint8Array[] = []
    const reading = readZipEntry(source, entry)
    let step = await reading.next()
    for (; step.done !== true; step = await reading.next()) chunks.push(step.value)
    assert.deepEqual(step.value, { kind: 'sound' })
    files.set(entry.name, Buffer.concat(chunks).toString('base64'))
  }
  return files
}

test('what is packed can be unpacked, and equal input gives equal bytes', async () => {
  const files = fc.dictionary(
    fc.stringMatching(/^[a-z/é]{1,12}$/),
    fc.oneof(fc.uint8Array(), fc.constant(new Uint8Array(5_000))),
  )
  const property = fc.asyncProperty(files, async (some) => {
    const zip = await packedZip(Object.entries(some))
    const expected = Object.entries(some).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')])
    assert.deepEqual([...(await unpacked(zip))], expected)
    assert.deepEqual(await packedZip(Object.entries(some)), zip)
  })
  await fc.assert(property, { numRuns: 50 })
})

test('a layout says where every entry is before there is one', () => {
  const body = Buffer.from('stored')
  const entry = {
    name: 'a',
    method: 'stored',
    crc32: crc32(body),
    bytes: body.length,
    packedBytes: body.length,
  } as const
  const { heads, offsets, tail, bytes } = zipLayout([entry, { ...entry, name: 'b' }])
  const zip = Buffer.concat([heads[0]!, body, heads[1]!, body, tail])
  assert.equal(zip.length, bytes)
  for (const offset of offsets) assert.equal(zip.toString('utf8', offset, offset + body.length), 'stored')
})

test('what 32 bits cannot say is refused', () => {
  const entry = { name: 'a', method: 'stored', crc32: 0, bytes: 2 ** 31, packedBytes: 2 ** 31 } as const
  assert.throws(() => zipLayout([entry, { ...entry, name: 'b' }]), RangeError)
})
