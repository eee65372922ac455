/** What a frontier does with pages that were fetched before and are due again, one sentence a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frontier } from '../queue/frontier.ts'
import type { FrontierOptions } from '../queue/frontier-options.ts'
import { found, frontierOver, visitOnce } from './frontier-fixture.ts'
import { MemoryStore } from './memory-store.ts'

const fresh = (given?: Partial<FrontierOptions>): Frontier => frontierOver(new MemoryStore(), given)

export function dueAgainSuite(name: string): void {
  const says = (sentence: string, run: () => void | Promise<void>): void => void test(`${name}: ${sentence}`, run)

  says('a page that is due again comes before all that is new, and is no second page of its site', () => {
    const frontier = fresh({ budgetOf: () => ({ maxPages: 1, maxBytes: 1e9, maxKnown: 10 }) })
    const page = frontier.offer('https://a.example/old', { depth: 9, seed: 0 })
    assert.equal(visitOnce(frontier, 0), 'https://a.example/old')
    frontier.offer('https://a.example/new', found)
    assert.equal(visitOnce(frontier, 2_000), undefined, 'the budget is one page')
    frontier.revisit(page)
    assert.equal(visitOnce(frontier, 4_000), 'https://a.example/old')
    assert.equal(frontier.sites[0]?.visited, 1)
    assert.equal(visitOnce(frontier, 6_000), undefined)
    assert.deepEqual([frontier.count('done'), frontier.count('waiting')], [1, 1])
  })

  says(
    'pages that are due again come in the order in which they were, whatever their ranks, and their sites take turns',
    () => {
      const frontier = fresh()
      const paths = ['a.example/1', 'a.example/2', 'a.example/3', 'b.example/4']
      const pages = paths.map((path, depth) => frontier.offer(`https://${path}`, { depth, seed: 0 }))
      for (let n = 0; n < pages.length; n++) visitOnce(frontier, n * 2_000)
      const [first, second, third, other] = pages as [number, number, number, number]
      for (const page of [third, second, other]) frontier.revisit(page)
      const asked: (string | undefined)[] = []
      for (let at = 20_000; asked.length < 6; at += 2_000) {
        asked.push(visitOnce(frontier, at)?.slice('https://'.length))
        // The best of them all is due again and again.
        if (asked.length < 3) frontier.revisit(first)
      }
      const wanted = ['a.example/3', 'b.example/4', 'a.example/2', 'a.example/1', undefined, undefined]
      assert.deepEqual(asked, wanted)
    },
  )

  says('questions and pages that are due take turns, so that neither keeps the other waiting', () => {
    const frontier = fresh()
    const page = frontier.offer('https://a.example/old', found)
    visitOnce(frontier, 0)
    frontier.openGate(0, Infinity, 0, 0)
    for (const path of ['/q1', '/q2', '/q3']) {
      frontier.runPrerequisite(0, { kind: 'question', onBehalfOf: 0, path, hops: 0, question: 1 })
    }
    frontier.revisit(page)
    const asked = [2, 4, 6, 8].map((second) => visitOnce(frontier, second * 1_000)?.slice('https://a.example'.length))
    assert.deepEqual(asked, ['/q1', '/old', '/q2', '/q3'])
  })

  says('a page that waits, is on its way or was never fetched cannot be due again', () => {
    const frontier = fresh()
    const page = frontier.offer('https://a.example/x', found)
    frontier.revisit(page)
    assert.ok(frontier.lease(0))
    frontier.revisit(page)
    assert.deepEqual([frontier.count('leased'), frontier.count('waiting')], [1, 0])
  })
}
