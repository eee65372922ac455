/**
 * Scope: may this URL be fetched at all? A pure function from a URL and how it was found to a reason, or none. A pattern
 * leaves a page out that it matches in any spelling of its path, and takes one in by the canonical form.
 *
 * A page that is excluded is remembered with its reason, so that links to it count and a wider scope can take it in later.
 */
import {
  globPieces,
  hostOf,
  matchesGlob,
  registrableDomain,
  sideEffectOf,
  siteOf,
  trapOf,
  urlSpellings,
  withAllBelow,
  withCanonicalPath,
  textOf,
} from '@comity/protocol'
import { FrontierError } from '../errors.ts'
import type { ExclusionReason } from './exclusion-reasons.ts'

/** `host`: the start pages' sites; `domain`: their registrable domains; `prefix`: below the start pages' folders. */
export type ScopeKind = 'host' | 'domain' | 'prefix' | 'any'
export const SCOPE_KINDS: readonly ScopeKind[] = ['host', 'domain', 'prefix', 'any']

/** How a URL was found. */
export interface ScopeFacts {
  readonly depth: number
  /** Listed by the site itself, in a sitemap or as a start page: programs and calendars are then meant to be fetched. */
  readonly listed: boolean
}

export interface ScopeOptions {
  readonly kind: ScopeKind
  readonly seeds: readonly string[]
  /** Globs (`*` any run of characters) or /regular expressions/ over the whole URL. When given, one must match. */
  readonly include: readonly string[]
  /** The same; a glob that ends with a folder's slash means all that is below it. */
  readonly exclude: readonly string[]
  /** Hosts never to be visited, with all their subdomains. */
  readonly doNotCrawl: readonly string[]
  /** Clicks from a start page; may differ from site to site. */
  readonly maxDepthOf: (url: string) => number
  /** Leave URLs alone that look like programs or side effects (003 §5.1). */
  readonly avoidSideEffects: boolean
  /** The current year, which tells a calendar's past from its endless future. */
  readonly year: number
}

export type Scope = (url: string, found: ScopeFacts) => ExclusionReason | undefined

export function createScope(options: ScopeOptions): Scope {
  const reaches = reachOf(options.kind, options.seeds)
  const include = options.include.map(scopePattern)
  const exclude = options.exclude.map((pattern) => scopePattern(isRegex(pattern) ? pattern : withAllBelow(pattern)))
  const banned = new Set(options.doNotCrawl.map((host) => host.toLowerCase()))
  return (url, { depth, listed }) => {
    if (banned.size > 0 && isBanned(hostOf(url), banned)) return 'do-not-crawl'
    if (!reaches(url)) return 'scope'
    if (include.length > 0 && !isMatched(withCanonicalPath(url), include)) return 'excluded'
    if (exclude.length > 0 && urlSpellings(url).some((spelling) => isMatched(spelling, exclude))) return 'excluded'
    if (depth > options.maxDepthOf(url)) return 'depth'
    if (trapOf(url) !== undefined) return 'trap'
    if (options.avoidSideEffects && !listed && sideEffectOf(url, options.year) !== undefined) return 'side-effect'
    return undefined
  }
}

const isMatched = (url: string, patterns: readonly ((url: string) => boolean)[]): boolean =>
  patterns.some((matches) => matches(url))

function reachOf(kind: ScopeKind, seeds: readonly string[]): (url: string) => boolean {
  if (kind === 'any') return () => true
  if (kind === 'prefix') {
    const folders = seeds.map((seed) => withCanonicalPath(seed.replace(/[?].*$/, '').replace(/[^/]*$/, '')))
    return (given) => {
      const url = withCanonicalPath(given)
      return folders.some((folder) => url.startsWith(folder))
    }
  }
  const nameOf = kind === 'host' ? siteOf : (url: string): string => registrableDomain(hostOf(url))
  const names = new Set(seeds.map(nameOf))
  return (url) => names.has(nameOf(url))
}

function isBanned(host: string, banned: ReadonlySet<string>): boolean {
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    if (banned.has(name)) return true
    if (!name.includes('.')) return false
  }
}

const REGEX = /^\/(.*)\/(i?)$/
const isRegex = (pattern: string): boolean => REGEX.test(pattern)

/** A glob or a /regular expression/ as a test over whole URLs. */
export function scopePattern(pattern: string): (url: string) => boolean {
  const regex = REGEX.exec(pattern)
  if (regex === null) {
    const pieces = globPieces(pattern)
    return (url) => matchesGlob(pieces, url)
  }
  try {
    const compiled = new RegExp(regex[1]!, regex[2])
    return (url) => compiled.test(url)
  } catch (cause) {
    throw new FrontierError(
      'SCOPE_INVALID',
      `The pattern ${pattern} is not a regular expression (${textOf(cause)}). ` +
        'Write a glob such as */manual/* or a /regular expression/ between slashes.',
      { cause },
    )
  }
}
