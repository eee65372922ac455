import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deadLetters, retryLetters } from '@comity/collection'
import { FAILED, EXCLUDED } from '@comity/frontier'
import { defaultUrlRules } from '@comity/protocol'
import { createFaults } from '@comity/ingest/testing'
import { retryPages } from './retried-pages.ts'

test('a page that is to be tried again is admitted, and its letter goes when that is durable', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-retried-'))
  t.after(() => rmSync(dir, { recursive: true }))
  using faults = createFaults(dir)
  for (const path of ['known', 'unknown', 'outside', 'left']) {
    faults.failed({ kind: 'page', url: `http://a.example/${path}` }, new TypeError(path))
  }
  retryLetters(dir, ({ url }) => !url!.endsWith('left'))
  const admitted: number[] = []
  const frontier = {
    findUrl: (url: string) => ({ 'http://a.example/known': 7, 'http://a.example/outside': 8 })[url] ?? -1,
    pages: { stateOf: (page: number) => (page === 8 ? EXCLUDED : FAILED) },
    admit: (page: number) => void admitted.push(page),
  }
  await retryPages(faults, frontier, defaultUrlRules, async () => {
    assert.equal(deadLetters(dir).length, 4, 'nothing goes before it is durable')
    await Promise.resolve()
  })
  assert.deepEqual(admitted, [7])
  assert.deepEqual(
    deadLetters(dir).map(({ url }) => url),
    ['http://a.example/left'],
  )
})
