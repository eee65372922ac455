import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import { contentKey } from '@comity/ingest'
import { judgeClaim, judgeSentVersion } from './sent-judgement.ts'

const ours = Buffer.from('<p>ours')
const [key, other] = [contentKey(ours), contentKey(Buffer.from('<p>theirs'))]
const body = { file: 0, offset: 0, length: 0 }
const counts = { site: 0, visits: 1, changes: 0, bytes: 7, timings: {} }
const row: PageRow = { outcome: 'ok', status: 200, visitedAt: 5_500, servedAt: 5_500, contentKey: key, body, ...counts }
const gone: PageRow = { ...row, outcome: 'client-error', status: 404, body: undefined, contentKey: undefined }

const cases: [
  sentence: string,
  held: PageRow | undefined,
  sent: Parameters<typeof judgeSentVersion>[1],
  choice: string,
][] = [
  ['a page that is new is taken', undefined, { key, asOf: 0 }, 'take'],
  ['a newer version is taken', row, { key: other, asOf: 9_000 }, 'take'],
  ['what is held is confirmed', row, { key, asOf: 9_000 }, 'confirm'],
  ['an older version is late', row, { key: other, asOf: 1_000 }, 'late'],
  ['one that does not say as of when is visited', row, { key: other, asOf: undefined }, 'visit'],
  ['a difference from something that is not held is visited', row, undefined, 'visit'],
]
for (const [sentence, held, sent, choice] of cases)
  test(sentence, () => assert.equal(judgeSentVersion(held, sent, false), choice))

test('a site that is not believed hints where another would be taken at its word', () => {
  assert.equal(judgeSentVersion(row, { key: other, asOf: 9_000 }, true), 'hint')
  assert.equal(judgeSentVersion(row, { key, asOf: 9_000 }, true), 'confirm')
})

const digest = `sha-256:${hash('sha256', '<p>ours')}`
const claims: [sentence: string, held: PageRow | undefined, said: Parameters<typeof judgeClaim>[1], choice: string][] =
  [
    ['of the version that is held nothing follows', row, { digest, hasWords: true }, 'same'],
    ['words of a page that is not held are taken', undefined, { digest, hasWords: true }, 'words'],
    [
      'words of one that is held whole tell that it has changed',
      { ...row, contentKey: other },
      { digest, hasWords: true },
      'hear',
    ],
    ['that a page is gone is heard', row, { change: 'deleted', hasWords: false }, 'gone'],
    ['and is no news of one that is known to be', gone, { change: 'deleted', hasWords: false }, 'same'],
  ]
for (const [sentence, held, said, choice] of claims)
  test(`a claim: ${sentence}`, () => assert.equal(judgeClaim(held, said), choice))
