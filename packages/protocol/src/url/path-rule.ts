/**
 * Path rule: an owner's pattern over paths, asked about every spelling. It refuses a page when the path as it was written
 * matches, or any form that a server may take it for, letters of either case being alike; it allows one when the canonical
 * form matches, letter by letter. When in doubt the answer is no either way: a page that is kept back costs a visit, one
 * that is let out cannot be called back.
 */
import { canonicalPath, foldedSpelling, pathSpellings, patternSpelling } from './canonical-path.ts'

export interface PathRule {
  /** As the owner wrote it. */
  readonly pattern: string
  /** For rules that keep pages back. A path without a canonical form is refused. `spellings`, where they are known already. */
  refuses(target: string, spellings?: readonly string[]): boolean
  /** For rules that let pages out. */
  allows(target: string): boolean
}

/** `compile` says what a pattern matches; `*` stands for anything, and all else for itself. `shown`: as its owner wrote it. */
export function pathRule(
  pattern: string,
  compile: (pattern: string) => (path: string) => boolean,
  shown: string = pattern,
): PathRule {
  const written = compile(pattern)
  const folded = compile(foldedPattern(spelled(pattern, false)))
  const canonical = compile(spelled(pattern, true))
  return {
    pattern: shown,
    refuses: (target, spellings = pathSpellings(target)) =>
      spellings.length === 0 || written(target) || spellings.some((one) => folded(foldedSpelling(one))),
    allows: (target) => {
      const path = canonicalPath(target)
      return path !== undefined && canonical(path)
    },
  }
}

function spelled(pattern: string, slashes: boolean): string {
  const mark = pattern.indexOf('?')
  const [path, query] = mark < 0 ? [pattern, ''] : [pattern.slice(0, mark), pattern.slice(mark)]
  const parts = (text: string, isQuery: boolean): string =>
    text
      .split('*')
      .map((part) => patternSpelling(part, isQuery, slashes))
      .join('*')
  return parts(path, false) + parts(query, true)
}

/** Part by part, as a letter never spans a wildcard. */
const foldedPattern = (pattern: string): string => pattern.split('*').map(foldedSpelling).join('*')
