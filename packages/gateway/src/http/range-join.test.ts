import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { Dialogue, get, rebuilt } from '../testing/dialogue-sample.ts'
import type { ObservedExchange } from './observed-exchange.ts'
import { RangeJoin } from './range-join.ts'
import type { RangeLimits } from './range-join.ts'

const whole = 'abcdefghijklmnopqrstuvwxyz'
const TAG = 'ETag: "1"\r\n'

function part(from: number, to: number, fields = TAG, size: number | string = whole.length, text = whole): string {
  const body = text.slice(from, to)
  const range = `Content-Range: bytes ${from}-${to - 1}/${size}\r\n`
  return `HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n${range}${fields}Content-Length: ${body.length}\r\n\r\n${body}`
}

function joined(answers: readonly string[], limits?: Partial<RangeLimits>): { told: string[]; join: RangeJoin } {
  const talk = new Dialogue().open()
  for (const answer of answers) talk.exchange(get('/doc', 'Range: bytes=0-\r\n'), answer)
  const told: string[] = []
  const sink = {
    observed: ({ response, body }: ObservedExchange) =>
      void told.push(`${response!.status} ${Buffer.from(body).toString()}`),
  }
  const join = new RangeJoin(sink, limits)
  for (const observed of rebuilt(talk.close().packets).exchanges) join.observed(observed)
  return { told: told.filter((line) => line.startsWith('200')), join }
}

const cases: [sentence: string, answers: readonly string[], told: readonly string[]][] = [
  ['63: parts that make a whole are told as the whole', [part(0, 10), part(10, 26)], [`200 ${whole}`]],
  ['63: in any order, overlapping', [part(15, 26), part(0, 12), part(10, 20)], [`200 ${whole}`]],
  ['63: one that is missing leaves it untold', [part(0, 10), part(11, 26)], []],
  ['63: parts of two versions are never joined', [part(0, 10), part(10, 26, 'ETag: "2"\r\n')], []],
  ['63: nor those without a version', [part(0, 10, ''), part(10, 26, '')], []],
  ['63: nor those of weak ones', [part(0, 10, 'ETag: W/"1"\r\n'), part(10, 26, 'ETag: W/"1"\r\n')], []],
  ['63: nor those of two sizes', [part(0, 10), part(10, 26, TAG, 27)], []],
  ['63: nor those of an unknown size', [part(0, 10, TAG, '*'), part(10, 26, TAG, '*')], []],
  ['63: parts that contradict each other are forgotten', [part(0, 12), part(10, 26, TAG, 26, whole.toUpperCase())], []],
  ['63: a part longer than its whole is none', [part(0, 26, TAG, 20)], []],
]
for (const [sentence, answers, told] of cases) {
  test(sentence, () => assert.deepEqual(joined(answers).told, told))
}

test('63: several parts in one answer are joined with others', () => {
  const piece = (from: number, to: number): string =>
    `--x\r\nContent-Type: text/html\r\nContent-Range: bytes ${from}-${to - 1}/26\r\n\r\n${whole.slice(from, to)}\r\n`
  const body = `${piece(0, 5)}${piece(20, 26)}--x--\r\n`
  const fields = `Content-Type: multipart/byteranges; boundary=x\r\n${TAG}Content-Length: ${body.length}\r\n`
  const answer = `HTTP/1.1 206 Partial Content\r\n${fields}\r\n${body}`
  assert.deepEqual(joined([answer, part(5, 20)]).told, [`200 ${whole}`])
})

test('63: what waits for parts takes no more than it may, and nothing is left of what is whole', () => {
  const { join } = joined([part(0, 10), part(0, 10, 'ETag: "2"\r\n'), part(0, 10, 'ETag: "3"\r\n')], { documents: 2 })
  assert.deepEqual([join.memory, join.counters.forgotten], [{ documents: 2, bytes: 52 }, 1])
  assert.deepEqual(joined([part(0, 10)], { bytes: 25 }).join.memory, { documents: 0, bytes: 0 })
  assert.deepEqual(joined([part(0, 10), part(10, 26)]).join.memory, { documents: 0, bytes: 0 })
})

test('63: whatever parts come, a whole is told only when it is one', () => {
  const cut = fc.tuple(fc.nat({ max: 25 }), fc.integer({ min: 1, max: 26 }))
  fc.assert(
    fc.property(fc.array(cut, { maxLength: 6 }), (cuts) => {
      const parts = cuts.map(([from, length]) => [from, Math.min(26, from + length)] as const)
      const { told } = joined(parts.map(([from, to]) => part(from, to)))
      const seen = new Set(parts.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at)))
      for (const line of told) assert.equal(line, `200 ${whole}`)
      if (seen.size < 26) assert.deepEqual(told, [])
      else assert.ok(told.length > 0)
    }),
    { numRuns: 50 },
  )
})
