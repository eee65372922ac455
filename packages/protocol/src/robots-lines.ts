/**
 * Robots lines: from the octets of a robots.txt to records (RFC 9309 §2.2).
 *
 * Text is handled one octet a character (latin 1): rules are compared octet by octet, and files in other encodings
 * than UTF-8 exist whose paths must still match. Slips that leave no doubt about the wish are accepted, as others
 * accept them: a missing colon, and some misspellings of `Disallow`. The RFC allows other records (§2.2.4).
 */
import { tableOf } from './lookup.ts'
import { toOctets } from './robots-match.ts'

export interface RobotsRecord {
  /** Line number from 1. */
  readonly line: number
  readonly kind: 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'metadata' | 'crawl-delay' | 'other'
  /** The key as written, in lower case. */
  readonly name: string
  /** One octet a character. */
  readonly value: string
}

export interface RobotsText {
  readonly octets: string
  /** How much stood beyond the limit; 0 for nearly everybody. */
  readonly ignoredBytes: number
}

/** The first `maxBytes` as octets, without its byte order mark. */
export function readRobotsText(source: Uint8Array | string, maxBytes: number): RobotsText {
  const all = typeof source === 'string' ? Buffer.from(source, 'utf8') : source
  const head = all.subarray(0, maxBytes)
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const octets = withoutMark(bytes)
  if (all.length <= maxBytes) return { octets, ignoredBytes: 0 }
  // Half a rule is a rule nobody wrote: `Disallow: /` cut from `Disallow: /tmp` would close the site.
  const lastEnd = isLineEnd(all[maxBytes])
    ? octets.length
    : Math.max(octets.lastIndexOf('\n'), octets.lastIndexOf('\r')) + 1
  return { octets: octets.slice(0, lastEnd), ignoredBytes: all.length - maxBytes }
}

function isLineEnd(octet: number | undefined): boolean {
  return octet === 0x0a || octet === 0x0d
}

/**
 * Also without the torn mark that some editors leave. A file in UTF-16 breaks §2.2, but read as UTF-8 it would hold no
 * rule at all, and its author plainly had a wish.
 */
function withoutMark(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return toOctets(new TextDecoder('utf-16le').decode(bytes))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return toOctets(new TextDecoder('utf-16be').decode(bytes))
  const octets = bytes.toString('latin1')
  return octets.replace(/^\xEF(?:\xBB\xBF?)?/, '')
}

/** The records of a text, in order: comments, blank lines and what has no key are left out. */
export function* robotsRecords(octets: string): Generator<RobotsRecord> {
  let line = 0
  for (const raw of octets.split(/\r\n|[\r\n]/)) {
    line++
    const record = readRecord(raw, line)
    if (record !== undefined) yield record
  }
}

function readRecord(raw: string, line: number): RobotsRecord | undefined {
  const hash = raw.indexOf('#')
  const text = trimBlanks(hash < 0 ? raw : raw.slice(0, hash))
  if (text === '') return undefined
  const colon = text.indexOf(':')
  if (colon >= 0) return recordOf(line, trimBlanks(text.slice(0, colon)), trimBlanks(text.slice(colon + 1)))
  // Without a colon only two words can be a key and its value; three are a sentence.
  const words = text.split(/[ \t]+/, 3)
  const record = recordOf(line, words[0] ?? '', words[1] ?? '')
  return words.length === 2 && record.kind !== 'other' ? record : undefined
}

const KINDS: ReadonlyMap<string, RobotsRecord['kind']> = tableOf({
  'user-agent': 'user-agent',
  useragent: 'user-agent',
  'user agent': 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  // Misread, each of these would open what its author meant to close.
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  desallow: 'disallow',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
  metadata: 'metadata',
  'crawl-delay': 'crawl-delay',
  crawldelay: 'crawl-delay',
})

function recordOf(line: number, key: string, value: string): RobotsRecord {
  const name = key.toLowerCase()
  return { line, kind: KINDS.get(name) ?? 'other', name, value }
}

/** Blanks are space and tab (§2.2); `trim` would also take octets of UTF-8 such as A0. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x09
}
