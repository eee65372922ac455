/** What rebuilding HTTP may take, what it believes of clients, and what it counts. */
import type { RequestHead, ResponseHead } from './head.ts'

export interface ConversationLimits {
  /** Of one body; a longer one is followed to its end, but not kept. */
  readonly maxBodyBytes: number
  /** Of all messages that are under way. */
  readonly bytes: number
  /** Requests of one connection that wait for their answers. */
  readonly maxWaiting: number
  /** How long what is whole waits, and how many bytes of it: the same bytes may come again, and differ. */
  readonly settleMs: number
  readonly settleBytes: number
  /**
   * Where something was lost and nobody can say any more which answer is whose: after so long a silence, no answer is
   * outstanding.
   */
  readonly quietMs: number
  /**
   * No client asks again before it was answered: so it is where all of them are browsers of today, or proxies. Then nothing has
   * to be quiet for an answer to be known by its numbers alone.
   */
  readonly clientsWait: boolean
}

export const conversationLimits: ConversationLimits = {
  maxBodyBytes: 16 << 20,
  bytes: 256 << 20,
  maxWaiting: 1_000,
  settleMs: 250,
  settleBytes: 32 << 20,
  quietMs: 3_000,
  clientsWait: false,
}

/** Whether the body of an answer is worth keeping. */
export type BodyWish = (request: RequestHead | undefined, response: ResponseHead) => boolean

export interface ConversationCounters {
  /** ObservedExchanges that were told, whole or not. */
  messages: number
  /** Connections that carry something else: TLS, SSH, tunnels, WebSockets. */
  opaque: number
  /** Places where a direction had to be found again. */
  losses: number
}
