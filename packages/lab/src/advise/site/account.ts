/**
 * The account of each crawler; feed readers, previews and tools use no scheme that tells of pages, and are only counted: what it fetched for the first time, what it fetched again because it had changed, and what it
 * fetched again for nothing (000 §4.1: of R requests for a page that changed C times, R − (C + 1) are needless).
 *
 * Invariant: at most `MAX_CRAWLERS` accounts, and `MAX_HELD` pages held by all crawlers together. Fetches of a page that there
 * was no room for count as first ones, so that what is said to be needless never is too much.
 */
import { likelyKindOf, robotKind } from '@comity/protocol'
import type { RobotAgent, RobotPurpose, Instant, LoggedRequest, MediaKind } from '@comity/protocol'
import { ChangeCount } from './changes.ts'
import type { Evidence } from './changes.ts'
import type { SiteKnowledge } from './knowledge.ts'
import { TrafficCount } from './traffic.ts'
import type { SiteTraffic } from './traffic.ts'
import type { VisitorCount } from './visitors.ts'

/** `bytes` as they were sent; `plain` without packing, where the file is known; `text` of it is what packing is good for. */
export interface Fetches {
  readonly count: number
  readonly bytes: number
  readonly plain: number
  readonly text: number
}

export interface CrawlerAccount {
  readonly name: string
  readonly purpose: RobotPurpose
  readonly requests: number
  readonly bytes: number
  /** Pages that came for the first time, that had changed, and that had not; and 304 answers. */
  readonly first: Fetches
  readonly changed: Fetches
  readonly needless: Fetches
  readonly notModified: Fetches
  /** robots.txt, errors, redirects, parts: what no scheme here changes. */
  readonly other: Fetches
  /** Stretches of time (`pollHours`) in which it came at all. */
  readonly polls: number
  readonly from: Instant
  readonly until: Instant
  /** Changes of all pages of the site while it came. */
  readonly told: number
  /** Of pages that it holds: changes after it first had them, and pages changed in each stretch. */
  readonly pushed: Fetches
  readonly batched: Fetches
  /** Stretches in which any page that it holds changed. */
  readonly busy: number
}

export interface SiteAccounts {
  /** By requests, the most first. */
  readonly crawlers: readonly CrawlerAccount[]
  readonly traffic: SiteTraffic
  /** Pages that somebody got, and the bytes of each once, and of texts among them. */
  readonly pages: number
  readonly pageBytes: number
  readonly textPages: number
  readonly textBytes: number
  readonly changes: number
  readonly evidence: Readonly<Record<Evidence, number>>
  /** Fetches of pages, and changes, that there was no room for. */
  readonly untracked: number
}

interface AccountRules {
  readonly pollHours: number
}

const MAX_CRAWLERS = 300
const OTHERS: RobotAgent = { name: 'all others', purpose: 'crawl', source: 'more names than are kept apart' }
const MAX_HELD = 1_000_000
const MAX_PAGES = 500_000
const HOUR_MS = 3_600_000

interface Held {
  firstAt: Instant
  at: Instant
  bytes: number | undefined
}

type Tally = { -readonly [Key in keyof Fetches]: Fetches[Key] }
const tally = (): Tally => ({ count: 0, bytes: 0, plain: 0, text: 0 })

interface Account {
  readonly agent: RobotAgent
  readonly held: Map<string, Held>
  readonly periods: Set<number>
  requests: number
  bytes: number
  from: Instant
  until: Instant
  readonly first: Tally
  readonly changed: Tally
  readonly needless: Tally
  readonly notModified: Tally
  readonly other: Tally
}

export class AccountCount {
  readonly #visitors: VisitorCount
  readonly #site: SiteKnowledge | undefined
  readonly #periodMs: number
  readonly #changes: ChangeCount
  readonly #traffic = new TrafficCount()
  readonly #accounts = new Map<string, Account>()
  readonly #sizes = new Map<string, number>()
  readonly #evidence: Record<Evidence, number> = { journal: 0, mtime: 0, bytes: 0 }
  #held = 0
  #untracked = 0
  /** Of the first and the last request of anybody. */
  #from = Infinity
  #until = -Infinity

  constructor(visitors: VisitorCount, site: SiteKnowledge | undefined, { pollHours }: AccountRules) {
    this.#visitors = visitors
    this.#site = site
    this.#periodMs = pollHours * HOUR_MS
    this.#changes = new ChangeCount(site)
  }

  /** In the order of time. */
  note(request: LoggedRequest): void {
    const agent = this.#visitors.robotOf(request)
    this.#traffic.note(request, agent)
    this.#from = Math.min(this.#from, request.at)
    this.#until = Math.max(this.#until, request.at)
    const path = pathOf(request.target)
    if (request.status === 200) this.#size(path, request.bytes)
    if (agent === undefined || robotKind(agent) !== 'crawler') return
    const account = this.#accountOf(agent)
    account.requests++
    account.bytes += request.bytes
    account.from = Math.min(account.from, request.at)
    account.until = Math.max(account.until, request.at)
    const isFetch = request.method === 'GET' && (request.status === 200 || request.status === 304)
    if (!isFetch || path === '/robots.txt') return add(account.other, path, request.bytes, request.bytes)
    account.periods.add(Math.floor(request.at / this.#periodMs))
    this.#fetch(account, path, request)
  }

  #fetch(account: Account, path: string, { at, status, bytes: sent }: LoggedRequest): void {
    const plain = this.#site?.page(path)?.bytes ?? sent
    const bytes = status === 304 ? undefined : sent
    const held = account.held.get(path)
    if (held === undefined) {
      // Whoever gets a 304 has had the page since before the log began.
      add(status === 304 ? account.notModified : account.first, path, sent, plain)
      if (this.#held < MAX_HELD) {
        this.#held++
        account.held.set(path, { firstAt: at, at, bytes })
      } else this.#untracked++
      return
    }
    const { hasChanged, by } = this.#changes.between(path, held, { at, bytes })
    this.#evidence[by]++
    add(status === 304 ? account.notModified : hasChanged ? account.changed : account.needless, path, sent, plain)
    held.at = at
    // What a 304 stands for is what came before it.
    held.bytes = bytes ?? held.bytes
  }

  accounts(): SiteAccounts {
    const instants = [...this.#sizes.keys()].flatMap((path) => this.#changesOf(path)).toSorted((a, b) => a - b)
    const texts = [...this.#sizes].filter(([path]) => isText(path))
    const crawlers = [...this.#accounts.values()].map((account) => this.#closed(account, instants))
    return {
      crawlers: crawlers.toSorted((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1)),
      traffic: this.#traffic.traffic(),
      pages: this.#sizes.size,
      pageBytes: [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
      textPages: texts.length,
      textBytes: texts.reduce((sum, [, bytes]) => sum + bytes, 0),
      changes: instants.length,
      evidence: { ...this.#evidence },
      untracked: this.#untracked + this.#changes.forgotten,
    }
  }

  #closed(account: Account, instants: readonly Instant[]): CrawlerAccount {
    const { agent, held, periods, ...counts } = account
    const [pushed, batched, busy] = [tally(), tally(), new Set<number>()]
    for (const [path, { firstAt }] of held) {
      const after = this.#changesOf(path).filter((at) => at > firstAt)
      const plain = this.#site?.page(path)?.bytes ?? this.#sizes.get(path) ?? 0
      for (const _ of after) add(pushed, path, plain, plain)
      const when = new Set(after.map((at) => Math.floor(at / this.#periodMs)))
      for (const period of when) {
        busy.add(period)
        add(batched, path, plain, plain)
      }
    }
    const { from, until } = account
    const told = instants.filter((at) => at > from && at <= until).length
    return {
      ...counts,
      name: agent.name,
      purpose: agent.purpose,
      polls: periods.size,
      told,
      pushed,
      batched,
      busy: busy.size,
    }
  }

  /** Within the time of the log; a journal goes on. */
  #changesOf(path: string): readonly Instant[] {
    return this.#changes.of(path).filter((at) => at >= this.#from && at <= this.#until)
  }

  #accountOf(agent: RobotAgent): Account {
    const known = this.#accounts.get(agent.name)
    if (known !== undefined) return known
    if (agent !== OTHERS && this.#accounts.size >= MAX_CRAWLERS) return this.#accountOf(OTHERS)
    const account: Account = {
      agent,
      held: new Map(),
      periods: new Set(),
      requests: 0,
      bytes: 0,
      from: Infinity,
      until: -Infinity,
      first: tally(),
      changed: tally(),
      needless: tally(),
      notModified: tally(),
      other: tally(),
    }
    this.#accounts.set(agent.name, account)
    return account
  }

  #size(path: string, bytes: number): void {
    const known = this.#sizes.get(path)
    if (known !== undefined || this.#sizes.size < MAX_PAGES) this.#sizes.set(path, Math.max(bytes, known ?? 0))
  }
}

function add(to: Tally, path: string, bytes: number, plain: number): void {
  to.count++
  to.bytes += bytes
  to.plain += plain
  if (isText(path)) to.text += plain
}

const PACKED: ReadonlySet<MediaKind> = new Set(['page', 'style', 'script', 'feed', 'text', 'data'])

/** By its ending; pictures and archives are packed already. */
const isText = (path: string): boolean => PACKED.has(likelyKindOf(path) ?? 'page')

/** A proxy's form has the whole address; what follows `#` is nobody's business but the client's. */
function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? target)
  return path.split('#', 1)[0]!.slice(0, MAX_PATH)
}

const MAX_PATH = 2_000
