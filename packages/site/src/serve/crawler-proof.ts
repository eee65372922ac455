/**
 * Crawler proof: which crawler a request comes from, as far as it has proven that (Web Bot Auth). User-Agent is what anybody
 * can write; a signature is what only the one can who publishes its key.
 *
 *   request ──▶ claims ──▶ keys at the claimed URL ──▶ signature right, of now, not seen before ──▶ proven
 *                 └ none: unsigned      └ not to be had: unverified        └ refused, or replayed
 *
 * The five outcomes are kept apart, since each wants another answer: whoever did not sign is told how to, whoever signed wrongly
 * is told why, whoever's keys could not be fetched is asked to come again, for that is not their fault.
 */
import {
  botClaims,
  checkContentDigest,
  combinedField,
  KeyDirectories,
  SignatureMemory,
  verifyBot,
} from '@comity/protocol'
import type { AllowPrivate, BotClaim, DirectoryLimits, FetchKeys, Instant, ValidSignature } from '@comity/protocol'
import { httpPost } from '../post.ts'
import type { SiteRequest } from '../site-request.ts'

export interface CrawlerProofOptions {
  /** How key directories are fetched; by `httpPost`, which calls no private address, unless given. */
  readonly fetchKeys?: FetchKeys | undefined
  /** Directories at private addresses, for a network of one's own: none unless given. */
  readonly allowPrivate?: AllowPrivate | undefined
  /** Directories without TLS, for the same. */
  readonly mayBeHttp?: boolean | undefined
  /** How far the clocks of site and crawler may be apart. */
  readonly skewMs?: number | undefined
  readonly limits?: Partial<DirectoryLimits> | undefined
}

export type CrawlerVerdict =
  | ProvenCrawler
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'replayed'; readonly message: string }
  | { readonly kind: 'unverified'; readonly message: string; readonly retryAt: Instant }

export interface ProvenCrawler {
  readonly kind: 'proven'
  /** Where its keys are published: what it is known by. */
  readonly agent: string
  readonly host: string
}

type Asked = Pick<SiteRequest, 'method' | 'path' | 'headers'>

const SKEW_MS = 60_000
const TIMEOUT_MS = 5_000
const MAX_DIRECTORY_BYTES = 65_536

export class CrawlerProof {
  readonly #origin: string
  readonly #mayBeHttp: boolean
  readonly #skewMs: number
  readonly #startedAt: Instant
  readonly #directories: KeyDirectories
  readonly #seen = new SignatureMemory()

  /**
   * `origin`: of the site as visitors know it. What a request says of that counts for nothing.
   * `startedAt`: from when on signatures are remembered.
   */
  constructor(origin: string, options: CrawlerProofOptions = {}, startedAt: Instant = -Infinity) {
    const { fetchKeys = guardedFetch(options.allowPrivate), mayBeHttp = false, skewMs = SKEW_MS, limits } = options
    this.#origin = origin
    this.#mayBeHttp = mayBeHttp
    this.#skewMs = skewMs
    // Signatures count in whole seconds.
    this.#startedAt = Math.floor(startedAt / 1_000) * 1_000
    this.#directories = new KeyDirectories(fetchKeys, limits)
  }

  /** Never rejects, whatever a stranger sends. */
  async verdict(request: Asked, at: Instant): Promise<CrawlerVerdict> {
    const claims = botClaims(request.headers, this.#mayBeHttp)
    if (claims.kind === 'absent') return { kind: 'unsigned' }
    if (claims.kind === 'malformed') return { kind: 'refused', message: claims.message }
    let worst: CrawlerVerdict | undefined
    for (const claim of claims.claims) {
      const verdict = await this.#judged(request, claim, at)
      if (verdict.kind === 'proven') return verdict
      worst ??= verdict
    }
    return worst ?? { kind: 'unsigned' }
  }

  /**
   * The same at once, by keys that are held already; undefined when it cannot be told, and the keys are then fetched for the
   * next time. For counting and for favours: a signature that was seen before counts too.
   */
  recognised(request: Asked, at: Instant): ProvenCrawler | undefined {
    const claims = botClaims(request.headers, this.#mayBeHttp)
    if (claims.kind !== 'claimed') return undefined
    for (const claim of claims.claims) {
      const key = this.#directories.held(claim.agent, claim.keyId, at)
      if (key === undefined) void this.#directories.find(claim.agent, claim.keyId, at, claim.url)
      const verdict = this.#verify(request, claim, at, () => key)
      if (verdict.kind === 'valid') return provenBy(claim)
    }
    return undefined
  }

  async #judged(request: Asked, claim: BotClaim, at: Instant): Promise<CrawlerVerdict> {
    const found = await this.#directories.find(claim.agent, claim.keyId, at, claim.url)
    if (found.kind === 'unreachable') return { ...found, kind: 'unverified' }
    if (found.kind === 'unknown') return { kind: 'refused', message: found.message }
    const verdict = this.#verify(request, claim, at, () => found.key)
    if (verdict.kind === 'absent') return { kind: 'unsigned' }
    if (verdict.kind === 'refused') return { kind: 'refused', message: verdict.message }
    if (!isForOneUse(verdict, request.method)) return provenBy(claim)
    // What was seen before a restart is forgotten, so what was signed before it may have been seen.
    if (verdict.created < this.#startedAt)
      return {
        kind: 'replayed',
        message: 'you did so before this site started, and it forgets: sign the request again',
      }
    if (!this.#seen.isNew(claim.agent, verdict, at, this.#skewMs))
      return { kind: 'replayed', message: 'this signature was used before: sign every request anew, with a new nonce' }
    return provenBy(claim)
  }

  #verify(
    { method, path, headers }: Asked,
    claim: BotClaim,
    at: Instant,
    keyOf: Parameters<typeof verifyBot>[2]['keyOf'],
  ): ReturnType<typeof verifyBot> {
    return verifyBot({ method, url: `${this.#origin}${path}`, headers }, claim, { keyOf, at, skewMs: this.#skewMs })
  }
}

/**
 * The draft lets a crawler send one signature with many requests. Who adds a nonce says that this one is for one; and what is
 * not safe is not done twice in any case (RFC 9421 §7.2.2).
 */
function isForOneUse({ nonce }: ValidSignature, method: string): boolean {
  return nonce !== undefined || !SAFE.has(method)
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

const provenBy = ({ agent }: BotClaim): ProvenCrawler => ({ kind: 'proven', agent, host: new URL(agent).host })

/** The body was not the one that was signed. */
export class BodyForged extends Error {
  override readonly name: string = 'BodyForged'
}

/** The request, whose body is held against its Content-Digest, if it has one, when somebody reads it. */
export function withCheckedBody(request: SiteRequest): SiteRequest {
  if (combinedField(request.headers, 'content-digest') === undefined) return request
  return {
    ...request,
    body: async (maxBytes) => {
      const body = await request.body(maxBytes)
      if (body !== 'too-large' && checkContentDigest(request.headers, body) !== 'match')
        throw new BodyForged('the body is not the one that Content-Digest speaks of')
      return body
    },
  }
}

function guardedFetch(allowPrivate: AllowPrivate | undefined): FetchKeys {
  const post = httpPost({
    allowPrivate,
    timeoutMs: TIMEOUT_MS,
    idleMs: TIMEOUT_MS,
    // One more than may be, so that a longer one is seen to be.
    maxAnswerBytes: MAX_DIRECTORY_BYTES + 1,
  })
  return async (url) => await post({ url, method: 'GET', headers: [['Accept', ACCEPT]], body: NOTHING })
}

const ACCEPT = 'application/http-message-signatures-directory+json, application/jwk-set+json, application/json'
const NOTHING = new Uint8Array(0)
