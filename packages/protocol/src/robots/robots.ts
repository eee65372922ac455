/**
 * robots.txt (RFC 9309): which of a site's pages we may visit.
 *
 * A file is a list of sections: some `User-agent` lines, then rules. All sections that name a crawler are one group
 * for it (§2.2.1), so they are kept apart here and joined when somebody asks: a file that names ten thousand crawlers
 * over ten thousand rules stays as small as it was sent. Which of a group's rules decides stands in `robots/rules.ts`.
 *
 * Only names and rules make sections; other records must not interfere with them (§2.2.4). So names above and below a
 * `Crawl-delay` share the rules that follow, while the delay is asked of the names right above it alone. Hence a name has
 * two numbers: that of its section, for rules, and that of its run, for all other records of a group.
 */
import { urlSpellings } from '../url/canonical-path.ts'
import { isBlank, lowerCase, readRobotsText, RobotsLineReader } from './robots-lines.ts'
import { comparablePaths } from './match.ts'
import { fromOctets, packRules, RobotsRules, WRITTEN_WORDS } from './rules.ts'
import type { PackedRules, RobotsDecision } from './rules.ts'
import { WorkBudget } from '../work-budget.ts'

export interface Robots {
  /** The group for a crawler, by any letter case of its product token; `*` when none names it. Remembered. */
  rulesFor(productToken: string): RobotsGroup
  /** `Sitemap` lines, as written; they belong to no group (§2.2.4). */
  readonly sitemaps: readonly string[]
  /** `Metadata` lines, as written: where a site describes all its pages (000 §3.3); see `metadata-archive/list.ts`. */
  readonly metadata: readonly string[]
  /** Lines with a key we do not know, such as `Content-Usage`. */
  readonly others: readonly OtherRecord[]
  /** How much was read. */
  readonly bytes: number
  /** Bytes beyond the limit. */
  readonly ignoredBytes: number
  /** Sitemaps, metadata and other lines beyond their limits. */
  readonly ignoredLines: number
}

export interface RobotsGroup {
  readonly rules: RobotsRules
  /** The longest `Crawl-delay`; no part of the RFC, but a wish all the same. */
  readonly crawlDelaySeconds?: number
  /** Unknown lines below the group's names. */
  readonly others: readonly OtherRecord[]
}

interface OtherRecord {
  readonly line: number
  readonly name: string
  readonly value: string
}

interface RobotsLimits {
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

/** Reads a file. Never throws: whatever cannot be read is not there. */
export function parseRobots(source: Uint8Array | string, limits: RobotsLimits = defaultRobotsLimits): Robots {
  const { octets, ignoredBytes } = readRobotsText(source, limits.maxBytes)
  const file = readSections(octets, limits)
  const groups = new Map<string, RobotsGroup>()
  return {
    ...saidIn(file, ignoredBytes),
    rulesFor(productToken) {
      const { key, ...named } = namedFor(file, productToken.toLowerCase())
      const known = groups.get(key) ?? groupOf(groupFor(file, named))
      groups.set(key, known)
      return known
    },
  }
}

/** What a file says to one crawler, in a form that can change threads. */
export interface PackedRobots extends Omit<Robots, 'rulesFor'> {
  readonly group: PackedGroup
}

interface PackedGroup extends Omit<RobotsGroup, 'rules'> {
  readonly rules: PackedRules
}

/** The same, in another thread than those who ask. */
export function packRobots(source: Uint8Array | string, productToken: string): PackedRobots {
  const { octets, ignoredBytes } = readRobotsText(source, defaultRobotsLimits.maxBytes)
  const file = readSections(octets, defaultRobotsLimits)
  return { ...saidIn(file, ignoredBytes), group: groupFor(file, namedFor(file, productToken.toLowerCase())) }
}

/** For the crawler that it was packed for; whoever asks, the rules are that one's. */
export function openRobots({ group, ...said }: PackedRobots): Robots {
  const opened = groupOf(group)
  return { ...said, rulesFor: () => opened }
}

const groupOf = (packed: PackedGroup): RobotsGroup => ({ ...packed, rules: new RobotsRules(packed.rules) })

const saidIn = (file: RobotsFile, ignoredBytes: number): Omit<Robots, 'rulesFor'> => ({
  ignoredBytes,
  bytes: file.octets.length,
  ignoredLines: file.ignoredLines,
  sitemaps: [...file.sitemaps],
  metadata: [...file.metadata],
  others: file.others.map(({ other }) => other),
})

/** Whether a crawler may visit a URL. */
export function isAllowed(robots: Robots, productToken: string, url: string): RobotsDecision {
  return isAllowedIn(robots.rulesFor(productToken), url)
}

/** The same, for those who ask often and hold on to the group. */
export function isAllowedIn({ rules }: RobotsGroup, url: string, work?: WorkBudget): RobotsDecision {
  if (rules.isEmpty) return NO_RULE
  const paths = comparablePaths(url)
  // The file that holds the rules may always be read (§2.2.2).
  return paths[0] === '/robots.txt' ? NO_RULE : rules.decide(paths, work)
}

/**
 * The same by whoever must not come by what is disallowed, however it is written: by the letter `//secret/x` and `/secret%2Fx`
 * are other paths than `/secret/x`, and yet servers answer with that page. So the URL as it was written has to be allowed, and
 * every other spelling of it that may lead to the same page (`url/canonical-path.ts`). All of them share one budget.
 */
export function isAllowedInEverySpelling(group: RobotsGroup, url: string): RobotsDecision {
  if (group.rules.isEmpty) return NO_RULE
  const work = WorkBudget.of('rules')
  const [written, ...others] = urlSpellings(url)
  const decision = isAllowedIn(group, written!, work)
  if (!decision.allowed) return decision
  for (const other of others) {
    const said = isAllowedIn(group, other, work)
    if (!said.allowed) return said
  }
  return decision
}

const NO_RULE: RobotsDecision = { allowed: true }

/** Sections have numbers; what stands before the first belongs to none. */
interface RobotsFile {
  readonly octets: Uint8Array
  /** `User-agent` lines: the section, the run, and where its name stands. */
  readonly names: Uint32Array
  /** As `WrittenRules` has them. */
  readonly rules: Uint32Array
  /** By run. */
  readonly delays: ReadonlyMap<number, number>
  readonly others: readonly { readonly run: number; readonly other: OtherRecord }[]
  readonly sitemaps: ReadonlySet<string>
  readonly metadata: ReadonlySet<string>
  readonly ignoredLines: number
}

const NAME_WORDS = 4
const NO_SECTION = 0

function readSections(octets: Uint8Array, limits: RobotsLimits): RobotsFile {
  const [names, rules] = [new Rows(), new Rows()]
  const delays = new Map<number, number>()
  const others: RobotsFile['others'][number][] = []
  const [sitemaps, metadata] = [new Set<string>(), new Set<string>()]
  let ignoredLines = 0
  // Only a rule ends the names of a section; a record of whatever group ends their run.
  let [section, hasRules] = [NO_SECTION, true]
  let [run, hasRecords] = [NO_SECTION, true]
  const lines = new RobotsLineReader(octets)
  const keepOther = (): void => {
    if (others.length >= limits.maxOthers) ignoredLines++
    else others.push({ run, other: { line: lines.line, name: lines.name, value: fromOctets(lines.value) } })
  }
  while (lines.next()) {
    const { kind, valueFrom, valueTo, line } = lines
    const isEmpty = valueFrom === valueTo
    if (kind === 'user-agent') {
      if (hasRules) section++
      if (hasRecords) run++
      hasRules = hasRecords = false
      names.addName(section, run, valueFrom, valueTo)
    } else if (kind === 'allow' || kind === 'disallow') {
      hasRules = hasRecords = true
      // An empty path matches nothing; it is how `Disallow:` says that all is open.
      if (!isEmpty && section !== NO_SECTION) rules.addRule(section, kind === 'allow' ? 1 : 0, valueFrom, valueTo, line)
    } else if (kind === 'sitemap') {
      if (sitemaps.size >= limits.maxSitemaps) ignoredLines++
      else if (!isEmpty) sitemaps.add(fromOctets(lines.value))
    } else if (kind === 'metadata') {
      if (metadata.size >= limits.maxMetadata) ignoredLines++
      else if (!isEmpty) metadata.add(fromOctets(lines.value))
    } else if (kind === 'crawl-delay' && run !== NO_SECTION && /^(?:\d+\.?\d*|\.\d+)$/.test(lines.value)) {
      hasRecords = true
      const seconds = Math.min(Number(lines.value), limits.maxCrawlDelaySeconds)
      delays.set(run, Math.max(seconds, delays.get(run) ?? 0))
    } else {
      if (kind !== 'site-wide') hasRecords = true
      keepOther()
    }
  }
  return { octets, names: names.all, rules: rules.all, delays, others, sitemaps, metadata, ignoredLines }
}

/** Rows of numbers, one behind the other. */
class Rows {
  #numbers = new Uint32Array(80)
  #length = 0

  get all(): Uint32Array {
    return this.#numbers.slice(0, this.#length)
  }

  addName(section: number, run: number, from: number, to: number): void {
    this.#reserve(NAME_WORDS)
    const at = this.#length
    this.#numbers[at] = section
    this.#numbers[at + 1] = run
    this.#numbers[at + 2] = from
    this.#numbers[at + 3] = to
    this.#length += NAME_WORDS
  }

  addRule(section: number, allow: number, from: number, to: number, line: number): void {
    this.#reserve(WRITTEN_WORDS)
    const at = this.#length
    this.#numbers[at] = section
    this.#numbers[at + 1] = allow
    this.#numbers[at + 2] = from
    this.#numbers[at + 3] = to
    this.#numbers[at + 4] = line
    this.#length += WRITTEN_WORDS
  }

  #reserve(words: number): void {
    if (this.#length + words <= this.#numbers.length) return
    const more = new Uint32Array(2 * this.#numbers.length)
    more.set(this.#numbers)
    this.#numbers = more
  }
}

interface Named {
  readonly sections: ReadonlySet<number>
  readonly runs: ReadonlySet<number>
}

/** What names a crawler, or else everybody; `token` in lower case. */
function namedFor(file: RobotsFile, token: string): Named & { readonly key: string } {
  const own = namedIn(file, token)
  return own.sections.size > 0 ? { key: token, ...own } : { key: '*', ...namedIn(file, '*') }
}

function namedIn({ octets, names }: RobotsFile, token: string): Named {
  const [sections, runs] = [new Set<number>(), new Set<number>()]
  for (let at = 0; at < names.length; at += NAME_WORDS) {
    if (!isNamed(octets, names[at + 2]!, names[at + 3]!, token)) continue
    sections.add(names[at]!)
    runs.add(names[at + 1]!)
  }
  return { sections, runs }
}

/** A name is letters, `_` and `-` (§2.2.1); what follows them, a version or another word, names nobody. `*` is everybody. */
function isNamed(octets: Uint8Array, from: number, to: number, token: string): boolean {
  const isEverybody = octets[from] === STAR && from < to && (from + 1 === to || isBlank(octets[from + 1]!))
  if (isEverybody || token === '*') return isEverybody && token === '*'
  let at = from
  for (; at < to && isNameOctet(octets[at]!); at++)
    if (lowerCase(octets[at]!) !== token.charCodeAt(at - from)) return false
  return at - from === token.length
}

const STAR = 0x2a

function isNameOctet(octet: number): boolean {
  const lower = lowerCase(octet)
  return (lower >= 0x61 && lower <= 0x7a) || octet === 0x2d || octet === 0x5f
}

function groupFor({ octets, rules, delays, others }: RobotsFile, { sections, runs }: Named): PackedGroup {
  const own = [...delays].flatMap(([run, seconds]) => (runs.has(run) ? [seconds] : []))
  return {
    rules: packRules({ octets, rows: rules }, sections),
    others: others.flatMap(({ run, other }) => (runs.has(run) ? [other] : [])),
    ...(own.length === 0 ? {} : { crawlDelaySeconds: own.reduce((a, b) => Math.max(a, b)) }),
  }
}
