/**
 * Crawler name: who asks, by the User-Agent field, for a row of the ledger. Anybody can write anything there: it is good for
 * counting, no more. Crawlers that have proven who they are go by the host of their keys, and in a way that no User-Agent can
 * be read as.
 */
import { KNOWN_ROBOTS, NAMELESS_ROBOT, readUserAgent, robotKind } from '@comity/protocol'
import type { RobotKind } from '@comity/protocol'

export interface CrawlerName {
  readonly crawler: string
  /** Of robots, as far as they say. */
  readonly kind?: RobotKind | undefined
}

export const OTHER_CRAWLERS = 'others'
const BROWSERS = 'browsers'

/** The host, or its end when it is too long for a table: what is before could be anything. */
export function provenName(host: string): string {
  return `${host.slice(-MAX_HOST_CHARS)} (proven)`
}

/** Of one that was called. */
export function calledName(host: string): string {
  return `${host.slice(-MAX_HOST_CHARS)} (called)`
}

const MAX_HOST_CHARS = 50

/** A robot's name, `browsers`, or the first word. */
export function crawlerName(agent: string): CrawlerName {
  const read = readUserAgent(agent)
  if (read.kind === 'robot') return { crawler: read.agent.name, kind: robotKind(read.agent) }
  if (read.kind === 'browser') return { crawler: BROWSERS }
  return { crawler: /^[\w.-]{1,40}/.exec(agent.trimStart())?.[0] ?? NAMELESS_ROBOT.name }
}

/** One that gets a row however many others there are. */
export function isKnownCrawler(name: string): boolean {
  return FIXED.has(name)
}

const FIXED: ReadonlySet<string> = new Set([
  ...KNOWN_ROBOTS.map(({ name }) => name),
  OTHER_CRAWLERS,
  BROWSERS,
  NAMELESS_ROBOT.name,
])
