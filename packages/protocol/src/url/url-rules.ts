/**
 * URL rules: which parts of a query or path say who is looking rather than what is looked at.
 *
 * Tracking parameters and session ids give one page a thousand names. What nobody uses for anything else is dropped everywhere
 * (`session-ids.ts`); of the rest only who knows a site can say it, so it is a setting for that site.
 */
import { normalizePercentEncoding } from './percent-encoding.ts'
import { SESSION_IDS, SESSION_IN_PATH } from './session-ids.ts'
import type { UrlRulesVersion } from './session-ids.ts'
import { matchesSite } from './site.ts'
import type { SitePattern } from './site.ts'

export interface UrlRules {
  /** Which names are session ids. */
  readonly version: UrlRulesVersion
  /** Names of query parameters to drop, in any letter case; a trailing `*` makes the name a prefix. */
  readonly dropParameters: readonly string[]
  /** Drop session ids from query and path: `PHPSESSID=…`, `;jsessionid=…`, `/(S(…))/`. */
  readonly dropSessionIds: boolean
  /** A canonical URL longer than this is no URL to us. */
  readonly maxLength: number
  /** What differs for some sites; the first entry that matches counts. */
  readonly sites: readonly SiteUrlRules[]
}

/** Of the pages of one site. */
export interface SiteUrlRules extends SitePattern {
  /** Besides those that are dropped everywhere. */
  readonly dropParameters?: readonly string[]
  /** Query parameters that stay, whatever else is said of them. */
  readonly keepParameters?: readonly string[]
  readonly dropSessionIds?: boolean
}

export const defaultUrlRules: UrlRules = {
  version: 3,
  // Each is set by a mail or advertising system on links that lead to the same page without it.
  dropParameters: [
    'utm_*', // Urchin, Google Analytics and everybody since
    'gclid', // Google Ads, with its successors for apps
    'gclsrc',
    'gbraid',
    'wbraid',
    'dclid', // Google Display
    'fbclid', // Facebook
    'msclkid', // Microsoft Advertising
    'twclid', // X
    'ttclid', // TikTok
    'li_fat_id', // LinkedIn
    'igshid', // Instagram
    'yclid', // Yandex
    'ysclid',
    '_openstat',
    'mc_cid', // Mailchimp
    'mc_eid',
    'mkt_tok', // Marketo
    '_hsenc', // HubSpot
    '_hsmi',
    '__hs*',
    'vero_id', // Vero
    '_ga', // Google Analytics across domains
    '_gl',
  ],
  dropSessionIds: true,
  // RFC 9110 §4.1 asks everybody to take at least 8,000 octets. What is too long to be worth a visit is decided later.
  maxLength: 8_000,
  sites: [],
}

/** Those of collections from before rules were kept with them: should the list above change, theirs does not. */
export const firstUrlRules: UrlRules = { ...defaultUrlRules, version: 1 }

/** `query` (without its `?`) less the parameters that are dropped at `site`; the very same text when there are none. */
export function keptQuery(query: string, rules: UrlRules, site: string): string {
  const filter = filterFor(rules, site)
  const { suspects, drops, keeps, sessions, pair } = filter
  if (!suspects.test(query)) return query
  const ids = pair?.every((name) => name.test(query)) === true ? filter.sessionsAndPair : sessions
  const kept: string[] = []
  for (const parameter of query.split('&')) {
    const [first, ...others] = parameter.split(filter.separator)
    const isDropped = (piece: string, names: RegExp): boolean => names.test(piece) && keeps?.test(piece) !== true
    if (isDropped(parameter, drops)) continue
    const pieces = [first!, ...others]
    const left = pieces.filter((piece) => !isDropped(piece, ids))
    const text = left.join(filter.separator)
    if (left.length === pieces.length || text !== '') kept.push(text)
  }
  return kept.join('&')
}

/** `path` less its session ids. May leave a dot segment behind (`/..;jsessionid=1/`): parse the result again. */
export function keptPath(path: string, rules: UrlRules, site: string): string {
  if (!(path.includes(';') || path.includes('/('))) return path
  const { segment } = filterFor(rules, site)
  return segment === undefined ? path : path.replace(SESSION_IN_PATH, '').replace(segment, '')
}

/** More than anybody names. They are made one expression, also those of a collection that a stranger sent. */
export const urlRuleLimits: { readonly names: number; readonly sites: number } = { names: 1_000, sites: 10_000 }

/** Whether a text can name a query parameter in the rules, with or without a `*` at its end. */
export function isParameterName(text: string): boolean {
  return /^[^\s&=#*]{1,200}\*?$|^\*$/.test(text)
}

/** Whether two sets of rules say the same of the pages of a site. */
export function hasSameUrlRules(a: UrlRules, b: UrlRules, site: string): boolean {
  return JSON.stringify(plainRules(a, site)) === JSON.stringify(plainRules(b, site))
}

const entryFor = ({ sites }: UrlRules, site: string): SiteUrlRules | undefined =>
  sites.find((one) => matchesSite(one, site))

/** What is in force where an entry counts, or none. How long a URL may be is no part of its identity. */
function rulesOf({ version, dropParameters, dropSessionIds }: UrlRules, entry: SiteUrlRules | undefined): RulesAtSite {
  return {
    version,
    drop: entry?.dropParameters === undefined ? dropParameters : [...dropParameters, ...entry.dropParameters],
    keep: entry?.keepParameters ?? [],
    dropSessionIds: entry?.dropSessionIds ?? dropSessionIds,
  }
}

interface RulesAtSite {
  readonly version: UrlRulesVersion
  readonly drop: readonly string[]
  readonly keep: readonly string[]
  readonly dropSessionIds: boolean
}

function plainRules(rules: UrlRules, site: string): unknown {
  const { version, drop, keep, dropSessionIds } = rulesOf(rules, entryFor(rules, site))
  return [dropSessionIds ? version : 0, plainNames(drop), plainNames(keep)]
}

const plainNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => asWritten(name).toLowerCase()))].toSorted()

/** Rules at a site, compiled: they run for every link with a query, and nearly always find nothing. */
interface UrlFilter {
  /** Whether there may be anything to drop. */
  readonly suspects: RegExp
  /** A parameter, whatever stands in it. */
  readonly drops: RegExp
  readonly keeps: RegExp | undefined
  /** A parameter, or a piece of one up to the `separator`. */
  readonly sessions: RegExp
  /** And what is one where the whole pair is there. */
  readonly sessionsAndPair: RegExp
  readonly separator: string
  readonly pair: readonly RegExp[] | undefined
  readonly segment: RegExp | undefined
}

interface CompiledRules {
  /** Where no entry says something else. */
  readonly usual: UrlFilter
  readonly byEntry: Map<SiteUrlRules, UrlFilter>
  /** Of sites that were asked for lately: there may be thousands of entries, and links of one page lead to few sites. */
  readonly bySite: Map<string, UrlFilter>
}

const MAX_SITES_REMEMBERED = 1_000
const compiled = new WeakMap<UrlRules, CompiledRules>()

function filterFor(rules: UrlRules, site: string): UrlFilter {
  let known = compiled.get(rules)
  if (known === undefined) {
    known = { usual: compile(rulesOf(rules, undefined)), byEntry: new Map(), bySite: new Map() }
    compiled.set(rules, known)
  }
  if (rules.sites.length === 0) return known.usual
  const { bySite } = known
  const remembered = bySite.get(site)
  if (remembered !== undefined) return remembered
  const filter = filterOf(entryFor(rules, site), rules, known)
  if (bySite.size >= MAX_SITES_REMEMBERED) bySite.clear()
  bySite.set(site, filter)
  return filter
}

function filterOf(entry: SiteUrlRules | undefined, rules: UrlRules, { usual, byEntry }: CompiledRules): UrlFilter {
  if (entry === undefined) return usual
  const known = byEntry.get(entry) ?? compile(rulesOf(rules, entry))
  byEntry.set(entry, known)
  return known
}

function compile({ version, drop, keep, dropSessionIds }: RulesAtSite): UrlFilter {
  const { names, expression, pair = [], segment, separators } = SESSION_IDS[version]
  const dropped = drop.map((name) => nameSource(name))
  const sessions = dropSessionIds ? [...names.map((name) => nameSource(name, separators)), expression] : []
  const paired = dropSessionIds ? pair.map((name) => nameSource(name, separators)) : []
  return {
    suspects: anyOf([...dropped, ...sessions, ...paired], separators),
    drops: anyOf(dropped),
    keeps: keep.length === 0 ? undefined : anyOf(keep.map((name) => nameSource(name))),
    sessions: anyOf(sessions),
    sessionsAndPair: anyOf([...sessions, ...paired]),
    separator: separators.at(-1)!,
    pair: paired.length === 0 ? undefined : paired.map((name) => anyOf([name], separators)),
    segment: dropSessionIds ? segment : undefined,
  }
}

/** Without any name an expression that matches nothing. */
function anyOf(sources: readonly string[], separators = '&'): RegExp {
  return new RegExp(sources.length === 0 ? '(?!)' : `(?:^|[${separators}])(?:${sources.join('|')})`, 'i')
}

function nameSource(name: string, separators = '&'): string {
  const written = asWritten(name)
  return written.endsWith('*') ? literally(written.slice(0, -1)) : `${literally(written)}(?=[=${separators}]|$)`
}

/** As `RegExp.escape`, which Node 22 does not have, where the flag `u` is not set. */
const literally = (text: string): string => text.replaceAll(/[^\w%]/g, '\\$&')

/** The name as it stands in a canonical URL, where letters beyond ASCII are octets. */
const asWritten = (name: string): string =>
  normalizePercentEncoding(name.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent))
