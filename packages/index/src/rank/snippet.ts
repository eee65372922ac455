/**
 * Snippet: the piece of a page that shows best why it was found.
 *
 * First the matches are walked once with a window as wide as a snippet: the best is the one with most different terms,
 * in prose rather than in menus, near each other, early in the page. Then only its neighbourhood is cleaned and cut,
 * at the borders of sentences when they are near, else between words with an ellipsis. Both are linear, and the slow
 * part, asking ICU for sentences, sees a thousand characters however long the page is.
 *
 * A match is a run of the text with the number of its query term; a phrase that was found whole is one run, so it is
 * never cut. What is a word is not decided here.
 */
import { cleanText, type CleanText } from '../text/clean-text.ts'
import type { Snippet } from '../search-types.ts'

export interface TextMatch {
  readonly start: number
  readonly end: number
  /** Which term of the query it is: 0, 1, … */
  readonly term: number
}

interface SnippetOptions {
  /** At most this many UTF-16 units, ellipses included. */
  readonly length?: number | undefined
  /** How much each term is worth, by number; rare ones more. 1 when not given. */
  readonly weights?: readonly number[] | undefined
}

/** Three lines on a desktop. */
export const SNIPPET_LENGTH = 240
/** Later text is not looked at: whoever reads a book's worth of page has found the word before. */
const MAX_LOOKED_AT = 200_000
const MIN_LENGTH = 40
const ELLIPSIS = '…'

/** What of the text must be seen. */
interface Core {
  readonly start: number
  readonly end: number
}

export function makeSnippet(text: string, matches: readonly TextMatch[], options: SnippetOptions = {}): Snippet {
  const length = Math.max(MIN_LENGTH, options.length ?? SNIPPET_LENGTH)
  const seen = inOrder(matches.filter(({ start, end }) => start >= 0 && start < end && end <= lookedAt(text)))
  const core = bestCore(text, seen, length, options.weights ?? []) ?? firstProse(text)
  const part = partAround(text, core, length)
  return shown(part, windowOf(part, length), seen)
}

function lookedAt(text: string): number {
  return Math.min(text.length, MAX_LOOKED_AT)
}

function inOrder(matches: TextMatch[]): readonly TextMatch[] {
  const isSorted = matches.every(({ start }, at) => at === 0 || matches[at - 1]!.start <= start)
  return isSorted ? matches : matches.toSorted((a, b) => a.start - b.start)
}

/** A term in prose counts twice what it counts in a menu: two words in a sentence beat three in a list of links. */
const FOUND = 3
const FOUND_IN_PROSE = 3

/** The narrowest run of matches that is worth most; of equals the first. */
function bestCore(
  text: string,
  matches: readonly TextMatch[],
  length: number,
  weights: readonly number[],
): Core | undefined {
  const counts = new Map<number, { all: number; prose: number }>()
  const line = new LineReader(text)
  const inProse = matches.map(({ start }) => line.isProseAt(start))
  let worth = 0
  const change = (at: number, by: 1 | -1): void => {
    const { term } = matches[at]!
    const weight = weights[term] ?? 1
    const count = counts.get(term) ?? { all: 0, prose: 0 }
    counts.set(term, count)
    const before = value(count)
    count.all += by
    if (inProse[at] === true) count.prose += by
    worth += weight * (value(count) - before)
  }
  let best: Core | undefined
  let bestWorth = -Infinity
  let left = 0
  for (const [right, { end }] of matches.entries()) {
    change(right, 1)
    // A match that stands again further right only makes the window wider.
    while (left < right && (end - matches[left]!.start > length || isRepeated(counts, matches[left]!.term)))
      change(left++, -1)
    const from = matches[left]!.start
    const total = worth + (1 - (end - from) / length) + (1 - from / MAX_LOOKED_AT) / 2
    if (total <= bestWorth) continue
    bestWorth = total
    best = { start: from, end }
  }
  return best
}

function value({ all, prose }: { readonly all: number; readonly prose: number }): number {
  return (all > 0 ? FOUND : 0) + (prose > 0 ? FOUND_IN_PROSE : 0)
}

function isRepeated(counts: ReadonlyMap<number, { readonly all: number }>, term: number): boolean {
  return (counts.get(term)?.all ?? 0) > 1
}

/** Lines of a text, asked for from left to right: blocks of a page are lines, and those of a menu are short. */
class LineReader {
  readonly #text: string
  start = 0
  end = -1
  #isProse = false

  constructor(text: string) {
    this.#text = text
  }

  isProseAt(at: number): boolean {
    if (at > this.end) {
      this.start = this.#text.lastIndexOf('\n', at - 1) + 1
      const newline = this.#text.indexOf('\n', at)
      this.end = newline < 0 ? this.#text.length : newline
      this.#isProse = isProse(this.#text.slice(this.start, Math.min(this.end, this.start + PROSE_LOOKED_AT)))
    }
    return this.#isProse
  }
}

const PROSE_LOOKED_AT = 2_000
/** Shorter lines are headings, links, cells of a table. */
const PROSE_LENGTH = 60

/** Whether a line reads like sentences: long, and with a mark that ends one. */
function isProse(line: string): boolean {
  return line.length >= PROSE_LENGTH && SENTENCE_END_WITHIN.test(line)
}

/** A mark that ends a sentence, what may close behind it, and a blank or the end; Chinese and Japanese have no blanks. */
const SENTENCE_END_WITHIN = /[.!?…։؟۔।]["'”’)\]»]?(?:\s|$)|[。！？｡]/u
const SENTENCE_END = /[.!?…։؟۔।。！？｡]["'”’)\]»]?\s*$/u

/** Where a page begins to say something: its first line of prose, or else its longest line. */
function firstProse(text: string): Core {
  const line = new LineReader(text)
  let longest = 0
  let start = 0
  for (let at = 0; at < lookedAt(text); at = line.end + 1) {
    if (line.isProseAt(at)) return { start: line.start, end: line.start }
    if (line.end - line.start <= longest) continue
    longest = line.end - line.start
    start = line.start
  }
  return { start, end: start }
}

/** The neighbourhood of a core, clean, and what is known of its edges. */
interface Part extends CleanText {
  readonly core: Core
  /** Where sentences begin, with the end of the last; in order. */
  readonly borders: readonly number[]
  readonly isEnd: boolean
}

type Granularity = NonNullable<Intl.SegmenterOptions['granularity']>

/** Made when they are needed: each takes milliseconds, which every process and thread that never searches would pay. */
const segmenters = new Map<Granularity, Intl.Segmenter>()

function segmented(text: string, granularity: Granularity): Intl.Segments {
  const made = segmenters.get(granularity) ?? new Intl.Segmenter('und', { granularity })
  segmenters.set(granularity, made)
  return made.segment(text)
}

function partAround(text: string, { start, end }: Core, length: number): Part {
  const from = Math.max(0, start - 2 * length)
  const to = Math.min(lookedAt(text), Math.max(start, Math.min(end, start + length)) + 2 * length)
  const clean = cleanText(text, from, to)
  const coreStart = clean.position(start)
  // A phrase may be longer than a snippet.
  const coreEnd = borderBefore(
    clean.text,
    Math.min(clean.position(Math.min(end, to)), coreStart + length - 4),
    coreStart,
  )
  const isStart = from === 0 || text[from - 1] === '\n'
  const isEnd = to === text.length
  const starts = Array.from(segmented(clean.text, 'sentence'), ({ index }) => index).slice(isStart ? 0 : 1)
  return {
    ...clean,
    core: { start: coreStart, end: Math.max(coreStart, coreEnd) },
    borders: isEnd ? [...starts, clean.text.length] : starts,
    isEnd,
  }
}

/** The last border of two characters as people see them at or before `at`, if it is not before `least`. */
function borderBefore(text: string, at: number, least: number): number {
  const index = segmented(text, 'grapheme').containing(at)?.index ?? text.length
  return Math.max(index, least)
}

/** A sentence may end this early in a snippet; else it is filled with the beginning of the next one. */
const FULL_ENOUGH = 0.6
/** How far a blank may be from where a text is cut. */
const NEAR_BLANK = 30

function windowOf(part: Part, length: number): Core {
  // Room for an ellipsis and a blank on both sides.
  const room = length - 4
  const { core, borders } = part
  const limit = part.text.length
  const sentence = borders.findLast((border) => border <= core.start && core.end - border <= room)
  let start =
    sentence ?? wordStart(part.text, core.start - Math.floor((room - (core.end - core.start)) / 3), core.start)
  // At the end of a page there may be room for sentences before.
  if (part.isEnd && core.end > core.start && limit - start < FULL_ENOUGH * room)
    start = borders.find((border) => border >= limit - room && border < start) ?? start
  return { start, end: windowEnd(part, start, start + room, start + Math.ceil(FULL_ENOUGH * room)) }
}

/** The last end of a sentence up to `most`, if it is at least `enough`; else the whole text, or the end of a word. */
function windowEnd({ text, borders, core, isEnd }: Part, start: number, most: number, enough: number): number {
  const ends = borders.filter((border) => border > start && border >= core.end && border >= enough && border <= most)
  // A heading that begins what comes next is a line without an end mark, and says nothing here.
  const last = ends.findLast((end) => SENTENCE_END.test(text.slice(Math.max(0, end - 4), end)))
  if (last !== undefined) return last
  if (most >= text.length && isEnd) return text.length
  return ends.at(-1) ?? (most >= text.length ? text.length : wordEnd(text, most, core.end))
}

/** Where a word begins, not before `at` and not behind `most`. */
function wordStart(text: string, at: number, most: number): number {
  if (at <= 0) return 0
  const blank = text.slice(at - 1, Math.min(at + NEAR_BLANK, most)).search(/\s/)
  if (blank >= 0) return at + blank
  const word = segmented(text, 'word').containing(at)
  if (word === undefined || word.index === at) return Math.min(at, most)
  return Math.min(word.index + word.segment.length, most)
}

/** Where a word ends, not behind `at` and not before `least`. */
function wordEnd(text: string, at: number, least: number): number {
  const from = Math.max(least, at - NEAR_BLANK)
  const blank = text.slice(from, at + 1).search(/\s\S*$/)
  if (blank >= 0) return from + blank
  const word = segmented(text, 'word').containing(at)
  // A word that begins far before is none, but a number or a code of many letters.
  if (word !== undefined && word.index >= from) return word.index
  return borderBefore(text, at, least)
}

function shown(part: Part, { start, end }: Core, matches: readonly TextMatch[]): Snippet {
  const raw = part.text.slice(start, end)
  const from = start + raw.length - raw.trimStart().length
  const text = raw.trim().replaceAll('\n', ' ')
  const lead = part.borders.includes(start) || text === '' ? '' : `${ELLIPSIS} `
  const trail = part.borders.includes(end) || text === '' ? '' : ` ${ELLIPSIS}`
  const marks: [start: number, end: number][] = []
  for (const match of matches) {
    const markStart = Math.max(0, part.position(match.start) - from)
    const markEnd = Math.min(text.length, part.position(match.end) - from)
    if (markEnd <= markStart) continue
    const before = marks.at(-1)
    if (before !== undefined && markStart + lead.length <= before[1])
      before[1] = Math.max(before[1], markEnd + lead.length)
    else marks.push([markStart + lead.length, markEnd + lead.length])
  }
  return { text: lead + text + trail, marks }
}
