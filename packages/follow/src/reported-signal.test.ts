import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { contentKey } from '@comity/ingest'
import type { ReportedPage } from './offer-poll.ts'
import { isNewsOf, signalOfReport } from './reported-signal.ts'

const DAY = 86_400_000
const NOW = 10_000 * DAY
const URL = 'https://a.example/page'
const body = Buffer.from('<p>ours')
const digestOf = (text: string): string => `sha-256:${hash('sha256', text)}`
const held = { visitedAt: NOW - DAY, contentKey: contentKey(body) }

const cases: [sentence: string, said: { changedAt?: number; digest?: string }, isNews: boolean][] = [
  [
    'the digest of our copy is no news, whenever it is said to have changed',
    { digest: digestOf('<p>ours'), changedAt: NOW },
    false,
  ],
  ['another digest is, however old its date', { digest: digestOf('<p>theirs'), changedAt: 0 }, true],
  ['without a digest a change after our visit is', { changedAt: NOW - 1 }, true],
  ['and one before it is not', { changedAt: NOW - 2 * DAY }, false],
]
for (const [sentence, said, isNews] of cases) test(sentence, () => assert.equal(isNewsOf(held, said, NOW), isNews))

const told = (more: Partial<ReportedPage>): ReportedPage => ({ url: URL, change: 'updated', ...more })

test('a page that is only named makes no signal, and one that is gone does', () => {
  assert.equal(signalOfReport(URL, 'sitemap', told({}), undefined), undefined)
  assert.equal(signalOfReport(URL, 'sitemap', told({ change: 'deleted' }), undefined)?.change, 'deleted')
})

test('what was put back from a backup has changed, though its date is older than that of our copy', () => {
  const row = { visitedAt: NOW - 5 * DAY, lastModified: new Date(NOW - 6 * DAY).toUTCString() }
  const old = { modifiedAt: NOW - 100 * DAY, changedAt: NOW - 100 * DAY }
  assert.equal(
    signalOfReport(URL, 'metadata-archive', told({ ...old, listedAfter: NOW - DAY }), row)?.changedAt,
    undefined,
  )
  assert.equal(signalOfReport(URL, 'metadata-archive', told(old), row)?.changedAt, old.changedAt)
})
