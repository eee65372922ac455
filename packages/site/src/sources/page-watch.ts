/**
 * Page watch: learns a site's pages from the answers it gives anyway. An answer that everybody would have got is recorded
 * with its digest; one that says it is private, or gone, withdraws what was known.
 *
 * The same bytes at the same address need no second look, so what was found in them is held for a minute.
 */
import { decodeBody, headerOf, isPlainPath, isTextType, textOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { mediaTypeOf, observeAnswer } from './answer-digest.ts'
import { CodedCache } from '../serve/coded-cache.ts'
import { CookieWatch } from './cookie-watch.ts'
import { SiteError } from '../errors.ts'
import type { Journal, JournaledPage } from '../journal/journal.ts'
import { isNeutral } from './neutral-request.ts'
import type { OwnName } from './neutral-request.ts'
import { ObservationQueue } from '../journal/observation-queue.ts'
import type { CurrentPage, PageHead } from '../serve/page-answer.ts'
import { publicVerdict } from '../privacy/privacy.ts'
import { isWithdrawn, PUBLIC } from '../privacy/private-reason.ts'
import type { PublicVerdict } from '../privacy/private-reason.ts'
import type { PublicRules } from '../privacy/public-rules.ts'
import type { SiteRequest } from '../site-request.ts'
import { digestOf } from '../journal/version-store.ts'
import type { VolatileMask } from './volatile-mask.ts'

interface PageWatchOptions {
  readonly journal: Journal
  readonly now: () => Instant
  readonly own: OwnName
  readonly rules: () => PublicRules
  readonly masks?: readonly VolatileMask[] | undefined
  /** A longer answer is not looked at. */
  readonly maxBytes: number
  /** Told what the owner should know; each thing once. */
  readonly tell: (sentence: string) => void
}

export type RequestHead = Pick<SiteRequest, 'method' | 'path' | 'headers'>

export interface AnswerHead {
  readonly status: number
  readonly headers: HeaderList
}

/** A body as the site made it; text is in UTF-8. */
export type MadeBody = Uint8Array | string

interface HeldBody {
  readonly body: Uint8Array
  readonly digest: string
  /** The same as a text, when it came as one: comparing two texts is quicker than making bytes of one. */
  readonly text: string | undefined
}

/** What was found in an answer. */
interface Look {
  readonly at: Instant
  readonly rules: PublicRules
  readonly headers: HeaderList
  /** Digest of the body as it came, nothing masked. */
  readonly raw: string
  readonly verdict: PublicVerdict
  readonly page: PageHead | undefined
}

const LOOK_MS = 60_000
const HELD_BYTES = 32 << 20
const MAX_LOOKS = 20_000

export class PageWatch {
  readonly #options: PageWatchOptions
  readonly #queue: ObservationQueue
  readonly #cookies = new CookieWatch()
  readonly #looks = new Map<string, Look>()
  readonly #bodies = new CodedCache<HeldBody>(HELD_BYTES)
  readonly #told = new Set<string>()

  constructor(options: PageWatchOptions) {
    this.#options = options
    this.#queue = new ObservationQueue(options.journal, options.now, (error) => this.#tellError(error))
  }

  /** The page as it was last seen. */
  page(path: string): JournaledPage | undefined {
    return this.#queue.page(path)
  }

  /**
   * By its head alone: may this be a page that is ours to answer, once its body is known? What has to be withdrawn is
   * withdrawn here, for such a body is nothing to look into.
   */
  isCandidate(request: RequestHead, answer: AnswerHead): boolean {
    // One page has any number of other spellings, and nobody but a stranger who plays with them asks for it by those.
    if (!isPlainPath(request.path)) return false
    if (this.#lookFor(request, answer)?.page !== undefined) {
      this.#noteCookie(PUBLIC)
      return true
    }
    const verdict = this.#headVerdict(request, answer)
    this.#noteCookie(verdict)
    if (!verdict.public) {
      this.#withdraw(request, answer, verdict)
      return false
    }
    const type = mediaTypeOf(headerOf(answer.headers, 'content-type'))
    const length = Number(headerOf(answer.headers, 'content-length') ?? 0)
    // A stream of events has no end to wait for.
    return isTextType(type) && type !== 'text/event-stream' && !(length > this.#options.maxBytes)
  }

  /** The page in a candidate's answer; undefined when it is private after all, or cannot be read. */
  see(request: RequestHead, answer: AnswerHead, made: MadeBody): CurrentPage | undefined {
    const sent = typeof made === 'string' ? this.#bytesOf(request.path, made) : made
    const decoded = decodeBody(sent, headerOf(answer.headers, 'content-encoding'), { maxBytes: this.#options.maxBytes })
    if (decoded.kind !== 'ok') return undefined
    const { body } = decoded
    const look = this.#look(request, answer, body, typeof made === 'string' ? made : undefined)
    if (look.page !== undefined) return { head: look.page, body }
    this.#withdraw(request, answer, look.verdict)
    return undefined
  }

  async settled(): Promise<void> {
    await this.#queue.settled()
  }

  #headVerdict({ path, headers }: RequestHead, { status, headers: fields }: AnswerHead): PublicVerdict {
    const { rules, now } = this.#options
    return publicVerdict({ path, headers }, { status, headers: fields }, rules(), now())
  }

  /** One that holds for this answer too, if its body is the same. */
  #lookFor({ path, headers }: RequestHead, answer: AnswerHead): Look | undefined {
    const look = this.#looks.get(path)
    if (look === undefined || answer.status !== 200 || this.#options.now() - look.at >= LOOK_MS) return undefined
    const isSame = look.rules === this.#options.rules() && isSameFields(look.headers, answer.headers)
    return isSame && !isPersonal(headers) ? look : undefined
  }

  #look(request: RequestHead, answer: AnswerHead, body: Uint8Array, text: string | undefined): Look {
    const { path } = request
    const raw = this.#rawDigest(path, body, text)
    const before = this.#lookFor(request, answer)
    const isKnown = this.#queue.page(path)?.digest === before?.page?.digest
    if (before?.raw === raw && isKnown) return before
    const facts = { at: this.#options.now(), raw, rules: this.#options.rules(), headers: answer.headers }
    const look = this.#observe(request, answer, body, facts)
    this.#looks.delete(path)
    this.#looks.set(path, look)
    if (this.#looks.size > MAX_LOOKS) this.#looks.delete(this.#looks.keys().next().value!)
    return look
  }

  /** Comparing bytes takes a tenth of hashing them, and most answers are as the last one was. */
  #rawDigest(path: string, body: Uint8Array, text: string | undefined): string {
    const held = this.#held(path)
    if (held !== undefined && (held.body === body || Buffer.compare(held.body, body) === 0)) return held.digest
    const digest = digestOf(body)
    this.#bodies.set(path, { body, digest, text })
    return digest
  }

  #bytesOf(path: string, text: string): Uint8Array {
    const held = this.#held(path)
    return held?.text === text ? held.body : Buffer.from(text)
  }

  #held(path: string): HeldBody | undefined {
    const held = this.#bodies.get(path)
    return held === 'useless' ? undefined : held
  }

  #observe(request: RequestHead, answer: AnswerHead, body: Uint8Array, facts: Omit<Look, 'verdict' | 'page'>): Look {
    const { masks, maxBytes, own } = this.#options
    const { path, headers } = request
    const plain = answer.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding')
    const seen = observeAnswer(
      { path, headers },
      { status: answer.status, headers: plain, body },
      { rules: facts.rules, masks, maxBytes },
      this.#queue.page(path),
      facts.at,
    )
    const { verdict } = seen
    if (seen.kind === 'ignored' || 'gone' in seen.observation) return { ...facts, verdict, page: undefined }
    if (isNeutral(headers, answer.headers, own)) this.#queue.add(seen.observation)
    const { digest, masked, modifiedAt } = seen.observation
    return { ...facts, verdict, page: { path, headers: answer.headers, digest, masked, modifiedAt } }
  }

  #withdraw({ path, headers }: RequestHead, answer: AnswerHead, verdict: PublicVerdict): void {
    if (!isWithdrawn(verdict) || this.#queue.page(path) === undefined) return
    if (isNeutral(headers, answer.headers, this.#options.own)) this.#queue.add({ path, gone: true })
  }

  /** Only answers that could have been public count: a login page that sets a cookie is as it should be. */
  #noteCookie(verdict: PublicVerdict): void {
    if (!verdict.public && verdict.reason !== 'cookie-set') return
    this.#cookies.note(!verdict.public)
    const advice = this.#cookies.advice()
    if (advice !== undefined) this.#tellOnce('cookies', advice)
  }

  #tellError(error: unknown): void {
    const code = error instanceof SiteError ? error.code : 'unknown'
    this.#tellOnce(code, `Pages that were answered could not be recorded: ${textOf(error)}`)
  }

  #tellOnce(what: string, sentence: string): void {
    if (this.#told.has(what)) return
    this.#told.add(what)
    this.#options.tell(sentence)
  }
}

/** Field by field, in order: the same handler writes the same head again. */
function isSameFields(a: HeaderList, b: HeaderList): boolean {
  return a.length === b.length && a.every(([name, value], i) => name === b[i]![0] && value === b[i]![1])
}

const isPersonal = (headers: HeaderList): boolean =>
  headers.some(([name]) => (name.length === 6 || name.length === 13) && PERSONAL.has(name.toLowerCase()))

const PERSONAL: ReadonlySet<string> = new Set(['cookie', 'authorization'])
