/** Rows: what is kept about pages, captures and sites. Field names are part of the format: add, never rename. */
import type { CaptureSource, Instant } from '@comity/protocol'

/** All fields of a row, each named, also those that may be absent: the compiler asks whoever makes such a row for a field that is new. */
export type AllFields<Row> = { readonly [Field in keyof Required<Row>]: Row[Field] }

/** Where a record stands: which WARC file, from which byte, how many bytes. */
export interface WarcPosition {
  readonly file: number
  readonly offset: number
  readonly length: number
}

/** Milliseconds that a visit's phases took. */
export interface Timings {
  readonly connectMs?: number | undefined
  readonly firstByteMs?: number | undefined
  readonly transferMs?: number | undefined
}

/** How an answer ended, by name (`ok`, `client-error`…), and its HTTP status. */
export interface AnswerKind {
  readonly outcome: string
  readonly status: number
}

/** The newest knowledge of one page. */
export interface PageRow extends AnswerKind {
  readonly site: number
  /** Named outcome of the last visit: `ok`, `not-modified`, `timeout-headers`… */
  readonly outcome: string
  /** Of the last visit; 0 where it brought no answer. `knownAs` tells what the page itself was. */
  readonly status: number
  /** The answer that told what is known of the page, where the last visit told nothing new: a 304, a timeout, a server in trouble. */
  readonly told?: AnswerKind | undefined
  readonly visitedAt: Instant
  /** By the site's own clock: when it was as it is here. Whole seconds where HTTP's `Date` said it. */
  readonly servedAt?: Instant | undefined
  /** When its body was last seen to differ. */
  readonly changedAt?: Instant | undefined
  readonly visits: number
  readonly changes: number
  readonly digest?: string | undefined
  /** First 16 bytes of the SHA-256 over the body without its content coding. */
  readonly contentKey?: Uint8Array | undefined
  readonly bytes: number
  readonly type?: string | undefined
  readonly charset?: string | undefined
  readonly language?: string | undefined
  readonly title?: string | undefined
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** `Use-As-Dictionary`, as the page was sent with (RFC 9842 §2.1). */
  readonly dictionary?: string | undefined
  readonly redirectTo?: string | undefined
  /** Redirects in a row up to and with this one. */
  readonly hops?: number | undefined
  readonly canonical?: string | undefined
  readonly noindex?: boolean | undefined
  readonly noarchive?: boolean | undefined
  readonly nofollow?: boolean | undefined
  /** It shows next to nothing without scripts, as far as can be judged. */
  readonly needsScripts?: boolean | undefined
  readonly simhash?: readonly [high: number, low: number] | undefined
  /** Similarity to the topic of the crawl, and whether that made it hot; the topic is in `meta`. */
  readonly similarity?: number | undefined
  readonly isHot?: boolean | undefined
  /** A page whose text is nearly the same and that we saw first. */
  readonly nearDuplicateOf?: number | undefined
  readonly timings: Timings
  /** What went wrong, in words. */
  readonly problem?: string | undefined
  /** Its content was let go for want of room; see `body`. */
  readonly isDropped?: boolean | undefined
  /** Where the newest whole body is. */
  readonly body?: WarcPosition | undefined
}

/** What is read here of a site's row; the rest is the frontier's. */
export interface SiteFacts {
  readonly origin: string
}

/** How a capture came, where it was not the whole page for one request: its scheme in 002 Table 6.1, or by a gateway. */
export type Scheme = 'not-modified' | 'difference' | 'dictionary' | 'batch' | 'filter' | 'dump' | 'gateway'

/** One observation, as it is remembered. */
export interface CaptureRow {
  readonly source: CaptureSource
  readonly scheme?: Scheme | undefined
  readonly outcome: string
  readonly status: number
  readonly digest?: string | undefined
  readonly bytes: number
  /** The record of this visit: a response, or a revisit that points to `body`. */
  readonly record?: WarcPosition | undefined
  readonly body?: WarcPosition | undefined
  readonly problem?: string | undefined
  /** Why the page was asked for again, in words. */
  readonly why?: string | undefined
}

/** A body that is stored already, so that the next page with the same bytes only refers to it. */
export interface BodyRow extends WarcPosition {
  readonly url: string
  readonly at: Instant
}

/** robots.txt as it was last seen. */
export interface RobotsRow {
  readonly fetchedAt: Instant
  readonly expiresAt: Instant
  readonly status: number
  readonly verdict: 'rules' | 'allow-all' | 'disallow-all'
  readonly body: Uint8Array
}
