/**
 * What an access log says of crawlers, counted request by request: who of them ever gets a 304, what they fetch by type, and how
 * much of the traffic of each hour they are, told by robots.txt as in 000 and by who they are as in 001. Logs are read twice: who asked
 * for robots.txt at all is known after the first time only.
 *
 * Invariant: at most `MAX_REMEMBERED` addresses, files and crawlers each are remembered; what did not fit is counted.
 */
import { likelyKindOf, robotKind } from '@comity/protocol'
import type { LoggedRequest, MediaKind, RobotAgent, RobotKind } from '@comity/protocol'
import { fileKinds } from '../../experiments/servers/log-facts.ts'
import type { LogFacts, LogHour } from '../../experiments/servers/log-facts.ts'
import { sideOf } from '../site/traffic.ts'

const MAX_REMEMBERED = 300_000
/** Eleven years. */
const MAX_HOURS = 100_000
const HOUR_MS = 3_600_000

export interface RobotCount {
  readonly name: string
  readonly purpose: string
  readonly kind: RobotKind
  readonly hits: number
  readonly bytes: number
  readonly heads: number
  readonly notModified: number
}

/** Requests and bytes of one type of file; other robots are on neither side. */
export interface TypeCount {
  readonly type: MediaKind
  readonly crawlers: { readonly hits: number; readonly bytes: number }
  readonly people: { readonly hits: number; readonly bytes: number }
}

type Open<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] }

export class CrawlerShareCount {
  readonly #robots = new Set<string>()
  readonly #notModified = new Set<string>()
  readonly #robotCounts = new Map<string, Open<RobotCount>>()
  readonly #hours = new Map<number, Open<LogHour>>()
  readonly #sizes = new Map<string, number>()
  readonly #types = new Map<MediaKind, TypeCount>()
  #requests = 0
  #forgotten = 0

  /** Requests that something of could not be remembered. */
  get forgotten(): number {
    return this.#forgotten
  }

  /** The first time. */
  look({ target, address, status }: LoggedRequest): void {
    if (pathOf(target).toLowerCase() === '/robots.txt') this.#remember(this.#robots, address)
    if (status === 304) this.#remember(this.#notModified, address)
  }

  /** The second time, with who it is if it is a robot. */
  note(request: LoggedRequest, robot: RobotAgent | undefined): void {
    this.#requests++
    this.#noteHour(request, robot)
    this.#noteType(request, robot)
    if (robot !== undefined) this.#noteRobot(request, robot)
  }

  robots(): RobotCount[] {
    return [...this.#robotCounts.values()].toSorted((a, b) => b.hits - a.hits || (a.name < b.name ? -1 : 1))
  }

  types(): TypeCount[] {
    return [...this.#types.values()].toSorted((a, b) => b.crawlers.hits - a.crawlers.hits)
  }

  /** In the form that the answers to 000 are made from. */
  facts(name: string, malformed: number): LogFacts {
    const hours = [...this.#hours].toSorted((a, b) => a[0] - b[0])
    return {
      name,
      requests: this.#requests,
      malformed,
      days: new Set(hours.map(([hour]) => Math.floor(hour / 24))).size,
      crawlers: {
        addresses: this.#robots.size,
        withNotModified: [...this.#robots].filter((address) => this.#notModified.has(address)).length,
      },
      hours: hours.map(([, hour]) => hour),
      files: fileKinds(this.#sizes),
    }
  }

  #remember(set: Set<string>, address: string): void {
    if (set.size < MAX_REMEMBERED) set.add(address)
    else if (!set.has(address)) this.#forgotten++
  }

  #noteHour({ at, address }: LoggedRequest, robot: RobotAgent | undefined): void {
    const number = Math.floor(at / HOUR_MS)
    const hour = this.#hours.get(number) ?? { hits: 0, byRobots: 0, crawlers: 0 }
    if (this.#hours.size < MAX_HOURS) this.#hours.set(number, hour)
    hour.hits++
    if (this.#robots.has(address)) hour.byRobots++
    if (sideOf(robot) === 'crawlers') hour.crawlers++
  }

  #noteType({ method, target, status, bytes }: LoggedRequest, robot: RobotAgent | undefined): void {
    const path = pathOf(target)
    // An address without an ending is a page more often than anything else.
    const type = likelyKindOf(path) ?? 'page'
    const none = { hits: 0, bytes: 0 }
    const known = this.#types.get(type) ?? { type, crawlers: none, people: none }
    const side = sideOf(robot)
    if (side === 'people' || side === 'crawlers')
      this.#types.set(type, { ...known, [side]: { hits: known[side].hits + 1, bytes: known[side].bytes + bytes } })
    if (method !== 'GET' || status !== 200) return
    if (this.#sizes.size < MAX_REMEMBERED || this.#sizes.has(path))
      this.#sizes.set(path, Math.max(bytes, this.#sizes.get(path) ?? 0))
    else this.#forgotten++
  }

  #noteRobot({ method, status, bytes }: LoggedRequest, { name, purpose }: RobotAgent): void {
    const kind = robotKind({ purpose })
    const known = this.#robotCounts.get(name) ?? { name, purpose, kind, hits: 0, bytes: 0, heads: 0, notModified: 0 }
    if (this.#robotCounts.size < MAX_REMEMBERED) this.#robotCounts.set(name, known)
    known.hits++
    known.bytes += bytes
    if (method === 'HEAD') known.heads++
    if (status === 304) known.notModified++
  }
}

const pathOf = (target: string): string => target.split('?', 1)[0]!
