/**
 * Path glob: a pattern over a path and its query, in which `*` stands for any run of characters, `/` among them. Nothing
 * else is special, so a path can be pasted as it is.
 */
import { globPieces, matchesGlob } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'

type PathGlob = (path: string) => boolean

const MAX_LENGTH = 4_096

/** Throws for a pattern that no path can match. */
export function pathGlob(pattern: string): PathGlob {
  if (!/^[/*]/.test(pattern) || pattern.length > MAX_LENGTH)
    throw optionInvalid(
      `The pattern ${JSON.stringify(pattern.slice(0, 200))} matches no path. Begin it with / or *: /private/*, *.bak, /a.html.`,
    )
  const pieces = globPieces(pattern)
  return (path) => matchesGlob(pieces, path)
}
