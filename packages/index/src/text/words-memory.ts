/**
 * Memory in which words are found: that of the program in `text/plain-words-program.ts`, which JavaScript reads and writes as
 * well. All numbers here are addresses or lengths in bytes, unless they say otherwise.
 *
 *   kinds of characters · state · a mask · lists of words: starts, ends, halves of keys, joins · units of a text · zeros
 */
import { createMemory } from './wasm-code.ts'
import type { WasmMemory } from './wasm-code.ts'

/** Units of a text that are in memory at a time. */
export const WINDOW_UNITS = 4_096
/** Words of a window, at most: each has a unit behind it. */
export const WINDOW_WORDS: number = WINDOW_UNITS / 2
/** Units that are looked at together. */
export const LANES = 16

export const KINDS = 0
export const KINDS_BYTES = 0x11_0000
/** How many words were found; and where the last one ended, unless something behind it separates it from the next. */
export const COUNT: number = KINDS + KINDS_BYTES
export const JOINT: number = COUNT + 4
/** As many ones as a vector has bytes, and as many zeros: read n bytes before the zeros, it keeps n bytes of another. */
export const KEEP: number = COUNT + 16
export const STARTS: number = KEEP + 2 * LANES
export const ENDS: number = STARTS + 4 * WINDOW_WORDS
export const LOWS: number = ENDS + 4 * WINDOW_WORDS
export const HIGHS: number = LOWS + 4 * WINDOW_WORDS
export const JOINS: number = HIGHS + 4 * WINDOW_WORDS
export const UNITS: number = JOINS + WINDOW_WORDS
/** A vector that begins in the window may end here, and a word that goes on to the end of the window ends here. */
const ZEROS = 64

export const wordsMemory: WasmMemory = createMemory(UNITS + 2 * WINDOW_UNITS + ZEROS)

new Uint8Array(wordsMemory.buffer).fill(0xff, KEEP, KEEP + LANES)
