/**
 * robots.txt (RFC 9309): which of a site's pages we may visit.
 *
 * A file is a list of sections: some `User-agent` lines, then rules. All sections that name a crawler are one group
 * for it (§2.2.1), so they are kept apart here and joined when somebody asks: a file that names ten thousand crawlers
 * over ten thousand rules stays as small as it was sent.
 *
 * Of the rules that match the one with the most octets decides, `allow` before `disallow` (§2.2.2). Rules are sorted
 * so that the first match is that one.
 */
import { readRobotsText, robotsRecords } from './robots-lines.ts'
import type { RobotsRecord } from './robots-lines.ts'
import { comparablePaths, compilePattern, matchesWithin } from './robots-match.ts'
import type { PathPattern } from './robots-match.ts'
import { WorkBudget } from './work-budget.ts'

export interface Robots {
  /** The group for a crawler, by any letter case of its product token; `*` when none names it. Remembered. */
  rulesFor(productToken: string): RobotsGroup
  /** `Sitemap` lines, as written; they belong to no group (§2.2.4). */
  readonly sitemaps: readonly string[]
  /** `Metadata` lines, as written: where a site describes all its pages (000 §3.3); see `archive-list.ts`. */
  readonly metadata: readonly string[]
  /** Lines with a key we do not know, such as `Content-Usage`. */
  readonly others: readonly OtherRecord[]
  /** Bytes beyond the limit. */
  readonly ignoredBytes: number
  /** Sitemaps, metadata and other lines beyond their limits. */
  readonly ignoredLines: number
}

export interface RobotsGroup {
  /** Most specific first. */
  readonly rules: readonly RobotsRule[]
  /** The longest `Crawl-delay`; no part of the RFC, but a wish all the same. */
  readonly crawlDelaySeconds?: number
  /** Unknown lines between the group's own. */
  readonly others: readonly OtherRecord[]
  /** The same by what they cost to match. */
  readonly search: RuleSearch
}

/** Rules without a `*` are looked up, however many there are; the others are tried, most specific first. */
export interface RuleSearch {
  /** By the text that a path begins with; with `$` behind it where the path ends there, too. */
  readonly plain: ReadonlyMap<string, RobotsRule>
  /** Lengths of these texts, longest first. */
  readonly lengths: readonly number[]
  readonly wild: readonly RobotsRule[]
}

export interface RobotsRule {
  readonly allow: boolean
  /** The path as written. */
  readonly path: string
  readonly line: number
  readonly pattern: PathPattern
}

export interface OtherRecord {
  readonly line: number
  readonly name: string
  readonly value: string
}

/** `rule` and its `line` are absent when no rule matched. Not allowed then means: matching would be too much work. */
export interface RobotsDecision {
  readonly allowed: boolean
  readonly rule?: string
  readonly line?: number
}

export interface RobotsLimits {
  /** At least 500 KiB must be read (§2.5); we read just that. */
  readonly maxBytes: number
  readonly maxSitemaps: number
  readonly maxMetadata: number
  readonly maxOthers: number
  /** A longer `Crawl-delay` counts as this. */
  readonly maxCrawlDelaySeconds: number
}

export const defaultRobotsLimits: RobotsLimits = {
  maxBytes: 500 * 1024,
  maxSitemaps: 1_000,
  maxMetadata: 1_000,
  maxOthers: 1_000,
  maxCrawlDelaySeconds: 86_400,
}

interface Section {
  readonly rules: WrittenRule[]
  readonly others: OtherRecord[]
  crawlDelaySeconds?: number
}

/** Made into a rule when somebody asks for its group. */
interface WrittenRule {
  readonly allow: boolean
  /** One octet a character. */
  readonly value: string
  readonly line: number
}

/** Reads a file. Never throws: whatever cannot be read is not there. */
export function parseRobots(source: Uint8Array | string, limits: RobotsLimits = defaultRobotsLimits): Robots {
  const { octets, ignoredBytes } = readRobotsText(source, limits.maxBytes)
  const file = readSections(robotsRecords(octets), limits)
  const groups = new Map<string, RobotsGroup>()
  return {
    ignoredBytes,
    ignoredLines: file.ignoredLines,
    sitemaps: [...file.sitemaps],
    metadata: [...file.metadata],
    others: file.others,
    rulesFor(productToken) {
      const token = productToken.toLowerCase()
      const key = token !== '*' && file.sectionsOf.has(token) ? token : '*'
      const known = groups.get(key)
      if (known !== undefined) return known
      const group = joinSections(file.sectionsOf.get(key) ?? [])
      groups.set(key, group)
      return group
    },
  }
}

/** Whether a crawler may visit a URL. */
export function isAllowed(robots: Robots, productToken: string, url: string): RobotsDecision {
  return isAllowedIn(robots.rulesFor(productToken), url)
}

/** The same, for those who ask often and hold on to the group. */
export function isAllowedIn(group: RobotsGroup, url: string): RobotsDecision {
  if (group.rules.length === 0) return NO_RULE
  const paths = comparablePaths(url)
  // The file that holds the rules may always be read (§2.2.2).
  if (paths[0] === '/robots.txt') return NO_RULE
  const { plain, lengths, wild } = group.search
  const known = bestOf(paths.map((path) => plainRule(plain, lengths, path)))
  const work = WorkBudget.of('rules')
  for (const rule of wild) {
    if (known !== undefined && bySpecificity(known, rule) < 0) break
    const isMatch = paths.some((path) => matchesWithin(work, rule.pattern, path))
    if (work.isSpent) return TOO_DEAR
    if (isMatch) return decisionOf(rule)
  }
  return known === undefined ? NO_RULE : decisionOf(known)
}

const NO_RULE: RobotsDecision = { allowed: true }
/**
 * Forty thousand rules such as `*aaab` fit into a file and would take half a second for one long URL. Nobody means that. What
 * the rules say of such a URL is not known, and so it is not visited, as if the file could not be had (§2.3.1.4).
 */
const TOO_DEAR: RobotsDecision = { allowed: false }

const decisionOf = ({ allow, path, line }: RobotsRule): RobotsDecision => ({ allowed: allow, rule: path, line })

function plainRule(plain: RuleSearch['plain'], lengths: readonly number[], path: string): RobotsRule | undefined {
  const whole = plain.get(`${path}$`)
  if (whole !== undefined) return whole
  for (const length of lengths) {
    const found = length > path.length ? undefined : plain.get(path.slice(0, length))
    if (found !== undefined) return found
  }
  return undefined
}

const bestOf = (rules: readonly (RobotsRule | undefined)[]): RobotsRule | undefined =>
  rules.filter((rule) => rule !== undefined).toSorted(bySpecificity)[0]

/** The one that decides first. */
const bySpecificity = (a: RobotsRule, b: RobotsRule): number =>
  b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow) || a.line - b.line

interface RobotsFile {
  readonly sectionsOf: ReadonlyMap<string, readonly Section[]>
  readonly sitemaps: ReadonlySet<string>
  readonly metadata: ReadonlySet<string>
  readonly others: readonly OtherRecord[]
  readonly ignoredLines: number
}

function readSections(records: Iterable<RobotsRecord>, limits: RobotsLimits): RobotsFile {
  const sectionsOf = new Map<string, Section[]>()
  const sitemaps = new Set<string>()
  const metadata = new Set<string>()
  const others: OtherRecord[] = []
  let ignoredLines = 0
  let section: Section | undefined
  // Only a rule ends the list of names; a Sitemap or Crawl-delay between them does not (§2.2.4).
  let hasRules = false
  const keepOther = ({ line, name, value }: RobotsRecord): void => {
    if (others.length >= limits.maxOthers) ignoredLines++
    else {
      const other = { line, name, value: fromOctets(value) }
      others.push(other)
      section?.others.push(other)
    }
  }
  for (const record of records) {
    const { kind, value, line } = record
    if (kind === 'user-agent') {
      if (section === undefined || hasRules) section = { rules: [], others: [] }
      hasRules = false
      nameSection(sectionsOf, productTokenOf(value), section)
    } else if (kind === 'allow' || kind === 'disallow') {
      hasRules = section !== undefined
      // An empty path matches nothing; it is how `Disallow:` says that all is open.
      if (value !== '') section?.rules.push({ allow: kind === 'allow', value, line })
    } else if (kind === 'sitemap') {
      if (sitemaps.size >= limits.maxSitemaps) ignoredLines++
      else if (value !== '') sitemaps.add(fromOctets(value))
    } else if (kind === 'metadata') {
      if (metadata.size >= limits.maxMetadata) ignoredLines++
      else if (value !== '') metadata.add(fromOctets(value))
    } else if (kind === 'crawl-delay' && section !== undefined && /^(?:\d+\.?\d*|\.\d+)$/.test(value)) {
      const seconds = Math.min(Number(value), limits.maxCrawlDelaySeconds)
      section.crawlDelaySeconds = Math.max(seconds, section.crawlDelaySeconds ?? 0)
    } else keepOther(record)
  }
  return { sectionsOf, sitemaps, metadata, others, ignoredLines }
}

function nameSection(sectionsOf: Map<string, Section[]>, token: string, section: Section): void {
  const sections = sectionsOf.get(token)
  if (sections === undefined) sectionsOf.set(token, [section])
  else if (sections.at(-1) !== section) sections.push(section)
}

/** Letters, `_` and `-` (§2.2.1); what follows them, a version or another word, names nobody. `*` is everybody. */
function productTokenOf(value: string): string {
  if (value === '*' || /^\*[ \t]/.test(value)) return '*'
  return /^[A-Za-z_-]*/.exec(value)?.[0].toLowerCase() ?? ''
}

function joinSections(sections: readonly Section[]): RobotsGroup {
  const rules = compiled(sections.flatMap((section) => section.rules)).toSorted(bySpecificity)
  const others = sections.flatMap((section) => section.others)
  const delays = sections.flatMap((section) => section.crawlDelaySeconds ?? [])
  const group = { rules, others, search: searchOf(rules) }
  return delays.length === 0 ? group : { ...group, crawlDelaySeconds: Math.max(...delays) }
}

/** A rule that is written again says nothing more. */
function compiled(written: readonly WrittenRule[]): RobotsRule[] {
  const [allowed, disallowed] = [new Map<string, RobotsRule>(), new Map<string, RobotsRule>()]
  for (const { allow, value, line } of written) {
    const known = allow ? allowed : disallowed
    if (!known.has(value)) known.set(value, { allow, path: fromOctets(value), line, pattern: compilePattern(value) })
  }
  return [...allowed.values(), ...disallowed.values()]
}

/** `rules`: most specific first. */
function searchOf(rules: readonly RobotsRule[]): RuleSearch {
  const plain = new Map<string, RobotsRule>()
  const lengths = new Set<number>()
  const wild: RobotsRule[] = []
  for (const rule of rules) {
    const { parts, isAnchored } = rule.pattern
    const [text = ''] = parts
    const key = isAnchored ? `${text}$` : text
    if (parts.length > 1) wild.push(rule)
    else if (!plain.has(key)) plain.set(key, rule)
    if (parts.length === 1 && !isAnchored) lengths.add(text.length)
  }
  return { plain, lengths: [...lengths], wild }
}

function fromOctets(octets: string): string {
  if (!HIGH.test(octets)) return octets
  return Buffer.from(octets, 'latin1').toString('utf8')
}

const HIGH = /[\x80-\xff]/
