/**
 * Added characters: what browsers read in euc-kr and big5 that the runtime's own decoders do not know (Encoding standard, "index
 * EUC-KR" and "index Big5"). Both additions are in order, so nothing but the order is held here:
 *
 *   euc-kr: the 8,822 syllables for which KS X 1001 has no room, as Unicode has them, wherever a place is free
 *   big5: what ETEN put behind the common characters: numbers, radicals, kana, Cyrillic
 *
 * The Hong Kong characters of big5 are in no order, and stay unread.
 */
import { TextDecoder } from 'node:util'

/** From here on standards have their characters in both bytes. */
const HIGH = 0xa1

/** A place is a lead and a trail. */
type Added = readonly (readonly [place: number, character: string])[]

const makers: ReadonlyMap<string, () => Added> = new Map([
  ['euc-kr', koreanAdded],
  ['big5', taiwaneseAdded],
])

export const hasAdded = (charset: string): boolean => makers.has(charset)

/** None for most charsets. */
export const addedTo = (charset: string): Added => makers.get(charset)?.() ?? []

/** Characters up to the last, as Unicode has them. */
function upTo(first: string, last: string): string[] {
  const [from, to] = [first.codePointAt(0)!, last.codePointAt(0)!]
  return Array.from({ length: to - from + 1 }, (_, place) => String.fromCodePoint(from + place))
}

function koreanAdded(): Added {
  const known = new Set(syllablesOfStandard())
  const missing = upTo('가', '힣').filter((syllable) => !known.has(syllable))
  const places = placesOf(0x81, 0xc6, (lead) => (lead < HIGH ? [...lowTrails, [HIGH, 0xfe]] : lowTrails))
  return [...missing.map((syllable, at) => [places[at]!, syllable] as const), [0xa2e6, '€'], [0xa2e7, '®']]
}

/** Rows 16 to 40 of KS X 1001. */
function syllablesOfStandard(): string {
  const pairs = placesOf(0xb0, 0xc8, () => [[HIGH, 0xfe]]).flatMap((place) => [place >> 8, place & 0xff])
  return new TextDecoder('euc-kr').decode(Uint8Array.from(pairs))
}

type Range = readonly [from: number, to: number]

const lowTrails: readonly Range[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0x81, 0xa0],
]

function placesOf(first: number, last: number, trailsOf: (lead: number) => readonly Range[]): number[] {
  const places: number[] = []
  for (let lead = first; lead <= last; lead++)
    for (const [from, to] of trailsOf(lead))
      for (let trail = from; trail <= to; trail++) places.push((lead << 8) | trail)
  return places
}

function taiwaneseAdded(): Added {
  const characters = [
    ...upTo('①', '⑩'),
    ...upTo('⑴', '⑽'),
    ...upTo('ⅰ', 'ⅹ'),
    ...Array.from('丶丿亅亠冂冖冫勹匸卩厶夊宀巛⼳广廴彐彡攴无疒癶辵隶¨ˆヽヾゝゞ〃仝々〆〇ー［］✽'),
    ...upTo('ぁ', 'ん'),
    ...upTo('ァ', 'ヶ'),
    ...withYo('А', 'Я', 'Ё'),
    ...withYo('а', 'я', 'ё'),
  ]
  const places = placesOf(0xc6, 0xc8, (lead) => [...(lead > 0xc6 ? [[0x40, 0x7e] as const] : []), [HIGH, 0xfe]])
  return characters.map((character, at) => [places[at]!, character])
}

/** Unicode has it apart. */
function withYo(first: string, last: string, yo: string): string[] {
  const letters = upTo(first, last)
  return [...letters.slice(0, 6), yo, ...letters.slice(6)]
}
