/** Spellings of a path for tests: every way that is known to write the same path in other characters. */
import fc from 'fast-check'

/**
 * `percent`: any character percent-encoded, with digits of either case. `structure`: also doubled slashes, dot segments and
 * encoded slashes, which servers take for the same path or for none.
 */
export type SpellingTricks = 'percent' | 'structure'

/** A path in some spelling. `path` is decoded text that begins with a slash. */
export function spellingsOf(path: string, tricks: SpellingTricks): fc.Arbitrary<string> {
  const choice = fc.integer({ min: 0, max: 11 })
  return fc
    .array(choice, { minLength: path.length, maxLength: path.length })
    .map((choices) => Array.from(path, (char, i) => spelled(char, i, choices[i] ?? 0, tricks)).join(''))
}

function spelled(char: string, at: number, choice: number, tricks: SpellingTricks): string {
  if (char === '/') return tricks === 'structure' ? slash(at, choice) : '/'
  if (choice > 5 && /[\w\-.~]/.test(char)) return char
  const hex = [...Buffer.from(char)].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
  return choice % 2 === 0 ? hex : hex.toUpperCase()
}

/** The first has to be one. */
const SLASHES = ['/', '/', '/', '/', '//', '///', '/./', '/%2e/', '/x/../', '/%78/%2E%2e/', '%2F', '%2f']
const slash = (at: number, choice: number): string =>
  at === 0 && SLASHES[choice]!.startsWith('%') ? '/' : SLASHES[choice]!

/** Names that say what a server should keep to itself, and words that are members of every object. */
// oxfmt-ignore
export const HOSTILE_SEGMENTS: readonly string[] = [
  '..', '.', '%2e%2e', '%2E.', '..%2f', '..;', '%00', '%0a', '%', '%%', '%2', '%c0%ae', '%ff', '\\', '..%5c', '%5c..',
  '%u002e', ';', 'constructor', '__proto__', '~', '*', '%2a', 'Ü', '%C3%9C', 'u%CC%88', ' ', '%20', '.git', '%2egit',
]
