/** Limits of the server, in one table: whatever is sent, this is what it can cost. */
export interface ServerLimits {
  readonly maxUrlChars: number
  readonly maxHeaderBytes: number
  readonly maxConnections: number
  /** Until the whole request is here. */
  readonly requestTimeoutMs: number
  /** Until the answer is. */
  readonly answerTimeoutMs: number
  /** A connection on which nothing moves is closed. */
  readonly idleTimeoutMs: number
  readonly searches: number
  readonly waitingSearches: number
  /** Stored copies that are put together at once. */
  readonly copies: number
  readonly eventStreams: number
  /** What runs when the server stops may go on for so long. */
  readonly stopTimeoutMs: number
}

export const serverLimits: ServerLimits = {
  maxUrlChars: 8_192,
  maxHeaderBytes: 16_384,
  maxConnections: 512,
  requestTimeoutMs: 10_000,
  answerTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  searches: 8,
  waitingSearches: 256,
  copies: 4,
  eventStreams: 64,
  stopTimeoutMs: 5_000,
}

/** Limits of what a request may say. */
export const MAX_QUERY_CHARS = 1_000
export const MAX_URL_PARAMETER_CHARS = 4_096
export const MAX_SITES = 500
export const MAX_SITE_OFFSET = 10_000_000
export const MAX_SUGGESTIONS = 10
