/** A frontier that holds its pages back runs prerequisites, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, frontierOver } from '../testing/frontier-fixture.ts'
import { MemoryStore } from '../testing/memory-store.ts'

const site = 'http://a.example'

test('held back, neither a new page nor one that is due again is leased; what is asked besides pages is', () => {
  const frontier = frontierOver(new MemoryStore(), { holds: 'all' })
  const page = frontier.offer(`${site}/`, found)
  frontier.takeOut(page)
  frontier.settle(page, 'done')
  frontier.revisit(page)
  frontier.offer(`${site}/new`, found)
  assert.equal(frontier.lease(10_000), undefined)
  frontier.runPrerequisite(frontier.site(site), {
    kind: 'question',
    onBehalfOf: 0,
    path: '/keys',
    hops: 0,
    question: 1,
  })
  const lease = frontier.lease(10_000)
  assert.deepEqual([lease?.first.kind, lease?.first.url], ['prerequisite', `${site}/keys`])
  assert.equal(frontier.next(lease!, 10_000), undefined)
})
