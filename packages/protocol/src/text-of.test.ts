import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messageOf, textOf } from './text-of.ts'

const angry = (): never => {
  throw new Error('no')
}
const speechless: readonly [what: string, value: unknown][] = [
  ['JSON with a toString of its own', JSON.parse('{"toString":null}')],
  ['an object without a parent', Object.create(null)],
  ['an object that throws when asked', { toString: angry }],
  ['a proxy that throws at everything', new Proxy({}, { get: angry, getPrototypeOf: angry })],
  ['an error whose message is none', Object.assign(new Error('x'), { message: Object.create(null) as string })],
]

for (const [what, value] of speechless) {
  test(`${what} has a text that says so`, () => {
    assert.equal(messageOf(value), 'a value that has no text')
  })
}

test('an error says its message, everything else what it is', () => {
  assert.equal(messageOf(new TypeError('broken')), 'broken')
  assert.equal(textOf(new TypeError('broken')), 'TypeError: broken')
  assert.equal(messageOf('broken'), 'broken')
  assert.equal(messageOf(undefined), 'undefined')
  assert.equal(textOf(Symbol('s')), 'Symbol(s)')
})

test('whatever it is, a text comes', () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withSparseArray: true }),
      (value) => typeof textOf(value) === 'string' && typeof messageOf(value) === 'string',
    ),
  )
})
