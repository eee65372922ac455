/**
 * Wide readings: the charsets of Chinese, Japanese and Korean, in which a character takes two bytes or more, and UTF-8 that is
 * broken somewhere. What a text costs in each is counted as in `byte-readings.ts`, character by character.
 */
import { OTHER_CHARSET_BITS } from './byte-readings.ts'
import type { WideLanguage } from './languages.ts'
import { wideModel } from './letter-model.ts'
import { pairTable } from './pair-table.ts'

interface WideReading {
  readonly charset: string
  readonly language: WideLanguage
  /** What it costs before anything is read. */
  readonly start: number
  /** By the two bytes of a character. */
  readonly costs: Uint8Array
  /** What a byte costs that is a character by itself; 0 where none can be. */
  readonly singles: Uint8Array
  /** Behind this byte stand two more. */
  readonly threeFrom: number
  /** With a digit behind it a character has four bytes. */
  readonly hasFour: boolean
}

const NO_CHARACTER = 24
const CUT_CHARACTER = 8
const LONG_CHARACTER = 20
const HALF_WIDTH_KANA = 10
const WIDE_SIGN = 6
const OTHER_SIGN = 12
const FULL_WIDTH_ASCII = 10
/** Of Chinese characters those that are in everyday use, and all others: the standards have them apart. */
const EVERYDAY = 12
const RARE = 16
/** Of a to z, and of signs behind a character. */
const ASCII_LETTER = 5
const ASCII_SIGN = 6
/** Letters a to z close to a character; and its edges where there is a space, of which these languages but Korean have few. */
const CONTACT = 4
const BREAK = 3
const AT_SPACE = 3

const wideSigns = new Set(Array.from('、。，！？：；（）「」『』・ー\u3000《》“”‘’…—·', (sign) => sign.codePointAt(0)!))

const HAN = 0
/** What costs how much that is not among the commonest: up to each code point, less in the language that is written so. */
const kinds: readonly (readonly [to: number, bits: number, own?: WideLanguage, less?: number])[] = [
  [0x9f, NO_CHARACTER],
  [0x303f, OTHER_SIGN],
  [0x309f, RARE, 'ja', 6],
  [0x30ff, RARE, 'ja', 7],
  [0x33ff, OTHER_SIGN],
  [0x9fff, HAN],
  [0xabff, RARE],
  [0xd7a3, RARE, 'ko', 13],
  [0xdfff, NO_CHARACTER],
  [0xf8ff, LONG_CHARACTER],
  [0xfaff, HAN],
  [0xfeff, RARE],
  [0xffef, FULL_WIDTH_ASCII],
  [0xffff, NO_CHARACTER],
]

/** By code unit. */
function costsOfUnits(language: WideLanguage): Uint8Array {
  const costs = new Uint8Array(1 << 16)
  let from = 0
  for (const [to, bits, own, less = bits] of kinds) {
    costs.fill(own === language ? less : bits, from, to + 1)
    from = to + 1
  }
  for (const sign of wideSigns) costs[sign] = WIDE_SIGN
  for (const [code, bits] of wideModel(language)) costs[code] = bits
  return costs
}

interface WideCharset {
  readonly charset: string
  readonly languages: readonly WideLanguage[]
  /** The leads of Chinese characters in everyday use, and the least trail behind them. */
  readonly everyday: readonly [from: number, to: number, trail: number]
}

const charsets: readonly WideCharset[] = [
  { charset: 'shift_jis', languages: ['ja'], everyday: [0x88, 0x97, 0x40] },
  { charset: 'euc-jp', languages: ['ja'], everyday: [0xb0, 0xcf, 0xa1] },
  // Of which gb18030 is the whole, with four bytes for what is rare.
  { charset: 'gbk', languages: ['zh-Hans', 'zh-Hant'], everyday: [0xb0, 0xd7, 0xa1] },
  { charset: 'big5', languages: ['zh-Hant'], everyday: [0xa4, 0xc6, 0x40] },
  // Koreans hardly write any.
  { charset: 'euc-kr', languages: ['ko'], everyday: [0, 0, 0] },
]

const THREE_FROM = 0x8f
/** Of half the width, in shift_jis. */
const KANA = [0xa1, 0xe0] as const

function costsOf({ charset, everyday: [from, to, least] }: WideCharset, language: WideLanguage): Uint8Array {
  const [units, table] = [costsOfUnits(language), pairTable(charset)]
  const costs = new Uint8Array(table.length).fill(NO_CHARACTER)
  for (let pair = 0; pair < table.length; pair++) {
    if (table[pair] === 0) continue
    const bits = units[table[pair]!]!
    const isEveryday = pair >> 8 >= from && pair >> 8 <= to && (pair & 0xff) >= least
    costs[pair] = bits === HAN ? (isEveryday ? EVERYDAY : RARE) : bits
  }
  return costs
}

const NEVER = -1
const NO_SINGLES = new Uint8Array(256)
const halfWidthKana = new Uint8Array(256).fill(HALF_WIDTH_KANA, ...KANA)

let readings: readonly WideReading[] | undefined

export function wideReadings(): readonly WideReading[] {
  readings ??= charsets.flatMap((one) =>
    one.languages.map((language) => ({
      charset: one.charset,
      language,
      start: OTHER_CHARSET_BITS,
      costs: costsOf(one, language),
      singles: one.charset === 'shift_jis' ? halfWidthKana : NO_SINGLES,
      threeFrom: one.charset === 'euc-jp' ? THREE_FROM : NEVER,
      hasFour: one.charset === 'gbk',
    })),
  )
  return readings
}

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const SPACE = 0x20

/** What came last. */
const [AT_EDGE, ASCII, WIDE] = [0, 1, 2]
/** By what came last and what comes now. */
const contactBits = [0, AT_SPACE, BREAK, 0, 0, CONTACT, BREAK, CONTACT, 0]

/** With what it costs to start; more than `most` when it is too dear to matter. */
export function costOfWide(reading: WideReading, words: Uint8Array, most: number): number {
  let [sum, before] = [reading.start, AT_EDGE]
  for (let at = 1; at < words.length && sum <= most;) {
    const byte = words[at]!
    const now = byte >= 0x80 ? WIDE : byte === SPACE ? AT_EDGE : ASCII
    sum += contactBits[before * 3 + now]!
    before = now
    if (now === ASCII) sum += isLetter(byte) ? ASCII_LETTER : isDigit(byte) ? 0 : ASCII_SIGN
    if (now !== WIDE) at++
    else {
      const size = sizeAt(reading, byte, words[at + 1]!)
      sum += bitsOf(reading, byte, words[at + 1]!, size, at + size >= words.length)
      at += size
    }
  }
  return sum
}

/** How many bytes the character takes; 1 also for what is none. */
function sizeAt({ costs, singles, threeFrom, hasFour }: WideReading, lead: number, trail: number): number {
  if (singles[lead]! > 0) return 1
  if (lead === threeFrom) return 3
  if (hasFour && isDigit(trail)) return 4
  return trail < 0x80 && costs[(lead << 8) | trail]! >= NO_CHARACTER ? 1 : 2
}

/** `isLast`: nothing but the end of the sample behind it, which may have cut it. */
function bitsOf({ costs, singles }: WideReading, lead: number, trail: number, size: number, isLast: boolean): number {
  if (singles[lead]! > 0) return singles[lead]!
  if (size > 2) return LONG_CHARACTER
  return size === 1 && isLast ? CUT_CHARACTER : costs[(lead << 8) | trail]!
}
