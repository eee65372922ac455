/** Legacy encoder: text into the charsets that pages were in before UTF-8, by turning their decoders round. */
import { decodeAs } from '../charset/decoders.ts'

/** What stood for characters that a charset has not. */
const instead: ReadonlyMap<string, string> = new Map([
  ...Array.from('“”„«»', (quote) => [quote, '"'] as const),
  ...Array.from('‘’', (quote) => [quote, "'"] as const),
  ...Array.from('–—', (dash) => [dash, '-'] as const),
  ['…', '...'],
  ['ș', 'ş'],
  ['ț', 'ţ'],
  ['Ș', 'Ş'],
  ['Ț', 'Ţ'],
  ['ی', 'ي'],
])

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(charset)
  if (known !== undefined) return known
  const isWide = /^(?:shift_jis|euc-|gbk|big5)/.test(charset)
  const places = Array.from({ length: 256 }, (_, byte) => (isWide && byte >= 0x80 ? [] : [[byte]])).flat()
  if (isWide)
    for (let lead = 0x81; lead <= 0xfe; lead++)
      for (let trail = 0x40; trail <= 0xfe; trail++) places.push([lead, trail])
  const table = new Map<string, readonly number[]>()
  for (const place of places) {
    const text = decodeAs(charset, Uint8Array.from(place))
    // Of two places for one character writers take the first.
    if (Array.from(text).length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, place)
  }
  tables.set(charset, table)
  return table
}

/** What has no place in it is left out. */
export function encodeLegacy(text: string, charset: string): Uint8Array {
  const table = tableOf(charset)
  const bytes = (character: string): readonly number[] => table.get(character) ?? []
  return Uint8Array.from(
    Array.from(text.normalize('NFC'), (character) => {
      if (table.has(character)) return bytes(character)
      const other = instead.get(character)
      return other === undefined ? piecesOf(character).flatMap(bytes) : Array.from(other, bytes).flat()
    }).flat(),
  )
}

/** A letter and its mark of tone, as windows-1258 has them. */
function piecesOf(character: string): string[] {
  const pieces = character.normalize('NFD')
  const tone = /[\u0300\u0301\u0303\u0309\u0323]/u.exec(pieces)?.[0] ?? ''
  return [pieces.replace(tone, '').normalize('NFC'), tone]
}
