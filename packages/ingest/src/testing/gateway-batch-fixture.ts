/** What a gateway ships, made by hand for tests. */
import { hash } from 'node:crypto'
import type { InboxItem } from '@comity/collection'
import { shipDocument, writeShipment } from '@comity/index'
import { GATEWAY_BATCH_TYPE, writeBatchPage, writeGatewayBatch } from '@comity/protocol'
import type { GatewayBatch } from '@comity/protocol'

export const DAY = 86_400_000
export const NOON: number = Date.UTC(2026, 10, 15, 12)

/** A page as it passed. */
export interface Passed {
  readonly url: string
  readonly text: string
  readonly at: number
  readonly links?: readonly (readonly [url: string, anchor: string])[]
}

export const digestOf = (text: string): string => `sha-256:${hash('sha256', text, 'hex')}`

export interface MadeBatch extends Partial<Pick<GatewayBatch, 'hits' | 'gone' | 'to'>> {
  readonly words?: readonly Passed[]
  readonly whole?: readonly Passed[]
  readonly seen?: readonly Passed[]
}

export function batchItem(name: string, number: number, made: MadeBatch, more: Partial<InboxItem> = {}): InboxItem {
  const { words = [], whole = [], seen = [], hits = [], gone = [], to = NOON } = made
  const documents = words.map(({ url, text, at, links = [] }) => {
    const page = { url, title: text, headings: [], text, language: undefined, type: 'text/html', at }
    return shipDocument({
      ...page,
      digest: digestOf(text),
      links: links.map(([link, anchor]) => ({ url: link, anchor })),
    })
  })
  const body = writeGatewayBatch({
    run: `run-of-${name}`,
    number,
    from: to - 60_000,
    to,
    postings: documents.length === 0 ? new Uint8Array(0) : writeShipment(documents),
    pages: Buffer.concat(whole.map(({ url, text, at }) => writeBatchPage(answer(url, text), at))),
    hits,
    seen: seen.map(({ url, text, at }) => ({ url, digest: digestOf(text), at })),
    gone,
    figures: { pages: words.length + whole.length + seen.length, htmlBytes: 1_000, skipped: { cookie: 1 } },
  })
  const item = { door: 'gateway', scheme: 'batches', proof: 'signature', type: GATEWAY_BATCH_TYPE } as const
  return { number, at: NOON + DAY, origin: `gateway:${name}`, ...item, body, ...more }
}

const answer = (url: string, text: string): Parameters<typeof writeBatchPage>[0] => ({
  url,
  status: 200,
  headers: [['Content-Type', 'text/html']],
  body: Buffer.from(text),
})
