/**
 * Charset guess: how a body is to be read that nobody says it of. A body that is ASCII or UTF-8 is that; any other is read in
 * every charset that is known, in every language that was written in it, and the cheapest reading counts.
 *
 *   body -> UTF-16? -> ISO-2022-JP? -> UTF-8? -> words outside of tags -> readings -> the cheapest, unless none makes sense
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { costOfUtf8 } from './broken-utf-8.ts'
import { byteReadings, bytePairs, costOfPairs } from './byte-readings.ts'
import type { BytePairs } from './byte-readings.ts'
import { languageBits, mixedBits } from './page-language.ts'
import { textSample } from './text-sample.ts'
import type { TextSample } from './text-sample.ts'
import { utf16Of } from './utf-16.ts'
import { costOfWide, wideReadings } from './wide-readings.ts'

/** When nothing makes sense, as in data that is no text. */
const WITHOUT_REASON = 'windows-1252'

export function guessCharset(bytes: Uint8Array, isPlain: boolean = isAscii(bytes)): string {
  const wide = utf16Of(bytes)
  if (wide !== undefined) return wide
  if (isPlain) return escapesToJapanese(bytes) ? 'iso-2022-jp' : 'utf-8'
  if (isUtf8ButForItsEnd(bytes)) return 'utf-8'
  return looksBinary(bytes) ? WITHOUT_REASON : cheapestReading(textSample(bytes))
}

const ESCAPE = 0x1b
/** To something else, before one into Japanese. */
const MOST_ESCAPES = 1_000

/** ESC and `$@`, `$B`, or `(J` (RFC 1468): into Japanese by two bytes or one. */
function escapesToJapanese(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE), seen = 0; at >= 0 && seen < MOST_ESCAPES; at = bytes.indexOf(ESCAPE, at + 1)) {
    seen++
    const [kind, set] = [bytes[at + 1], bytes[at + 2]]
    if (kind === 0x24 && (set === 0x40 || set === 0x42)) return true
    if (kind === 0x28 && set === 0x4a) return true
  }
  return false
}

/** The last character may be only half there, as in a body that was cut; but half of one, and one byte, proves nothing. */
function isUtf8ButForItsEnd(bytes: Uint8Array): boolean {
  const whole = wholeCharacters(bytes)
  return isUtf8(whole) && (bytes.length - whole.length !== 1 || !isAscii(whole))
}

function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && start > 0 && (bytes[start]! & 0xc0) === 0x80) start--
  const lead = bytes[start] ?? 0
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + size > bytes.length ? bytes.subarray(0, start) : bytes
}

const LOOKED_AT = 4_096
/** Of what is looked at, controls that no text has. */
const MOST_CONTROLS = 1 / 50

function looksBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, LOOKED_AT)
  let controls = 0
  for (let at = 0; at < length; at++) if (isControl(bytes[at]!)) controls++
  return controls > length * MOST_CONTROLS
}

const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== ESCAPE

/** A charset in a language, of one text. */
interface Candidate {
  readonly charset: string
  /** More than `most` when it is too dear to matter. */
  readonly costOf: (text: Text, most: number) => number
}

interface Text {
  readonly words: Uint8Array
  readonly pairs: BytePairs
}

const textOf = (words: Uint8Array): Text => ({ words, pairs: bytePairs(words) })

function narrowCandidates(sample: TextSample): Candidate[] {
  const [plain, mixed] = [languageBits(sample), mixedBits(sample)]
  const readings = byteReadings().map((reading) => {
    const more = plain.get(reading.model.language) ?? mixed
    const costOf = ({ pairs }: Text, most: number): number => more + costOfPairs(reading, pairs, most - more)
    return { charset: reading.charset, costOf }
  })
  return [...readings, { charset: 'utf-8', costOf: ({ words }) => costOfUtf8(words) }]
}

function wideCandidates(sample: TextSample): Candidate[] {
  const mixed = mixedBits(sample)
  return wideReadings().map((reading) => ({
    charset: reading.charset,
    costOf: ({ words }, most) => mixed + costOfWide(reading, words, most - mixed),
  }))
}

/** One byte over and over, as where nothing is stored or a line is drawn. */
const isOneSign = ({ words, pairs }: Text): boolean => words.length > 32 && pairs.pairs.length <= 4

/** So much of the words tells which readings are worth a look at all of them: those that are no dearer than by this. */
const FIRST_LOOK = 512
const NEAR_BITS = 100
/** As good as letters get; what is Chinese, Japanese or Korean costs twice as much when it is read by bytes. */
const CHEAP_BITS_A_BYTE = 4.5
/** More than any language has: the words of a text cost 3 to 6. Short ones may have some more. */
const MOST_BITS_A_BYTE = 6.8
const MORE_BITS = 20

/** A space alone. */
const NO_WORDS = 1

function cheapestReading(sample: TextSample): string {
  const { words } = sample
  const text = textOf(words)
  if (words.length === NO_WORDS || isOneSign(text)) return WITHOUT_REASON
  const narrow = narrowCandidates(sample)
  const near = words.length > FIRST_LOOK ? nearOf(textOf(words.subarray(0, FIRST_LOOK)), narrow) : narrow
  let found = cheapest(text, near)
  if (found.bits >= words.length * CHEAP_BITS_A_BYTE)
    found = cheapest(text, [found.candidate, ...wideCandidates(sample)])
  return found.bits > words.length * MOST_BITS_A_BYTE + MORE_BITS ? WITHOUT_REASON : found.candidate.charset
}

function nearOf(text: Text, candidates: readonly Candidate[]): Candidate[] {
  let least = Infinity
  const costs = candidates.map((candidate) => {
    const cost = candidate.costOf(text, least + NEAR_BITS)
    least = Math.min(least, cost)
    return cost
  })
  return candidates.filter((_, place) => costs[place]! <= least + NEAR_BITS)
}

interface Found {
  readonly candidate: Candidate
  readonly bits: number
}

/** Of those that cost the same, the first. */
function cheapest(text: Text, candidates: readonly Candidate[]): Found {
  let [candidate, bits] = [candidates[0]!, Infinity]
  for (const one of candidates) {
    const cost = one.costOf(text, bits)
    if (cost < bits) [candidate, bits] = [one, cost]
  }
  return { candidate, bits }
}
