/**
 * PrivacyGate: what of the passing traffic may be indexed. A gateway sees what people read, so it takes what a shared cache might
 * keep and give to anybody (RFC 9111 §3), and less: whoever was known to the server when asking, by credentials or a cookie,
 * may have been shown something of their own. Everything that is left out has a name and a counter.
 *
 *   whole? ours? a reader who counts? GET, 200, a page? ──▶ for everybody? ──▶ may robots have it? ──▶ admitted
 *
 * Rules follow the order of their price: what costs nothing to see comes first, the body comes last.
 *
 *   a rule that looks at                           stands in     takes a known page out
 *   whose server, whose reader                     `outsider`    no: it is none of ours
 *   what was asked for, and what shape came        `#judge`      no
 *   who asked, or for something else               `personal`    no, and nothing else of such an answer does (`#toldTo`)
 *   what the answer says of who may keep it        `#keptFrom`   where `withdrawal.ts` says so
 *   the address alone, by the operator's word      `#withheld`   yes, whatever is answered and to whom
 *   how many got the same                          `#ownOf`      no
 *   what the page itself says                      `#insideOf`   where nobody was known
 */
import {
  clientNetwork,
  credentialField,
  credentialNames,
  headerOf,
  isCredentialName,
  isSteered,
  looksSecret,
  parseRobotsDirectives,
  pathRule,
} from '@comity/protocol'
import type { HeaderList, Instant, PathRule, RobotsDirectives } from '@comity/protocol'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { PRIVACY_REASONS } from './privacy-reasons.ts'
import type { PrivacyReason } from './privacy-reasons.ts'
import { carriesSession, matchesHost } from './host-pattern.ts'
import type { ReadPage } from '../node/page-reading.ts'
import { pageDirectives } from '../node/page-words.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { SET_COOKIE, AUTH_ANSWER_FIELDS, isCacheControl } from './judged-fields.ts'
import type { ReaderQuorum } from './reader-quorum.ts'
import { withdrawal } from './withdrawal.ts'
import type { LaterAnswer } from './withdrawal.ts'

export interface PrivacyGateOptions {
  /** Hosts that are ours, with or without a port, `*.example.org` for all below, `*` for all. */
  readonly hosts: readonly string[]
  /** Addresses and networks of the servers that may speak for them; none: whoever hands in observed exchanges knows its server. */
  readonly servers: readonly string[]
  /** Networks that readers are inside of. */
  readonly inside: readonly string[]
  /** Which readers count: 001 §IV has those outside. */
  readonly readers: 'outside' | 'inside' | 'both'
  /** Hosts whose pages are public though they are asked for with cookies. */
  readonly publicHosts: readonly string[]
  /** Names of fields that say who asks, beside those of `client/credential-fields.ts` in `protocol`. */
  readonly credentialFields: readonly string[]
  /** Pages of connections that were not seen from their beginning on count: no server here signs in connections. */
  readonly midstream: boolean
  /** Query strings that may be indexed, by host: names of parameters; what has others is left out. */
  readonly queries: ReadonlyMap<string, readonly string[]>
  /** Paths that are private, as they begin; in every spelling. */
  readonly privatePaths: readonly string[]
  readonly plainText: boolean
  readonly pdf: boolean
  readonly productToken: string
  readonly maxPageBytes: number
}

export const gateDefaults: PrivacyGateOptions = {
  hosts: [],
  servers: [],
  inside: [],
  readers: 'both',
  publicHosts: [],
  credentialFields: [],
  midstream: false,
  queries: new Map(),
  privatePaths: [],
  plainText: false,
  pdf: false,
  productToken: 'comity',
  maxPageBytes: 8 << 20,
}

/** A page that may be indexed. */
interface Admitted {
  readonly url: string
  readonly at: number
  readonly headers: HeaderList
  readonly reading: ReadPage
  /** From when on the page itself wants to be left out. */
  readonly ends: Instant | undefined
}

/** An exchange whose body is looked at only when all else was found well. */
interface SeenBody {
  readonly observed: ObservedExchange
  /** Undefined when its content coding cannot be taken off. */
  reading(): ReadPage | undefined
  /** Without its content coding. */
  body(): Uint8Array
}

/** Whether robots.txt of a host allows a URL; undefined while nobody knows it, which allows. */
type RobotsRule = (url: string) => boolean | undefined

export class PrivacyGate {
  readonly counters: Record<PrivacyReason | 'admitted', number>
  /** By which rules it judges: this version's, and all that its operator says. What was let in by others is judged anew. */
  readonly judgedBy: string
  readonly #options: PrivacyGateOptions
  readonly #quorum: ReaderQuorum
  readonly #robots: RobotsRule
  readonly #servers: BlockList
  readonly #inside: BlockList
  readonly #credentials: ReadonlySet<string>
  readonly #privatePaths: readonly PathRule[]

  constructor(options: Partial<PrivacyGateOptions>, quorum: ReaderQuorum, robots: RobotsRule = () => undefined) {
    this.#options = { ...gateDefaults, ...options }
    this.#quorum = quorum
    this.#robots = robots
    const said = { ...this.#options, queries: [...this.#options.queries], quorum: quorum.readers }
    this.judgedBy = hash('sha256', JSON.stringify([gatewayVersion(), said]), 'base64')
    const { servers, inside, credentialFields } = this.#options
    this.#servers = networksOf(servers)
    this.#inside = networksOf(inside)
    this.#credentials = credentialNames(credentialFields)
    // Nothing in it is a wildcard.
    this.#privatePaths = this.#options.privatePaths.map((path) => pathRule(path.replaceAll('*', '%2A'), beginsWith))
    const all = ['admitted', ...PRIVACY_REASONS] as const
    this.counters = Object.fromEntries(all.map((name) => [name, 0])) as Record<PrivacyReason | 'admitted', number>
  }

  get maxPageBytes(): number {
    return this.#options.maxPageBytes
  }

  /** Whether a body is worth rebuilding at all: asked when a head has been seen. */
  wants(headers: HeaderList, status: number): boolean {
    return status === 200 && this.#isPage(headers)
  }

  /** Why neither a page of this server nor this reader is any of ours; undefined when both are. */
  outsider(observed: ObservedExchange): 'foreign-server' | 'other-readers' | undefined {
    if (!this.#isOurs(observed)) return 'foreign-server'
    return this.#counts(observed.client) ? undefined : 'other-readers'
  }

  /**
   * Why an answer says nothing of what everybody gets: its server may have known who asked, or was asked for something else. Such an
   * answer takes no page out of the index either (`#toldTo`); what the server says of its own answer belongs in `#keptFrom`.
   */
  personal({ request, response, authentication, url }: ObservedExchange): PrivacyReason | undefined {
    const asked = request?.headers ?? []
    if (credentialField(asked, this.#credentials) !== undefined) return 'authorization'
    if (response !== undefined && AUTH_ANSWER_FIELDS.some((name) => headerOf(response.headers, name) !== undefined))
      return 'authorization'
    if (url !== undefined && isSteered(asked, URL.parse(url)?.host ?? '')) return 'steered'
    if (authentication === 'known') return 'authenticated'
    if (authentication === 'unseen' && !this.#options.midstream) return 'unseen'
    return url !== undefined && carriesSession(url) ? 'session' : undefined
  }

  /** A page that may be indexed, or why not. */
  pass(seen: SeenBody): Admitted | PrivacyReason {
    const verdict = this.#judge(seen)
    this.counters[typeof verdict === 'string' ? verdict : 'admitted']++
    return verdict
  }

  #judge(seen: SeenBody): Admitted | PrivacyReason {
    const { observed } = seen
    const { request, response, url, verdict, at } = observed
    if (verdict !== 'whole' || request === undefined || response === undefined || url === undefined) return 'not-whole'
    const outsider = this.outsider(observed)
    if (outsider !== undefined) return outsider
    if (request.method !== 'GET') return 'not-get'
    if (response.status !== 200) return 'status'
    if (!this.#isPage(response.headers)) return 'media-type'
    const personal = this.personal(observed)
    if (personal !== undefined) return personal
    // Before what else the answer says: a page that asks to be left out is told as gone where it is known.
    if (this.#saysNoindex(response.headers, at)) return 'noindex'
    const kept = this.#keptFrom(request.headers, response.headers)
    if (kept !== undefined) return kept
    const withheld = this.#withheld(new URL(url))
    if (withheld !== undefined) return withheld
    if (this.#robots(url) === false) return 'robots'
    const reading = seen.reading()
    if (reading === undefined || reading.bytes > this.#options.maxPageBytes) return 'coding'
    const own = this.#ownOf(seen, url)
    if (own !== undefined) return own
    const { reason, ends } = this.#insideOf(reading, response.headers, at)
    return reason ?? { url, at, headers: response.headers, reading, ends }
  }

  /**
   * Why a page that was shipped is to be found no more, by its address or the head of a later answer; undefined when it stays.
   * `page`: its own address, without what whoever asks may have put into it.
   */
  withdrawnByHead(observed: ObservedExchange, page: string): PrivacyReason | undefined {
    const { request, response, url, at, client } = observed
    if (request === undefined || response === undefined || url === undefined) return undefined
    const withheld = this.#withheld(new URL(page))
    if (withheld !== undefined) return withheld
    const { status, headers } = response
    const why = withdrawal({
      method: request.method,
      status,
      to: this.#toldTo(observed),
      hasCookie: headerOf(request.headers, 'cookie') !== undefined,
      saysNoindex: this.#saysNoindex(headers, at),
      setsCookie: setsCookie(headers),
      kept: keptOf(headers),
    })
    if (why !== 'forbidden') return why
    return this.#quorum.seen(url, FORBIDDEN, { network: clientNetwork(client), cookie: '' }) ? 'status' : undefined
  }

  /** The same by its body, which was not let through for another reason. */
  withdrawnByBody(seen: SeenBody): PrivacyReason | undefined {
    const { observed } = seen
    const { request, response, verdict, at } = observed
    if (verdict !== 'whole' || request?.method !== 'GET' || response?.status !== 200) return undefined
    const to = this.#toldTo(observed)
    if (to === 'somebody' || !isHtml(headerOf(response.headers, 'content-type'))) return undefined
    const reading = seen.reading()
    if (reading === undefined || reading.bytes > this.#options.maxPageBytes) return undefined
    const { reason } = this.#insideOf(reading, response.headers, at)
    const isAnonymous = to === 'anybody' && headerOf(request.headers, 'cookie') === undefined
    return reason === 'noindex' || isAnonymous ? reason : undefined
  }

  /** An address with more in it than the page's own is another one to its server, and may be answered otherwise. */
  #toldTo(observed: ObservedExchange): LaterAnswer['to'] {
    const { host, searchParams } = new URL(observed.url!)
    // A challenge says that nobody was known.
    const isChallenge = observed.response?.status === 401
    const personal = this.personal(isChallenge ? { ...observed, response: undefined } : observed)
    if ((personal !== undefined && personal !== 'unseen') || !this.#mayAsk(host, searchParams)) return 'somebody'
    return personal ?? 'anybody'
  }

  #saysNoindex(headers: HeaderList, at: Instant): boolean {
    return isOver(parseRobotsDirectives(fieldsOf(headers, 'x-robots-tag'), this.#options.productToken), at)
  }

  /**
   * A host that is ours, at a server that is: whoever stands on the way could answer for the one, whoever asks could name the
   * other. A port that is not the server's own names another one, unless the operator says it is ours.
   */
  #isOurs({ url, server, serverPort }: ObservedExchange): boolean {
    const { hosts, servers } = this.#options
    const { host = '', port = '' } = (url === undefined ? null : URL.parse(url)) ?? {}
    if (servers.length > 0 && !isWithin(this.#servers, server)) return false
    const isElsewhere = servers.length > 0 && port !== '' && port !== String(serverPort)
    const named = isElsewhere ? hosts.filter((name) => name.endsWith(`:${port}`)) : hosts
    return named.includes('*') || matchesHost(named, host)
  }

  #counts(client: string): boolean {
    const { readers } = this.#options
    return readers === 'both' || isWithin(this.#inside, client) === (readers === 'inside')
  }

  #isPage(headers: HeaderList): boolean {
    const type = headerOf(headers, 'content-type')
    if (isHtml(type) || (this.#options.plainText && /^\s*text\/plain\b/i.test(type ?? ''))) return true
    return this.#options.pdf && /^\s*application\/pdf\b/i.test(type ?? '')
  }

  #mayAsk(host: string, query: URLSearchParams): boolean {
    const allowed = this.#options.queries.get(host) ?? []
    return [...query.keys()].every((name) => allowed.includes(name))
  }

  /** What its operator keeps by its address alone, whatever is answered there and to whom. */
  #withheld({ host, pathname, searchParams }: URL): 'private-path' | 'query' | undefined {
    if (this.#privatePaths.some((path) => path.refuses(pathname))) return 'private-path'
    return this.#mayAsk(host, searchParams) ? undefined : 'query'
  }

  /** Without a cookie the server did not know who asked, unless by the address itself. */
  #ownOf(seen: SeenBody, url: string): PrivacyReason | undefined {
    const { request, client } = seen.observed
    const cookie = fieldsOf(request!.headers, 'cookie').join('; ')
    const { host, pathname } = new URL(url)
    const isSecret = looksSecret(pathname)
    if ((cookie === '' && !isSecret) || matchesHost(this.#options.publicHosts, host)) return undefined
    if (this.#quorum.seen(url, seen.body(), { network: clientNetwork(client), cookie })) return undefined
    return cookie === '' ? 'secret-address' : 'cookie'
  }

  /** `ends`: the page itself says from when on it is to be left out. */
  #insideOf(
    reading: ReadPage,
    headers: HeaderList,
    at: Instant,
  ): { reason?: PrivacyReason; ends?: Instant | undefined } {
    if (!isHtml(headerOf(headers, 'content-type'))) return {}
    const directives = pageDirectives(reading, headers, this.#options.productToken)
    if (isOver(directives, at)) return { reason: 'noindex' }
    return reading.asksForPassword ? { reason: 'password' } : { ends: directives.unavailableAfter }
  }

  /**
   * What a shared cache must not keep (RFC 9111 §3), and whatever says whom it was for: an answer that is itself believed, and by
   * which a page may be withdrawn (`withdrawal.ts`). Each field stands in `privacy/judged-fields.ts`.
   */
  #keptFrom(request: HeaderList, response: HeaderList): PrivacyReason | undefined {
    if (directivesOf(request, isCacheControl).has('no-store')) return 'no-store'
    const kept = keptOf(response)
    if (kept !== undefined) return kept
    if (setsCookie(response)) return 'set-cookie'
    const varies = directivesOf(response, (name) => name === 'vary')
    const isOfReader = (name: string): boolean =>
      name === '*' || name === 'cookie' || isCredentialName(name, this.#credentials)
    return [...varies].some(isOfReader) ? 'varies' : undefined
  }
}

/** Of its package: rules may be others in each. */
const gatewayVersion = (): unknown =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** What stands for the body of a page that a reader was not shown. */
const FORBIDDEN = Buffer.from('403')

const isOver = ({ noindex, unavailableAfter = Infinity }: RobotsDirectives, at: Instant): boolean =>
  noindex || unavailableAfter <= at

const setsCookie = (headers: HeaderList): boolean => SET_COOKIE.some((name) => headerOf(headers, name) !== undefined)

/** What the server says of who may keep its answer. */
function keptOf(headers: HeaderList): 'no-store' | 'private' | undefined {
  const cache = directivesOf(headers, isCacheControl)
  if (cache.has('no-store')) return 'no-store'
  return cache.has('private') ? 'private' : undefined
}

const beginsWith =
  (start: string) =>
  (path: string): boolean =>
    path.startsWith(start)

const isHtml = (type: string | undefined): boolean => /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type ?? '')
/** Words of all fields of a name, whatever stands between them: many separate them otherwise than by commas. */
function directivesOf(headers: HeaderList, isWanted: (name: string) => boolean): Set<string> {
  const values = headers.filter(([name]) => isWanted(name.toLowerCase())).map(([, value]) => value.toLowerCase())
  return new Set(values.flatMap((value) => value.split(/[^\w*-]/)))
}

const fieldsOf = (headers: HeaderList, wanted: string): string[] =>
  headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)

/** Addresses and networks of a list; names are passed over. */
function networksOf(list: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const entry of list) {
    const [address = '', bits] = entry.split('/')
    const version = isIP(address)
    if (version === 0) continue
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return networks
}

function isWithin(networks: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6')
}
