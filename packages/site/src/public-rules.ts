/**
 * Public rules: what a site's owner lets out, compiled once. The defaults let nothing out that the site's own robots.txt,
 * headers and file names do not.
 */
import { isAllowedIn, parseRobots } from '@comity/protocol'
import type { Robots, RobotsGroup } from '@comity/protocol'
import { optionInvalid } from './errors.ts'
import { MAX_PATH, PATH } from './observation.ts'
import { pathGlob } from './path-glob.ts'
import type { PathGlob } from './path-glob.ts'
import { privateFor, PUBLIC } from './private-reason.ts'
import type { PublicVerdict } from './private-reason.ts'

export interface PublicRuleOptions {
  /** The site's robots.txt, or what was read of it; none allows everything. */
  readonly robots?: string | Uint8Array | Robots | undefined
  /** When given, one of these globs must match. */
  readonly include?: readonly string[] | undefined
  /** None of these may. */
  readonly reject?: readonly string[] | undefined
  /** Globs over path and query: `/list?page=*`. Other addresses with a query stay private. */
  readonly queries?: readonly string[] | undefined
}

export interface PublicRules {
  readonly everybody: RobotsGroup
  readonly include: readonly NamedGlob[]
  readonly reject: readonly NamedGlob[]
  readonly queries: readonly NamedGlob[]
}

interface NamedGlob {
  readonly pattern: string
  readonly matches: PathGlob
}

const KNOWN = new Set(['robots', 'include', 'reject', 'queries'])

export function publicRules(options: PublicRuleOptions = {}): PublicRules {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw optionInvalid(`There is no rule named ${unknown} for what becomes public.`)
  const { robots = '' } = options
  const parsed = typeof robots === 'string' || robots instanceof Uint8Array ? parseRobots(robots) : robots
  return {
    everybody: parsed.rulesFor('*'),
    include: globs(options.include),
    reject: globs(options.reject),
    queries: globs(options.queries),
  }
}

const globs = (patterns: readonly string[] = []): NamedGlob[] =>
  patterns.map((pattern) => ({ pattern, matches: pathGlob(pattern) }))

/**
 * What the address alone says. `isListed`: the owner named this very address, so its query is meant; nothing else is
 * forgiven for that.
 */
export function pathVerdict(path: string, rules: PublicRules, isListed = false): PublicVerdict {
  if (path.length > MAX_PATH || !PATH.test(path)) return privateFor('path', path)
  const mark = path.indexOf('?')
  const hidden = hiddenPart(mark < 0 ? path : path.slice(0, mark))
  if (hidden !== undefined) return privateFor('hidden', hidden)
  const { allowed, rule } = isAllowedIn(rules.everybody, path)
  if (!allowed) return privateFor('robots', rule === undefined ? 'too many rules' : `Disallow: ${rule}`)
  const reject = rules.reject.find(({ matches }) => matches(path))
  if (reject !== undefined) return privateFor('rejected', reject.pattern)
  if (rules.include.length > 0 && !rules.include.some(({ matches }) => matches(path)))
    return privateFor('not-included', rules.include.map(({ pattern }) => pattern).join(' '))
  if (mark >= 0 && !isListed && !rules.queries.some(({ matches }) => matches(path)))
    return privateFor('query', path.slice(mark))
  return PUBLIC
}

/** `%2e` is a dot to every server. */
function hiddenPart(path: string): string | undefined {
  return path.split('/').find((part) => /^(?:\.|%2e)/i.test(part))
}
