/**
 * Intake letters: what is kept aside of something that a site sent, as a whole or a part of it. A part is kept as if it had been
 * sent by itself: so it is taken in, as it was sent, should somebody want it to be tried again.
 */
import { WARC_TYPE, writeBatchPage, writeClosing } from '@comity/protocol'
import type { BatchPage } from '@comity/protocol'
import type { InboxItem } from '@comity/collection'
import type { AgentClaim } from './agent-port.ts'
import type { FaultAbout } from '@comity/ingest'

/** Of what the receiver wrote: one notice a line. */
export const NOTICES = 'application/x-ndjson'

export function aboutItem(item: InboxItem): FaultAbout {
  const { door, scheme, type, body } = item
  return { kind: door === 'gateway' ? 'shipment' : 'push', ...sentAs(item, scheme, type), body }
}

export function aboutPage(item: InboxItem, page: BatchPage): FaultAbout {
  const { url } = page
  const scheme = item.scheme === 'differences' ? item.scheme : 'pages'
  return {
    key: keyOf(item, url),
    kind: 'sent',
    url,
    ...sentAs(item, scheme, WARC_TYPE),
    bodyOf: () => warcOf(page, item),
  }
}

export function aboutNotice(item: InboxItem, said: string): FaultAbout {
  return { kind: 'notice', ...sentAs(item, 'changes', NOTICES), body: Buffer.from(said) }
}

/** What an agent said is not heard again: the page is visited. */
export function aboutClaim(item: InboxItem, claim: AgentClaim): FaultAbout {
  const { url } = claim
  const body = Buffer.from(JSON.stringify(claim))
  return { key: keyOf(item, url), kind: 'claim', url, origin: item.origin, from: wayOf(item), body }
}

const keyOf = ({ number }: InboxItem, url: string): string => `inbox ${number} ${url}`

const wayOf = ({ number, door, scheme }: InboxItem): string => `${scheme} by ${door}, number ${number}`

function sentAs(item: InboxItem, scheme: InboxItem['scheme'], type: string): Omit<FaultAbout, 'kind'> {
  const { number, at, origin, door, proof } = item
  return { origin, from: wayOf(item), item: { number, at, door, scheme, proof, type } }
}

/** A push of one page. */
function warcOf(page: BatchPage, { at }: InboxItem): Uint8Array {
  const closing = { sent: 1, unchanged: 0, rest: [], refused: [] }
  return Buffer.concat([writeBatchPage(page, page.at ?? at), writeClosing(closing, page.url, at)])
}
