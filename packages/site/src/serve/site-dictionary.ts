/**
 * Site dictionary: what the pages of a site have in common, heads, menus and feet, as one body of some ten kilobytes. Whoever
 * has it gets every page packed with it (RFC 9842 §3), also one never seen before.
 *
 * It is made of public pages only, and announced no more when one of them goes or becomes private.
 */
import { evaluateConditions, writeUseAsDictionary } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { commonText } from './common-text.ts'
import { chooseCoding, encodeHard } from '../documents/document-coding.ts'
import type { Journal, JournaledPage } from '../journal/journal.ts'
import type { KeptFiles } from '../documents/kept-files.ts'
import { etagOf } from '../page-etag.ts'
import { NO_BODY, sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'
import { digestOf } from '../journal/version-store.ts'

export const DICTIONARY_PATH = '/.well-known/comity/dictionary'

export interface SiteDictionaryOptions {
  readonly maxBytes: number
  /** Less than this is not worth a request. */
  readonly minBytes: number
  readonly samplePages: number
  /** Of each page as much is looked at. */
  readonly samplePageBytes: number
  /** How long one dictionary is announced before another may take its place. */
  readonly renewMs: number
  /** After looking in vain. */
  readonly retryMs: number
}

const siteDictionaryDefaults: SiteDictionaryOptions = {
  maxBytes: 96 << 10,
  minBytes: 512,
  samplePages: 32,
  samplePageBytes: 24 << 10,
  renewMs: 7 * 86_400_000,
  retryMs: 60_000,
}

/** A dictionary as it is announced. */
interface Dictionary {
  readonly digest: string
  readonly body: Uint8Array
  /** Minus infinity when it is not to be announced. */
  readonly madeAt: Instant
}

const FILE = 'dictionary'
/** Earlier ones that somebody may still have. */
const EARLIER = 2
/** A dictionary of two pages is a difference with a detour. */
const MIN_PAGES = 4

export class SiteDictionary {
  readonly #journal: Journal
  readonly #isPublic: (path: string) => boolean
  readonly #options: SiteDictionaryOptions
  readonly #kept: KeptFiles | undefined
  /** Newest first. */
  #dictionaries: Dictionary[] = []
  #sources: ReadonlySet<string> = new Set()
  #seen = 0
  #triedAt = -Infinity

  constructor(
    journal: Journal,
    isPublic: (path: string) => boolean,
    { kept, ...options }: Partial<SiteDictionaryOptions> & { readonly kept?: KeptFiles | undefined } = {},
  ) {
    this.#journal = journal
    this.#isPublic = isPublic
    this.#options = { ...siteDictionaryDefaults, ...options }
    this.#kept = kept
    const body = kept?.read(FILE)
    // Announced again only when it comes out the same: which pages it was made of is not known any more.
    if (body !== undefined) this.#dictionaries = [{ digest: digestOf(body), body, madeAt: -Infinity }]
  }

  /** The one to announce; undefined while the pages known have too little in common. */
  current(now: Instant): Dictionary | undefined {
    const newest = this.#dictionaries[0]
    const { renewMs, retryMs } = this.#options
    const isDue = newest === undefined || now - newest.madeAt >= renewMs || this.#isWithdrawn()
    if (isDue && now - this.#triedAt >= retryMs) this.#renew(now)
    const [current] = this.#dictionaries
    return current !== undefined && current.madeAt > -Infinity && !this.#isWithdrawn() ? current : undefined
  }

  /** Also one that is no longer announced: who has it already learns nothing by its use. */
  find(digest: string): Uint8Array | undefined {
    return this.#dictionaries.find((dictionary) => dictionary.digest === digest)?.body
  }

  /** A page that it was made of has become private, or is gone. */
  #isWithdrawn(): boolean {
    const { last } = this.#journal
    if (last === this.#seen) return false
    if ([...this.#sources].some((path) => this.#journal.page(path) === undefined || !this.#isPublic(path))) return true
    this.#seen = last
    return false
  }

  #renew(now: Instant): void {
    this.#triedAt = now
    const pages = samplePages(this.#journal, this.#isPublic, this.#options)
    const body = commonText(
      pages.map((page) => page.body),
      this.#options,
    )
    this.#sources = new Set(pages.map((page) => page.path))
    this.#seen = this.#journal.last
    if (body.length < this.#options.minBytes) {
      this.#dictionaries = this.#dictionaries.map((dictionary) => ({ ...dictionary, madeAt: -Infinity }))
      return
    }
    const digest = digestOf(body)
    const earlier = this.#dictionaries.filter((dictionary) => dictionary.digest !== digest)
    this.#dictionaries = [{ digest, body, madeAt: now }, ...earlier.slice(0, EARLIER)]
    this.#kept?.write(FILE, body)
  }
}

/** Pages all over the site, by path; the same journal gives the same. */
function samplePages(
  journal: Journal,
  isPublic: (path: string) => boolean,
  { samplePages: wanted, samplePageBytes }: SiteDictionaryOptions,
): { readonly path: string; readonly body: Buffer }[] {
  const step = Math.max(1, Math.floor(journal.pageCount / (wanted * 4)))
  const sampled: { readonly path: string; readonly body: Buffer }[] = []
  let [place, looked] = [0, 0]
  for (const page of journal.pages()) {
    if (place++ % step !== 0 || !isHtml(page) || !isPublic(page.path)) continue
    if (sampled.length >= wanted || ++looked > wanted * 4) break
    const body = journal.version(page.digest)?.subarray(0, samplePageBytes)
    if (body !== undefined) sampled.push({ path: page.path, body: Buffer.from(body) })
  }
  return sampled.length < MIN_PAGES ? [] : sampled
}

const isHtml = ({ type, masked }: JournaledPage): boolean =>
  masked !== true && (type === 'text/html' || type === 'application/xhtml+xml')

/** Hands it out. A browser fetches it when it has nothing else to do, and keeps it for as long as it may. */
export async function answerDictionary(
  { method, headers }: Pick<SiteRequest, 'method' | 'headers'>,
  dictionary: Dictionary | undefined,
  now: Instant,
): Promise<SiteAnswer> {
  if (method !== 'GET' && method !== 'HEAD')
    return sentenceAnswer(405, 'The dictionary is a document: use GET or HEAD.', [['Allow', 'GET, HEAD']])
  if (dictionary === undefined)
    return sentenceAnswer(404, 'There is no dictionary: the pages known have too little in common.')
  const fields = dictionaryFields(dictionary)
  if (evaluateConditions({ method, headers }, { etag: etagOf(dictionary.digest) }, now) === 'not-modified')
    return { status: 304, headers: fields, body: NO_BODY }
  const coding = chooseCoding(headers)
  const body = coding === undefined ? dictionary.body : await encodeHard(dictionary.body, coding)
  const described: HeaderList = [
    ...fields,
    ['Content-Type', 'application/octet-stream'],
    ...(coding === undefined ? [] : ([['Content-Encoding', coding]] as const)),
    ['Content-Length', String(body.length)],
  ]
  return { status: 200, headers: described, body: method === 'HEAD' ? NO_BODY : body }
}

function dictionaryFields({ digest }: Dictionary): HeaderList {
  const etag = etagOf(digest)
  const use = writeUseAsDictionary({ match: '/*', destinations: ['document'], id: etag.slice(1, -1) })
  return [
    ['ETag', etag],
    ['Cache-Control', `max-age=${Math.floor(siteDictionaryDefaults.renewMs / 1_000)}`],
    ['Vary', 'Accept-Encoding'],
    ...(use === undefined ? [] : ([['Use-As-Dictionary', use]] as const)),
  ]
}

/** Value of the Link field that tells where it is. */
export const dictionaryLink = (): string => `<${DICTIONARY_PATH}>; rel="compression-dictionary"`
