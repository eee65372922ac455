/**
 * SpeakerProof: who may speak for a site. Whoever can put something on a host has shown that they may:
 *
 *   key file    the IndexNow key stands in a file on the site; it speaks for what is below that file's folder
 *   signature   the request is signed (RFC 9421) with a key that the site publishes at its well-known place
 *   (a verified WebSub subscription is the third way: the token of its callback is the proof, see `routes/websub.ts`)
 *
 * A site is scheme, host and port: nobody speaks for a subdomain, or for its parent. What is looked up goes through
 * `fetchFrom`, which is polite and knows which addresses may be asked. Strangers decide what is looked up, so results are
 * kept, the bad ones too, and one site is asked only so often, however many keys are invented for it. Look-ups are shared by
 * those who ask for them, so that whoever names sites that never answer waits alone.
 */
import type { KeyClaim } from '@comity/collection'
import {
  headerOf,
  isKeyFile,
  isKeyFileType,
  KEY_DIRECTORY_PATH,
  KeyDirectories,
  PUSH_TAG,
  SignatureMemory,
  verifyMessage,
  FairShare,
} from '@comity/protocol'
import type { FoundKey, HeaderList, Instant, RefusedSignature, SignedMessage, ValidSignature } from '@comity/protocol'
import { SignatureMark } from './signature-mark.ts'
import type { UnknownHostLimiter } from '../admit/unknown-host-limiter.ts'
import { TokenBuckets } from '../admit/token-buckets.ts'

/** An answer of a site, or why there is none. Never rejects; follows no redirects; caps what it reads. */
export type FetchFrom = (origin: string, path: string) => Promise<FetchedFrom>

export type FetchedFrom =
  | { readonly status: number; readonly headers: HeaderList; readonly body: Uint8Array }
  | { readonly problem: string }

type KeyFileVerdict =
  | { readonly kind: 'proven' }
  | { readonly kind: 'refused'; readonly message: string }
  /** Nobody can tell yet. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly retryAfterMs: number }
  | TooManyLookUps

/** Whoever asks has named as many hosts that nobody knows as it may. */
interface TooManyLookUps {
  readonly kind: 'too-many'
  readonly message: string
  readonly retryAfterMs: number
}

type SignatureReason =
  | 'not-signed'
  | 'signature-malformed'
  | 'key-unknown'
  | 'forged'
  | 'stale'
  | 'covers-too-little'
  | 'wrong-digest'
  | 'replayed'

type SignatureProof =
  /** `covered`: all that the signature speaks of. */
  | { readonly kind: 'proven'; readonly covered: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: SignatureReason; readonly message: string }
  | { readonly kind: 'unreachable'; readonly message: string; readonly retryAfterMs: number }
  | TooManyLookUps

interface SpeakerProofOptions {
  readonly fetchFrom: FetchFrom
  readonly now: () => Instant
  /** Key files and directories that are remembered. */
  readonly maxProofs?: number | undefined
  /** Keys that came without TLS: for networks of one's own. */
  readonly mayBeHttp?: boolean | undefined
  /** How many hosts that nobody knows may be called at somebody's word; as many as they like unless given. */
  readonly strangeHosts?: UnknownHostLimiter | undefined
  /** What was taken before a restart; of this process alone unless given. */
  readonly mark?: SignatureMark | undefined
}

/** As whom notices that wait ask for their proofs; it is no address. */
export const PENDING = 'pending'
const MAX_PROOFS = 20_000
/** A key file that was right; then it is looked at again. */
const GOOD_MS = 86_400_000
const WRONG_MS = 300_000
const FIRST_RETRY_MS = 30_000
const MOST_RETRY_MS = 3_600_000
/** In a row, before a key file that was right is no longer believed: about a day. */
const MOST_FAILURES = 30
/** Key files, and directories, that are looked up at one moment. */
const MAX_FETCHES = 32
/** When one has to go, so many of the oldest are looked at. */
const LOOK_AT = 100
/** How often one site may be asked for key files: keys are changed once a year, and invented by the thousand. */
const KEY_FILES = { perSecond: 1 / 60, burst: 5 }
/** How far two clocks may be apart. */
export const SKEW_MS = 60_000
/** A signature is made when it is sent. */
export const MAX_LIFE_MS = 3_600_000
export const SIGNED_PARTS: readonly string[] = ['@method', '@target-uri', 'content-digest', 'content-type']
const COVERED_WITHOUT_BODY: readonly string[] = ['@method', '@target-uri']

interface KeyFile {
  verdict: KeyFileVerdict
  until: Instant
  failures: number
  pending: Promise<void> | undefined
}

export class SpeakerProof {
  readonly #options: SpeakerProofOptions
  readonly #mark: SignatureMark
  /** The one that was not needed for longest first. */
  readonly #keyFiles = new Map<string, KeyFile>()
  readonly #asked: TokenBuckets
  readonly #directories: KeyDirectories
  readonly #seen = new SignatureMemory()
  readonly #lookUps = new FairShare(2 * MAX_FETCHES)

  constructor(options: SpeakerProofOptions) {
    this.#options = options
    this.#mark = options.mark ?? new SignatureMark(options.now())
    const directories = options.maxProofs ?? MAX_PROOFS
    this.#asked = new TokenBuckets(KEY_FILES, directories)
    this.#directories = new KeyDirectories((url) => this.#fetchKeys(url), { directories, fetches: MAX_FETCHES })
  }

  /** What is known of a key file already; undefined when it has to be looked at. */
  heldKeyFile(origin: string, claim: KeyClaim): KeyFileVerdict | undefined {
    const known = this.#keyFiles.get(nameOf(origin, claim))
    return known === undefined || known.pending !== undefined || this.#options.now() >= known.until
      ? undefined
      : known.verdict
  }

  /**
   * Looks at the key file unless it is known. Those who come while it is being fetched wait for the same answer. `asker`: whose
   * share of the look-ups it takes.
   */
  async byKeyFile(origin: string, claim: KeyClaim, asker: string): Promise<KeyFileVerdict> {
    const held = this.heldKeyFile(origin, claim)
    if (held !== undefined) return held
    if (URL.parse(claim.keyLocation)?.origin !== origin)
      return { kind: 'refused', message: `The key file has to be on ${origin} itself.` }
    // `parseIndexNow` lets none through; a notice that waits on the disk may be of before it did so.
    if (/[?#]/.test(claim.keyLocation))
      return { kind: 'refused', message: 'The address of the key file has to be without a query.' }
    const tooMany = this.#tooMany(origin, asker)
    if (tooMany !== undefined) return tooMany
    const file = this.#placeOf(nameOf(origin, claim))
    if (file.pending === undefined) {
      if (this.#lookUps.take(asker, 1) !== 'taken') return unreachable(TOO_MANY, 1_000)
      file.pending = this.#look(origin, claim, file).finally(() => {
        this.#lookUps.give(asker, 1)
        file.pending = undefined
      })
    }
    await file.pending
    if (file.verdict.kind === 'proven') this.#options.strangeHosts?.proven(origin, this.#options.now())
    return file.verdict
  }

  #tooMany(origin: string, asker: string): TooManyLookUps | undefined {
    const namedBy = asker === PENDING ? undefined : asker
    const retryAfterMs = this.#options.strangeHosts?.call(origin, namedBy, this.#options.now()) ?? 0
    return retryAfterMs > 0 ? { kind: 'too-many', message: TOO_MANY_HOSTS, retryAfterMs } : undefined
  }

  /**
   * Whether a request is signed by a site. Its body is not looked at: what is cheap to refuse is refused before the body is
   * read, and Content-Digest, which is covered, says what the body has to be.
   */
  async bySignature(origin: string, message: SignedMessage, hasBody: boolean, asker: string): Promise<SignatureProof> {
    const { now, mayBeHttp } = this.#options
    if (mayBeHttp !== true && !origin.startsWith('https:'))
      return refused(
        'key-unknown',
        `Keys that come without TLS prove nothing: publish them at an https address, not ${origin}.`,
      )
    const directory = `${origin}${KEY_DIRECTORY_PATH}`
    let keyId = ''
    const judge = (at: Instant): ReturnType<typeof verifyMessage> => {
      const keyOf = (id: string): ReturnType<KeyDirectories['held']> =>
        this.#directories.held(directory, (keyId = id), at)
      const mustCover = hasBody ? SIGNED_PARTS : COVERED_WITHOUT_BODY
      return verifyMessage(message, { keyOf, at, skewMs: SKEW_MS, mustCover, tag: PUSH_TAG })
    }
    let verdict = judge(now())
    if (verdict.kind === 'refused' && verdict.reason === 'unknown-key') {
      const tooMany = this.#tooMany(origin, asker)
      if (tooMany !== undefined) return tooMany
      const found = await this.#find(directory, keyId, asker)
      if (found.kind === 'unreachable')
        return { kind: 'unreachable', message: found.message, retryAfterMs: found.retryAt - now() }
      if (found.kind === 'unknown') return refused('key-unknown', found.message)
      verdict = judge(now())
    }
    if (verdict.kind === 'absent') return refused('not-signed', 'The request carries no signature with this tag.')
    if (verdict.kind === 'refused') return refused(SIGNATURE_REASONS[verdict.reason], verdict.message)
    this.#options.strangeHosts?.proven(origin, now())
    return await this.#once(origin, verdict)
  }

  async #find(directory: string, keyId: string, asker: string): Promise<FoundKey> {
    const at = this.#options.now()
    if (this.#lookUps.take(asker, 1) !== 'taken') return { kind: 'unreachable', message: TOO_MANY, retryAt: at + 1_000 }
    try {
      return await this.#directories.find(directory, keyId, at)
    } finally {
      this.#lookUps.give(asker, 1)
    }
  }

  /** Good, and for the first time. */
  async #once(origin: string, signature: ValidSignature): Promise<SignatureProof> {
    const { created, expires, covered } = signature
    const now = this.#options.now()
    if (expires - created > MAX_LIFE_MS) return refused('stale', 'the signature is good for more than an hour')
    const retryAfterMs = this.#mark.waitMs(created, now)
    if (retryAfterMs > 0) return { kind: 'unreachable', message: SIGNED_BEFORE, retryAfterMs }
    if (!this.#seen.isNew(origin, signature, now, SKEW_MS))
      return refused('replayed', 'This very request came before: sign each one anew.')
    await this.#mark.cover(created)
    return { kind: 'proven', covered }
  }

  async #look(origin: string, { key, keyLocation }: KeyClaim, file: KeyFile): Promise<void> {
    const { now, fetchFrom } = this.#options
    const waitMs = this.#asked.draw(origin, 1, now())
    if (waitMs > 0)
      return settle(file, unreachable(`${origin} was asked for key files too often`, waitMs), now() + waitMs)
    const { pathname } = new URL(keyLocation)
    const verdict = judgeKeyFile(await fetchFrom(origin, pathname), key, keyLocation, file.failures)
    if (verdict.kind !== 'unreachable') {
      file.failures = 0
      return settle(file, verdict, now() + (verdict.kind === 'proven' ? GOOD_MS : WRONG_MS))
    }
    file.failures++
    // An outage is no change of keys: what was good stays so for a while.
    const isStillGood = file.verdict.kind === 'proven' && file.failures <= MOST_FAILURES
    settle(file, isStillGood ? file.verdict : verdict, now() + verdict.retryAfterMs)
  }

  #placeOf(name: string): KeyFile {
    const known = this.#keyFiles.get(name)
    const file: KeyFile = known ?? { verdict: UNSEEN, until: -Infinity, failures: 0, pending: undefined }
    this.#keyFiles.delete(name)
    if (this.#keyFiles.size >= (this.#options.maxProofs ?? MAX_PROOFS)) this.#dropOne()
    this.#keyFiles.set(name, file)
    return file
  }

  /** One that proved nothing goes first: inventing keys must not push out those that are used. */
  #dropOne(): void {
    const oldest = this.#keyFiles.entries().take(LOOK_AT).toArray()
    const useless = oldest.find(([, { verdict, pending }]) => verdict.kind !== 'proven' && pending === undefined)
    const dropped = useless ?? oldest[0]
    if (dropped !== undefined) this.#keyFiles.delete(dropped[0])
  }

  async #fetchKeys(url: string): Promise<{ status: number; headers: HeaderList; body: Uint8Array }> {
    const { origin, pathname } = new URL(url)
    const fetched = await this.#options.fetchFrom(origin, pathname)
    if ('problem' in fetched) throw new Error(fetched.problem)
    return fetched
  }
}

/** What was seen before a restart is forgotten, so what was signed before it may have been seen. */
export const SIGNED_BEFORE = 'The request was signed before this receiver started: sign it again.'
const TOO_MANY = 'too many key files and directories are being looked up just now'
const TOO_MANY_HOSTS =
  'From this address as many hosts were named lately that nobody here knows, and that have proven nothing, as may be.'
const UNSEEN: KeyFileVerdict = { kind: 'unreachable', message: 'it was not looked at yet', retryAfterMs: 1_000 }

export const SIGNATURE_REASONS: Readonly<Record<RefusedSignature['reason'], SignatureReason>> = {
  malformed: 'signature-malformed',
  'unknown-key': 'key-unknown',
  forged: 'forged',
  stale: 'stale',
  'covers-too-little': 'covers-too-little',
  'wrong-digest': 'wrong-digest',
}

/** No character of a URL or key is a space. */
const nameOf = (origin: string, { key, keyLocation }: KeyClaim): string => `${origin} ${key} ${keyLocation}`

function settle(file: KeyFile, verdict: KeyFileVerdict, until: Instant): void {
  file.verdict = verdict
  file.until = until
}

function judgeKeyFile(fetched: FetchedFrom, key: string, where: string, failures: number): KeyFileVerdict {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MOST_RETRY_MS)
  if ('problem' in fetched) return unreachable(`${where} cannot be had: ${fetched.problem}`, waitMs)
  const { status, headers, body } = fetched
  if (status === 200 && !isKeyFileType(headerOf(headers, 'content-type')))
    return { kind: 'refused', message: `${where} is no text file: serve the key as text/plain.` }
  if (status === 200 && isKeyFile(body, key)) return { kind: 'proven' }
  if (status === 200) return { kind: 'refused', message: `${where} holds something else than the key.` }
  // A server in trouble says nothing of the key.
  if (status >= 500 || status === 429 || status === 408) return unreachable(`${where} answered ${status}`, waitMs)
  return { kind: 'refused', message: `${where} answered ${status}: the key file has to be there, without a redirect.` }
}

const unreachable = (message: string, retryAfterMs: number): KeyFileVerdict => ({
  kind: 'unreachable',
  message,
  retryAfterMs,
})

const refused = (reason: SignatureReason, message: string): SignatureProof => ({ kind: 'refused', reason, message })
