import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPieces, outOfPieces } from './row-pieces.ts'

const rows = (count: number): { n: number; url: string }[] =>
  Array.from({ length: count }, (_, n) => ({ n, url: `/${n}` }))
const sent = (value: unknown): unknown => outOfPieces(structuredClone(inPieces(value)))

const VALUES: [sentence: string, value: unknown][] = [
  ['a list that is the value itself', rows(2_345)],
  ['a list in a part of a value', { kind: 'document', read: { changes: { entries: rows(501), end: undefined } } }],
  ['two lists beside each other', { pages: rows(1_000), seen: rows(700), problems: ['x'] }],
  [
    'a list whose name is one of JavaScript’s own',
    Object.fromEntries([
      ['__proto__', rows(600)],
      ['x', 1],
    ]),
  ],
  ['rows with bytes', { pages: rows(600).map(({ n }) => ({ n, body: Uint8Array.of(1, 2, 3) })) }],
  ['short lists', { entries: rows(3), order: [3, 2, 1] }],
  ['what is no object', 'too-much-work'],
  ['nothing', undefined],
]
for (const [sentence, value] of VALUES) {
  test(`${sentence} comes as it was sent`, async () => assert.deepEqual(await sent(value), value))
}

test('others have a turn between the pieces of a long list', async () => {
  let turns = 0
  const count = (): void => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await sent({ entries: rows(50_000) })
  clearImmediate(timer)
  assert.ok(turns >= 50_000 / 500, `${turns} turns`)
})

test('what is short is there at once', () => {
  assert.deepEqual(sent({ entries: rows(3) }), { entries: rows(3) })
})
