import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  bytesOf,
  compile,
  createMemory,
  i32,
  I32,
  i64,
  I64,
  i8x16,
  ifElse,
  lane,
  leaveIf,
  load128,
  load16,
  load8,
  loop,
  repeatIf,
  store32,
  store8,
  variables,
} from './wasm-code.ts'
import type { Code, Operand } from './wasm-code.ts'

const memory = createMemory(1)

type Expression = (a: Operand, b: Operand) => Code

function valueOf(expression: Expression, a: number, b = 0): number {
  const all = variables({ a: I32, b: I32 })
  return compile({ variables: all, parameters: 2, body: [], result: expression(all.a, all.b) }, memory)(a, b)
}

const number = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })

test('any constant is itself', () => {
  fc.assert(
    fc.property(number, (value) =>
      assert.equal(
        valueOf((a) => i32.add(a, value), 0),
        value,
      ),
    ),
  )
})

const operations: [name: keyof typeof i32, expected: (a: number, b: number) => number][] = [
  ['add', (a, b) => (a + b) | 0],
  ['sub', (a, b) => (a - b) | 0],
  ['mul', (a, b) => Math.imul(a, b)],
  ['and', (a, b) => a & b],
  ['or', (a, b) => a | b],
  ['xor', (a, b) => a ^ b],
  ['shl', (a, b) => a << b],
  ['shr_u', (a, b) => (a >>> b) | 0],
  ['eq', (a, b) => Number(a === b)],
  ['ne', (a, b) => Number(a !== b)],
  ['ge_s', (a, b) => Number(a >= b)],
  ['lt_u', (a, b) => Number(a >>> 0 < b >>> 0)],
  ['le_u', (a, b) => Number(a >>> 0 <= b >>> 0)],
  ['gt_u', (a, b) => Number(a >>> 0 > b >>> 0)],
]
for (const [name, expected] of operations) {
  test(`i32.${name} is what it says`, () => {
    const second = fc.oneof(number, fc.nat(31))
    const property = fc.property(number, second, fc.boolean(), (a, other, isSame) => {
      const b = isSame ? a : other
      assert.equal(valueOf(i32[name], a, b), expected(a, b))
    })
    fc.assert(property)
  })
}

const whole: Expression = (low, high) =>
  i64.or(i64.shl(i64.extend_i32_u(high), i64.extend_i32_u(32)), i64.extend_i32_u(low))
const lower: Expression = (low, high) => i64.wrap(whole(low, high))
const upper: Expression = (low, high) => i64.wrap(i64.shr_u(whole(low, high), i64.extend_i32_u(32)))

test('a number of 64 bits has two halves', () => {
  const property = fc.property(number, number, (low, high) => {
    assert.deepEqual([valueOf(lower, low, high), valueOf(upper, low, high)], [low, high])
  })
  fc.assert(property)
})

test('a loop repeats and is left, and knows its variables', () => {
  const all = variables({ to: I32, sum: I32, wide: I64 })
  const { to, sum } = all
  const body = [loop(leaveIf(i32.eq(to, 0)), sum.set(i32.add(sum, to)), to.set(i32.sub(to, 1)), repeatIf(1))]
  const run = compile({ variables: all, parameters: 1, body, result: sum }, memory)
  for (const [count, total] of [
    [0, 0],
    [1, 1],
    [100, 5_050],
  ] as const)
    assert.equal(run(count), total)
})

test('a condition has two ways', () => {
  const all = variables({ given: I32, found: I32 })
  const body = [ifElse(i32.gt_u(all.given, 9), [all.found.set(1)], [all.found.set(2)])]
  const run = compile({ variables: all, parameters: 1, body, result: all.found }, memory)
  assert.deepEqual([run(10), run(9)], [1, 2])
})

test('memory is read and written', () => {
  const all = variables({ at: I32 })
  const body = [store32(all.at, 100, 0x0403_0201), store8(all.at, 104, 5)]
  const result = i32.add(i32.mul(load8(all.at, 104), 0x1_0000), load16(all.at, 101))
  assert.equal(compile({ variables: all, parameters: 1, body, result }, memory)(400), 0x5_0302)
  assert.deepEqual([...new Uint8Array(memory.buffer, 500, 5)], [1, 2, 3, 4, 5])
})

test('sixteen bytes are compared at once', () => {
  new Uint8Array(memory.buffer).set(Buffer.from('not a word here.'), 600)
  const isSpace = valueOf((at) => i8x16.bitmask(i8x16.lt_u(load128(at), bytesOf(0x21))), 600)
  assert.equal(isSpace, (1 << 3) | (1 << 5) | (1 << 10))
  assert.equal(
    valueOf((at) => lane(2, load128(at)), 600),
    Buffer.from('rd h').readInt32LE(),
  )
})
