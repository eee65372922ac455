/**
 * Words: where the words of a text stand. A word is a run of letters, marks and digits (in the main the default word
 * borders of Unicode, UAX #29), but cut where programmers and readers cut: `java.util.HashMap` is three words in a row
 * and `foo_bar` two, so that each is found alone and all of them as a phrase. Kept whole are `camelCase`, 3.14, 1,000,
 * don't, C++ and C#; an elided article is a word of its own (l'été). Thai, Chinese and their like are written without
 * spaces: runs of them are cut by ICU's dictionaries, and only those, since that is ten times slower.
 *
 * This is the hot path of indexing: the words of a text are found and hashed, all before anybody looks at them. Most are
 * plain (`text/plain-words.ts`); what is rare is read here. Time is linear in the text, whatever it is.
 */
import { kindAt, widthAt } from './character-kinds-at.ts'
import { APOSTROPHE, BREAK, COMMA, DIGIT, IGNORED, kinds, LETTER, MARK, POINT, UNSPACED } from './character-kinds.ts'
import { FAR, MAX_JOINERS } from './plain-words-program.ts'
import { plainWords } from './plain-words.ts'
import type { WordLists } from './plain-words.ts'
import { TextUnits } from './text-units.ts'
import { UnspacedWords } from './unspaced-words.ts'
import { HASHED, hashOf, WordKey } from './word-key.ts'

/** `joined`: written to the word before without a space, as `util` is in java.util. Offsets are UTF-16 units. */
type WordVisitor = (start: number, end: number, joined: boolean) => void

/** Visits the words of a text from left to right. */
export function eachWord(text: string | TextUnits, visit: WordVisitor): void {
  const { count, starts, ends, joins } = new WordList().read(
    typeof text === 'string' ? new TextUnits().load(text) : text,
  )
  for (let i = 0; i < count; i++) visit(starts[i]!, ends[i]!, joins[i] === 1)
}

/** Room for more words than this, 4 MB, is let go of again with the next text. */
const KEPT_WORDS = 1 << 18
const LEAST_WORDS = 1 << 8
/** More than any text has; an integer that V8 keeps as such. */
const MANY = 0x7fff_ffff

/** The words of a text, in order; what is read from one text after another is valid until the next. */
export class WordList implements WordLists {
  /** Words in the list. */
  count = 0
  /** Words in the text. */
  total = 0
  starts: Int32Array = new Int32Array(LEAST_WORDS)
  ends: Int32Array = new Int32Array(LEAST_WORDS)
  lows: Int32Array = new Int32Array(LEAST_WORDS)
  highs: Int32Array = new Int32Array(LEAST_WORDS)
  joins: Uint8Array = new Uint8Array(LEAST_WORDS)
  #most = 0
  /** The end of the last word as long as nothing but joiners followed, and far away afterwards. */
  #joint = FAR
  readonly #key = new WordKey()
  readonly #unspaced = new UnspacedWords()

  /** No more than `most` words are kept; all are counted. */
  read(source: TextUnits, most: number = MANY): this {
    this.#begin(most)
    plainWords.open(source)
    const end = source.text.length
    for (let at = 0; (at = this.#readPlain(at)) < end;) at = this.#readRare(source, at)
    this.count = Math.min(this.total, most)
    return this
  }

  /** Plain words; gives where something else begins, or that the text ends. */
  #readPlain(from: number): number {
    let at = from
    do {
      at = plainWords.read(at, this.#joint)
      this.#joint = plainWords.joint
      this.#take(plainWords.count)
    } while (plainWords.isCut(at))
    return at
  }

  #take(found: number): void {
    const to = this.total
    const count = Math.min(found, this.#most - to)
    this.total += found
    if (count <= 0) return
    if (to + count > this.starts.length) this.#makeRoom(2 * (to + count), to)
    plainWords.copyTo(this, to, count)
  }

  #begin(most: number): void {
    this.count = this.total = 0
    if (this.starts.length > KEPT_WORDS) this.#makeRoom(LEAST_WORDS, 0)
    this.#most = most
    this.#joint = FAR
    this.#unspaced.clear()
  }

  /** Room for so many words; the first `kept` stay. */
  #makeRoom(words: number, kept: number): void {
    this.starts = withRoom(this.starts, words, kept)
    this.ends = withRoom(this.ends, words, kept)
    this.lows = withRoom(this.lows, words, kept)
    this.highs = withRoom(this.highs, words, kept)
    const joins = new Uint8Array(words)
    joins.set(this.joins.subarray(0, kept))
    this.joins = joins
  }

  #add(start: number, end: number, low: number, high: number): void {
    const place = this.total++
    if (place < this.#most) {
      if (place >= this.starts.length) this.#makeRoom(place * 2, place)
      this.starts[place] = start
      this.ends[place] = end
      this.lows[place] = low
      this.highs[place] = high
      this.joins[place] = start - this.#joint <= MAX_JOINERS ? 1 : 0
    }
    this.#joint = end
  }

  /** A word whose first letters and digits reach to `known`, and perhaps more; gives its end. */
  #readOn(source: TextUnits, start: number, known: number): number {
    const end = wordEnd(source, start, known)
    const { low, high } = this.#key.read(source.units, start, end)
    this.#add(start, end, low, high)
    return end
  }

  /** Anything else, or the words it begins; gives where they end. */
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
    return this.#unspaced.eachPart(source, start, (from, to, isWord) => {
      if (isWord) this.#add(from, to, hashOf(source.units, from, to), HASHED)
      else this.#joint = FAR
    })
  }
}

function withRoom(numbers: Int32Array, room: number, kept: number): Int32Array {
  const larger = new Int32Array(room)
  larger.set(numbers.subarray(0, kept))
  return larger
}

/** The end of the word that begins at `start` and whose first letters and digits reach to `known`. */
function wordEnd(source: TextUnits, start: number, known: number): number {
  const units = source.units
  let at = known
  let end = known
  // Ends behind the text at the latest, where a zero stands.
  for (;;) {
    let code = units[at]!
    while (kinds[code]! >= LETTER) {
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
