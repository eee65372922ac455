/**
 * ProxySource: a reverse proxy in front of one origin, as a place to see what is read where the Web is encrypted: behind TLS,
 * with the very bytes that clients get.
 *
 *   clients ⇄ ProxyServer ⇄ origin
 *                  └── a copy of each answer ──▶ ObservedExchange ──▶ the same path as packets
 *
 * The copy never holds up anybody: what is too large, or too much at a time, passes uncopied.
 */
import { ProxyServer } from '@comity/site/internal'
import type { ProxyCounters, ProxyOptions, ProxyWishes } from '@comity/site/internal'
import type { BodyWish } from '../http/conversation-limits.ts'
import type { ObservedExchangeSink } from '../http/observed-exchange.ts'
import { CopyHandler, copyLimits } from './copy.ts'

export interface ProxyParts {
  readonly sink: ObservedExchangeSink
  /** Whether the body of an answer is worth a copy; all are without it. */
  readonly wants?: BodyWish
  readonly now?: () => number
}

export class ProxySource {
  readonly counters: ProxyCounters
  readonly #server: ProxyServer
  readonly #copies: CopyHandler

  constructor(wishes: ProxyWishes, { sink, wants = () => true, now = Date.now }: ProxyParts) {
    this.#copies = new CopyHandler(sink, wants, copyLimits(wishes), now)
    this.#server = new ProxyServer(wishes, { watch: this.#copies, now })
    this.counters = this.#server.counters
  }

  /** What is open now: all of it is 0 after a stop. */
  get open(): ProxyServer['open'] & { readonly copyBytes: number } {
    return { ...this.#server.open, copyBytes: this.#copies.budget.used }
  }

  /** Resolves with where it listens. */
  async listen(): Promise<{ readonly host: string; readonly port: number; readonly url: string }> {
    return await this.#server.listen()
  }

  /** Another certificate, for handshakes from now on. Throws when it is none, and goes on with the one before. */
  renewTls(tls: NonNullable<ProxyOptions['tls']>): void {
    this.#server.renewTls(tls)
  }

  /** Ends what has taken too long. Called by itself while it listens. */
  sweep(now: number): void {
    this.#server.sweep(now)
  }

  /** No new clients; those that are being answered have until `graceMs` have passed, or until `signal`. */
  async stop(graceMs?: number, signal?: AbortSignal): Promise<void> {
    await this.#server.stop(graceMs, signal)
  }
}
