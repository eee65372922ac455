import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushFigures, refusalCounts } from './push-figures.ts'

const [A, B] = ['https://a.example', 'https://b.example']

test('what came is counted in all and by site', () => {
  const figures = new PushFigures(10)
  figures.accepted(A, 'push', 'signature', 100, 5)
  figures.accepted(A, 'indexnow', 'key-file', 20, 7)
  figures.refused('forged', A)
  figures.ignored(A)
  figures.refused('busy')
  assert.deepEqual(figures.totals, {
    accepted: 2,
    acceptedBytes: 120,
    byDoor: { push: 1, indexnow: 1 },
    refused: { forged: 2, busy: 1 },
    ignored: 1,
  })
  const row = { origin: A, accepted: 2, bytes: 120, proof: 'key-file', lastAt: 7, refused: { forged: 2 } }
  assert.deepEqual(figures.sites(5), [row])
  assert.deepEqual(refusalCounts(figures.totals.refused), [
    ['forged', 2],
    ['busy', 1],
  ])
})

test('a site that nobody has proven to speak for gets no row, however often it is named', () => {
  const figures = new PushFigures(10)
  for (let i = 0; i < 100; i++) figures.refused('not-signed', `https://${i}.example`)
  assert.deepEqual(figures.sites(10), [])
  assert.equal(figures.totals.refused['not-signed'], 100)
  assert.equal(figures.site(A), undefined)
})

test('rows are bounded, and the one that was heard longest ago goes first', () => {
  const figures = new PushFigures(2)
  for (const origin of [A, B, A, 'https://c.example']) figures.accepted(origin, 'push', 'signature', 1, 1)
  assert.deepEqual(
    figures.sites(10).map(({ origin }) => origin),
    ['https://c.example', A],
  )
})
