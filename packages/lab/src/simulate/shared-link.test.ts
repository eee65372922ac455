import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SharedLink } from './shared-link.ts'

interface Transfer {
  readonly at: number
  readonly bytes: number
  readonly most: number
}

/** What the link says: the end of each transfer, and the highest rate seen. */
function run(capacity: number, transfers: readonly Transfer[]): { ends: number[]; peak: number; carried: number } {
  const link = new SharedLink(capacity, transfers.length)
  const ends = transfers.map(() => 0)
  const byStart = transfers.map((_, slot) => slot).toSorted((a, b) => transfers[a]!.at - transfers[b]!.at)
  let peak = 0
  const endUntil = (at: number): void => {
    while (link.nextEnd() <= at && link.transfers > 0) {
      const end = link.nextEnd()
      ends[link.takeEnded()] = end
      peak = Math.max(peak, link.rate * 1_000)
    }
  }
  for (const slot of byStart) {
    const { at, bytes, most } = transfers[slot]!
    endUntil(at)
    link.start(slot, bytes, most, at)
    peak = Math.max(peak, link.rate * 1_000)
  }
  endUntil(Infinity)
  return { ends, peak, carried: link.carried }
}

/** The same by the book: at every change all rates are found anew by filling, and all remainders counted down. */
function reference(capacity: number, transfers: readonly Transfer[]): number[] {
  const left = transfers.map(({ bytes }) => bytes)
  const ends = transfers.map(() => -1)
  let now = 0
  while (ends.includes(-1)) {
    const active = transfers.map((_, slot) => slot).filter((slot) => ends[slot] === -1 && transfers[slot]!.at <= now)
    const rates = filled(capacity, active, transfers)
    const starts = transfers.map(({ at }) => at).filter((at) => at > now)
    const next = Math.min(...starts, ...active.map((slot) => now + (left[slot]! / rates.get(slot)!) * 1_000))
    for (const slot of active) left[slot]! -= (rates.get(slot)! * (next - now)) / 1_000
    now = next
    for (const slot of active) if (left[slot]! <= 1e-6) ends[slot] = now
  }
  return ends
}

function filled(capacity: number, active: readonly number[], transfers: readonly Transfer[]): Map<number, number> {
  const rates = new Map<number, number>()
  let free = capacity
  for (const [n, slot] of active.toSorted((a, b) => transfers[a]!.most - transfers[b]!.most).entries()) {
    const rate = Math.min(transfers[slot]!.most, free / (active.length - n))
    rates.set(slot, rate)
    free -= rate
  }
  return rates
}

const cases: [sentence: string, capacity: number, transfers: Transfer[], ends: number[]][] = [
  ['one transfer takes the whole link', 1_000, [{ at: 0, bytes: 500, most: 5_000 }], [500]],
  ['a slow site takes what it can', 1_000, [{ at: 0, bytes: 500, most: 100 }], [5_000]],
  [
    'two equals have half each, and the second goes on alone',
    1_000,
    [
      { at: 0, bytes: 500, most: 5_000 },
      { at: 0, bytes: 1_000, most: 5_000 },
    ],
    [1_000, 1_500],
  ],
  [
    'what a slow site leaves goes to the fast one',
    1_000,
    [
      { at: 0, bytes: 1_000, most: 100 },
      { at: 0, bytes: 900, most: 5_000 },
    ],
    [10_000, 1_000],
  ],
  [
    'a site that was alone slows down while another is there',
    1_000,
    [
      { at: 0, bytes: 1_500, most: 1_000 },
      { at: 1_000, bytes: 250, most: 1_000 },
    ],
    [1_750, 1_500],
  ],
]
for (const [sentence, capacity, transfers, ends] of cases) {
  test(sentence, () => {
    for (const [slot, end] of run(capacity, transfers).ends.entries())
      assert.ok(Math.abs(end - ends[slot]!) < 1e-6, `transfer ${slot} ends at ${end}, not ${ends[slot]}`)
  })
}

const anyTransfers = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 5_000 }),
    bytes: fc.integer({ min: 1, max: 20_000 }),
    most: fc.integer({ min: 10, max: 5_000 }),
  }),
  { minLength: 1, maxLength: 20 },
)

test('ends are those of the slow reference, no byte is lost, and the link is never above its bandwidth', () => {
  const anyCapacity = fc.integer({ min: 10, max: 20_000 })
  fc.assert(
    fc.property(anyCapacity, anyTransfers, (capacity, transfers) => {
      const { ends, peak, carried } = run(capacity, transfers)
      const expected = reference(capacity, transfers)
      for (const [slot, end] of ends.entries()) assert.ok(Math.abs(end - expected[slot]!) <= 1e-6 * expected[slot]!)
      const bytes = transfers.reduce((sum, transfer) => sum + transfer.bytes, 0)
      assert.ok(Math.abs(carried - bytes) <= 1e-6 * bytes)
      assert.ok(peak <= capacity * (1 + 1e-9))
    }),
  )
})
