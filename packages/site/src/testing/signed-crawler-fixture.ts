/** A crawler for tests, with keys of its own and a place in memory where they are published. */
import { keyDirectoryAnswer, newKeyRing, rotateKeyRing, signBotRequest, signingKeyOf } from '@comity/protocol'
import type { FetchedKeys, HeaderList, Instant, KeyRing } from '@comity/protocol'

interface SignedAsk {
  readonly method?: string
  readonly path?: string
  readonly origin?: string
  readonly body?: Uint8Array
  readonly nonce?: string
  readonly lifeMs?: number
}

export class SignedCrawler {
  readonly agent: string
  /** Times that its keys were asked for. */
  fetched = 0
  /** What is answered for its keys instead; an error for no answer at all. */
  instead: FetchedKeys | Error | undefined
  #ring: KeyRing
  #nonces = 0

  constructor(number: number, at: Instant, agent = 'https://crawler.example/keys.json') {
    this.agent = agent
    this.#ring = newKeyRing(new Uint8Array(32).fill(number), at)
  }

  get keys(): KeyRing {
    return this.#ring
  }

  rotate(number: number, at: Instant): void {
    const seed = new Uint8Array(32).fill(number)
    this.#ring = rotateKeyRing(this.#ring, seed, at, { leadMs: 0, overlapMs: 60_000 })
  }

  /** As whoever fetches its keys gets them at this moment. */
  directory(at: Instant): FetchedKeys {
    this.fetched++
    if (this.instead instanceof Error) throw this.instead
    return this.instead ?? { status: 200, ...keyDirectoryAnswer(this.#ring, this.agent, at) }
  }

  /** The fields that it adds to a request. */
  sign(at: Instant, ask: SignedAsk = {}): HeaderList {
    const { method = 'GET', path = '/sitemap.xml', origin = 'https://a.example', body, lifeMs = 60_000 } = ask
    const nonce = ask.nonce ?? `n${++this.#nonces}`
    const key = signingKeyOf(this.#ring, at)
    const message = { method, url: `${origin}${path}`, headers: [] }
    return signBotRequest(message, { key, agent: this.agent, at, lifeMs, nonce, body })
  }
}
