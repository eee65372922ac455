/**
 * Words: where the words of a text stand. A word is a run of letters, marks and digits (in the main the default word
 * borders of Unicode, UAX #29), but cut where programmers and readers cut: `java.util.HashMap` is three words in a row
 * and `foo_bar` two, so that each is found alone and all of them as a phrase. Kept whole are `camelCase`, 3.14, 1,000,
 * don't, C++ and C#; an elided article is a word of its own (l'été). Thai, Chinese and their like are written without
 * spaces: runs of them are cut by ICU's dictionaries, and only those, since that is ten times slower.
 *
 * This is the hot path of indexing: the words of a text are found and hashed in one loop over its units, all before
 * anybody looks at them. Time is linear in the text, whatever it is.
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
  const { count, starts, ends, joins } = new WordList().read(
    typeof text === 'string' ? new TextUnits().load(text) : text,
  )
  for (let i = 0; i < count; i++) visit(starts[i]!, ends[i]!, joins[i] === 1)
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

/** Room for more words than this, 3 MB, is let go of again with the next text. */
const KEPT_WORDS = 1 << 18

/** The words of a text, in order; what is read from one text after another is valid until the next. */
export class WordList {
  /** Words in the list. */
  count = 0
  /** Words in the text. */
  total = 0
  starts: Int32Array = new Int32Array(0)
  ends: Int32Array = new Int32Array(0)
  /** `hashOf` the units of each. */
  hashes: Int32Array = new Int32Array(0)
  /** 1 for a word that is joined to the one before. */
  joins: Uint8Array = new Uint8Array(0)
  #most = 0
  /** The end of the last word as long as nothing but joiners followed, and far away afterwards. */
  #joint = FAR

  /** No more than `most` words are kept; all are counted. */
  read(source: TextUnits, most: number = Number.MAX_SAFE_INTEGER): this {
    this.#begin(Math.min(source.text.length, most), most)
    const units = source.units
    for (let at = 0; ;) {
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
        if (kind <= JOINER ? kind !== 0 : kind <= COMMA && last === LETTER) this.#add(start, at, hash)
        else at = this.#readOn(source, start, at)
      } else if (kind === BREAK) {
        // Behind the text stands a zero.
        if (code === 0 && at >= source.text.length) return this
        this.#joint = FAR
        at++
      } else if (kind === JOINER || kind === POINT) at++
      else at = this.#readRare(source, at)
    }
  }

  /** Room is made at once for as many words as there may be: to look for it with every word takes longer. */
  #begin(room: number, most: number): void {
    const { length } = this.starts
    if (room > length || (length > KEPT_WORDS && room <= KEPT_WORDS)) {
      this.starts = new Int32Array(room)
      this.ends = new Int32Array(room)
      this.hashes = new Int32Array(room)
      this.joins = new Uint8Array(room)
    }
    this.count = this.total = 0
    this.#most = most
    this.#joint = FAR
  }

  #add(start: number, end: number, hash: number): void {
    if (this.total++ < this.#most) {
      const place = this.count++
      this.starts[place] = start
      this.ends[place] = end
      this.hashes[place] = hash
      this.joins[place] = start - this.#joint <= MAX_JOINERS ? 1 : 0
    }
    this.#joint = end
  }

  /** A word whose first letters and digits reach to `known`, and perhaps more; gives its end. */
  #readOn(source: TextUnits, start: number, known: number): number {
    const end = wordEnd(source, start, known)
    this.#add(start, end, hashOf(source.units, start, end))
    return end
  }

  /** A rare character, or the words it begins; gives where they end. */
  #readRare(source: TextUnits, at: number): number {
    const { units } = source
    const kind = kindAt(units, at)
    if (kind >= LETTER) return this.#readOn(source, at, at)
    if (kind === UNSPACED) return this.#readUnspaced(source, at)
    if (kind === BREAK || kind === MARK || (kind === COMMA && !isBetweenDigits(units, at))) this.#joint = FAR
    return at + widthAt(units, at)
  }

  /** A run without spaces. */
  #readUnspaced(source: TextUnits, start: number): number {
    const { text, units } = source
    const end = unspacedEnd(source, start)
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
    for (let from = start; from < end;) {
      let to = Math.min(end, from + MAX_RUN)
      if (to < end && units[to]! >= 0xdc00 && units[to]! <= 0xdfff) to-- // Between the halves of a pair.
      for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
        const [first, last] = [from + index, from + index + segment.length]
        if (isWordLike === true) this.#add(first, last, hashOf(units, first, last))
        else this.#joint = FAR
      }
      from = to
    }
    return end
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
