import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDeliveryWorkerRow } from './delivery-worker-row.ts'
import type { DeliveryWorkerRow } from './delivery-worker-row.ts'
import { afterAnswer, afterFailure, passedOver } from './delivery-consequence.ts'
import type { Attempt, Refusal } from './delivery-consequence.ts'
import type { DeliveryVerdict } from './delivery-verdict.ts'
import { AT, pageOf } from '../testing/journal-sample.ts'
import type { Change } from '../journal/journal.ts'

const at = (cursor: number): DeliveryWorkerRow['position'] => ({ journal: 'j', edition: 'f', cursor })
const changes = (count: number): Change[] =>
  Array.from({ length: count }, (_, i) => ({ ...pageOf(`/${i}`), number: 6 + i, change: 'updated', at: AT }))

/** Five changes told, two failures behind it, and a delivery of so many pages under way. */
function attempt(pages: number, more: Partial<DeliveryWorkerRow> = {}): Attempt {
  const before = { ...newDeliveryWorkerRow('c', at(5), AT), failures: 2, failingSince: AT - 9_000, ...more }
  const under = { ...before, doubtUpTo: 5 + pages }
  const plan = { changes: changes(pages), next: at(5 + pages), repeated: new Set<string>() }
  return { before, under, plan, at: AT, random: 0 }
}

const refusal: Refusal = { trouble: 'It said no.', isCertain: true, status: 422, body: Buffer.from('no') }
const content = { type: 't', body: Buffer.alloc(0), headers: [], holds: [{ path: '/0', digest: 'd', deltas: 1 }] }
const after = (
  verdict: Exclude<DeliveryVerdict, 'ended'>,
  pages: number,
  more?: Partial<DeliveryWorkerRow>,
): ReturnType<typeof afterAnswer> => afterAnswer(verdict, attempt(pages, more), content, refusal)

test('delivered: the position moves, failures and doubt are over, and what is held is known', () => {
  const { row, holds } = after('delivered', 3, { paceMs: 4_000, suspects: 2 })
  assert.deepEqual([row.position.cursor, row.failures, row.failingSince, row.doubtUpTo], [8, 0, undefined, undefined])
  assert.deepEqual([row.paceMs, row.nextTryAt, row.suspects, row.delivered], [2_000, AT + 2_000, 4, 1])
  assert.deepEqual(holds, content.holds)
})

test('nothing to tell: the position moves, and nothing else', () => {
  const { row } = passedOver(attempt(3))
  assert.deepEqual([row.position.cursor, row.failures, row.doubtUpTo, row.delivered], [8, 2, undefined, 0])
})

// oxfmt-ignore
const again: [verdict: Exclude<DeliveryVerdict, 'ended'>, part: Partial<DeliveryWorkerRow>][] = [
  ['unpack', { isPlainOnly: true }],
  ['whole',  {}],
  ['halve',  { halvings: 1 }],
]
for (const [verdict, part] of again) {
  test(`${verdict}: at once again from the same place, and it is certain that nothing arrived`, () => {
    const { row } = after(verdict, 3)
    assert.deepEqual([row.position.cursor, row.nextTryAt, row.failures, row.doubtUpTo], [5, AT, 2, undefined])
    assert.deepEqual({ ...row, ...part }, row)
  })
}

test('whole: nothing is known of the pages that were in it', () => {
  assert.deepEqual(
    after('whole', 2).holds,
    ['/0', '/1'].map((path) => ({ path, deltas: 0 })),
  )
})

test('refused: half of it soon; a single page is a dead letter, and the others go on', () => {
  const { row: half } = after('refused', 9)
  assert.deepEqual([half.position.cursor, half.suspects, half.failures], [5, 5, 3])
  assert.ok(half.nextTryAt > AT && half.nextTryAt <= AT + 8_000)
  const { row: single, dead = [] } = after('refused', 1, { failures: 30 })
  assert.deepEqual([single.position.cursor, dead.length, dead[0]?.reason, dead[0]?.path], [6, 1, 'refused', '/0'])
  assert.ok(single.nextTryAt <= AT + 8_000)
  assert.equal(after('halve', 1).dead?.[0]?.reason, 'too-large')
})

test('slower and later: the same place after a while, and slower stays slower', () => {
  const [slower, later] = [after('slower', 3).row, after('later', 3).row]
  for (const row of [slower, later])
    assert.deepEqual([row.position.cursor, row.failures, row.nextTryAt], [5, 3, AT + 4_000])
  assert.deepEqual([slower.paceMs, later.paceMs], [1_000, 0])
  assert.equal(later.failingSince, AT - 9_000)
})

test('a failure that may have been a success leaves a doubt, and one that cannot leaves none', () => {
  const failure = { trouble: 'cut', isCertain: false }
  assert.equal(afterFailure(attempt(3), failure).row.doubtUpTo, 8)
  assert.equal(afterFailure(attempt(3), { ...failure, isCertain: true }).row.doubtUpTo, undefined)
})
