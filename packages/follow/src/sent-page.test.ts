import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { writeDigestField } from '@comity/protocol'
import type { BatchPage } from '@comity/protocol'
import { reportedOfSent } from './sent-page.ts'
import type { ReportedPage } from './offer-poll.ts'

const url = 'https://a.example/1'
const AT = Date.UTC(2026, 10, 14)
const DATE = new Date(AT - 60_000).toUTCString()
const body = Buffer.from('a page')
const sent = (page: Partial<BatchPage>): BatchPage => ({ url, status: 200, headers: [], body, at: AT, ...page })
const sumOf = (bytes: Uint8Array): string => `sha-256:${hash('sha256', bytes)}`

const cases: [sentence: string, page: BatchPage, told: Partial<ReportedPage>][] = [
  ['a page is told of by what it is', sent({}), { change: 'updated', digest: sumOf(body) }],
  ['with the date that it has', sent({ headers: [['Last-Modified', DATE]] }), { modifiedAt: AT - 60_000 }],
  [
    'a difference is told of by the page that comes out of it',
    sent({ status: 226, headers: [['Repr-Digest', writeDigestField(Buffer.from('whole'))]] }),
    { change: 'updated', digest: sumOf(Buffer.from('whole')) },
  ],
  [
    'one that does not say what comes out of it, by its date',
    sent({ status: 226, headers: [['Last-Modified', DATE]] }),
    { digest: undefined, changedAt: AT - 60_000 },
  ],
  ['or by when it was sent', sent({ status: 226 }), { digest: undefined, changedAt: AT }],
  [
    'a page that is packed says nothing by its bytes',
    sent({ headers: [['Content-Encoding', 'gzip']] }),
    { digest: undefined, changedAt: AT },
  ],
  ['a page that is gone is told of as that', sent({ status: 410, body: Buffer.alloc(0) }), { change: 'deleted' }],
]
for (const [sentence, page, told] of cases) {
  test(sentence, () => {
    const heard = reportedOfSent(page)
    for (const [name, value] of Object.entries(told)) assert.equal(heard[name as keyof ReportedPage], value, name)
  })
}
