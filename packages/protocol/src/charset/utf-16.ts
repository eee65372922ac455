/**
 * UTF-16 without its mark. The first byte of each unit says the script, and is hardly ever another in a page: 0 for ASCII, of
 * which all markup is made, 4 for Cyrillic, 30 for kana. Other texts have no zeros, and other data is no text for long: its units
 * would be letters that nobody has given out.
 */
import { isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'

const LOOKED_AT = 1_024
const FIRST_LOOK = 128
const KANA = 0x30
/** Of all units. A line of Chinese has a line end; a Japanese one is half kana. */
const LEAST_CONTROLS = 1 / 64
const LEAST_KANA = 1 / 4
/** What so few units say may be chance. */
const LEAST_KANA_UNITS = 8
/** In the other bytes there may be some as well. */
const MARGIN = 4

/** Greek, Cyrillic, Hebrew, Arabic, Thai; as bytes they are controls that no other text has. */
const isFirstByte = (byte: number): boolean => byte === 0 || (byte >= 0x03 && byte <= 0x06) || byte === 0x0e

const NO_TEXT = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\t\n\f\r\u200b-\u200f\u2028-\u202e\ufeff]/u

export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = bytes.subarray(0, Math.min(LOOKED_AT, bytes.length & ~1))
  const count = hasFirstByte(head) ? controlsOf(head) : kanaOf(head)
  if (count === undefined) return undefined
  const name = count.even > count.odd ? 'utf-16be' : 'utf-16le'
  return NO_TEXT.test(textOf(head, name)) ? undefined : name
}

function hasFirstByte(head: Uint8Array): boolean {
  for (let at = 0; at < FIRST_LOOK && at < head.length; at++) if (isFirstByte(head[at]!)) return true
  return false
}

interface Count {
  readonly even: number
  readonly odd: number
}

function controlsOf(head: Uint8Array): Count | undefined {
  const count = countOf(head, isFirstByte)
  return isClear(count, Math.max(2, (head.length / 2) * LEAST_CONTROLS)) ? count : undefined
}

function kanaOf(head: Uint8Array): Count | undefined {
  if (isAscii(head)) return undefined
  const count = countOf(head, (byte) => byte === KANA)
  return isClear(count, Math.max(LEAST_KANA_UNITS, (head.length / 2) * LEAST_KANA)) ? count : undefined
}

const isClear = ({ even, odd }: Count, least: number): boolean =>
  Math.max(even, odd) >= least && Math.max(even, odd) > MARGIN * Math.min(even, odd)

function countOf(head: Uint8Array, isWanted: (byte: number) => boolean): Count {
  let [even, odd] = [0, 0]
  for (let at = 0; at < head.length; at += 2) {
    if (isWanted(head[at]!)) even++
    if (isWanted(head[at + 1]!)) odd++
  }
  return { even, odd }
}

/** Without a last character of two units that is only half there. */
function textOf(head: Uint8Array, name: string): string {
  const text = new TextDecoder(name).decode(head)
  return text.endsWith('\ufffd') ? text.slice(0, -1) : text
}
