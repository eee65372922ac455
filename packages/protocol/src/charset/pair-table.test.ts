import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextDecoder } from 'node:util'
import fc from 'fast-check'
import { addedTo } from './added-characters.ts'
import { decodePairs, pairTable } from './pair-table.ts'

const charsets = ['euc-kr', 'big5', 'gbk', 'shift_jis', 'euc-jp']

test('a pair is the character that the runtime reads in it', () => {
  for (const charset of charsets) {
    const [decoder, table] = [new TextDecoder(charset), pairTable(charset)]
    const added = new Map(addedTo(charset))
    const pairs = [...table.entries()].filter(([pair, unit]) => unit > 0 && !added.has(pair))
    assert.ok(pairs.length > 7_000, `${charset} has ${pairs.length}`)
    for (const [pair, unit] of pairs.filter((_, place) => place % 50 === 0))
      assert.equal(decoder.decode(Uint8Array.of(pair >> 8, pair & 0xff)), String.fromCharCode(unit), charset)
  }
})

const bytesOf = (part: number): number[] => (part > 0x7f ? [part >> 8, part & 0xff] : [part])

test('whole pairs among ASCII are read as the runtime reads them, and what is added as such', () => {
  const table = pairTable('euc-kr')
  const decoder = new TextDecoder('euc-kr')
  const added = new Map(addedTo('euc-kr'))
  const pair = fc.constantFrom(...[...table.keys()].filter((place) => table[place]! > 0))
  fc.assert(
    fc.property(fc.array(fc.oneof(pair, fc.nat(0x7f)), { maxLength: 50 }), (parts) => {
      const expected = parts.map((part) => added.get(part) ?? decoder.decode(Uint8Array.from(bytesOf(part))))
      assert.equal(decodePairs(table, Uint8Array.from(parts.flatMap(bytesOf))), expected.join(''))
    }),
  )
})

test('any bytes are read, each byte once', () => {
  const table = pairTable('big5')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = decodePairs(table, bytes)
      assert.ok(text.length <= bytes.length)
      assert.equal(
        text.replaceAll(/[^\0-\x3f]/g, ''),
        Buffer.from(bytes)
          .toString('latin1')
          .replaceAll(/[^\0-\x3f]/g, ''),
      )
    }),
  )
})
