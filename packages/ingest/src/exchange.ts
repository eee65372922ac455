/**
 * Exchange: one request and what it came to, whatever a server did: an answer, as far as it came, or a failure with its
 * outcome.
 */
import type { Timings } from '@comity/collection'
import type { HeaderList, Instant } from '@comity/protocol'
import type { Outcome } from './outcome.ts'

export interface Head {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
}

export type Truncation = 'length' | 'time' | 'disconnect'

export type Exchange = FailedExchange | AnsweredExchange

export interface FailedExchange extends Timed {
  readonly kind: 'failed'
  readonly outcome: Outcome
  readonly message: string
  /**
   * The server had closed a used connection before our request reached it (RFC 9112 §9.3.1). That says nothing about
   * the page: ask again on the next connection.
   */
  readonly stale: boolean
}

export interface AnsweredExchange extends Timed, PageAnswer {
  readonly kind: 'answered'
}

/** What a page answered, whichever way we learnt of it: asked for by us, or told by somebody. */
export interface PageAnswer {
  readonly head: Head
  readonly body: Uint8Array<ArrayBuffer>
  /** When it was asked for; where we asked nobody, when it came. */
  readonly startedAt: Instant
  /** Set when the body is not whole. */
  readonly truncated?: Truncation | undefined
  /** The caller did not want the body after it saw the head. */
  readonly declined: boolean
}

/** How long our own request took. */
export function timingsOf({ connectMs, firstByteMs, transferMs }: Timed): Timings {
  return { connectMs, firstByteMs, transferMs }
}

export interface Timed {
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly connectMs?: number | undefined
  /** What was added to the request to prove who asks. */
  readonly signature?: Readonly<Record<string, string>> | undefined
  /** From the request to the head of its answer. */
  readonly firstByteMs: number
  readonly transferMs: number
}
