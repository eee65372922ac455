/**
 * HeldVersion: the copy of a page that we have, put to use when the page is asked for again. It makes the request
 * conditional (RFC 9110 §13), offers itself as the base of a difference (RFC 3229) and, where the site said so, as a
 * dictionary (RFC 9842); and it turns what comes back into the whole page.
 *
 * A page made from a difference counts only when the answer carries a digest that it matches: a delta put on a wrong
 * base gives a wrong page without complaint. Whatever goes wrong, the page is asked for again without any of this.
 */
import {
  deltaRequest,
  dictionaryMatches,
  headerOf,
  offerDictionary,
  parseUseAsDictionary,
  checkUnencoded,
  TOO_MUCH_WORK,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { storedContent } from '@comity/collection'
import type { Collection, PageRow, Scheme } from '@comity/collection'
import { contentKey, isSameKey, ownDocuments, isStrongDate } from '@comity/ingest'
import type { Documents, PageAnswer } from '@comity/ingest'

/** A page larger than this is not worth holding in memory twice. */
const MAX_BASE_BYTES = 4 << 20

/** What is known of the version that is held. */
type HeldFacts = Pick<
  PageRow,
  'etag' | 'lastModified' | 'servedAt' | 'visitedAt' | 'contentKey' | 'bytes' | 'dictionary'
>

export interface HeldOptions {
  /** Which differences may be asked for; conditions are made in any case. */
  readonly differences: 'none' | 'delta' | 'dictionary' | 'any'
  /** Of the page that comes out of one. */
  readonly maxBytes: number
}

export type Rebuilt<Came extends PageAnswer> =
  | { readonly kind: 'whole'; readonly answer: Came; readonly scheme?: Scheme | undefined }
  | Broken

/** The difference could not be used. */
interface Broken {
  readonly kind: 'broken'
  readonly problem: string
}

const TOO_MUCH: Broken = { kind: 'broken', problem: `a difference that is ${TOO_MUCH_WORK}` }
const NOT_HELD: Broken = { kind: 'broken', problem: 'a difference from something that is not held' }

export class HeldVersion {
  readonly headers: Readonly<Record<string, string>>
  readonly #held: HeldFacts
  readonly #read: () => Uint8Array | undefined
  readonly #maxBytes: number
  #base: Uint8Array | undefined

  /** `read`: our copy without its content coding; undefined when it is not there any more, or is not what it was. */
  constructor(url: string, held: HeldFacts, read: () => Uint8Array | undefined, options: HeldOptions) {
    const { differences, maxBytes } = options
    this.#held = held
    this.#read = read
    this.#maxBytes = maxBytes
    this.headers = {
      ...this.#conditions(),
      ...(differences === 'any' || differences === 'delta' ? this.#delta() : {}),
      ...(differences === 'any' || differences === 'dictionary' ? this.#dictionary(url) : {}),
    }
  }

  /** Of a page of a collection; undefined when nothing of it is held. */
  static of(
    url: string,
    row: PageRow | undefined,
    collection: Collection,
    options: HeldOptions,
  ): HeldVersion | undefined {
    if (row?.body === undefined) return undefined
    return new HeldVersion(url, row, () => storedBase(collection, row), options)
  }

  get isConditional(): boolean {
    return 'if-none-match' in this.headers || 'if-modified-since' in this.headers
  }

  /** The page as it is now, out of an answer to a request with these headers. */
  async rebuild<Came extends PageAnswer>(answer: Came, documents: Documents = ownDocuments): Promise<Rebuilt<Came>> {
    const { status, headers } = answer.head
    if (answer.truncated !== undefined || answer.declined) return { kind: 'whole', answer }
    if (status === 226) return await this.#fromDelta(answer, documents)
    const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase()
    if (coding === 'dcz' || coding === 'dcb') return await this.#fromDictionary(answer, coding, documents)
    return { kind: 'whole', answer }
  }

  /** Both validators, as servers differ in which they honour. */
  #conditions(): Record<string, string> {
    const { etag, lastModified = '', servedAt, visitedAt } = this.#held
    return {
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(isStrongDate(lastModified, servedAt, visitedAt) ? { 'if-modified-since': lastModified } : {}),
    }
  }

  #delta(): Record<string, string> {
    const { etag, contentKey: key, bytes } = this.#held
    if (etag === undefined || key === undefined || bytes > MAX_BASE_BYTES) return {}
    return lowerCase(deltaRequest([etag]))
  }

  #dictionary(url: string): Record<string, string> {
    const use = this.#held.dictionary === undefined ? undefined : parseUseAsDictionary(this.#held.dictionary)
    if (use === undefined || !dictionaryMatches({ url, use, fetchedAt: this.#held.visitedAt }, url)) return {}
    const base = this.#readBase()
    if (base === undefined) return {}
    return { ...lowerCase(offerDictionary(base, use.id)), 'accept-encoding': 'dcz, dcb, gzip, br, zstd, deflate' }
  }

  /** Out of a difference that nobody asked for: its base has the site's own name, so the digest alone tells. */
  async fromPushed<Came extends PageAnswer>(answer: Came, documents: Documents = ownDocuments): Promise<Rebuilt<Came>> {
    if (answer.head.status !== 226) return { kind: 'whole', answer }
    const baseName = headerOf(answer.head.headers, 'delta-base')?.trim() ?? ''
    return await this.#applied(answer, baseName, documents)
  }

  async #fromDelta<Came extends PageAnswer>(answer: Came, documents: Documents): Promise<Rebuilt<Came>> {
    const { etag } = this.#held
    const wasAsked = etag !== undefined && 'a-im' in this.headers
    return wasAsked ? await this.#applied(answer, etag, documents) : NOT_HELD
  }

  async #applied<Came extends PageAnswer>(
    answer: Came,
    baseName: string,
    documents: Documents,
  ): Promise<Rebuilt<Came>> {
    const base = this.#readBase()
    if (base === undefined) return NOT_HELD
    const { body, head } = answer
    const given = { headers: head.headers, body, baseName, base, maxBytes: this.#maxBytes }
    const applied = await documents.work('delta', given)
    if (applied === TOO_MUCH_WORK) return TOO_MUCH
    if (applied.kind !== 'ok') return { kind: 'broken', problem: `the difference cannot be applied: ${applied.kind}` }
    if (!applied.isVerified) return { kind: 'broken', problem: 'the difference carries no digest to check it by' }
    return { kind: 'whole', answer: wholeAnswer(answer, applied.body), scheme: 'difference' }
  }

  async #fromDictionary<Came extends PageAnswer>(
    answer: Came,
    coding: 'dcz' | 'dcb',
    documents: Documents,
  ): Promise<Rebuilt<Came>> {
    const base = this.#readBase()
    if (base === undefined || !('available-dictionary' in this.headers)) {
      return { kind: 'broken', problem: `${coding}, which was not asked for` }
    }
    const { body } = answer
    const decoded = await documents.work('dictionary', { coding, body, base, maxBytes: this.#maxBytes })
    if (decoded === TOO_MUCH_WORK) return TOO_MUCH
    if (decoded.kind !== 'ok') return { kind: 'broken', problem: `${coding} cannot be undone: ${decoded.kind}` }
    const plain = withoutFields(answer.head.headers, CODING_FIELDS)
    if (checkUnencoded(plain, decoded.body) === 'differs')
      return { kind: 'broken', problem: `${coding}: another digest` }
    return { kind: 'whole', answer: wholeAnswer(answer, decoded.body), scheme: 'dictionary' }
  }

  #readBase(): Uint8Array | undefined {
    return (this.#base ??= this.#read())
  }
}

function storedBase(collection: Collection, { body, contentKey: key }: PageRow): Uint8Array | undefined {
  // Without a base the page is asked for whole, whatever the reason: what came a moment ago is not on disk yet, and true
  // damage shows elsewhere.
  const content = body === undefined ? undefined : storedContent(collection, body)
  return content?.kind === 'ok' && isSameKey(contentKey(content.bytes), key) ? content.bytes : undefined
}

/** Of the answer as it was sent, not of the page: gone when the page is whole again. */
const CODING_FIELDS: ReadonlySet<string> = new Set([
  'im',
  'delta-base',
  'content-encoding',
  'content-length',
  'content-digest',
])

/** What a server without differences would have answered. */
function wholeAnswer<Came extends PageAnswer>(answer: Came, body: Uint8Array): Came {
  const headers = withoutFields(answer.head.headers, CODING_FIELDS)
  return { ...answer, head: { status: 200, statusText: 'OK', headers }, body: Uint8Array.from(body) }
}

function withoutFields(headers: HeaderList, names: ReadonlySet<string>): HeaderList {
  return headers.filter(([name]) => !names.has(name.toLowerCase()))
}

function lowerCase(headers: HeaderList): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
}
