/**
 * Site front: all that stands between a site's server and those who ask it, for whichever framework the site runs on. An
 * adapter asks it three things: is this request yours (`answer`), shall I hold this answer until it is whole (`holds`), and
 * what shall I send in its place (`page`).
 *
 *   request ──▶ isOurs? ──▶ answer                     the site's own documents: lists, dumps, batch, filter
 *                 │ no
 *                 ▼
 *              the site ──▶ holds? ──▶ page             200, 304, 226, dcz …, and the journal learns
 *                             │ no
 *                             ▼
 *                         as it is                      private, large, no text, a stream
 */
import { headerOf, textOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { documentPath } from './document-paths.ts'
import { optionInvalid } from './errors.ts'
import type { JournaledPage } from './journal/journal.ts'
import { answerPage } from './serve/page-answer.ts'
import type { PageScheme } from './serve/page-answer.ts'
import { PageCodings } from './serve/page-answer-coding.ts'
import type { PageCodingOptions } from './serve/page-answer-coding.ts'
import { PageWatch } from './sources/page-watch.ts'
import type { AnswerHead, MadeBody, RequestHead } from './sources/page-watch.ts'
import { PreviousChanges } from './journal/previous-changes.ts'
import { PublicView } from './privacy/public-view.ts'
import { publicRules } from './privacy/public-rules.ts'
import type { PublicRules } from './privacy/public-rules.ts'
import { answerDictionary, DICTIONARY_PATH, dictionaryLink, SiteDictionary } from './serve/site-dictionary.ts'
import type { SiteDictionaryOptions } from './serve/site-dictionary.ts'
import { siteSetting } from './site-options.ts'
import type { SiteOptions } from './site-options.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'
import { createSite } from './site.ts'
import type { Site } from './site.ts'
import type { Served } from './served.ts'
import type { VolatileMask } from './sources/volatile-mask.ts'

/** What one answer with a page in it was and cost. */
export interface ServedPage extends Omit<Served, 'scheme'> {
  readonly scheme: PageScheme
}

export interface SiteFrontOptions extends Omit<SiteOptions, 'read' | 'robots' | 'dictionary' | 'onServed'> {
  /** The site's own robots.txt as it is, empty when it has none: what it disallows is never told of. */
  readonly robots: string | (() => string)
  /** Bodies of pages that are in no version store. */
  readonly read?: SiteOptions['read'] | undefined
  /** Nothing in a page follows from the host it was asked for, so pages are learnt whatever that was. */
  readonly isHostFixed?: boolean | undefined
  /** What differs in every answer; `commonMasks` unless given. */
  readonly masks?: readonly VolatileMask[] | undefined
  /** Longer answers go out as they are. */
  readonly maxPageBytes?: number | undefined
  /** An answer that comes in pieces is held so long for its end, and is a stream then. */
  readonly patienceMs?: number | undefined
  /** For pages whose own answers have no Cache-Control; see `PAGE_CACHE_CONTROL`. */
  readonly cacheControl?: string | undefined
  readonly coding?: PageCodingOptions | undefined
  /** False for none. */
  readonly dictionary?: Partial<SiteDictionaryOptions> | false | undefined
  /** Told of every answer of ours. */
  readonly onServed?: ((served: Served | ServedPage) => void) | undefined
  /** What the owner should know; a warning of the process unless given. */
  readonly tell?: ((sentence: string) => void) | undefined
}

export interface FrontPage extends SiteAnswer {
  readonly body: Uint8Array
  /** The body is the one that was handed in, byte by byte. */
  readonly isAsMade: boolean
}

/** What goes out in place of an answer that the site itself has made. */
interface FrontPages {
  /** The page as it was last seen: a HEAD for one that is known can be answered as if it were a GET. */
  known(path: string): JournaledPage | undefined
  holds(request: RequestHead, answer: AnswerHead): boolean
  /** What to send in place of an answer that was held; undefined: that answer, as it is. */
  page(request: RequestHead, answer: AnswerHead, body: MadeBody): FrontPage | undefined
}

export interface SiteFront extends FrontPages {
  readonly site: Site
  /** As the site has them: for a delivery worker, which has to see the same pages under the same rules. */
  readonly siteOptions: SiteOptions
  readonly maxPageBytes: number
  readonly patienceMs: number
  /** Is this path one of the site's own documents? */
  isOurs(path: string): boolean
  /** Undefined when the site has to answer after all. */
  answer(request: SiteRequest): Promise<SiteAnswer | undefined>
  /** All that was seen is recorded. */
  settled(): Promise<void>
}

const DEFAULTS = { maxPageBytes: 2 << 20, patienceMs: 200 }

export function createSiteFront(options: SiteFrontOptions): SiteFront {
  return new JournalFront(options)
}

class JournalFront implements SiteFront {
  readonly site: Site
  readonly siteOptions: SiteOptions
  readonly maxPageBytes: number
  readonly patienceMs: number
  readonly #options: SiteFrontOptions
  readonly #now: () => Instant
  readonly #watch: PageWatch
  readonly #codings: PageCodings
  readonly #dictionary: SiteDictionary | undefined
  readonly #tell: (sentence: string) => void
  readonly #links: readonly string[]
  readonly #view: PublicView
  #rules: { readonly robots: string; readonly rules: PublicRules } | undefined

  constructor(options: SiteFrontOptions) {
    const { dictionary = {}, coding, masks, tell, maxPageBytes, patienceMs, isHostFixed } = options
    if (options.robots === undefined)
      throw optionInvalid("robots is missing: give the site's robots.txt, or '' when it has none.")
    this.#options = options
    this.#now = options.now
    this.#tell = tell ?? ((sentence) => process.emitWarning(sentence, 'ComityWarning'))
    this.maxPageBytes = maxPageBytes ?? DEFAULTS.maxPageBytes
    this.patienceMs = patienceMs ?? DEFAULTS.patienceMs
    const { origin, host } = new URL(siteSetting(siteOptions(options)).base)
    const site: SiteOptions = {
      ...siteOptions(options),
      ...(dictionary === false ? {} : { dictionary: `${origin}${DICTIONARY_PATH}` }),
    }
    this.siteOptions = site
    this.site = createSite(site)
    this.#links = this.site.link === undefined ? [] : [this.site.link]
    const view = (this.#view = new PublicView(siteSetting(site)))
    const { journal } = options
    this.#dictionary =
      dictionary === false
        ? undefined
        : new SiteDictionary(journal, (path) => view.isPublic(path), { ...dictionary, kept: options.kept })
    const previous = new PreviousChanges(view)
    this.#codings = new PageCodings(
      {
        digestOf: (path, etag) => previous.digestOf(path, etag),
        version: (digest) => journal.version(digest),
        dictionary: (digest) => this.#dictionary?.find(digest),
      },
      coding,
    )
    this.#watch = new PageWatch({
      journal,
      now: options.now,
      own: { host, isHostFixed: isHostFixed === true },
      rules: () => this.#publicRules(),
      masks,
      maxBytes: this.maxPageBytes,
      tell: this.#tell,
    })
  }

  isOurs(path: string): boolean {
    return this.site.isOurs(path) || (this.#dictionary !== undefined && documentPath(path) === DICTIONARY_PATH)
  }

  async answer(request: SiteRequest): Promise<SiteAnswer | undefined> {
    if (this.#dictionary !== undefined && documentPath(request.path) === DICTIONARY_PATH)
      return await this.#dictionaryAnswer(request, this.#dictionary)
    return await this.site.answer(request)
  }

  known(path: string): JournaledPage | undefined {
    return this.#watch.page(path)
  }

  holds(request: RequestHead, answer: AnswerHead): boolean {
    const isRead = request.method === 'GET' || (request.method === 'HEAD' && this.known(request.path) !== undefined)
    return isRead && this.#watch.isCandidate(request, answer)
  }

  page(request: RequestHead, answer: AnswerHead, body: MadeBody): FrontPage | undefined {
    try {
      return this.#page(request, answer, body)
    } catch (error) {
      // The site has answered already: nothing of ours may take that answer from whoever waits for it.
      this.#tell(`${request.path} went out as the site made it, since our part of it failed: ${textOf(error)}`)
      return undefined
    }
  }

  #page(request: RequestHead, answer: AnswerHead, body: MadeBody): FrontPage | undefined {
    const began = performance.now()
    // A handler that makes no body for HEAD says nothing of the page.
    if (request.method === 'HEAD' && body.length === 0) return undefined
    const page = this.#watch.see(request, answer, body)
    if (page === undefined) return undefined
    const { cacheControl, onServed } = this.#options
    const links = (): readonly string[] => this.#pageLinks()
    const { gate } = this.site
    const crawler = gate.recognised(request, this.#now())
    const wished = gate.isClosed && crawler === undefined ? withoutDifferences(request) : request
    const answered = answerPage(wished, page, this.#codings, this.#now(), { cacheControl, links })
    onServed?.({
      scheme: answered.scheme,
      ...whatOf(request),
      proven: crawler?.host,
      status: answered.status,
      bytes: answered.body.length,
      cpuMs: performance.now() - began,
      pages: 1,
      pageBytes: answered.wholeBytes,
    })
    const isPlain = headerOf(answer.headers, 'content-encoding') === undefined
    return { ...answered, isAsMade: isPlain && answered.body === page.body }
  }

  async settled(): Promise<void> {
    await this.#watch.settled()
  }

  #pageLinks(): readonly string[] {
    const dictionary = this.#dictionary?.current(this.#now())
    return dictionary === undefined ? this.#links : [...this.#links, dictionaryLink()]
  }

  #publicRules(): PublicRules {
    const { robots, rules } = this.#options
    const text = typeof robots === 'string' ? robots : robots()
    if (this.#rules?.robots !== text) {
      this.#rules = { robots: text, rules: publicRules({ ...rules, robots: text }) }
      this.#view.refresh()
    }
    return this.#rules.rules
  }

  async #dictionaryAnswer(request: SiteRequest, from: SiteDictionary): Promise<SiteAnswer> {
    const began = performance.now()
    const answer = await answerDictionary(request, from.current(this.#now()), this.#now())
    this.#options.onServed?.({
      scheme: 'dictionary',
      ...whatOf(request),
      status: answer.status,
      bytes: answer.body instanceof Uint8Array ? answer.body.length : 0,
      cpuMs: performance.now() - began,
      pages: 0,
      pageBytes: 0,
    })
    return answer
  }
}

/** The page whole: differences are among the offers. Dictionaries are not, as browsers ask for pages by them. */
const withoutDifferences = (request: RequestHead): RequestHead => ({
  ...request,
  headers: request.headers.filter(([name]) => name.toLowerCase() !== 'a-im'),
})

const whatOf = ({ method, path, headers }: RequestHead): Pick<Served, 'agent' | 'method' | 'path'> => ({
  agent: (headerOf(headers, 'user-agent') ?? '').slice(0, 200),
  method,
  path,
})

const FRONT_ONLY: ReadonlySet<string> = new Set<
  Exclude<keyof SiteFrontOptions, Exclude<keyof SiteOptions, 'dictionary'>>
>(['cacheControl', 'coding', 'dictionary', 'isHostFixed', 'masks', 'maxPageBytes', 'patienceMs', 'tell'])

/** Those that are for the site, which refuses what it does not know. */
function siteOptions(options: SiteFrontOptions): SiteOptions {
  const { journal, base, now, read = nothing } = options
  const others = Object.entries(options).filter(([name]) => !FRONT_ONLY.has(name))
  return { ...Object.fromEntries(others), journal, base, now, read }
}

const nothing = async (): Promise<undefined> => undefined
