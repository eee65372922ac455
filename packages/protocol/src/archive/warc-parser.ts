/**
 * WARC parser: bytes in, records and problems out, a piece at a time.
 *
 * ```
 *   start ──▶ head ──▶ block (or skip, when too large) ──▶ start
 *              │ bad     │ no line ends behind it
 *              └─────────┴──▶ lost ──▶ start               at the next line that begins with WARC/
 * ```
 * A length that is too long takes in the records behind its own. It is found out where the block ends, as no record ends or
 * begins there, and reading goes back to the first record inside the block. Only then: what stands in a block whose end is
 * sound is content, and whoever wrote a page could write records into it. Where the bytes end inside a block, either may be
 * so; reading goes back only if from there on one whole record follows another, exactly to the end.
 *
 * Every byte is looked at a bounded number of times, so hostile bytes cost no more than honest ones. Never throws.
 */
import { ByteQueue } from '../http/byte-queue.ts'
import type { HeaderList } from '../capture.ts'
import type { WarcRecord } from './warc-record.ts'

export type WarcProblem =
  | 'arc-not-supported' // the older format; convert it first
  | 'bad-version' // no `WARC/…` line where a record should begin, or a version we do not know
  | 'bad-header' // a head without end, or another head inside it
  | 'bad-line' // a line without a colon; the record is read all the same
  | 'bad-length' // Content-Length missing, doubled, no number, or longer than the block
  | 'missing-field' // WARC-Type, WARC-Record-ID or WARC-Date is absent; the record is read all the same
  | 'missing-crlf' // a record does not end in two line ends; it is read all the same
  | 'truncated' // the bytes end inside a record or a gzip member
  | 'too-large' // more than the limits allow; skipped
  | 'bad-gzip' // a gzip member is damaged; skipped
  | 'bad-digest' // asked to verify: the block or payload is not what its digest says
  | 'fault' // a fault of ours while it was looked at; left out
  | 'too-much-work' // it takes more work to read than was allowed; nothing behind it was looked at
  | 'gave-up' // so much is broken that looking further is not worth its cost

export type WarcItem =
  | { readonly kind: 'record'; readonly record: WarcRecord; readonly offset: number; readonly length: number }
  | { readonly kind: 'problem'; readonly problem: WarcProblem; readonly offset: number; readonly message: string }

export interface WarcLimits {
  /** Version line and fields together. */
  readonly maxHeadBytes: number
  /** A block, and also what one gzip member may hold when it is read as a whole. */
  readonly maxRecordBytes: number
}

export const WARC_LIMITS: WarcLimits = { maxHeadBytes: 1 << 16, maxRecordBytes: 1 << 28 }

export class WarcParser {
  readonly #limits: WarcLimits
  readonly #mayGoBack: boolean
  readonly #held: ByteQueue = new ByteQueue()
  #state: 'start' | 'head' | 'block' | 'skip' | 'lost' | 'done' = 'start'
  /** Offset of the first byte held. */
  #offset = 0
  #ended = false
  #first = true
  /** Blank lines since the last record, in bytes. */
  #blanks = 0
  #recordOffset = 0
  #head: Head = { version: '', fields: [], problems: [] }
  #blockBytes = 0
  /** Bytes of heads that were looked at inside blocks. */
  #looked = 0
  /** While skipping: a record may begin at the first byte held. */
  #isSuspect = false
  #queue: WarcItem[] = []

  /** `mayGoBack`: see above. */
  constructor(limits: WarcLimits = WARC_LIMITS, mayGoBack = true) {
    this.#limits = limits
    this.#mayGoBack = mayGoBack
  }

  feed(bytes: Uint8Array): void {
    if (this.#state !== 'done') this.#held.push(bytes)
  }

  /** No more bytes will come. */
  end(): void {
    this.#ended = true
  }

  /** The next item; undefined when more bytes are needed, or none are left. */
  next(): WarcItem | undefined {
    while (this.#queue.length === 0 && this.#step()) continue
    return this.#queue.shift()
  }

  /** Do one step; false when nothing more can be done with the bytes held. */
  #step(): boolean {
    switch (this.#state) {
      case 'start':
        return this.#start()
      case 'head':
        return this.#readHead()
      case 'block':
        return this.#readBlock()
      case 'skip':
        return this.#skip()
      case 'lost':
        return this.#findNext()
      case 'done':
    }
    return false
  }

  /** Blank lines between records are harmless and met in the wild. */
  #start(): boolean {
    const bytes = this.#held.bytes()
    let blanks = 0
    while (blanks < MAX_BLANKS && (bytes[blanks] === 13 || bytes[blanks] === 10)) blanks += 1
    this.#blanks += blanks
    this.#drop(blanks)
    if (this.#blanks >= MAX_BLANKS) return this.#loseWay()
    if (this.#held.size === 0) return false
    this.#blanks = 0
    this.#recordOffset = this.#offset
    this.#state = 'head'
    return true
  }

  /** Nobody writes so many: what follows is searched for a record, which is quicker than to look at each byte. */
  #loseWay(): boolean {
    this.#blanks = 0
    this.#recordOffset = this.#offset
    this.#report('bad-version', `more than ${MAX_BLANKS} bytes of blank lines stand where a record should begin`)
    this.#state = 'lost'
    return true
  }

  #readHead(): boolean {
    const bytes = this.#held.bytes()
    const scan = scanHead(bytes, this.#limits.maxHeadBytes, this.#ended)
    if (scan === 'more') return false
    if (scan.problem !== undefined) {
      const arc = this.#first && scan.problem === 'bad-version' && bytes.subarray(0, 11).equals(ARC_MAGIC)
      this.#report(arc ? 'arc-not-supported' : scan.problem, scan.message)
      this.#drop(arc ? this.#held.size : scan.end)
      this.#state = arc ? 'done' : 'lost'
      return true
    }
    this.#first = false
    for (const [problem, message] of scan.head.problems) this.#report(problem, message)
    this.#drop(scan.end)
    this.#head = scan.head
    this.#blockBytes = scan.length
    this.#state = 'block'
    if (scan.length > this.#limits.maxRecordBytes) {
      this.#report('too-large', `a block of ${scan.length} bytes is above the limit and was skipped`)
      this.#state = 'skip'
      this.#isSuspect = false
    }
    return true
  }

  #readBlock(): boolean {
    if (this.#held.size < this.#blockBytes + END_BYTES && !this.#ended) return false
    if (this.#held.size < this.#blockBytes) return this.#cutShort()
    if (!this.#isEndSound() && this.#goBack(this.#suspects(this.#blockBytes).next().value)) return true
    const { version, fields } = this.#head
    const block = this.#held.bytes().subarray(0, this.#blockBytes)
    this.#drop(this.#blockBytes)
    const lineEnds = this.#readLineEnds()
    const length = this.#offset - this.#recordOffset
    this.#queue.push({ kind: 'record', record: { version, fields, block }, offset: this.#recordOffset, length })
    this.#closeRecord(lineEnds)
    return true
  }

  /** What is skipped is let go, up to where a record may begin: from there on it is held, as far as the limit allows. */
  #skip(): boolean {
    if (this.#isSuspect && this.#held.size > this.#limits.maxRecordBytes) {
      this.#skipped(Math.min(this.#held.size, this.#blockBytes))
      this.#isSuspect = false
    }
    if (!this.#isSuspect) this.#skipToSuspect()
    if (this.#held.size < this.#blockBytes + END_BYTES && !this.#ended) return false
    if (this.#held.size < this.#blockBytes) return this.#cutShort()
    if (!this.#isEndSound() && this.#goBack(this.#suspects(this.#blockBytes).next().value)) return true
    this.#skipped(this.#blockBytes)
    this.#closeRecord(this.#readLineEnds())
    return true
  }

  #skipToSuspect(): void {
    const inside = Math.min(this.#held.size, this.#blockBytes)
    const found = this.#suspects(inside).next().value
    this.#isSuspect = found !== undefined
    // The last bytes may be the beginning of what is looked for.
    this.#skipped(found ?? Math.max(0, inside - RECORD_START.length))
  }

  #skipped(count: number): void {
    this.#drop(count)
    this.#blockBytes -= count
  }

  /** Where in the next `length` bytes a record seems to begin. */
  *#suspects(length: number): Generator<number> {
    const bytes = this.#held.bytes()
    const inside = bytes.subarray(0, length)
    for (let at = inside.indexOf(RECORD_START); at >= 0; at = inside.indexOf(RECORD_START, at + 1)) {
      // Heads within heads would be looked at again and again.
      if (!this.#mayGoBack || this.#looked > LOOK_BYTES + LOOK_SHARE * this.#offset) return
      const head = bytes.subarray(at, at + this.#limits.maxHeadBytes)
      const scan = scanHead(head, this.#limits.maxHeadBytes, false)
      this.#looked += RECORD_START.length + (scan === 'more' ? head.length : scan.end)
      if (scan === 'more' || scan.problem === undefined) yield at
    }
  }

  /** The block is followed by the end of its record, by the next record, or by nothing at all. */
  #isEndSound(): boolean {
    const end = this.#blockBytes
    if (this.#held.size === end) return this.#ended
    return RECORD_END.test(this.#held.bytes().toString('latin1', end, end + 9))
  }

  /** The record's length is wrong: go on at a record that stands inside its block, if there is one. */
  #goBack(to: number | undefined): boolean {
    if (to === undefined) return false
    this.#report('bad-length', 'its Content-Length leads into the records behind it; it is left out')
    this.#drop(to)
    this.#state = 'start'
    return true
  }

  /** The bytes end inside the block: of a file that was cut short, or the length is wrong. */
  #cutShort(): boolean {
    let tries = 0
    for (const found of this.#suspects(this.#held.size)) {
      if (++tries > MAX_SUSPECTS) break
      if (this.#areRecordsFrom(found)) return this.#goBack(found)
    }
    return this.#truncated('block')
  }

  /** From here on, whole records follow each other exactly to the end. */
  #areRecordsFrom(start: number): boolean {
    const rest = new WarcParser(this.#limits, false)
    rest.feed(this.#held.bytes().subarray(start))
    rest.end()
    for (let item = rest.next(); item !== undefined; item = rest.next()) {
      if (item.kind === 'problem' && item.problem !== 'missing-field') return false
    }
    return true
  }

  #readLineEnds(): boolean {
    const tail = /^(?:\r?\n){2}/.exec(this.#held.bytes().toString('latin1', 0, 4))?.[0]
    this.#drop(tail?.length ?? 0)
    return tail !== undefined
  }

  #closeRecord(lineEnds: boolean): void {
    this.#state = lineEnds || this.#isVersionLine() ? 'start' : 'lost'
    if (!lineEnds) this.#report('missing-crlf', 'a record does not end in two line ends')
  }

  #isVersionLine(): boolean {
    return /^[\r\n]*WARC\//.test(this.#held.bytes().toString('latin1', 0, 9))
  }

  /** Go on at the next line that begins like a record. */
  #findNext(): boolean {
    const bytes = this.#held.bytes()
    const atOnce = bytes.subarray(0, WARC_MAGIC.length).equals(WARC_MAGIC)
    const found = atOnce ? 0 : firstOf(bytes)
    if (found !== undefined) {
      this.#drop(found)
      this.#state = 'start'
      return true
    }
    this.#drop(this.#ended ? this.#held.size : Math.max(0, this.#held.size - VERSION_BYTES))
    return false
  }

  #truncated(part: string): true {
    this.#report('truncated', `the bytes end inside a record's ${part}`)
    this.#drop(this.#held.size)
    this.#state = 'done'
    return true
  }

  #report(problem: WarcProblem, message: string): void {
    this.#queue.push({ kind: 'problem', problem, offset: this.#recordOffset, message })
  }

  #drop(count: number): void {
    this.#held.drop(count)
    this.#offset += count
  }
}

const ARC_MAGIC = Buffer.from('filedesc://')
const WARC_MAGIC = Buffer.from('WARC/')
/** The line that nearly every record begins with, also behind bytes that do not end in a line end. */
const VERSION_LINES = ['WARC/1.0\r\n', 'WARC/1.1\r\n'] as const
const VERSION_BYTES = 9
const RECORD_START = Buffer.from('WARC/1.')
/** Two line ends, or at once the next record. */
const RECORD_END = /^(?:(?:\r?\n){2}|[\r\n]*WARC\/)/
const END_BYTES = 9
/** Some writers leave a few blank lines between records. */
const MAX_BLANKS = 1 << 16
/** Places looked at where bytes end inside a block: each costs a reading of all that follows. */
const MAX_SUSPECTS = 4
const LOOK_BYTES = 4 << 20
const LOOK_SHARE = 4

/** Where a record seems to begin: with a line of its own, or with the whole of a line that we know. */
function firstOf(bytes: Buffer): number | undefined {
  const line = bytes.indexOf('\nWARC/', 0, 'latin1')
  // Only in front of it: of many such lines each would cost a look at all that follows.
  const before = line < 0 ? bytes : bytes.subarray(0, line)
  const places = VERSION_LINES.map((version) => before.indexOf(version, 0, 'latin1'))
  const found = [line < 0 ? -1 : line + 1, ...places].filter((place) => place >= 0)
  return found.length === 0 ? undefined : Math.min(...found)
}

interface Head {
  readonly version: string
  readonly fields: HeaderList
  readonly problems: readonly (readonly [WarcProblem, string])[]
}

type HeadScan =
  | { readonly problem?: never; readonly head: Head; readonly length: number; readonly end: number }
  | { readonly problem: WarcProblem; readonly message: string; readonly end: number }

/** Read a version line and fields up to the blank line; `end` is where reading goes on, also after a problem. */
function scanHead(bytes: Buffer, maxBytes: number, ended: boolean): HeadScan | 'more' {
  const lines: string[] = []
  let at = 0
  for (;;) {
    const newline = bytes.indexOf(10, at)
    if (newline < 0 || newline >= maxBytes) {
      if (bytes.length >= maxBytes) return unendingHead(lines, maxBytes)
      if (!ended) return earlyVerdict(bytes) ?? 'more'
      return {
        problem: lines.length === 0 ? versionProblem(bytes) : 'truncated',
        message: TORN_HEAD,
        end: bytes.length,
      }
    }
    // More than one CR before the LF is what a text-mode copy leaves behind.
    let lineEnd = newline
    while (lineEnd > at && bytes[lineEnd - 1] === 13) lineEnd -= 1
    const line = bytes.toString('utf8', at, lineEnd)
    if (lines.length === 0 && !KNOWN_VERSION.test(line)) {
      return { problem: 'bad-version', message: `a record cannot begin with ${quote(line)}`, end: at + 1 }
    }
    // A head inside a head: the first was torn, and what follows may be whole.
    if (lines.length > 0 && KNOWN_VERSION.test(line)) {
      return { problem: 'bad-header', message: 'a record begins inside the fields of another', end: at }
    }
    at = newline + 1
    if (line === '') return parseHead(lines, at)
    lines.push(line)
  }
}

const TORN_HEAD = "the bytes end inside a record's fields"
const KNOWN_VERSION = /^WARC\/(?:0\.1[78]|1\.[01])[ \t]*$/i

/** The bytes end in a first line: is it the beginning of a record? */
const versionProblem = (bytes: Buffer): WarcProblem =>
  'WARC/'.startsWith(bytes.toString('latin1', 0, 5).toUpperCase()) ? 'truncated' : 'bad-version'

/** Do not gather a head's worth of bytes when the first five already are wrong. */
const earlyVerdict = (bytes: Buffer): HeadScan | undefined =>
  bytes.length >= 11 && !/^WARC\//i.test(bytes.toString('latin1', 0, 5))
    ? {
        problem: 'bad-version',
        message: `a record cannot begin with ${quote(bytes.toString('latin1', 0, 40))}`,
        end: 1,
      }
    : undefined

const unendingHead = (lines: readonly string[], maxBytes: number): HeadScan => ({
  problem: lines.length === 0 ? 'bad-version' : 'bad-header',
  message: `no end of the fields within ${maxBytes} bytes`,
  end: maxBytes,
})

function parseHead([versionLine = '', ...lines]: readonly string[], end: number): HeadScan {
  const problems: [WarcProblem, string][] = []
  const fields: [string, string][] = []
  const lengths = new Set<string>()
  for (const [name, value] of unfold(lines)) {
    if (value === undefined) problems.push(['bad-line', `a line without a colon: ${quote(name)}`])
    else if (name.toLowerCase() === 'content-length') lengths.add(value)
    else fields.push([name, value])
  }
  const [length = ''] = lengths
  if (lengths.size !== 1 || !/^\d{1,15}$/.test(length)) {
    return { problem: 'bad-length', message: `Content-Length is ${quote([...lengths].join(', '))}`, end: end - 1 }
  }
  const names = new Set(fields.map(([name]) => name.toLowerCase()))
  const missing = REQUIRED.filter((name) => !names.has(name.toLowerCase()))
  if (missing.length > 0) problems.push(['missing-field', `${missing.join(', ')} missing`])
  const version = versionLine.slice(5).trim()
  return { head: { version, fields, problems }, length: Number(length), end }
}

const REQUIRED = ['WARC-Type', 'WARC-Record-ID', 'WARC-Date']

/** Fields whose value goes on in lines that begin with a space or tab (§4, `LWS`). */
function unfold(lines: readonly string[]): (readonly [name: string, value: string | undefined])[] {
  const fields: { readonly name: string; readonly values?: string[] }[] = []
  for (const line of lines) {
    const values = fields.at(-1)?.values
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line) && values !== undefined) values.push(line.trim())
    else if (colon > 0) fields.push({ name: line.slice(0, colon).trim(), values: [line.slice(colon + 1).trim()] })
    else fields.push({ name: line })
  }
  return fields.map(({ name, values }) => [name, values?.join(' ').trim()])
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 60))
