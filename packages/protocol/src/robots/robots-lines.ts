/**
 * Robots lines: from the octets of a robots.txt to what stands in its lines (RFC 9309 §2.2).
 *
 * Everything is an octet: rules are compared octet by octet, and files in other encodings than UTF-8 exist whose paths must
 * still match. Slips that leave no doubt about the wish are accepted, as others accept them: a missing colon, and some
 * misspellings of `Disallow`. The RFC allows other records (§2.2.4).
 *
 * A file of half a megabyte may have half a million lines, and is read where a crawl has no time to lose: so lines are places
 * in the text, and nobody makes a string of what nobody asks for.
 */
import { toOctets } from './match.ts'

type RobotsKind = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'metadata' | 'crawl-delay' | 'site-wide' | 'other'

interface RobotsText {
  readonly octets: Uint8Array
  /** How much stood beyond the limit; 0 for nearly everybody. */
  readonly ignoredBytes: number
}

/** The first `maxBytes`, without the byte order mark; a copy, as whoever has the source may do with it as he likes. */
export function readRobotsText(source: Uint8Array | string, maxBytes: number): RobotsText {
  const all = typeof source === 'string' ? Buffer.from(source, 'utf8') : source
  const octets = withoutMark(Buffer.from(all.subarray(0, maxBytes)))
  if (all.length <= maxBytes) return { octets, ignoredBytes: 0 }
  // Half a rule is a rule nobody wrote: `Disallow: /` cut from `Disallow: /tmp` would close the site.
  const lastEnd = isLineEnd(all[maxBytes])
    ? octets.length
    : Math.max(octets.lastIndexOf(LINE_FEED), octets.lastIndexOf(CARRIAGE_RETURN)) + 1
  return { octets: octets.subarray(0, lastEnd), ignoredBytes: all.length - maxBytes }
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const HASH = 0x23
const COLON = 0x3a

const isLineEnd = (octet: number | undefined): boolean => octet === LINE_FEED || octet === CARRIAGE_RETURN

/**
 * Also without the torn mark that some editors leave. A file in UTF-16 breaks §2.2, but read as UTF-8 it would hold no
 * rule at all, and its author plainly had a wish.
 */
function withoutMark(bytes: Buffer): Buffer {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe)
    return Buffer.from(toOctets(new TextDecoder('utf-16le').decode(bytes)), 'latin1')
  if (first === 0xfe && second === 0xff)
    return Buffer.from(toOctets(new TextDecoder('utf-16be').decode(bytes)), 'latin1')
  if (first !== 0xef) return bytes
  return bytes.subarray(second !== 0xbb ? 1 : third !== 0xbf ? 2 : 3)
}

/** Goes from line to line: comments, blank lines and what has no key are left out. Its fields are of the line it is at. */
export class RobotsLineReader {
  readonly octets: Uint8Array
  /** From 1. */
  line = 0
  kind: RobotsKind = 'other'
  keyFrom = 0
  keyTo = 0
  valueFrom = 0
  valueTo = 0
  #at = 0

  constructor(octets: Uint8Array) {
    this.octets = octets
  }

  /** The key as written, in lower case. */
  get name(): string {
    return octetsAt(this.octets, this.keyFrom, this.keyTo).toLowerCase()
  }

  /** One octet a character. */
  get value(): string {
    return octetsAt(this.octets, this.valueFrom, this.valueTo)
  }

  /** False when there is none left. */
  next(): boolean {
    const { octets } = this
    const { length } = octets
    while (this.#at < length) {
      const from = this.#at
      let [to, end] = [-1, from]
      for (; end < length; end++) {
        const octet = octets[end]!
        if (octet === LINE_FEED || octet === CARRIAGE_RETURN) break
        if (octet === HASH && to < 0) to = end
      }
      this.#at = end + (octets[end] === CARRIAGE_RETURN && octets[end + 1] === LINE_FEED ? 2 : 1)
      this.line++
      if (end > from && this.#read(from, to < 0 ? end : to)) return true
    }
    return false
  }

  #read(start: number, end: number): boolean {
    const { octets } = this
    const from = skipBlanks(octets, start, end)
    const to = dropBlanks(octets, from, end)
    if (from === to) return false
    let colon = from
    while (colon < to && octets[colon] !== COLON) colon++
    if (colon === to) return this.#readWords(from, to)
    this.#set(from, dropBlanks(octets, from, colon), skipBlanks(octets, colon + 1, to), to)
    return true
  }

  /** Without a colon only two words can be a key and its value; three are a sentence. */
  #readWords(from: number, to: number): boolean {
    const { octets } = this
    let keyTo = from
    while (keyTo < to && !isBlank(octets[keyTo]!)) keyTo++
    const valueFrom = skipBlanks(octets, keyTo, to)
    let valueTo = valueFrom
    while (valueTo < to && !isBlank(octets[valueTo]!)) valueTo++
    if (valueFrom === to || valueTo < to) return false
    this.#set(from, keyTo, valueFrom, valueTo)
    return this.kind !== 'other'
  }

  #set(keyFrom: number, keyTo: number, valueFrom: number, valueTo: number): void {
    this.kind = kindAt(this.octets, keyFrom, keyTo)
    this.keyFrom = keyFrom
    this.keyTo = keyTo
    this.valueFrom = valueFrom
    this.valueTo = valueTo
  }
}

export const octetsAt = (octets: Uint8Array, from: number, to: number): string =>
  Buffer.from(octets.buffer, octets.byteOffset + from, to - from).toString('latin1')

const KEYS: readonly (readonly [key: string, kind: RobotsKind])[] = [
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  // Misread, each of these would open what its author meant to close.
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['desallow', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['metadata', 'metadata'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
  // Yandex’s, of the site and not of a crawler, wherever they stand.
  ['host', 'site-wide'],
  ['clean-param', 'site-wide'],
]

interface KnownKey {
  readonly octets: Uint8Array
  readonly kind: RobotsKind
}
const KEYS_BY_LENGTH: readonly (readonly KnownKey[])[] = Array.from({ length: 16 }, (_, length) =>
  KEYS.filter(([key]) => key.length === length).map(([key, kind]) => ({ octets: Buffer.from(key), kind })),
)

function kindAt(octets: Uint8Array, from: number, to: number): RobotsKind {
  const known = KEYS_BY_LENGTH[to - from] ?? []
  for (const one of known) if (isKey(octets, from, one.octets)) return one.kind
  return 'other'
}

function isKey(octets: Uint8Array, from: number, key: Uint8Array): boolean {
  for (let i = 0; i < key.length; i++) if (lowerCase(octets[from + i]!) !== key[i]) return false
  return true
}

export const lowerCase = (octet: number): number => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet)

/** Blanks are space and tab (§2.2); others are octets of UTF-8, such as A0. */
export const isBlank = (octet: number): boolean => octet === 0x20 || octet === 0x09

function skipBlanks(octets: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isBlank(octets[at]!)) at++
  return at
}

function dropBlanks(octets: Uint8Array, from: number, to: number): number {
  let at = to
  while (at > from && isBlank(octets[at - 1]!)) at--
  return at
}
