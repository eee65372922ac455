import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comity, lastJson, temporaryFolder } from './spawned-comity.ts'

test('the demo ends by itself, has all that a polite crawler can have, and broke no promise', async () => {
  using folder = temporaryFolder()
  const ended = await comity(['demo', '--json', '--into', folder.at('demo')])
  assert.equal(ended.code, 0, ended.stderr)
  const { reached, reachable, violations, seeds, pages } = lastJson(ended)
  assert.equal(reached, reachable)
  assert.ok(Number(pages) > 100)
  assert.deepEqual(violations, [])
  assert.ok(Array.isArray(seeds) && seeds.length === 6)
})
