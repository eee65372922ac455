import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { SeenBytes } from './seen-bytes.ts'

test('30, 31: what is sent again is compared with what was seen, and not with what was missing', () => {
  const seen = new SeenBytes()
  seen.add(Buffer.from('one'), 0)
  seen.skip(3, 6)
  seen.add(Buffer.from('two'), 6)
  assert.ok(seen.agrees(Buffer.from('one???two'), 0, 9))
  assert.ok(!seen.agrees(Buffer.from('One'), 0, 9))
  assert.ok(!seen.agrees(Buffer.from('Two'), 6, 9))
  assert.ok(seen.agrees(Buffer.from('two and more'), 6, 9), 'what is behind the end was not seen')
})

test('43: no more is kept than is worth it, and nothing once it is forgotten', () => {
  const seen = new SeenBytes()
  for (let at = 0; at < 1_000_000; at += 1_000) seen.add(Buffer.alloc(1_000, 'x'), at)
  assert.equal(seen.size, 32_768)
  assert.ok(seen.agrees(Buffer.from('y'), 0, 1_000_000), 'too long ago')
  assert.ok(!seen.agrees(Buffer.from('y'), 999_000, 1_000_000))
  seen.forget()
  assert.equal(seen.size, 0)
  assert.ok(seen.agrees(Buffer.from('y'), 999_000, 1_000_000))
})

test('a byte that differs among the last is always found, wherever pieces and holes were', () => {
  const step = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), fc.nat(), fc.nat(), (steps, where, length) => {
      const seen = new SeenBytes()
      const said: number[] = []
      for (const [size, isHole] of steps) {
        const from = said.length
        for (let at = 0; at < size; at++) said.push(isHole ? -1 : (from + at * 7) & 255)
        if (isHole) seen.skip(from, said.length)
        else seen.add(Uint8Array.from(said.slice(from)), from)
      }
      const from = where % said.length
      const bytes = said.slice(from, from + 1 + (length % 500)).map((byte) => Math.max(0, byte))
      assert.ok(seen.agrees(Uint8Array.from(bytes), from, said.length))
      if (seen.size === 0 || said[from] === -1 || said.length - from > 1_024) return
      bytes[0]! ^= 1
      const begun = said.findIndex((byte) => byte !== -1)
      assert.equal(seen.agrees(Uint8Array.from(bytes), from, said.length), from < begun)
    }),
  )
})
