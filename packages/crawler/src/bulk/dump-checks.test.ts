import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DumpChecks } from './dump-checks.ts'
import type { Outcome } from '@comity/ingest'

class Bench {
  readonly visited: number[] = []
  readonly lies: number[] = []
  readonly checks: DumpChecks
  constructor(random: () => number) {
    const visitAgain = (page: number): void => void this.visited.push(page)
    this.checks = new DumpChecks({ random, visitAgain, onLie: (site) => void this.lies.push(site) })
  }

  take(pages: number): this {
    for (let page = 0; page < pages; page++) this.checks.took(7, page)
    this.checks.begin(7)
    return this
  }

  /** A page that is fetched turns out to be the same, or another one. */
  fetch(page: number, isOther: boolean, outcome: Outcome = 'ok'): void {
    const row = { site: 7, outcome, status: 200, visitedAt: 2, visits: 1, bytes: 1, timings: {} }
    const before = { ...row, changes: 0 }
    this.checks.settled({ page, outcome, at: 2, before, row: { ...row, changes: isOther ? 1 : 0 }, bytes: 1 })
  }
}

test('one page at least is fetched again, whole, when all of a dump is in', () => {
  const bench = new Bench(() => 1).take(50)
  assert.deepEqual(bench.visited, [0])
  assert.ok(bench.checks.has(0) && !bench.checks.has(1))
  bench.fetch(0, false)
  assert.deepEqual(bench.checks.figuresOf(7), { checked: 1, different: 0 })
  assert.ok(!bench.checks.has(0))
})

test('one other page among few is a lie: all the others are fetched too, once', () => {
  const bench = new Bench(() => 1).take(5)
  bench.fetch(0, true)
  assert.deepEqual(bench.lies, [7])
  assert.deepEqual(bench.visited, [0, 1, 2, 3, 4])
  assert.ok(bench.checks.has(4), 'whole, as a date that a liar gave says nothing')
  bench.fetch(1, true)
  assert.deepEqual(bench.lies, [7])
})

test('one in ten may differ for honest reasons', () => {
  const bench = new Bench(() => 0).take(20)
  bench.fetch(0, true)
  bench.fetch(1, true)
  assert.deepEqual(bench.lies, [])
  bench.fetch(2, true)
  assert.deepEqual(bench.lies, [7])
})

test('a page that the site does not serve is another one; one that could not be fetched says nothing', () => {
  const bench = new Bench(() => 1).take(3)
  bench.fetch(0, false, 'timeout-headers')
  assert.deepEqual([bench.lies, bench.checks.figuresOf(7).checked], [[], 0])
  const gone = new Bench(() => 1).take(3)
  gone.fetch(0, false, 'client-error')
  assert.deepEqual(gone.lies, [7])
})
