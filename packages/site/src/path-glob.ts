/**
 * Path glob: a pattern over a path and its query, in which `*` stands for any run of characters, `/` among them. Nothing
 * else is special, so a path can be pasted as it is. Matching takes one pass: each piece is looked for behind the one
 * before, and no pattern makes a long path slow.
 */
import { optionInvalid } from './errors.ts'

export type PathGlob = (path: string) => boolean

const MAX_LENGTH = 4_096

/** Throws for a pattern that no path can match. */
export function pathGlob(pattern: string): PathGlob {
  if (!/^[/*]/.test(pattern) || pattern.length > MAX_LENGTH)
    throw optionInvalid(
      `The pattern ${JSON.stringify(pattern.slice(0, 200))} matches no path. Begin it with / or *: /private/*, *.bak, /a.html.`,
    )
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (path) => path === first
  return (path) => {
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const piece of rest) {
      const found = path.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return path.length - last.length >= at && path.endsWith(last)
  }
}
