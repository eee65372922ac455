import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processOf, daysChanged } from '../../webs/change-process.ts'
import type { ChangeProcess } from '../../webs/change-process.ts'
import { minNeedless, needlessAt, needlessVisits } from './needless.ts'
import { conventionalFreshness, metadataFreshness, repositoryOf } from './refresh.ts'
import type { Repository } from './refresh.ts'

/** Pages that change on these days. */
const changing = (days: number, ...pages: readonly (readonly number[])[]): ChangeProcess =>
  processOf(pages.length, days, (page, add) => {
    for (const day of pages[page]!) add(day)
  })

const alike = (process: ChangeProcess): Repository => repositoryOf(process, new Float64Array(process.pages).fill(1))
const free = (days: number): Float64Array => new Float64Array(days)

/** 000 §6 as it is written, page by page and day by day. */
function literally(
  { pages, days, changed, sizes }: Repository,
  bandwidth: number,
  onlyChanged: boolean,
  overhead = 0,
): number {
  const isStale = new Set<number>()
  let [credit, next] = [0, 0]
  for (let day = 0; day < days; day++) {
    for (const page of changed[day]!) isStale.add(page)
    credit = Math.min(0, credit) + bandwidth - overhead
    for (let seen = 0; seen < pages && credit > 0; seen++) {
      if (!onlyChanged || isStale.has(next)) {
        isStale.delete(next)
        credit -= sizes[next]!
      }
      next = (next + 1) % pages
    }
  }
  return 1 - isStale.size / pages
}

const repositories = fc
  .record({
    days: fc.integer({ min: 1, max: 12 }),
    pages: fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 9 }), changes: fc.uniqueArray(fc.nat(11), { maxLength: 12 }) }),
      { minLength: 1, maxLength: 15 },
    ),
  })
  .map(({ days, pages }) => {
    const changes = pages.map(({ changes: all }) => all.filter((day) => day < days).toSorted((a, b) => a - b))
    return repositoryOf(
      changing(days, ...changes),
      Float64Array.from(pages, ({ size }) => size),
    )
  })

test('the conventional crawler worked out is the one walked through', () => {
  fc.assert(
    fc.property(repositories, fc.nat(60), (repository, asked) => {
      // More than all pages a day is no more use to a round robin.
      const bandwidth = Math.min(asked, repository.total)
      const walked = literally(repository, bandwidth, false)
      assert.ok(Math.abs(conventionalFreshness(repository, bandwidth) - walked) < 1e-12)
    }),
  )
})

test('the metadata crawler is as the paper writes it, whatever metadata costs', () => {
  fc.assert(
    fc.property(repositories, fc.nat(60), fc.nat(5), (repository, bandwidth, overhead) => {
      const cost = { overhead: new Float64Array(repository.days).fill(overhead), changeShare: 1 }
      const walked = literally(repository, bandwidth, true, overhead)
      assert.ok(Math.abs(metadataFreshness(repository, bandwidth, cost) - walked) < 1e-12)
    }),
  )
})

test('without bandwidth only what never changed is fresh', () => {
  const repository = alike(changing(3, [0], [], [2], []))
  assert.equal(conventionalFreshness(repository, 0), 0.5)
  assert.equal(metadataFreshness(repository, 0, { overhead: free(3), changeShare: 1 }), 0.5)
})

test('a round robin of a page a day misses what changed after its turn; metadata does not', () => {
  // Turns: page 0 on days 0 and 2, page 1 on day 1.
  const repository = alike(changing(3, [1], [2]))
  assert.equal(conventionalFreshness(repository, 1), 0.5)
  assert.equal(metadataFreshness(repository, 1, { overhead: free(3), changeShare: 1 }), 1)
})

test('differences buy more pages for the same bandwidth', () => {
  const repository = alike(changing(2, [0, 1], [0, 1], [0, 1], [0, 1]))
  assert.equal(metadataFreshness(repository, 1, { overhead: free(2), changeShare: 1 }), 0.25)
  assert.equal(metadataFreshness(repository, 1, { overhead: free(2), changeShare: 0.25 }), 1)
})

test('metadata dearer than the bandwidth leaves nothing for pages', () => {
  const repository = alike(changing(3, [0], [0]))
  const cost = { overhead: new Float64Array(3).fill(5), changeShare: 1 }
  assert.equal(metadataFreshness(repository, 4, cost), 0)
})

// oxfmt-ignore
const bounds: [changes: number, requests: number, least: number][] = [
  [5, 10, 4], // the paper's example, 000 §4.1
  [0, 1,  0],
  [0, 10, 9],
  [9, 10, 0],
  [10, 10, 0], // the printed condition gives -1
  [30, 10, 0],
]
for (const [changes, requests, least] of bounds) {
  test(`${requests} requests for a page that changes ${changes} times: at least ${least} needless`, () => {
    assert.equal(minNeedless(changes, requests), least)
  })
}

test('visits that find a page as it was are needless, the first never is', () => {
  const process = changing(10, [1], [], [0, 5], [9.9])
  assert.deepEqual([...needlessVisits(process, 2)], [0, 1, 0, 1])
  assert.deepEqual([...needlessVisits(process, 1)], [0, 0, 0, 0])
})

test('no visits, however they fall, are fewer needless ones than the bound', () => {
  const instants = fc.array(fc.double({ min: 0, max: 9.99, noNaN: true }), { maxLength: 20 })
  fc.assert(
    fc.property(
      fc.array(instants, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      (pages, requests) => {
        const process = changing(10, ...pages.map((all) => all.toSorted((a, b) => a - b)))
        const { below, visited } = needlessAt(process, daysChanged(process), requests)
        assert.equal(below, 0)
        assert.ok(visited >= 0 && visited < 1)
      },
    ),
  )
})
