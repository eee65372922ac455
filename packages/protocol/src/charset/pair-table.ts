/**
 * Pair table: the characters of a charset that take two bytes, by those bytes; and how a text of them is read (Encoding standard,
 * "EUC-KR decoder", "Big5 decoder"), for the charsets in which the runtime's own decoder does not know all of them.
 */
import { TextDecoder } from 'node:util'
import { addedTo } from './added-characters.ts'

const [FIRST_LEAD, FIRST_TRAIL, LAST] = [0x81, 0x40, 0xfe]
const LINE_FEED = 0x0a
const NOTHING = 0xfffd

/** The code unit by lead and trail; 0 for none. */
type PairTable = Uint16Array

const tables = new Map<string, PairTable>()

export function pairTable(charset: string): PairTable {
  const known = tables.get(charset)
  if (known !== undefined) return known
  const table = new Uint16Array(1 << 16)
  const bytes = pairsInLines()
  const text = new TextDecoder(charset).decode(bytes)
  for (let at = 0, start = 0; at < bytes.length; at += 3) {
    const end = text.indexOf('\n', start)
    const unit = text.charCodeAt(start)
    // What comes of two bytes and is two characters is none.
    if (end - start === 1 && unit !== NOTHING) table[(bytes[at]! << 8) | bytes[at + 1]!] = unit
    start = end + 1
  }
  for (const [place, character] of addedTo(charset)) table[place] = character.charCodeAt(0)
  tables.set(charset, table)
  return table
}

let lines: Uint8Array | undefined

/** All pairs, a line feed behind each, so that what is read of one ends there. */
function pairsInLines(): Uint8Array {
  if (lines !== undefined) return lines
  lines = new Uint8Array((LAST - FIRST_LEAD + 1) * (LAST - FIRST_TRAIL + 1) * 3).fill(LINE_FEED)
  let at = 0
  for (let lead = FIRST_LEAD; lead <= LAST; lead++)
    for (let trail = FIRST_TRAIL; trail <= LAST; trail++, at += 3) {
      lines[at] = lead
      lines[at + 1] = trail
    }
  return lines
}

export function decodePairs(table: PairTable, bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte < 0x80) {
      units[length++] = byte
      continue
    }
    const trail = bytes[at + 1] ?? LINE_FEED
    const unit = table[(byte << 8) | trail]!
    units[length++] = unit === 0 ? NOTHING : unit
    // An ASCII byte behind what is no character stands for itself.
    if (unit > 0 || (trail >= 0x80 && byte >= FIRST_LEAD && byte <= LAST)) at++
  }
  // A Uint16Array is little-endian wherever Node is built for but s390x and AIX.
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}
