import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pointAt, TextUnits } from './text-units.ts'

test('units are those of the string, whatever was loaded before, and zeros follow', () => {
  const loaded = new TextUnits()
  const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) })
  const property = fc.property(text, (each) => {
    const { units } = loaded.load(each)
    for (let at = 0; at < each.length; at++) {
      assert.equal(units[at], each.charCodeAt(at))
      assert.equal(pointAt(units, at), each.codePointAt(at))
    }
    assert.deepEqual([...units.subarray(each.length, each.length + 2)], [0, 0])
  })
  fc.assert(property)
})

test('the room of a long text is given back', () => {
  const loaded = new TextUnits().load('x'.repeat(5_000_000))
  assert.ok(loaded.load('short').units.length < 100)
})
