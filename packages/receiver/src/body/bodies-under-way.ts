/** BodiesUnderWay: all bodies that are being read, so that those that come too slowly can be given up (`body/least-rate.ts`). */
import type { Instant } from '@comity/protocol'
import { LeastRate } from './least-rate.ts'
import type { RateTerms } from './least-rate.ts'
import { PushRefusal } from '../admit/push-refusal.ts'

interface Body {
  readonly rate: LeastRate
  readonly giveUp: () => void
}

export class BodiesUnderWay {
  readonly #terms: RateTerms
  readonly #now: () => Instant
  readonly #bodies = new Set<Body>()

  constructor(terms: RateTerms, now: () => Instant) {
    this.#terms = terms
    this.#now = now
  }

  get size(): number {
    return this.#bodies.size
  }

  /** The same chunks; throws a PushRefusal when they come too slowly. */
  async *read(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { promise: slow, reject } = Promise.withResolvers<never>()
    slow.catch(ignored)
    const rate = new LeastRate(this.#terms)
    const body: Body = { rate, giveUp: () => reject(this.#tooSlow()) }
    this.#bodies.add(body)
    const chunks = source[Symbol.asyncIterator]()
    try {
      for (;;) {
        rate.waits(this.#now())
        const step = await Promise.race([chunks.next(), slow])
        if (step.done === true) return
        rate.came(step.value.length, this.#now())
        yield step.value
      }
    } finally {
      this.#bodies.delete(body)
      // A source that hangs is not waited for.
      void chunks.return?.().catch(ignored)
    }
  }

  /** Give up those that are too slow by now. */
  sweep(now: Instant): void {
    for (const { rate, giveUp } of this.#bodies) if (rate.isSlow(now)) giveUp()
  }

  #tooSlow(): PushRefusal {
    const { graceMs, bytesPerSecond } = this.#terms
    const detail = `A body has to come with ${bytesPerSecond} bytes a second, or stand still for ${graceMs / 1_000} s at most.`
    return new PushRefusal('too-slow', detail, { Connection: 'close' })
  }
}

const ignored = (): void => undefined
