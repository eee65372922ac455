/**
 * Crawler identity: what a crawler proves who it is with (Web Bot Auth). Every request is signed, so that a site can tell this
 * crawler from all those who only bear its name, and keep what it offers for those it knows.
 *
 * A signature is for one request and a few minutes: who overhears it can do nothing with it. The key stays in here.
 */
import { randomBytes } from 'node:crypto'
import { signBotRequest, signingKeyOf } from '@comity/protocol'
import type { HeaderList, Instant, KeyRing } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'

export interface IdentityOptions {
  /** The keys as they are now; asked for at every request, so that they can be rotated while a crawl runs. */
  readonly ring: () => KeyRing
  /** Where their public halves are published: what the crawler is known by. Sent as given. */
  readonly agent: string
  /** How long a signature is good: long enough for clocks that differ. */
  readonly lifeMs?: number | undefined
  /** So many bytes that nobody can guess; of the system unless given. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

export interface IdentifiedRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly body?: string | undefined
}

const LIFE_MS = 300_000
/** §5.2.3 wants it used once: of 16 bytes two never are the same. */
const NONCE_BYTES = 16

export class CrawlerIdentity {
  readonly agent: string
  readonly #options: IdentityOptions

  /** Throws for what is no URL that keys can be published at. */
  constructor(options: IdentityOptions) {
    const url = URL.parse(options.agent)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || !/^[\x21-\x7e]+$/.test(options.agent))
      throw optionInvalid(
        `"${options.agent}" is no place for keys: give the https URL where the crawler's public keys are published.`,
      )
    this.agent = options.agent
    this.#options = options
  }

  /** The fields that prove who asks, to be added to a request. */
  sign({ method, url, body }: IdentifiedRequest, at: Instant): HeaderList {
    const { ring, lifeMs = LIFE_MS, random = randomBytes } = this.#options
    return signBotRequest(
      { method, url, headers: [] },
      {
        key: signingKeyOf(ring(), at),
        agent: this.agent,
        at,
        lifeMs,
        nonce: Buffer.from(random(NONCE_BYTES)).toString('base64url'),
        body: body === undefined ? undefined : Buffer.from(body),
      },
    )
  }
}
