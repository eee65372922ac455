/**
 * Where the text of a page is gathered: code units in a typed array that grows, made into one string at the end.
 *
 * Copies are made on purpose. A slice of a string keeps the whole string alive, and a link is often kept long after
 * its page; here all text kept from a page hangs on two strings of just the kept text, and never on the page.
 */
import { readReference, type Reference } from './entities.ts'

const SPACE = 0x20
const NEWLINE = 0x0a
const AMPERSAND = 0x26
const LESS = 0x3c
const NO_BREAK_SPACE = 0xa0
/** How far beyond its limit a text still takes what an open anchor or heading may need of it. */
const OVERHANG = 4_096

/** Code units in a typed array that grows. */
export class UnitBuffer {
  units: Uint16Array = new Uint16Array(8_192)
  length = 0
  /** All units ORed together: below 256 the string needs one byte a character. */
  #width = 0

  reserve(extra: number): void {
    if (this.length + extra <= this.units.length) return
    const larger = new Uint16Array(Math.max(this.length + extra, this.units.length * 2))
    larger.set(this.units.subarray(0, this.length))
    this.units = larger
  }

  /** To be told of all units written. */
  widen(width: number): void {
    this.#width |= width
  }

  clear(): void {
    this.length = this.#width = 0
  }

  /** Adds a string that is not a page's own text. */
  add(text: string): void {
    this.reserve(text.length)
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      this.units[this.length++] = code
      this.#width |= code
    }
  }

  string(start = 0, end: number = this.length): string {
    if (end - start <= SHORT) return shortString(this.units, start, end)
    if (this.#width >= 0x100) return Buffer.from(this.units.buffer, start * 2, (end - start) * 2).toString('utf16le')
    const units = this.units.subarray(start, end)
    if (units.length > narrow.length) return Buffer.from(units).toString('latin1')
    narrow.set(units)
    return narrow.toString('latin1', 0, units.length)
  }
}

/** Where units are made into bytes on their way to a string. */
const narrow = Buffer.alloc(65_536)

const SHORT = 24
/** Short strings made lately: `stylesheet`, `viewport`, `text/css` come on every page, and making one is a slow call. */
const recent: string[] = Array.from({ length: 256 }, () => '')

function shortString(units: Uint16Array, start: number, end: number): string {
  let hash = end - start
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + units[at]!) | 0
  const slot = (hash ^ (hash >> 8)) & 255
  const known = recent[slot]!
  if (equals(known, units, start, end)) return known
  const fresh = String.fromCharCode(...units.subarray(start, end))
  recent[slot] = fresh
  return fresh
}

function equals(text: string, units: Uint16Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== units[start + at]) return false
  return true
}

/** How `append` reads what it is given; may be ORed. */
export const PLAIN = 0
/** `&` means itself. */
export const LITERAL = 1
/** `&copy=` is no reference. */
export const IN_ATTRIBUTE = 2
/** Stop at `<`. */
export const TO_TAG = 4

/** 0 for what is copied, 1 for white space, 2 for what needs a thought. */
const kinds = new Uint8Array(65_536)
kinds.fill(1, 1, SPACE + 1)
for (const code of [0, AMPERSAND, LESS, NO_BREAK_SPACE]) kinds[code] = 2

/**
 * Text with its white space folded, up to a limit. A no-break space folds like any other: it is layout, and would
 * keep two words from being found apart. Control characters fold too; NUL is dropped, as the standard's tree builder
 * does.
 */
export class FoldedText {
  readonly #buffer = new UnitBuffer()
  readonly #reference: Reference = { codePoint: 0, second: 0, end: 0 }
  #limit = 0
  /** 1 when white space, or nothing, came last, so that no more is written. */
  #blank = 1
  #lost = 0
  #holds = 0

  get capacity(): number {
    return this.#buffer.units.length
  }

  /** Where the next text will stand. */
  get position(): number {
    return this.#buffer.length
  }

  /** How many characters came after the limit. */
  get overflow(): number {
    return this.#lost + Math.max(0, this.#buffer.length - this.#limit)
  }

  clear(limit: number): void {
    this.#buffer.clear()
    this.#limit = limit
    this.#blank = 1
    this.#lost = this.#holds = 0
  }

  space(): void {
    if (this.#blank === 0) this.#blankWith(SPACE)
  }

  newline(): void {
    const { units, length } = this.#buffer
    if (this.#blank === 0) this.#blankWith(NEWLINE)
    else if (length > 0 && units[length - 1] === SPACE) units[length - 1] = NEWLINE
  }

  /** Between `hold` and `release`, text beyond the limit stays readable, for the range of an anchor or heading. */
  hold(): void {
    this.#holds++
  }

  release(): void {
    this.#holds--
    if (this.#buffer.length > this.#limit) this.#trim()
  }

  /** Adds text, and returns where it stopped. */
  append(codes: Uint16Array, start: number, end: number, how: number): number {
    const buffer = this.#buffer
    // No reference is shorter than what it stands for; one more for a blank that is to be written over.
    buffer.reserve(end - start + 1)
    const units = buffer.units
    let length = buffer.length
    let blank = this.#blank
    let width = 0
    let at = start
    while (at < end) {
      // A loop of its own, because a call in it would make every round fetch the arrays anew. And no branch in it:
      // where words end cannot be foretold, and a wrong guess costs more than all the rest. White space is written
      // as a space, and a second one is written over by what comes next.
      let code = 0
      while (at < end) {
        code = codes[at]!
        const kind = kinds[code]!
        if (kind === 2) break
        code = (code & (kind - 1)) | (kind << 5)
        units[length] = code
        length += 1 - (kind & blank)
        blank = kind
        width |= code
        at++
      }
      if (at === end || (code === LESS && (how & TO_TAG) !== 0)) break
      at++
      if (code === 0) continue
      let second = 0
      if (code === AMPERSAND && (how & LITERAL) === 0) {
        if (readReference(codes, at - 1, end, (how & IN_ATTRIBUTE) !== 0, this.#reference)) {
          at = this.#reference.end
          code = this.#reference.codePoint
          second = this.#reference.second
        }
      }
      if (code <= SPACE || code === NO_BREAK_SPACE) {
        if (blank === 0) units[length++] = SPACE
        blank = 1
        continue
      }
      if (code > 0xffff) {
        units[length++] = 0xd7c0 + (code >> 10)
        code = 0xdc00 | (code & 0x3ff)
      }
      units[length++] = code
      blank = 0
      width |= code
      // No second code point of a name is beyond U+FFFF, nor white space.
      if (second !== 0) units[length++] = second
      width |= second
    }
    buffer.length = length
    buffer.widen(width)
    this.#blank = blank
    if (length > this.#limit) this.#trim()
    return at
  }

  /** `start`, or behind the blank that stands there. */
  wordAt(start: number): number {
    return start < this.#buffer.length && this.#buffer.units[start]! <= SPACE ? start + 1 : start
  }

  /** Where at most `limit` characters from `start` end, without a blank; a pair of surrogates is not cut. */
  clip(start: number, limit: number): number {
    const { units, length } = this.#buffer
    let end = Math.min(length, start + limit)
    if (end > start && end < length && (units[end - 1]! & 0xfc00) === 0xd800) end--
    return end > start && units[end - 1]! <= SPACE ? end - 1 : end
  }

  string(start: number, end: number): string {
    return this.#buffer.string(start, end)
  }

  /** All text up to the limit. */
  whole(): string {
    return this.#buffer.string(0, this.clip(0, this.#limit))
  }

  #blankWith(unit: number): void {
    this.#buffer.reserve(1)
    this.#buffer.units[this.#buffer.length++] = unit
    this.#blank = 1
    if (this.#buffer.length > this.#limit) this.#trim()
  }

  #trim(): void {
    const keep = this.#limit + (this.#holds > 0 ? OVERHANG : 0)
    if (this.#buffer.length <= keep) return
    this.#lost += this.#buffer.length - keep
    this.#buffer.length = keep
  }
}
