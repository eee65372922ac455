/**
 * Byte readings: a charset of one byte a character, in a language. What a text costs in each is the information in bits that
 * it would then hold, so that readings of all kinds can be compared: the cheapest is the likeliest (Shannon 1951, Prediction and
 * Entropy of Printed English).
 *
 *   cost = of the charset + of each letter behind the one before + of signs + of upper and lower case
 */
import { decodeAs } from './decoders.ts'
import { EDGE, letterClasses } from './letter-classes.ts'
import { letterModels } from './letter-model.ts'
import type { LetterModel } from './letter-model.ts'

interface ByteReading {
  readonly charset: string
  readonly model: LetterModel
  /** Lines were written from their end, as Hebrew was for programs that know no direction. */
  readonly isVisual: boolean
  /** What it costs before anything is read. */
  readonly start: number
  /** Of each byte: its class in the language, its part in a word, and what it costs as a sign. */
  readonly classes: Uint8Array
  readonly parts: Uint8Array
  readonly signs: Uint8Array
}

/** Pages in them are the rarer the more it costs; without better reason a page is in windows-1252. */
const charsetBits: ReadonlyMap<string, number> = new Map([
  ['windows-1252', 0],
  ['windows-1258', 8],
  ['iso-8859-15', 8],
  ['iso-8859-2', 7],
  ['iso-8859-5', 7],
  ['iso-8859-7', 7],
  ['koi8-r', 7],
  ['koi8-u', 7],
  ['ibm866', 8],
  ['iso-8859-6', 8],
  ['iso-8859-8', 8],
  ['iso-8859-4', 8],
  ['iso-8859-13', 8],
  ['x-mac-cyrillic', 16],
])
export const OTHER_CHARSET_BITS = 6
const VISUAL = 'iso-8859-8'

/** What a byte is to those beside it. */
const [NONE, LOWER, UPPER, CASELESS, APOSTROPHE, CLOSER, OPENER, MARK] = [0, 1, 2, 3, 4, 5, 6, 7]
const PARTS = 8

/** By the part before and the part now. Few write `aB`; hardly a letter stands behind a closing quote. */
const contactBits: Float64Array = new Float64Array(PARTS * PARTS)
for (const [before, now, bits] of [
  [NONE, LOWER, 0.3],
  [NONE, UPPER, 2.3],
  [LOWER, UPPER, 7],
  [UPPER, LOWER, 1],
  [UPPER, UPPER, 1.5],
  [NONE, APOSTROPHE, 6],
  ...[LOWER, UPPER, CASELESS].flatMap(
    (letter) =>
      [
        [CLOSER, letter, 4],
        [letter, OPENER, 4],
        [APOSTROPHE, letter, 1],
        [MARK, letter, 3],
        [letter, MARK, 3],
      ] as const,
  ),
] as const)
  contactBits[before * PARTS + now] = bits

const signBits: ReadonlyMap<string, number> = new Map(
  (
    [
      [4, '\u00a0’“”–—'],
      [6, '«»‘‚„…•©®°§№£€™'],
      [7, '¡¿´½²³ªº±×¢¥،؛؟\u200c\u200d\u200e\u200f'],
    ] as const
  ).flatMap(([bits, signs]) => Array.from(signs, (sign) => [sign, bits] as const)),
)
const RARE_SIGN = 12
const BOX_DRAWING = 13
const CONTROL = 18
const NOTHING = 24
/** From `@` on, behind a byte that is not ASCII. */
const ASCII_SIGN = 5

function signCost(character: string): number {
  const known = signBits.get(character)
  if (known !== undefined) return known
  const code = character.codePointAt(0)!
  if (code === 0xfffd) return NOTHING
  if (code < 0xa0) return CONTROL
  return code >= 0x2500 && code < 0x25a0 ? BOX_DRAWING : RARE_SIGN
}

/** The first that fits. */
const partKinds: readonly (readonly [part: number, kind: RegExp])[] = [
  [NONE, /[ªº]/u],
  [UPPER, /\p{Lu}/u],
  [LOWER, /\p{Ll}/u],
  [CASELESS, /[\p{L}\p{M}]/u],
  [APOSTROPHE, /’/u],
  [CLOSER, /[»”…]/u],
  [OPENER, /[«„]/u],
  [MARK, /[©®¶±¬¦¤¨¯´¸×÷¼½¾€]/u],
]
const partOf = (character: string): number => partKinds.find(([, kind]) => kind.test(character))?.[0] ?? NONE

const isLetterPart = (part: number): boolean => part === LOWER || part === UPPER || part === CASELESS

/** A charset whatever the language. */
interface CharsetBytes {
  /** In lower case; undefined for what is no letter. */
  readonly letters: readonly (string | undefined)[]
  readonly parts: Uint8Array
  readonly signs: Uint8Array
}

/** In all of them half the bytes are ASCII. */
const HIGH = 0x80

function charsetBytes(charset: string): CharsetBytes {
  const characters = Array.from(
    decodeAs(
      charset,
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    ),
  )
  const parts = Uint8Array.from(characters, (character, byte) => (byte < HIGH ? asciiPart(byte) : partOf(character)))
  return {
    parts,
    letters: characters.map((character, byte) => (isLetterPart(parts[byte]!) ? character.toLowerCase() : undefined)),
    signs: Uint8Array.from(characters, (character, byte) => {
      if (isLetterPart(parts[byte]!)) return 0
      return byte >= HIGH ? signCost(character) : byte >= 0x40 ? ASCII_SIGN : 0
    }),
  }
}

function asciiPart(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return LOWER
  return byte >= 0x41 && byte <= 0x5a ? UPPER : NONE
}

/** A language with charsets of its own, such as Estonian, is not the first to be thought of in windows-1252. */
function startOf(charset: string, { language }: LetterModel): number {
  const bits = language.charsets.map((one) => charsetBits.get(one) ?? OTHER_CHARSET_BITS)
  return Math.max(bits[language.charsets.indexOf(charset)]!, bits.includes(OTHER_CHARSET_BITS) ? OTHER_CHARSET_BITS : 0)
}

let readings: readonly ByteReading[] | undefined

export function byteReadings(): readonly ByteReading[] {
  return (readings ??= allReadings())
}

function allReadings(): ByteReading[] {
  const charsets = new Map<string, CharsetBytes>()
  return letterModels().flatMap((model) => {
    const known = letterClasses(model.language)
    return model.language.charsets.flatMap((charset) => {
      const bytes = charsets.get(charset) ?? charsetBytes(charset)
      charsets.set(charset, bytes)
      const { letters, parts, signs } = bytes
      const foreign = model.size - 1
      const classes = Uint8Array.from(letters, (letter) =>
        letter === undefined ? EDGE : (known.get(letter) ?? foreign),
      )
      const reading = { charset, model, isVisual: false, start: startOf(charset, model), classes, parts, signs }
      return charset === VISUAL ? [reading, { ...reading, isVisual: true, start: reading.start + 1 }] : [reading]
    })
  })
}

/** Each pair of bytes that stand together, once, with how often they do. */
export interface BytePairs {
  readonly pairs: Uint16Array
  readonly counts: Uint16Array
}

/** Where pairs are counted; all zero between calls. */
const tally = new Uint16Array(1 << 16)

export function bytePairs(words: Uint8Array): BytePairs {
  const pairs = new Uint16Array(words.length)
  let length = 0
  for (let at = 1; at < words.length; at++) {
    const pair = (words[at - 1]! << 8) | words[at]!
    if (tally[pair]!++ === 0) pairs[length++] = pair
  }
  const met = pairs.subarray(0, length)
  const counts = met.map((pair) => tally[pair]!)
  for (const pair of met) tally[pair] = 0
  return { pairs: met, counts }
}

/** With what it costs to start; more than `most` when it is too dear to matter. */
export function costOfPairs(reading: ByteReading, { pairs, counts }: BytePairs, most: number): number {
  const { classes, parts, signs, isVisual, model, start } = reading
  const { costs, size } = model
  const [rowOfBefore, rowOfNow] = isVisual ? [1, size] : [size, 1]
  let sum = start
  for (let at = 0; at < pairs.length && sum <= most; at++) {
    const before = pairs[at]! >> 8
    const now = pairs[at]! & 0xff
    const letters = costs[classes[before]! * rowOfBefore + classes[now]! * rowOfNow]!
    sum += counts[at]! * (letters + signs[now]! + contactBits[parts[before]! * PARTS + parts[now]!]!)
  }
  return sum
}
