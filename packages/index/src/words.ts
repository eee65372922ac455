/**
 * Words: where the words of a text stand. A word is a run of letters, marks and digits (in the main the default word
 * borders of Unicode, UAX #29), but cut where programmers and readers cut: `java.util.HashMap` is three words in a row
 * and `foo_bar` two, so that each is found alone and all of them as a phrase. Kept whole are `camelCase`, 3.14, 1,000,
 * don't, C++ and C#; an elided article is a word of its own (l'été). Thai, Chinese and their like are written without
 * spaces: runs of them are cut by ICU's dictionaries, and only those, since that is ten times slower.
 *
 * This is the hot path of indexing: a word is found and hashed in one loop over its units, and nothing is allocated for
 * text with spaces. Time is linear in the text, whatever it is.
 */
import {
  APOSTROPHE,
  BREAK,
  COMMA,
  DIGIT,
  IGNORED,
  JOINER,
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
  const words = new WordScanner()
  words.scan(typeof text === 'string' ? new TextUnits().load(text) : text)
  while (words.next()) visit(words.start, words.end, words.joined)
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

/** Goes from word to word of a text, for those to whom a call per word is dear. May scan text after text. */
export class WordScanner {
  /** Of the word that `next` came to. */
  start = 0
  end = 0
  joined = false
  /** `hashOf` its units. */
  hash = 0
  #source = new TextUnits()
  #at = 0
  /** The end of the last word as long as nothing but joiners followed, and far away afterwards. */
  #joint = FAR
  /** Words of a run without spaces. */
  #run: Iterator<readonly [start: number, end: number, joined: boolean], boolean> | undefined

  scan(source: TextUnits): void {
    this.#source = source
    this.#at = 0
    this.#joint = FAR
    this.#run = undefined
  }

  /** Go to the next word; false after the last. */
  next(): boolean {
    if (this.#run !== undefined && this.#nextOfRun()) return true
    const units = this.#source.units
    let at = this.#at
    for (;;) {
      let code = units[at]!
      let kind = kinds[code]!
      if (kind >= LETTER) {
        const start = at
        let hash = HASH_SEED
        let last = kind
        do {
          last = kind
          hash = Math.imul(hash ^ code, HASH_FACTOR)
          code = units[++at]!
          kind = kinds[code]!
        } while (kind >= LETTER)
        // What follows most words ends them; a 0 is not known yet.
        if (kind <= JOINER ? kind !== 0 : kind <= COMMA && last === LETTER) return this.#come(start, at, hash)
        return this.#comeFar(start, at)
      }
      if (kind === BREAK) {
        // Behind the text stands a zero.
        if (code === 0 && at >= this.#source.text.length) break
        this.#joint = FAR
        at++
      } else if (kind === JOINER || kind === POINT) at++
      else if (this.#isAtWord(at)) return true
      else at = this.#at
    }
    this.#at = at
    return false
  }

  #come(start: number, end: number, hash: number): true {
    this.joined = start - this.#joint <= MAX_JOINERS
    this.start = start
    this.end = this.#at = this.#joint = end
    this.hash = hash
    return true
  }

  /** A word whose first letters and digits reach to `known`, and perhaps more. */
  #comeFar(start: number, known: number): true {
    const end = wordEnd(this.#source, start, known)
    return this.#come(start, end, hashOf(this.#source.units, start, end))
  }

  /** Come to a word that begins with a rare character, or pass that. */
  #isAtWord(at: number): boolean {
    const { units } = this.#source
    const kind = kindAt(units, at)
    if (kind >= LETTER) return this.#comeFar(at, at)
    if (kind === UNSPACED) {
      this.#at = unspacedEnd(this.#source, at)
      this.#run = segmentsOf(this.#source, at, this.#at, at - this.#joint <= MAX_JOINERS)
      return this.#nextOfRun()
    }
    if (kind === BREAK || kind === MARK || (kind === COMMA && !isBetweenDigits(units, at))) this.#joint = FAR
    this.#at = at + widthAt(units, at)
    return false
  }

  #nextOfRun(): boolean {
    const found = this.#run!.next()
    if (found.done === true) {
      this.#run = undefined
      this.#joint = found.value ? this.#at : FAR
      return false
    }
    ;[this.start, this.end, this.joined] = found.value
    this.hash = hashOf(this.#source.units, this.start, this.end)
    return true
  }
}

const HASH_SEED = 0x811c9dc5 | 0
const HASH_FACTOR = 0x01000193

/** FNV-1a, a unit at a time. */
export function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = HASH_SEED
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at]!, HASH_FACTOR)
  return hash
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

/** The end of the word that begins at `start` and whose first letters and digits reach to `known`. */
function wordEnd(source: TextUnits, start: number, known: number): number {
  const units = source.units
  let at = known
  let end = known
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

/** The words of a run without spaces; returns whether the last of them reaches its end. */
function* segmentsOf(
  { text, units }: TextUnits,
  start: number,
  end: number,
  joined: boolean,
): Generator<readonly [start: number, end: number, joined: boolean], boolean> {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  let isJoined = joined
  for (let from = start; from < end;) {
    let to = Math.min(end, from + MAX_RUN)
    if (to < end && units[to]! >= 0xdc00 && units[to]! <= 0xdfff) to-- // Between the halves of a pair.
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      if (isWordLike === true) yield [from + index, from + index + segment.length, isJoined]
      isJoined = isWordLike === true
    }
    from = to
  }
  return isJoined
}
