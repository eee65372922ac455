import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayStore, gatewayRows } from './store.ts'
import type { TakenBatch } from './store.ts'
import type { FactKind } from '@comity/collection'

/** Facts of a collection. */
class Facts {
  readonly kept = new Map<string, unknown>()
  puts = 0
  fact<Value>({ name, isOne }: FactKind<Value>): Value | undefined {
    const value = this.kept.get(name)
    return isOne(value) ? value : undefined
  }
  putFact<Value>({ name }: FactKind<Value>, value: Value): void {
    this.kept.set(name, structuredClone(value))
    this.puts++
  }
}

const batch = (number: number, changes: Partial<TakenBatch> = {}): TakenBatch => ({
  run: 'run-1',
  number,
  to: 500,
  at: 1_000,
  bytes: 60,
  figures: { pages: 4, htmlBytes: 4_000, skipped: { cookie: 2 } },
  outcomes: new Map([
    ['taken', 2],
    ['confirmed', 2],
  ]),
  people: 7,
  robots: 1,
  confirmedToday: 1,
  ...changes,
})

test('what batches came to adds up, and is there again after a restart', () => {
  const facts = new Facts()
  const store = new GatewayStore(facts)
  assert.deepEqual(gatewayRows(facts), {})
  store.took('north', batch(1))
  store.took('north', batch(2, { at: 900, to: 800 }))
  store.passedOver('north', 'repeated', 2_000)
  store.passedOver('north', 'unreadable', 1_500)
  assert.equal(facts.puts, 0, 'with the next commit, not before')
  store.save()
  store.save()
  assert.equal(facts.puts, 1)
  const { north } = gatewayRows(facts)
  assert.deepEqual(north, {
    runs: [{ run: 'run-1', upTo: 2, above: [], lastAt: 1_000 }],
    batches: 2,
    repeated: 1,
    lastAt: 2_000,
    passedAt: 800,
    bytes: 120,
    pages: 8,
    htmlBytes: 8_000,
    skipped: { cookie: 4 },
    outcomes: { taken: 4, confirmed: 4, unreadable: 1 },
    people: 14,
    robots: 2,
    avoidedRequests: 6,
    avoidedBytes: 4_000,
  })
  const later = new GatewayStore(facts)
  assert.deepEqual(
    [1, 2, 3].map((number) => later.isTaken('north', 'run-1', number)),
    [true, true, false],
  )
  assert.equal(later.isTaken('south', 'run-1', 1), false)
})

test('reasons that gateways invent without end are one in the end', () => {
  const store = new GatewayStore(new Facts())
  for (let number = 1; number <= 150; number++)
    store.took('north', batch(number, { figures: { pages: 0, htmlBytes: 0, skipped: { [`reason-${number}`]: 1 } } }))
  const { skipped, avoidedBytes } = store.rows['north']!
  assert.equal(Object.keys(skipped).length, 101)
  assert.equal(skipped['other'], 50)
  assert.equal(avoidedBytes, 0, 'without pages nobody knows how large they are')
})
