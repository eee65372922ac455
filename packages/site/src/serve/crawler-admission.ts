/**
 * Crawler admission: for whom a site's offers are. Pages are for everybody, and so is all that says what there is to be had; lists,
 * dumps, batches, the filter and what is pushed may be kept for crawlers that prove who they are, or for some of them.
 */
import { ACCEPT_BOT_SIGNATURE, KEY_DIRECTORY_PATH } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { BodyForged, CrawlerProof } from './crawler-proof.ts'
import type { CrawlerProofOptions, CrawlerVerdict, ProvenCrawler } from './crawler-proof.ts'
import { optionInvalid } from '../errors.ts'
import type { SiteScheme } from '../site-options.ts'
import { sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

/**
 * Everybody, every crawler that proves who it is, or only those listed: a host (`crawler.example`), whose keys are then at its
 * well-known place, or the whole URL where keys are published. On a host that gives folders to strangers only the URL is safe.
 */
export type OffersTo = 'everyone' | 'proven' | readonly string[]

export interface CrawlerAdmissionOptions {
  readonly offersTo?: OffersTo | undefined
  /** Schemes that stay open to everybody all the same. */
  readonly openSchemes?: readonly SiteScheme[] | undefined
  readonly proof?: CrawlerProofOptions | undefined
}

/** robots.txt and the keys have to be read by whoever wants to; the catalog says what there is. */
const OPEN_SCHEMES: readonly SiteScheme[] = ['robots', 'catalog']

type Admission =
  | { readonly kind: 'admitted'; readonly crawler: ProvenCrawler | undefined }
  | { readonly kind: 'refused'; readonly answer: SiteAnswer }

export class CrawlerAdmission {
  readonly #proof: CrawlerProof | undefined
  readonly #open: ReadonlySet<SiteScheme>
  readonly #openPaths: ReadonlySet<string>
  /** URLs of keys; undefined for all. */
  readonly #agents: ReadonlySet<string> | undefined

  /** `openPaths`: for everybody, whatever scheme they belong to. */
  constructor(origin: string, options: CrawlerAdmissionOptions, startedAt: Instant, openPaths: readonly string[] = []) {
    const { offersTo = 'everyone', openSchemes = OPEN_SCHEMES, proof } = options
    this.#proof = offersTo === 'everyone' ? undefined : new CrawlerProof(origin, proof, startedAt)
    this.#open = new Set<SiteScheme>([...openSchemes, 'keys'])
    this.#openPaths = new Set(openPaths)
    this.#agents = typeof offersTo === 'string' ? undefined : new Set(offersTo.map(agentOf))
  }

  /** Whether anything is kept for some. */
  get isClosed(): boolean {
    return this.#proof !== undefined
  }

  /** Who asks, without waiting for anybody; undefined when that is not known, or not asked. */
  recognised(request: Pick<SiteRequest, 'method' | 'path' | 'headers'>, at: Instant): ProvenCrawler | undefined {
    const crawler = this.#proof?.recognised(request, at)
    return crawler !== undefined && this.#isWelcome(crawler) ? crawler : undefined
  }

  /** May this request have an answer of this scheme? */
  async admit(request: SiteRequest, scheme: SiteScheme, at: Instant): Promise<Admission> {
    const isOpen = this.#open.has(scheme) || this.#openPaths.has(request.path.split('?', 1)[0]!)
    if (this.#proof === undefined || isOpen) return { kind: 'admitted', crawler: undefined }
    const verdict = await this.#proof.verdict(request, at)
    if (verdict.kind !== 'proven') return { kind: 'refused', answer: refusal(verdict, at) }
    return this.#isWelcome(verdict)
      ? { kind: 'admitted', crawler: verdict }
      : { kind: 'refused', answer: unwelcome(verdict) }
  }

  #isWelcome({ agent }: ProvenCrawler): boolean {
    return this.#agents === undefined || this.#agents.has(agent)
  }
}

/** An answer that is for one crawler, and not to be handed on by a cache between (RFC 9111 §5.2.2.7). */
export async function answerPrivately(make: () => Promise<SiteAnswer>): Promise<SiteAnswer> {
  try {
    const answer = await make()
    const others = answer.headers.filter(([name]) => name.toLowerCase() !== 'cache-control')
    const said = answer.headers.find(([name]) => name.toLowerCase() === 'cache-control')?.[1]
    const control = said === undefined ? 'private' : /\b(?:private|no-store)\b/.test(said) ? said : `private, ${said}`
    return { ...answer, headers: [...others, ['Cache-Control', control]] }
  } catch (error) {
    if (error instanceof BodyForged) return refusal({ kind: 'refused', message: error.message }, 0)
    throw error
  }
}

const HOW =
  'This is kept for crawlers that prove who they are. Sign the request (RFC 9421) with the tag web-bot-auth and an Ed25519 key, ' +
  'and say in Signature-Agent where your keys are published: draft-ietf-webbotauth-httpsig-protocol. Pages are open to everybody.'

const ASK: HeaderList = [['Accept-Signature', ACCEPT_BOT_SIGNATURE]]

function refusal(verdict: Exclude<CrawlerVerdict, ProvenCrawler>, at: Instant): SiteAnswer {
  if (verdict.kind === 'unsigned') return sentenceAnswer(403, HOW, ASK)
  const why = `You signed, but ${verdict.message}.`
  if (verdict.kind === 'replayed') return sentenceAnswer(429, why, ASK)
  if (verdict.kind === 'refused') return sentenceAnswer(403, `${why} ${HOW}`, ASK)
  // Not 503: the site is well, and a crawler that took it for overloaded would leave its pages alone too.
  const seconds = Math.max(1, Math.ceil((verdict.retryAt - at) / 1_000))
  return sentenceAnswer(403, `${why} Your keys are asked for again in ${seconds} s: come again then.`, ASK)
}

const unwelcome = ({ agent }: ProvenCrawler): SiteAnswer =>
  sentenceAnswer(
    403,
    `You are ${agent}, and this is kept for others: ask the owner of the site. Pages are open to everybody.`,
  )

/** What a crawler of the list is known by. Throws for what is neither a host nor a URL. */
function agentOf(entry: string): string {
  const isHost = /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i.test(entry)
  const url = URL.parse(isHost ? `https://${entry}` : entry)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw optionInvalid(`offersTo lists "${entry}", which is neither a host (crawler.example) nor the URL of its keys.`)
  return url.pathname === '/' ? `${url.origin}${KEY_DIRECTORY_PATH}` : `${url.origin}${url.pathname}`
}

/** Throws for what cannot be meant. */
export function checkAdmissionOptions(
  { offersTo, openSchemes, proof }: CrawlerAdmissionOptions,
  schemes: readonly string[],
): void {
  const isKnown = offersTo === undefined || offersTo === 'everyone' || offersTo === 'proven' || Array.isArray(offersTo)
  if (!isKnown) throw optionInvalid(`offersTo is 'everyone', 'proven' or a list of crawlers, not ${String(offersTo)}.`)
  const scheme = openSchemes?.find((name) => !schemes.includes(name))
  if (scheme !== undefined) throw optionInvalid(`openSchemes has no scheme named ${scheme}: use ${schemes.join(', ')}.`)
  if (typeof offersTo !== 'string') offersTo?.forEach(agentOf)
  if (proof?.skewMs !== undefined && !(proof.skewMs >= 0)) throw optionInvalid(`skewMs cannot be ${proof.skewMs}.`)
}
