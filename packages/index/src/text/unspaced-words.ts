/**
 * Words of scripts that are written without spaces, Chinese, Thai and their like, as ICU's dictionaries cut them. A call
 * of `Intl.Segmenter` takes as long as thirty characters do, and most runs of such letters are shorter; so all runs of a
 * text, up to a bound, are cut by one call, a line end between any two, over which no word goes.
 */
import { IGNORED, MARK, UNSPACED } from './character-kinds.ts'
import { kindAt, widthAt } from './character-kinds-at.ts'
import type { TextUnits } from './text-units.ts'

/** Units that are cut by one call, about. */
const BATCH = 1 << 14
/** Longer runs are handed over in pieces: no sentence is as long, and ICU copies what it is given. */
const MAX_PIECE = 4096

let segmenter: Intl.Segmenter | undefined

/** Called with each part of a run, in order; `isWord` is false for what stands between words. */
type PartVisitor = (start: number, end: number, isWord: boolean) => void

interface Part {
  readonly start: number
  readonly end: number
  readonly isWord: boolean
}

export class UnspacedWords {
  /** Parts of runs that were cut already, and how many of them were asked for. */
  #parts: Part[] = []
  #given = 0
  /** How far the runs of the text were cut. */
  #cutTo = 0

  /** Another text comes. */
  clear(): void {
    this.#parts = []
    this.#given = this.#cutTo = 0
  }

  /** The parts of the run that begins at `start`; gives its end. Runs of a text must be asked for in order. */
  eachPart(source: TextUnits, start: number, visit: PartVisitor): number {
    const runEnd = unspacedEnd(source.units, start)
    for (let at = start; at < runEnd;) {
      if (at >= this.#cutTo) this.#cut(source, at, runEnd)
      const part = this.#parts[this.#given++]!
      visit(part.start, part.end, part.isWord)
      at = part.end
    }
    return runEnd
  }

  /** Cut what is left of a run, and further runs. */
  #cut(source: TextUnits, start: number, end: number): void {
    this.#parts = []
    this.#given = 0
    const starts: number[] = []
    const pieces: string[] = []
    let [from, runEnd] = [start, end]
    for (let units = 0; units < BATCH && from < runEnd;) {
      const to = pieceEnd(source.units, from, runEnd)
      starts.push(from)
      pieces.push(source.text.slice(from, to))
      units += to - from
      this.#cutTo = from = to
      if (to < runEnd) continue
      from = nextUnspaced(source, to)
      runEnd = unspacedEnd(source.units, from)
    }
    this.#read(starts, pieces)
  }

  #read(starts: readonly number[], pieces: readonly string[]): void {
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
    let piece = 0
    // Where the piece begins in what is segmented.
    let begin = 0
    for (const { segment, index, isWordLike } of segmenter.segment(pieces.join('\n'))) {
      if (index >= begin + pieces[piece]!.length) {
        begin += pieces[piece++]!.length + 1
        continue
      }
      const start = starts[piece]! + index - begin
      this.#parts.push({ start, end: start + segment.length, isWord: isWordLike === true })
    }
  }
}

function pieceEnd(units: Uint16Array, from: number, runEnd: number): number {
  const to = Math.min(runEnd, from + MAX_PIECE)
  const isBetweenHalves = to < runEnd && units[to]! >= 0xdc00 && units[to]! <= 0xdfff
  return isBetweenHalves ? to - 1 : to
}

function nextUnspaced({ text, units }: TextUnits, from: number): number {
  let at = from
  while (at < text.length && kindAt(units, at) !== UNSPACED) at += widthAt(units, at)
  return at
}

/** Where a run ends; marks and what is not seen belong to it, but do not begin one. */
function unspacedEnd(units: Uint16Array, start: number): number {
  if (kindAt(units, start) !== UNSPACED) return start
  let at = start
  for (;;) {
    const kind = kindAt(units, at)
    if (kind !== UNSPACED && kind !== MARK && kind !== IGNORED) return at
    at += widthAt(units, at)
  }
}
