/**
 * HTML scanner: cuts a page into text and tags, as the WHATWG tokenizer does where it matters to a reader of pages.
 *
 * It works on UTF-16 code units in a typed array, not on the string: a load from the array is one instruction where
 * `charCodeAt` first asks what kind of string it has (measured: half the time a page, and copying the string in is a
 * hundredth). Nothing is made per token: the sink is told positions in `codes` and looks for itself.
 *
 *        ┌──────────── window ────────────┐
 *   codes│ rest of a cut token │ new units │      scanned from the left; what is not whole is kept and moved down
 *
 * Scanning starts anew at a cut token, but only when the window has doubled since: so any page in any chunks costs
 * time in proportion to its length, and every token is read by one straight piece of code with no saved state.
 */
import { isAlphanumeric } from './entities.ts'
import {
  ATTRIBUTES,
  attributeNames,
  BREAKOUT,
  elementFlags,
  elementNames,
  endsName,
  FOREIGN,
  isLetter,
  ISLAND,
  isSpace,
  nameClass,
  RAW,
  RCDATA,
  SHOWN,
} from './html-names.ts'
import { TagAttributes } from './attributes.ts'
import { LITERAL, PLAIN, TO_TAG } from './html-text.ts'

/** Told what was read, in order. Positions hold only until the call returns. */
export interface HtmlSink {
  /**
   * Text in `codes` from `start` to `end`, or with `TO_TAG` to the first `<` before `end`; returns where it ended.
   * One run may come in several calls.
   */
  text(start: number, end: number, how: number): number
  /** A start tag; its attributes are in `attributes` until the call returns. 0 is an element we have no name for. */
  open(element: number): void
  close(element: number): void
}

const WINDOW = 65_536

const QUOTE = 0x22
const DASH = 0x2d
const SLASH = 0x2f
const LESS = 0x3c
const EQUALS = 0x3d
const GREATER = 0x3e

const SCRIPT = elementNames.idOf('script')
const STYLE = elementNames.idOf('style')
const TITLE = elementNames.idOf('title')
const P = elementNames.idOf('p')
const BR = elementNames.idOf('br')
const PLAINTEXT = elementNames.idOf('plaintext')
const CDATA = Array.from('[CDATA[', (letter) => letter.charCodeAt(0))

export class HtmlScanner {
  readonly attributes: TagAttributes = new TagAttributes()
  codes: Uint16Array = new Uint16Array(WINDOW)
  readonly #sink: HtmlSink
  #bytes: Buffer = Buffer.from(this.codes.buffer)
  #length = 0
  /** Below this length another look at the cut token is not worth it. */
  #scanAt = 0
  /** The element whose raw text we are in; 0 for none. */
  #raw = 0
  /** In a script: 0 plain, 1 after `<!--`, 2 after a further `<script`, where `</script>` does not end it. */
  #escaped = 0
  #dashes = 0
  /** Open `svg` and `math`, and open places for HTML inside them. */
  #foreign = 0
  #islands = 0
  #selfClosing = false

  constructor(sink: HtmlSink) {
    this.#sink = sink
  }

  /** The units held; what a reader keeps for its next page should not stay large. */
  get capacity(): number {
    return this.codes.length
  }

  /** Inside a drawing or a formula, where `title` is a caption and not the page's. */
  get inForeign(): boolean {
    return this.#foreign > this.#islands
  }

  write(chunk: string): void {
    for (let from = 0; from < chunk.length; from += WINDOW) {
      const part = chunk.length <= WINDOW ? chunk : chunk.slice(from, from + WINDOW)
      this.#reserve(this.#length + part.length)
      // A Uint16Array is little-endian wherever Node is built for but s390x and AIX.
      this.#bytes.write(part, this.#length * 2, 'utf16le')
      this.#length += part.length
      if (this.#length >= this.#scanAt) this.#scan(false)
    }
  }

  end(): void {
    this.#scan(true)
    this.#length = this.#scanAt = this.#raw = this.#escaped = this.#dashes = this.#foreign = this.#islands = 0
  }

  #reserve(length: number): void {
    if (length <= this.codes.length) return
    const larger = new Uint16Array(Math.max(length, this.codes.length * 2))
    larger.set(this.codes.subarray(0, this.#length))
    this.codes = larger
    this.#bytes = Buffer.from(larger.buffer)
  }

  #scan(final: boolean): void {
    let at = 0
    for (let before = -1; at < this.#length && at !== before;) {
      before = at
      if (this.#raw === 0) at = this.#scanData(at, this.#length, final)
      else if (this.#raw === SCRIPT) at = this.#scanScript(at, this.#length, final)
      else if (this.#raw === PLAINTEXT) at = this.#sink.text(at, this.#length, LITERAL)
      else at = this.#scanRaw(at, this.#length, final)
    }
    const rest = this.#length - at
    if (at > 0 && rest > 0) this.codes.copyWithin(0, at, this.#length)
    this.#length = rest
    this.#scanAt = rest * 2
  }

  /** Text and tags, to the end, to a token that is not whole, or to an element with raw text. */
  #scanData(start: number, end: number, final: boolean): number {
    const codes = this.codes
    const textEnd = final ? end : this.#cutReference(start, end)
    let at = start
    while (at < end && this.#raw === 0) {
      if (codes[at] !== LESS) {
        if (at >= textEnd) return at
        at = this.#sink.text(at, textEnd, TO_TAG)
        continue
      }
      if (at + 1 === end) return final ? this.#sink.text(at, end, LITERAL) : at
      const next = this.#scanMarkup(at, codes[at + 1]!, end, final)
      if (next < 0) return final ? end : at
      at = next
    }
    return at
  }

  /** Where a character reference starts that the end may have cut; `end` when there is none. */
  #cutReference(start: number, end: number): number {
    let at = end - 1
    while (at > start && (isAlphanumeric(this.codes[at]!) || this.codes[at] === 0x23)) at--
    return this.codes[at] === 0x26 ? at : end
  }

  /** What starts with `<`: the place after it, -1 when it is not whole. */
  #scanMarkup(at: number, first: number, end: number, final: boolean): number {
    if (isLetter(first)) return this.#scanOpen(at + 1, end)
    if (first === SLASH) {
      if (at + 2 === end) return final ? this.#sink.text(at, end, LITERAL) : -1
      if (isLetter(this.codes[at + 2]!)) return this.#scanClose(at + 2, end)
      return this.#after(at + 2, end)
    }
    if (first === 0x21) return this.#scanDeclaration(at, end, final)
    if (first === 0x3f) return this.#after(at + 2, end)
    return this.#sink.text(at, at + 1, LITERAL)
  }

  #scanOpen(at: number, end: number): number {
    const codes = this.codes
    let next = at
    let key = 0
    for (let letter = 0; next < end && (letter = nameClass(codes[next]!)) !== 0; next++) key = (key << 6) | letter
    const element = elementNames.find(key, codes, at, next)
    const flags = elementFlags[element]!
    this.attributes.seen = 0
    this.#selfClosing = false
    next = this.#scanAttributes(next, end, (flags & ATTRIBUTES) !== 0)
    if (next < 0) return next
    this.#sink.open(element)
    if ((flags & (RAW | RCDATA | FOREIGN | ISLAND | BREAKOUT)) !== 0 || element === PLAINTEXT)
      this.#enter(element, flags)
    return next
  }

  #scanClose(at: number, end: number): number {
    const codes = this.codes
    let next = at
    let key = 0
    for (let letter = 0; next < end && (letter = nameClass(codes[next]!)) !== 0; next++) key = (key << 6) | letter
    const element = elementNames.find(key, codes, at, next)
    next = this.#scanAttributes(next, end, false)
    if (next < 0) return next
    if (this.#foreign > 0) this.#leave(element, elementFlags[element]!)
    this.#sink.close(element)
    return next
  }

  /** What a start tag changes for the tokens after it; the tree builder's part of the standard, as far as it goes. */
  #enter(element: number, flags: number): void {
    const { inForeign } = this
    if ((flags & FOREIGN) !== 0) {
      if (!this.#selfClosing) this.#foreign++
    } else if (!inForeign) {
      if ((flags & (RAW | RCDATA)) !== 0 || element === PLAINTEXT) this.#raw = element
    } else if ((flags & ISLAND) !== 0 || element === TITLE) {
      if (!this.#selfClosing) this.#islands++
    } else if ((flags & BREAKOUT) !== 0) {
      this.#foreign = this.#islands
    } else if ((element === SCRIPT || element === STYLE) && !this.#selfClosing) {
      // The standard reads tags inside these two in a drawing; nobody writes any, and neither is text to show.
      this.#raw = element
    }
  }

  #leave(element: number, flags: number): void {
    if ((flags & FOREIGN) !== 0) this.#foreign--
    else if ((flags & ISLAND) !== 0 || element === TITLE) this.#islands = Math.max(0, this.#islands - 1)
    else if (element === P || element === BR) this.#foreign = this.#islands
    this.#islands = Math.min(this.#islands, this.#foreign)
  }

  /** From behind a tag's name to behind its `>`. Quotes count only where a value starts: `<p title=5">` ends there. */
  #scanAttributes(start: number, end: number, wanted: boolean): number {
    const codes = this.codes
    let at = start
    while (at < end) {
      const code = codes[at]!
      if (code === GREATER) return at + 1
      if (code === SLASH || isSpace(code)) {
        at++
        if (code === SLASH && at < end && codes[at] === GREATER) this.#selfClosing = true
        continue
      }
      // Whatever comes first is part of a name, even `=`.
      const name = at++
      let key = nameClass(code)
      for (let letter = 0; at < end && (letter = nameClass(codes[at]!)) !== 0 && codes[at] !== EQUALS; at++) {
        key = (key << 6) | letter
      }
      const nameEnd = at
      while (at < end && isSpace(codes[at]!)) at++
      let value = at
      let valueEnd = at
      if (at < end && codes[at] === EQUALS) {
        at++
        while (at < end && isSpace(codes[at]!)) at++
        if (at === end) return -1
        const quote = codes[at]!
        value = valueEnd = at
        if (quote === QUOTE || quote === 0x27) {
          value = ++at
          while (at < end && codes[at] !== quote) at++
          if (at === end) return -1
          valueEnd = at++
        } else {
          while (at < end && codes[at] !== GREATER && !isSpace(codes[at]!)) at++
          valueEnd = at
        }
      }
      if (wanted) {
        const attribute = attributeNames.find(key, codes, name, nameEnd)
        if (attribute !== 0) this.attributes.note(attribute, value, valueEnd)
      }
    }
    return -1
  }

  /** Comments, `<!DOCTYPE`, `<![CDATA[`, and whatever else starts with `<!`. */
  #scanDeclaration(at: number, end: number, final: boolean): number {
    const codes = this.codes
    const left = end - at
    if (left < 4 && !final) return -1
    if (left >= 4 && codes[at + 2] === DASH && codes[at + 3] === DASH) return this.#scanComment(at + 4, end)
    if (this.inForeign && codes[at + 2] === CDATA[0]) {
      if (left < 9 && !final) return -1
      if (left >= 9 && CDATA.every((letter, place) => codes[at + 2 + place] === letter))
        return this.#scanCdata(at + 9, end, final)
    }
    return this.#after(at + 2, end)
  }

  /** `-->` and `--!>` end a comment, and `>` or `->` one that has just begun. */
  #scanComment(start: number, end: number): number {
    const codes = this.codes
    if (start < end && codes[start] === GREATER) return start + 1
    if (start + 1 < end && codes[start] === DASH && codes[start + 1] === GREATER) return start + 2
    for (let at = start + 2; at < end; at++) {
      if (codes[at] !== GREATER) continue
      const dash = codes[at - 1] === 0x21 ? at - 3 : at - 2
      if (dash >= start && codes[dash] === DASH && codes[dash + 1] === DASH) return at + 1
    }
    return -1
  }

  #scanCdata(start: number, end: number, final: boolean): number {
    for (let at = start + 2; at < end; at++) {
      if (this.codes[at] !== GREATER || this.codes[at - 1] !== 0x5d || this.codes[at - 2] !== 0x5d) continue
      if (at - 2 > start) this.#sink.text(start, at - 2, LITERAL)
      return at + 1
    }
    if (final && start < end) this.#sink.text(start, end, LITERAL)
    return -1
  }

  /** Behind the next `>`: doctypes and all that counts as a comment without being one. */
  #after(start: number, end: number): number {
    for (let at = start; at < end; at++) if (this.codes[at] === GREATER) return at + 1
    return -1
  }

  /** Raw text: only the element's own end tag ends it. */
  #scanRaw(start: number, end: number, final: boolean): number {
    const flags = elementFlags[this.#raw]!
    const shown = (flags & (RCDATA | SHOWN)) !== 0
    const how = (flags & RCDATA) === 0 ? LITERAL : PLAIN
    const size = elementNames.names[this.#raw]!.length + 3
    for (let at = start; at < end; at++) {
      if (this.codes[at] !== LESS) continue
      const whole = end - at >= size
      if (whole && !this.#closesRaw(at, size)) continue
      if (!whole && final) continue
      if (shown && at > start) this.#sink.text(start, at, how)
      return whole ? this.#leaveRaw(at, size, end, final) : at
    }
    if (!shown) return end
    const textEnd = final ? end : this.#cutReference(start, end)
    return textEnd > start ? this.#sink.text(start, textEnd, how) : start
  }

  /** Whether `</name` and a character that ends a name stand at `at`. */
  #closesRaw(at: number, size: number): boolean {
    const codes = this.codes
    const last = at + size - 1
    return codes[at + 1] === SLASH && endsName(codes[last]!) && elementNames.matches(this.#raw, codes, at + 2, last)
  }

  #leaveRaw(at: number, size: number, end: number, final: boolean): number {
    const next = this.#scanAttributes(at + size - 1, end, false)
    if (next < 0) return final ? end : at
    const element = this.#raw
    this.#raw = this.#escaped = this.#dashes = 0
    this.#sink.close(element)
    return next
  }

  /** A script ends at `</script>` unless it stands in `<!-- <script>`, which old pages do (HTML, "script data"). */
  #scanScript(start: number, end: number, final: boolean): number {
    const codes = this.codes
    const size = 9
    for (let at = start; at < end; at++) {
      const code = codes[at]!
      if (code === DASH) {
        this.#dashes++
        continue
      }
      if (code === GREATER && this.#dashes >= 2) this.#escaped = 0
      this.#dashes = 0
      if (code !== LESS) continue
      if (end - at < size) {
        if (final) return end
        return at
      }
      if (codes[at + 1] === SLASH) {
        if (!this.#closesRaw(at, size)) continue
        if (this.#escaped < 2) return this.#leaveRaw(at, size, end, final)
        this.#escaped = 1
      } else if (this.#escaped === 0) {
        if (codes[at + 1] !== 0x21 || codes[at + 2] !== DASH || codes[at + 3] !== DASH) continue
        this.#escaped = 1
        this.#dashes = 2
        at += 3
      } else if (
        this.#escaped === 1 &&
        endsName(codes[at + 7]!) &&
        elementNames.matches(SCRIPT, codes, at + 1, at + 7)
      ) {
        this.#escaped = 2
      }
    }
    return end
  }
}
