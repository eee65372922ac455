import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SIGNAL_CHANNELS } from '@comity/protocol'
import { GROUP_NAMES, SCHEME_GROUPS, needlessShare, requestsByGroup } from '../client/schemes.js'
import { watchAt } from '../testing/pages-fixture.ts'
import { CHANNELS, SCHEMES } from './scheme-words.ts'

test('every scheme of the table has its colour, and every channel its row', () => {
  const coloured = new Set(SCHEME_GROUPS.flatMap(({ schemes }) => schemes))
  for (const [name] of SCHEMES) assert.ok(coloured.has(name), name)
  assert.deepEqual(CHANNELS.map(([name]) => name).toSorted(), SIGNAL_CHANNELS.toSorted())
})

test('requests are gathered into groups, and what is left over is other', () => {
  const watch = watchAt(100)
  const counts = requestsByGroup(watch)
  assert.equal(counts.length, GROUP_NAMES.length)
  assert.equal(counts[1], watch.schemes['not-modified']!.requests)
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    Math.max(
      watch.requests,
      Object.values(watch.schemes).reduce((sum, { requests }) => sum + requests, 0),
    ),
  )
  assert.deepEqual(requestsByGroup({ schemes: { page: { requests: 9 } }, requests: 4 }), [9, 0, 0, 0, 0, 0])
})

test('before the first request nothing is needless', () => {
  assert.equal(needlessShare({ needless: 0, requests: 0 }), 0)
  assert.equal(needlessShare({ needless: 1, requests: 4 }), 0.25)
})
