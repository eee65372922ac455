/**
 * What a character does to a word, for every code point, in one table. ASCII is written down here; the rest is asked of
 * Unicode's properties when first met, since a regular expression is slow and most texts use few of the million.
 */

import { KINDS, KINDS_BYTES, wordsMemory } from './words-memory.ts'

/**
 * In order: up to `JOINER` a kind ends a word, up to `COMMA` it does so behind a letter; from `MARK` on it continues a
 * word, from `LETTER` on it may begin one, as may `UNSPACED` a word of another sort.
 */
export const BREAK = 1
/** Stands between the words of a compound: `java.util`, `foo_bar`, `e-mail`. */
export const JOINER = 2
/** Belongs to a number between two digits, else joins. */
export const POINT = 3
/** Belongs to a number before three digits: 1,000. */
export const COMMA = 4
/** Belongs to a few names at their end, as in C++ and C#, else joins. */
const SIGN = 5
/** Belongs to a word between two letters, else joins: don't, and Catalan col·legi. */
export const APOSTROPHE = 6
/** Soft hyphens, zero-width characters, directions: not seen by a reader, so not by the words either. */
export const IGNORED = 7
/** A letter of a script that is written without spaces. */
export const UNSPACED = 8
export const MARK = 9
export const LETTER = 10
export const DIGIT = 11

/** By code point; 0 for one not met yet, and for half a pair, which must be looked at with the unit behind it. */
export const kinds: Uint8Array = new Uint8Array(wordsMemory.buffer, KINDS, KINDS_BYTES)

kinds.fill(BREAK, 0, 0x80)
set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', LETTER)
set('0123456789', DIGIT)
// foo->bar, Outer$Inner, key=value, AT&T, me@example.org; the last two are hyphens.
set(':/\\-_@&=~>$\u2010\u2011', JOINER)
set('+#', SIGN)
set('.', POINT)
set(',', COMMA)
set("'\u2019\u00b7", APOSTROPHE)

function set(characters: string, kind: number): void {
  for (const character of characters) kinds[character.codePointAt(0)!] = kind
}

const WORDLIKE = /^[\p{L}\p{N}\p{M}]$/u
// By extension, for ー and 々 belong to several scripts.
const WITHOUT_SPACES =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u
// Marks that any script may use, such as an accent, stay marks.
const SHARED_MARK = /^\p{sc=Inherited}$/u

/** The kind of a code point not met before, for `kinds[point] || learnKind(point)`. */
export function learnKind(point: number): number {
  // Half a pair that stands alone is no character.
  if (point >= 0xd800 && point <= 0xdfff) return BREAK
  return (kinds[point] = kindOf(String.fromCodePoint(point)))
}

/** Whether any of it is: there a run of letters is no word, and may be a sentence. */
export const hasUnspaced = (text: string): boolean =>
  Array.from(text, (character) => character.codePointAt(0)!).some(
    (point) => (kinds[point] || learnKind(point)) === UNSPACED,
  )

function kindOf(character: string): number {
  if (/^[\p{Cf}\u{34f}\u{fe00}-\u{fe0f}]$/u.test(character)) return IGNORED
  if (!WORDLIKE.test(character)) return BREAK
  if (WITHOUT_SPACES.test(character) && !SHARED_MARK.test(character)) return UNSPACED
  if (/^\p{M}$/u.test(character)) return MARK
  return /^\p{N}$/u.test(character) ? DIGIT : LETTER
}
