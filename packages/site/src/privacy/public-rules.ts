/**
 * Public rules: what a site's owner lets out, compiled once. The defaults let nothing out that the site's own robots.txt,
 * headers and file names do not.
 *
 * An address is judged in every spelling that leads to the same page (`url/canonical-path.ts` of the protocol): kept back when
 * one of them is, let out by its canonical form.
 */
import { isAllowedInEverySpelling, parseRobots, pathRule, pathSpellings, withAllBelow } from '@comity/protocol'
import type { PathRule, Robots, RobotsGroup } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'
import { MAX_PATH, PATH } from '../journal/observation.ts'
import { pathGlob } from './path-glob.ts'
import { privateFor, PUBLIC } from './private-reason.ts'
import type { PublicVerdict } from './private-reason.ts'

export interface PublicRuleOptions {
  /** The site's robots.txt, or what was read of it; none allows everything. */
  readonly robots?: string | Uint8Array | Robots | undefined
  /** When given, one of these globs must match. */
  readonly include?: readonly string[] | undefined
  /** None of these may; one that ends with a folder's slash means all that is below it. */
  readonly reject?: readonly string[] | undefined
  /** Globs over path and query: `/list?page=*`. Other addresses with a query stay private. */
  readonly queries?: readonly string[] | undefined
}

export interface PublicRules {
  readonly everybody: RobotsGroup
  readonly include: readonly PathRule[]
  readonly reject: readonly PathRule[]
  readonly queries: readonly PathRule[]
}

const KNOWN = new Set(['robots', 'include', 'reject', 'queries'])

export function publicRules(options: PublicRuleOptions = {}): PublicRules {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw optionInvalid(`There is no rule named ${unknown} for what becomes public.`)
  const { robots = '' } = options
  const parsed = typeof robots === 'string' || robots instanceof Uint8Array ? parseRobots(robots) : robots
  return {
    everybody: parsed.rulesFor('*'),
    include: pathRules(options.include),
    reject: (options.reject ?? []).map(rejectRule),
    queries: pathRules(options.queries),
  }
}

const rejectRule = (pattern: string): PathRule => pathRule(withAllBelow(pattern), pathGlob, pattern)

const pathRules = (patterns: readonly string[] = []): PathRule[] =>
  patterns.map((pattern) => pathRule(pattern, pathGlob))

/**
 * What the address alone says. `isListed`: the owner named this very address, so its query is meant; nothing else is
 * forgiven for that.
 */
export function pathVerdict(path: string, rules: PublicRules, isListed = false): PublicVerdict {
  if (path.length > MAX_PATH || !PATH.test(path)) return privateFor('path', path)
  const spellings = pathSpellings(path)
  // Also too long: what has to be encoded is three times as long in its canonical form, and that is the one we would list.
  if (spellings.length === 0 || spellings.some(({ length }) => length > MAX_PATH)) return privateFor('path', path)
  const hidden = spellings.find(isHiddenPath)
  if (hidden !== undefined) return privateFor('hidden', hidden)
  const { allowed, rule } = isAllowedInEverySpelling(rules.everybody, path)
  if (!allowed) return privateFor('robots', rule === undefined ? 'too many rules' : `Disallow: ${rule}`)
  const reject = rules.reject.find((one) => one.refuses(path, spellings))
  if (reject !== undefined) return privateFor('rejected', reject.pattern)
  if (rules.include.length > 0 && !rules.include.some((one) => one.allows(path)))
    return privateFor('not-included', rules.include.map(({ pattern }) => pattern).join(' '))
  const mark = path.indexOf('?')
  if (mark >= 0 && !isListed && !rules.queries.some((one) => one.allows(path)))
    return privateFor('query', path.slice(mark))
  return PUBLIC
}

/** A dot segment is no name: where it leads is in the canonical form. */
function isHiddenPath(path: string): boolean {
  return path
    .split('?', 1)[0]!
    .split('/')
    .some((part) => part.startsWith('.') && part !== '.' && part !== '..')
}
