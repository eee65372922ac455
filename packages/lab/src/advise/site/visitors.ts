/**
 * Who of a site's visitors is a crawler: by the name in the User-Agent field, and of those that pass for browsers by what they
 * do. Asking for robots.txt is what only robots do (000 §4.1 knows them by that); taking many pages without a single picture,
 * style or script, and without ever having come from a page, is what no browser does.
 *
 * Invariant: at most `MAX_VISITORS` are remembered. Of those beyond only the name decides, and they are counted.
 */
import { likelyKindOf, readCrawlerAgent } from '@comity/protocol'
import type { CrawlerAgent, LoggedRequest } from '@comity/protocol'

/** Addresses and agents together; a browser behind a shared address is told from a robot there. */
const MAX_VISITORS = 300_000
const MAX_AGENTS = 100_000

interface Visitor {
  pages: number
  others: number
  isReferred: boolean
  isRobot: boolean
}

interface VisitorRules {
  /** Pages without anything around them, from which on a visitor is a crawler. */
  readonly unnamedPages: number
}

const BY_ROBOTS: CrawlerAgent = {
  name: 'unnamed, asked for robots.txt',
  purpose: 'program',
  source: 'its requests',
}
const BY_BEHAVIOUR: CrawlerAgent = {
  name: 'unnamed, took pages only',
  purpose: 'program',
  source: 'its requests',
}

export class VisitorCount {
  readonly #rules: VisitorRules
  readonly #agents = new Map<string, { readonly id: number; readonly crawler: CrawlerAgent | undefined }>()
  readonly #visitors = new Map<string, Visitor>()
  #unremembered = 0

  constructor(rules: VisitorRules) {
    this.#rules = rules
  }

  /** Requests of visitors that there was no room to remember. */
  get unremembered(): number {
    return this.#unremembered
  }

  get size(): number {
    return this.#visitors.size
  }

  note(request: LoggedRequest): void {
    const { id, crawler } = this.#agentOf(request)
    if (crawler !== undefined) return
    const visitor = this.#visitorOf(`${request.address} ${id}`)
    if (visitor === undefined) return
    const path = request.target.split('?', 1)[0]!
    if (path === '/robots.txt') visitor.isRobot = true
    else if (isPage(path)) visitor.pages++
    else visitor.others++
    visitor.isReferred ||= request.referrer !== undefined
  }

  /** Undefined for people. All requests have been noted before. */
  crawlerOf(request: LoggedRequest): CrawlerAgent | undefined {
    const { id, crawler } = this.#agentOf(request)
    if (crawler !== undefined) return crawler
    const visitor = this.#visitors.get(`${request.address} ${id}`)
    if (visitor === undefined) return undefined
    if (visitor.isRobot) return BY_ROBOTS
    const { pages, others, isReferred } = visitor
    return pages >= this.#rules.unnamedPages && others === 0 && !isReferred ? BY_BEHAVIOUR : undefined
  }

  #agentOf({ agent = '' }: LoggedRequest): { readonly id: number; readonly crawler: CrawlerAgent | undefined } {
    const known = this.#agents.get(agent)
    if (known !== undefined) return known
    const read = readCrawlerAgent(agent)
    const made = { id: this.#agents.size, crawler: read.kind === 'crawler' ? read.agent : undefined }
    if (this.#agents.size < MAX_AGENTS) this.#agents.set(agent, made)
    return made
  }

  #visitorOf(key: string): Visitor | undefined {
    const known = this.#visitors.get(key)
    if (known !== undefined) return known
    if (this.#visitors.size >= MAX_VISITORS) {
      this.#unremembered++
      return undefined
    }
    const visitor = { pages: 0, others: 0, isReferred: false, isRobot: false }
    this.#visitors.set(key, visitor)
    return visitor
  }
}

/** An address without an ending is a page more often than anything else. */
export const isPage = (path: string): boolean => (likelyKindOf(path) ?? 'page') === 'page'
