import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { readMember } from './gzip-members.ts'

const one = gzipSync('one')
const two = gzipSync('two'.repeat(1_000))
const file = Buffer.concat([one, two])
const max = 1 << 20

/** A member with every optional part of RFC 1952 §2.3. */
const ornate = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 4, 0]),
  Buffer.from('slxxname\0comment\0'),
  Buffer.from([0, 0]),
  one.subarray(10),
])

test('members are read one at a time, with their ends', () => {
  const first = readMember(file, 0, max)
  assert.ok(first.kind === 'member' && first.end === one.length && Buffer.from(first.data).toString() === 'one')
  const second = readMember(file, first.end, max)
  assert.ok(second.kind === 'member' && second.end === file.length && second.data.length === 3_000)
})

test('extra fields, a name, a comment and a header sum are skipped', () => {
  const result = readMember(ornate, 0, max)
  assert.ok(result.kind === 'member' && Buffer.from(result.data).toString() === 'one')
})

test('a member larger than the first step is read whole', () => {
  const noise = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * i * 2_654_435_761) >>> 13))
  const result = readMember(gzipSync(noise), 0, max)
  assert.ok(result.kind === 'member' && noise.equals(result.data))
})

test('a member that would swell beyond the limit is not inflated further', () => {
  assert.equal(readMember(two, 0, 100).kind, 'too-large')
})

test('cut anywhere, a member is short, never bad', () => {
  for (const member of [one, two, ornate]) {
    for (let cut = 0; cut < member.length; cut += 1) {
      assert.equal(readMember(member.subarray(0, cut), 0, max).kind, 'short', `cut at ${cut}`)
    }
  }
})

test('a flipped bit in the data is never taken for sound', () => {
  const property = fc.property(fc.integer({ min: 10, max: two.length - 1 }), fc.nat(7), (at, bit) => {
    const broken = Buffer.from(two)
    broken[at] = (broken[at] ?? 0) ^ (1 << bit)
    const result = readMember(broken, 0, max)
    assert.ok(result.kind !== 'member' || Buffer.from(result.data).equals(Buffer.from('two'.repeat(1_000))))
  })
  fc.assert(property)
})
