/**
 * Who of a site's visitors is a robot, and of what kind: by the name in the User-Agent field, and of those that pass for browsers by
 * what they do. Asking for robots.txt is what only robots do (000 §4.1 knows them by that); taking many pages without a single picture,
 * style or script, and without ever having come from a page, is what no browser does.
 *
 * Invariant: at most `MAX_VISITORS` are remembered. Of those beyond only the name decides, and they are counted.
 */
import { likelyKindOf, NAMELESS_ROBOT, readUserAgent } from '@comity/protocol'
import type { RobotAgent, LoggedRequest } from '@comity/protocol'

/** Addresses and agents together; a browser behind a shared address is told from a robot there. */
const MAX_VISITORS = 300_000
const MAX_AGENTS = 100_000

interface Visitor {
  pages: number
  others: number
  isReferred: boolean
  isRobot: boolean
}

/** Never in a field: no line of a log has a line’s end in it. */
const NOT_LOGGED = '\n'

interface VisitorRules {
  /** Pages without anything around them, from which on a visitor is a crawler. */
  readonly unnamedPages: number
}

const BY_ROBOTS: RobotAgent = {
  name: 'unnamed, asked for robots.txt',
  purpose: 'crawl',
  source: 'its requests',
}
const BY_BEHAVIOUR: RobotAgent = {
  name: 'unnamed, took pages only',
  purpose: 'crawl',
  source: 'its requests',
}

export class VisitorCount {
  readonly #rules: VisitorRules
  readonly #agents = new Map<string, { readonly id: number; readonly robot: RobotAgent | undefined }>()
  readonly #visitors = new Map<string, Visitor>()
  #unremembered = 0
  /** Some logs keep nobody's name: then a field that is empty says nothing. */
  #hasNames = false

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
    this.#hasNames ||= request.agent !== undefined && request.agent !== ''
    const { id, robot } = this.#agentOf(request)
    if (robot !== undefined && robot !== NAMELESS_ROBOT) return
    const visitor = this.#visitorOf(`${request.address} ${id}`)
    if (visitor === undefined) return
    const path = request.target.split('?', 1)[0]!
    if (path === '/robots.txt') visitor.isRobot = true
    else if (isPage(path)) visitor.pages++
    else visitor.others++
    visitor.isReferred ||= request.referrer !== undefined
  }

  /** Undefined for people. All requests have been noted before. */
  robotOf(request: LoggedRequest): RobotAgent | undefined {
    const { id, robot } = this.#agentOf(request)
    if (robot !== undefined && robot !== NAMELESS_ROBOT) return robot
    const visitor = this.#visitors.get(`${request.address} ${id}`)
    const otherwise = this.#hasNames ? robot : undefined
    if (visitor === undefined) return otherwise
    if (visitor.isRobot) return BY_ROBOTS
    const { pages, others, isReferred } = visitor
    return pages >= this.#rules.unnamedPages && others === 0 && !isReferred ? BY_BEHAVIOUR : otherwise
  }

  /** A log in common format has no such field, and so tells nothing by it. */
  #agentOf({ agent = NOT_LOGGED }: LoggedRequest): { readonly id: number; readonly robot: RobotAgent | undefined } {
    const known = this.#agents.get(agent)
    if (known !== undefined) return known
    const read = agent === NOT_LOGGED ? undefined : readUserAgent(agent)
    const made = { id: this.#agents.size, robot: read?.kind === 'robot' ? read.agent : undefined }
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
