/**
 * Capture: one observation of a page. Whoever sees a page makes one of these; nobody stores, indexes or schedules
 * in any other way.
 */
import type { Instant } from './instant.ts'

/** How we learnt it: our own visit, a site's push, passing traffic, or a dump of a whole site. */
export type CaptureSource = 'crawl' | 'push' | 'gateway' | 'dump'

/** Header fields in the order and spelling they arrived in; a name may come more than once. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface Capture {
  /** Canonical, as `canonicalUrl` writes it. */
  readonly url: string
  readonly at: Instant
  readonly source: CaptureSource
  readonly status: number
  readonly headers: HeaderList
  /** The body as it was sent: content codings are still on, transfer codings are off. */
  readonly body: Uint8Array
  /** `sha1:` and 32 characters of base 32 over `body`, as WARC-Payload-Digest writes it. */
  readonly digest: string
  /** Set when the body is not whole; such a capture is kept but its text and links are not trusted. */
  readonly truncated?: 'length' | 'time' | 'disconnect'
}

/** The first value of a header field, by any spelling of its name. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1]
}
