/**
 * Plain words: runs of letters and digits, and what stands between them, which is nearly all of most texts. They are read
 * by a program in WebAssembly, which looks at sixteen characters at once and so knows where a word ends without asking
 * after each letter, which no processor foresees: that takes half the time of a loop in JavaScript.
 *
 * A text comes through a window of its units; words go out into lists beside it. Reading stops at anything that is not
 * plain, and before a word that may have more to it, as don't, 3.14 and C++ have.
 */
import { plainWordsProgram } from './plain-words-program.ts'
import type { TextUnits } from './text-units.ts'
import { compile } from './wasm-code.ts'
import {
  COUNT,
  ENDS,
  HIGHS,
  JOINS,
  LOWS,
  STARTS,
  UNITS,
  WINDOW_UNITS,
  WINDOW_WORDS,
  wordsMemory,
} from './words-memory.ts'

/** So near to the end of a window, a word may go on behind it; a longer one is left to others. */
const NEAR = 64

/** So few units or words are copied faster one by one than by a call. */
const FEW = 40

/** Lists in which a word has the same place. */
export interface WordLists {
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** The halves of the key of each, see `text/word-key.ts`. */
  readonly lows: Int32Array
  readonly highs: Int32Array
  /** 1 for a word that is joined to the one before. */
  readonly joins: Uint8Array
}

const { buffer } = wordsMemory
const state = new Int32Array(buffer, COUNT, 2)
const window = new Uint16Array(buffer, UNITS, WINDOW_UNITS)
/** Compiled for the first text: most processes read none. */
let run: ReturnType<typeof compile> | undefined

class PlainWords implements WordLists {
  // What `read` found; valid until the next call.
  readonly starts: Int32Array = new Int32Array(buffer, STARTS, WINDOW_WORDS)
  readonly ends: Int32Array = new Int32Array(buffer, ENDS, WINDOW_WORDS)
  readonly lows: Int32Array = new Int32Array(buffer, LOWS, WINDOW_WORDS)
  readonly highs: Int32Array = new Int32Array(buffer, HIGHS, WINDOW_WORDS)
  readonly joins: Uint8Array = new Uint8Array(buffer, JOINS, WINDOW_WORDS)
  #units: Uint16Array = new Uint16Array(0)
  /** Of the text, without the zero behind it. */
  #length = 0
  /** Where the window begins and ends in the text. */
  #begin = 0
  #end = 0

  get count(): number {
    return state[0]!
  }
  /** The end of the last word as long as nothing but joiners followed, and far away afterwards. */
  get joint(): number {
    return state[1]!
  }

  /** Another text comes, or the same again. */
  open({ units, text }: TextUnits): void {
    this.#units = units
    this.#length = text.length
    this.#begin = this.#end = 0
  }

  /** Words from a place on, which must not be before one asked for; gives where reading stopped. */
  read(from: number, joint: number): number {
    if (from >= this.#end || this.isCut(from)) this.#moveTo(from)
    run ??= compile(plainWordsProgram, wordsMemory)
    return run(from, this.#end - 1, joint, UNITS - 2 * this.#begin)
  }

  /** Whether reading stopped there perhaps for no other reason than that the window ends: ask again. */
  isCut(at: number): boolean {
    return at >= this.#end - NEAR && this.#end <= this.#length && at !== this.#begin
  }

  /** Copy the first `count` words that were found to a place of other lists. */
  copyTo({ starts, ends, lows, highs, joins }: WordLists, place: number, count: number): void {
    if (count > FEW) {
      starts.set(this.starts.subarray(0, count), place)
      ends.set(this.ends.subarray(0, count), place)
      lows.set(this.lows.subarray(0, count), place)
      highs.set(this.highs.subarray(0, count), place)
      joins.set(this.joins.subarray(0, count), place)
      return
    }
    for (let i = 0; i < count; i++) {
      starts[place + i] = this.starts[i]!
      ends[place + i] = this.ends[i]!
      lows[place + i] = this.lows[i]!
      highs[place + i] = this.highs[i]!
      joins[place + i] = this.joins[i]!
    }
  }

  #moveTo(place: number): void {
    const units = this.#units
    const end = Math.min(this.#length + 1, place + WINDOW_UNITS)
    this.#begin = place
    this.#end = end
    if (end - place > FEW) window.set(units.subarray(place, end))
    else for (let at = place; at < end; at++) window[at - place] = units[at]!
  }
}

/** One for all who read words, as it has one memory: a text must be read to its end before the next is opened. */
export const plainWords: PlainWords = new PlainWords()
