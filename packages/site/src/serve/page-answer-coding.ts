/**
 * Page answer coding: a page in the fewest bytes that the asker can read. It may be a difference from a version the asker
 * has (RFC 3229), packed with that version or with the site's dictionary (RFC 9842), packed alone, or as it is. What was made
 * once is held, and making it is paid out of an allowance.
 */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { deltaAnswer, encodeWithDictionary, parseDeltaWish, parseDictionaryOffer } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { CodedCache } from './coded-cache.ts'
import type { Held } from './coded-cache.ts'
import { CodingAllowance } from './coding-allowance.ts'
import type { AllowanceOptions } from './coding-allowance.ts'
import { chooseCoding } from '../documents/document-coding.ts'
import type { Coding } from '../documents/document-coding.ts'
import { etagOf } from '../page-etag.ts'

/** The page as it is now. */
interface CodedPage {
  readonly path: string
  /** `sha-256:` and hexadecimal digits over `body`. */
  readonly digest: string
  /** Without content coding. */
  readonly body: Uint8Array
}

/** What the asker may have. */
interface PageVersions {
  /** The digest of the version of this page that had this tag. */
  digestOf(path: string, etag: string): string | undefined
  version(digest: string): Uint8Array | undefined
  /** A dictionary of the site, by its digest. */
  dictionary(digest: string): Uint8Array | undefined
}

export interface CodedBody {
  readonly kind: 'difference' | 'dictionary' | 'packed' | 'plain'
  readonly status: 200 | 226
  readonly headers: HeaderList
  readonly body: Uint8Array
}

export interface PageCodingOptions extends Partial<AllowanceOptions> {
  readonly cacheBytes?: number | undefined
  /** Differences are made, and pages packed, up to this size: longer ones would hold up everybody else meanwhile. */
  readonly maxBodyBytes?: number | undefined
  /** Milliseconds of processor time; only differences count. */
  readonly clock?: (() => number) | undefined
}

/** Below this, what packing saves is less than the fields that tell of it. */
const MIN_BODY_BYTES = 200
const DEFAULTS = { cacheBytes: 64 << 20, maxBodyBytes: 1 << 20 }
/** A difference this much shorter than the page needs no comparing with packing it alone. */
const CLEARLY_SHORTER = 16

export class PageCodings {
  readonly #versions: PageVersions
  readonly #cache: CodedCache<CodedBody>
  readonly #allowance: CodingAllowance
  readonly #maxBodyBytes: number
  #packed = { from: 0, to: 0 }

  constructor(versions: PageVersions, options: PageCodingOptions = {}) {
    const { cacheBytes = DEFAULTS.cacheBytes, maxBodyBytes = DEFAULTS.maxBodyBytes, clock, ...allowance } = options
    this.#versions = versions
    this.#cache = new CodedCache(cacheBytes)
    this.#allowance = new CodingAllowance(allowance, clock)
    this.#maxBodyBytes = maxBodyBytes
  }

  /** `isExact`: the digest is of these very bytes, so that others may hold them, too. */
  smallest(request: HeaderList, page: CodedPage, isExact: boolean): CodedBody {
    const plain: CodedBody = { kind: 'plain', status: 200, headers: [], body: page.body }
    const { length } = page.body
    if (length < MIN_BODY_BYTES || length > this.#maxBodyBytes) return plain
    const candidates = isExact ? [this.#difference(request, page), this.#withDictionary(request, page)] : []
    const best = shortest(candidates, plain)
    if (best.body.length * CLEARLY_SHORTER < length) return best
    return shortest([best, this.#alone(request, page, isExact)], plain)
  }

  /** About what the page would have taken without our schemes: whole, and packed when the asker can read that. */
  wholeBytes(request: HeaderList, { digest, body }: CodedPage): number {
    const coding = chooseCoding(request)
    if (coding === undefined) return body.length
    const held = this.#cache.get(aloneKey(digest, coding))
    if (held !== undefined) return held === 'useless' ? body.length : held.body.length
    const { from, to } = this.#packed
    return from === 0 ? body.length : Math.round((body.length * to) / from)
  }

  #difference(request: HeaderList, page: CodedPage): CodedBody | undefined {
    const wish = parseDeltaWish(request)
    if (wish === undefined) return undefined
    const etag = etagOf(page.digest)
    for (const base of wish.bases) {
      const digest = this.#versions.digestOf(page.path, base)
      if (digest === undefined || digest === page.digest) continue
      const made = this.#made(`${page.digest} vcdiff ${wish.mayGzip} ${digest}`, () => {
        const earlier = this.#versions.version(digest)
        if (earlier === undefined || earlier.length > this.#maxBodyBytes) return undefined
        const only = { bases: [base], mayGzip: wish.mayGzip }
        const answer = deltaAnswer(only, { etag, body: page.body }, () => earlier)
        return answer === undefined ? 'useless' : { ...answer, kind: 'difference' }
      })
      if (made !== undefined) return made
    }
    return undefined
  }

  #withDictionary(request: HeaderList, page: CodedPage): CodedBody | undefined {
    const offer = parseDictionaryOffer(request)
    const coding = offer?.codings[0]
    if (offer === undefined || coding === undefined) return undefined
    const digest = `sha-256:${Buffer.from(offer.sha256).toString('hex')}`
    return this.#made(`${page.digest} ${coding} ${digest}`, () => {
      const dictionary = this.#dictionary(page.path, digest)
      if (dictionary === undefined) return undefined
      const body = encodeWithDictionary(coding, page.body, dictionary)
      if (body === undefined || body.length >= page.body.length) return 'useless'
      return { kind: 'dictionary', status: 200, headers: [['Content-Encoding', coding]], body }
    })
  }

  /** Of this page, or made to be one: what was packed with another page's version would tell of that one. */
  #dictionary(path: string, digest: string): Uint8Array | undefined {
    const shared = this.#versions.dictionary(digest)
    if (shared !== undefined) return shared
    const isOwn = this.#versions.digestOf(path, etagOf(digest)) === digest
    const own = isOwn ? this.#versions.version(digest) : undefined
    return own !== undefined && own.length <= this.#maxBodyBytes ? own : undefined
  }

  #alone(request: HeaderList, { digest, body }: CodedPage, isExact: boolean): CodedBody | undefined {
    const coding = chooseCoding(request)
    if (coding === undefined) return undefined
    const pack = (): Held<CodedBody> => {
      const packed = packers[coding](body)
      this.#packed = { from: this.#packed.from + body.length, to: this.#packed.to + packed.length }
      if (packed.length >= body.length) return 'useless'
      return { kind: 'packed', status: 200, headers: [['Content-Encoding', coding]], body: packed }
    }
    // A masked digest stands for many bodies, so what is packed of one is not another's.
    return isExact ? this.#made(aloneKey(digest, coding), pack) : useful(this.#allowance.spend(pack))
  }

  /** Undefined is not held: anybody can name bases and dictionaries that nobody has. */
  #made(key: string, make: () => Held<CodedBody> | undefined): CodedBody | undefined {
    const held = this.#cache.get(key)
    if (held !== undefined) return useful(held)
    const made = this.#allowance.spend(make)
    if (made !== undefined) this.#cache.set(key, made)
    return useful(made)
  }
}

const useful = (held: Held<CodedBody> | undefined): CodedBody | undefined => (held === 'useless' ? undefined : held)

const aloneKey = (digest: string, coding: Coding): string => `${digest} ${coding}`

function shortest(candidates: readonly (CodedBody | undefined)[], otherwise: CodedBody): CodedBody {
  let best = otherwise
  for (const candidate of candidates)
    if (candidate !== undefined && candidate.body.length < best.body.length) best = candidate
  return best
}

/** Fast enough for a page that nobody may ask for again. */
const packers: Readonly<Record<Coding, (body: Uint8Array) => Uint8Array>> = {
  br: (body) =>
    brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  zstd: (body) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 6 } }),
  gzip: (body) => gzipSync(body, { level: 6 }),
}
