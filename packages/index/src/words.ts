/**
 * Words: where the words of a text stand. A word is a run of letters, marks and digits (in the main the default word
 * borders of Unicode, UAX #29), but cut where programmers and readers cut: `java.util.HashMap` is three words in a row
 * and `foo_bar` two, so that each is found alone and all of them as a phrase. Kept whole are `camelCase`, 3.14, 1,000,
 * don't, C++ and C#; an elided article is a word of its own (l'été). Thai, Chinese and their like are written without
 * spaces: runs of them are cut by ICU's dictionaries, and only those, since that is ten times slower.
 *
 * This is the hot path of indexing: nothing is allocated for text with spaces. Time is linear in the text, whatever it is.
 */
import {
  APOSTROPHE,
  BREAK,
  COMMA,
  DIGIT,
  IGNORED,
  kinds,
  learnKind,
  LETTER,
  MARK,
  POINT,
  UNSPACED,
} from './character-kinds.ts'
import { pointAt, TextUnits } from './text-units.ts'

/** `joined`: written to the word before without a space, as `util` is in java.util. Offsets are UTF-16 units. */
export type WordVisitor = (start: number, end: number, joined: boolean) => void

/** Words of one compound, in order: one word, or several joined to each other. */
export interface Compound {
  readonly start: number
  readonly end: number
  readonly words: readonly (readonly [start: number, end: number])[]
}

/** More signs than this between two words, as in `a....b`, separate them. */
const MAX_JOINERS = 3
/** Before all texts; an integer, as all other places are. */
const FAR = -10

/** Visits the words of a text from left to right. */
export function eachWord(text: string | TextUnits, visit: WordVisitor): void {
  const source = typeof text === 'string' ? new TextUnits().load(text) : text
  const units = source.units
  const length = source.text.length
  // The end of the last word as long as nothing but joiners followed, and far away afterwards.
  let joint = FAR
  for (let at = 0; at < length;) {
    const kind = kindAt(units, at)
    if (kind >= LETTER) {
      const end = wordEnd(source, at)
      visit(at, end, at - joint <= MAX_JOINERS)
      at = joint = end
    } else if (kind === UNSPACED) {
      const end = unspacedEnd(source, at)
      joint = eachSegment(source, at, end, at - joint <= MAX_JOINERS, visit) ? end : FAR
      at = end
    } else {
      if (kind === BREAK || kind === MARK || (kind === COMMA && !isBetweenDigits(units, at))) joint = FAR
      at += widthAt(units, at)
    }
  }
}

/** The words of a text, those written without spaces between them together: a query looks for them side by side. */
export function compoundsOf(text: string): Compound[] {
  const compounds: { start: number; end: number; words: [number, number][] }[] = []
  eachWord(text, (start, end, joined) => {
    const last = compounds.at(-1)
    if (joined && last !== undefined) {
      last.words.push([start, end])
      last.end = end
    } else compounds.push({ start, end, words: [[start, end]] })
  })
  return compounds
}

function kindAt(units: Uint16Array, at: number): number {
  const code = units[at]!
  if (code < 0x80) return kinds[code]!
  const point = pointAt(units, at)
  return kinds[point]! || learnKind(point)
}

function widthAt(units: Uint16Array, at: number): number {
  return units[at]! >= 0xd800 && pointAt(units, at) > 0xffff ? 2 : 1
}

function wordEnd(source: TextUnits, start: number): number {
  const units = source.units
  let at = start
  let end = start
  // Ends behind the text at the latest, where a zero stands.
  for (;;) {
    let code = units[at]!
    while (code < 0x80 && kinds[code]! >= LETTER) {
      code = units[++at]!
      end = at
    }
    const kind = kindAt(units, at)
    if (kind >= MARK) end = at += widthAt(units, at)
    else if (kind === IGNORED) at += widthAt(units, at)
    else if (kind === BREAK || at !== end) return end
    else if (belongsInside(source, start, at, kind)) at++
    else return withSigns(source, start, end)
  }
}

/** Is the sign at `at`, right behind a letter or digit, a part of the word that began at `start`? */
function belongsInside(source: TextUnits, start: number, at: number, kind: number): boolean {
  const before = kindAt(source.units, at - 1)
  const after = kindAt(source.units, at + 1)
  if (kind === APOSTROPHE) return before !== DIGIT && after === LETTER && !isElided(source, start, at)
  if (before !== DIGIT || after !== DIGIT) return false
  return kind === POINT || (kind === COMMA && isGroupedAt(source.text, start, at))
}

function isBetweenDigits(units: Uint16Array, at: number): boolean {
  return at > 0 && kindAt(units, at - 1) === DIGIT && kindAt(units, at + 1) === DIGIT
}

const GROUPED = /\d{1,3}(?:,\d{3}){1,9}(?!\d)/y

/** Thousands: a comma in 1,000 but not in f(1,20). */
function isGroupedAt(text: string, start: number, at: number): boolean {
  GROUPED.lastIndex = start
  return at - start < 40 && GROUPED.test(text) && GROUPED.lastIndex > at
}

// French, Italian and Catalan; that a word such as d'Artagnan is cut too does no harm, as queries are cut alike.
const ELIDED = new Set(
  'c d j l m n s t v qu un gl all coll dall dell nell sull agl dagl degl negl sugl jusqu lorsqu puisqu quoiqu'.split(
    ' ',
  ),
)

function isElided({ text, units }: TextUnits, start: number, at: number): boolean {
  // Two letters must follow, for Italian and English meet in "d's" and "all's".
  return at - start <= 6 && kindAt(units, at + 2) === LETTER && ELIDED.has(text.slice(start, at).toLowerCase())
}

const PLUS = 0x2b
const SHARP = 0x23
const WITH_PLUSES = new Set(['c', 'g', 'libc', 'stdc', 'libstdc', 'notepad'])

/** C++ and its kin, C# and its kin; but neither count++ nor page#top. */
function withSigns({ text, units }: TextUnits, start: number, end: number): number {
  const sign = units[end]
  if (sign === PLUS && units[end + 1] === PLUS && end - start <= 7) {
    return WITH_PLUSES.has(text.slice(start, end).toLowerCase()) ? end + 2 : end
  }
  const isSharp = sign === SHARP && end - start === 1 && kindAt(units, start) === LETTER
  return isSharp && kindAt(units, end + 1) < LETTER ? end + 1 : end
}

function unspacedEnd({ units }: TextUnits, start: number): number {
  let at = start
  for (;;) {
    const kind = kindAt(units, at)
    if (kind !== UNSPACED && kind !== MARK && kind !== IGNORED) return at
    at += widthAt(units, at)
  }
}

/** Longer runs are handed over in pieces: no sentence is as long, and ICU copies what it is given. */
const MAX_RUN = 4096
let segmenter: Intl.Segmenter | undefined

/** Visits the words of a run without spaces; true when the last of them reaches its end. */
function eachSegment(
  { text, units }: TextUnits,
  start: number,
  end: number,
  joined: boolean,
  visit: WordVisitor,
): boolean {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  let isJoined = joined
  for (let from = start; from < end;) {
    let to = Math.min(end, from + MAX_RUN)
    if (to < end && kindAt(units, to) === BREAK) to-- // Between the halves of a pair.
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      if (isWordLike === true) visit(from + index, from + index + segment.length, isJoined)
      isJoined = isWordLike === true
    }
    from = to
  }
  return isJoined
}
