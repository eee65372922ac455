/**
 * Match candidates: pieces of a text in which a wanted word may stand. To cut a whole page into words and stem them for
 * three lines of it costs more than the search itself; to look for the first letters of a few stems is what machines
 * do fastest. A piece runs from one space to the next, so that whoever cuts it sees what the indexer saw.
 *
 * Words with letters beyond ASCII are pieces too, whatever they begin with: `Häuser` is found by `haus`.
 */

/** Letters that a stem and the word it was made from share, but for its last two: happi and happy, not running and ran. */
const STEM_TAIL = 2
const MIN_LETTERS = 2
/** Longer runs without a space are looked at up to here, to either side. */
const MAX_SIDE = 100

/** A letter that folding or stemming may turn into another. */
const FOREIGN = /[\u00aa-\u024f\u0370-\u1fff\ufb00-\ufdff]/

/** Whether all that is wanted can be looked for by its first letters. */
export const isPlain = (beginnings: readonly string[]): boolean =>
  beginnings.every((beginning) => /^[a-z0-9]+$/.test(beginning))

/** Pieces in order, none twice, in the first `length` characters. `beginnings` are plain terms. */
export function* matchCandidates(
  text: string,
  beginnings: readonly string[],
  length: number,
): Generator<readonly [start: number, end: number]> {
  // İ is the one letter that grows in lower case, and then nothing would stand where it stood.
  const source = text.slice(0, length).replaceAll('İ', 'i').toLowerCase()
  const letters = new Set(beginnings.map((one) => one.slice(0, Math.max(MIN_LETTERS, one.length - STEM_TAIL))))
  const searches = [...letters].map((one) => new LetterSearch(source, one))
  const foreign = new ForeignSearch(source)
  let end = -1
  for (;;) {
    let next: TextSearch = foreign
    for (const search of searches) if (search.at < next.at) next = search
    if (next.at === Infinity) return
    const at = next.at
    next.advance()
    if (at < end) continue
    const start = pieceStart(source, at, end)
    end = pieceEnd(source, at)
    yield [start, end]
  }
}

/** The next place of something; Infinity after the last. */
interface TextSearch {
  readonly at: number
  advance(): void
}

class LetterSearch implements TextSearch {
  at = -1
  readonly #text: string
  readonly #letters: string

  constructor(text: string, letters: string) {
    this.#text = text
    this.#letters = letters
    this.advance()
  }

  /** To the next word that begins like this; in the middle of a word it is another word's. */
  advance(): void {
    let at = this.at
    do at = this.#text.indexOf(this.#letters, at + 1)
    while (at > 0 && isWordUnit(this.#text.charCodeAt(at - 1)))
    this.at = at === -1 ? Infinity : at
  }
}

class ForeignSearch implements TextSearch {
  at = 0
  readonly #text: string
  readonly #pattern = new RegExp(FOREIGN.source, 'g')

  constructor(text: string) {
    this.#text = text
    this.advance()
  }

  advance(): void {
    this.at = this.#pattern.exec(this.#text)?.index ?? Infinity
  }
}

const isSpace = (unit: number): boolean => unit <= 0x20 || unit === 0xa0

function isWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
}

function pieceStart(text: string, at: number, least: number): number {
  let start = at
  const stop = Math.max(least, at - MAX_SIDE, 0)
  while (start > stop && !isSpace(text.charCodeAt(start - 1))) start--
  return start
}

function pieceEnd(text: string, at: number): number {
  let end = at
  const stop = Math.min(text.length, at + MAX_SIDE)
  while (end < stop && !isSpace(text.charCodeAt(end))) end++
  return end
}
