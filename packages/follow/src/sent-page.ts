/** A page that came among others, or unasked: what it answered, and what it tells of itself. */
import { hash } from 'node:crypto'
import { headerOf, parseDigestField } from '@comity/protocol'
import type { BatchPage, Instant } from '@comity/protocol'
import type { PageAnswer } from '@comity/ingest'
import type { ReportedPage } from './offer-poll.ts'

export function answerOfSent({ status, headers, body }: BatchPage, at: Instant): PageAnswer {
  const head = { status, statusText: '', headers }
  return { head, body: Uint8Array.from(body), declined: false, startedAt: at }
}

/** What a page that was sent says of itself: that it is gone, or that it is another one now. */
export function reportedOfSent({ url, status, headers, body, at }: BatchPage): ReportedPage {
  if (status === 404 || status === 410) return { url, change: 'deleted', changedAt: at }
  const date = Date.parse(headerOf(headers, 'last-modified') ?? '')
  const modifiedAt = Number.isNaN(date) ? undefined : date
  // Of a difference, the digest is that of the page that comes out of it (RFC 9530 §3).
  const field = headerOf(headers, 'repr-digest')
  const claimed = field === undefined ? undefined : parseDigestField(field)
  const isPlain = status === 200 && headerOf(headers, 'content-encoding') === undefined
  const sum = claimed ?? (isPlain ? hash('sha256', body, 'buffer') : undefined)
  const digest = sum === undefined ? undefined : `sha-256:${Buffer.from(sum).toString('hex')}`
  return {
    url,
    change: 'updated',
    modifiedAt,
    digest,
    changedAt: digest === undefined ? (modifiedAt ?? at) : undefined,
  }
}
