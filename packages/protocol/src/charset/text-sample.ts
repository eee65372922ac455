/**
 * Text sample: what the guess of a charset looks at. The words of a page in which there is more than ASCII, as bytes between
 * spaces, and how often one ASCII letter follows another in the others. Of a tag such words count alone, as in `alt` and `title`, for
 * all else in it is markup; scripts, styles and comments stay out unless there is nothing else. As much is taken as tells, and of
 * a long body no more is looked at.
 *
 *   <p class="a">K\xe4se und Brot</p>   ->   ' K\xe4se '   and   un nd, Br ro ot with the edges of their words
 */
import { isAscii } from 'node:buffer'

export interface TextSample {
  /** Words with other bytes than ASCII, a space before and behind each. What may be half a character stays with it. */
  readonly words: Uint8Array
  /** By the letter before and the letter now, 0 for the edge of a word, in rows of 27. */
  readonly plain: Uint16Array
  readonly plainLetters: number
}

/** How far is looked at; from the first byte that is not ASCII on, give or take a stretch. */
const MOST_BYTES = 1 << 18
const STRETCH = 1 << 16
const MOST_WORDS = 4_096
const MOST_PLAIN = 2_048
const MOST_KEY = 32

const SPACE = 0x20
const LESS = 0x3c
const AMPERSAND = 0x26
export const PLAIN_SIZE = 27

export function textSample(body: Uint8Array): TextSample {
  const bytes = tellingPart(body)
  const sample = new Sampler(bytes).read(true)
  return sample.words.length > 1 ? sample : new Sampler(bytes).read(false)
}

function tellingPart(body: Uint8Array): Uint8Array {
  let start = 0
  while (start + STRETCH < body.length && isAscii(body.subarray(start, start + STRETCH))) start += STRETCH
  return body.subarray(start, start + MOST_BYTES)
}

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

/** What may be the second half of a character: a digit, or from `@` on. */
const mayTrail = (byte: number): boolean => (byte >= 0x40 && byte < 0x7f) || (byte >= 0x30 && byte <= 0x39)

class Sampler {
  readonly #bytes: Uint8Array
  readonly #text: Buffer
  readonly #words = new Uint8Array(MOST_WORDS + 2)
  readonly #plain = new Uint16Array(PLAIN_SIZE * PLAIN_SIZE)
  readonly #taken = new Set<string>()
  readonly #singles = new Set<number>()
  #length = 1
  #letters = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#words[0] = SPACE
  }

  read(isPage: boolean): TextSample {
    const bytes = this.#bytes
    for (let at = 0; at < bytes.length && this.#length < MOST_WORDS;) {
      const byte = bytes[at]!
      if (byte >= 0x80 || isLetter(byte)) at = this.#word(at)
      else if (byte === LESS && isPage) at = this.#behindMarkup(at)
      else at++
    }
    this.#addSingles()
    return { words: this.#words.subarray(0, this.#length), plain: this.#plain, plainLetters: this.#letters }
  }

  /** Takes the word that starts here; returns where it ends. Outside of text, one that is ASCII is none. */
  #word(start: number, isText = true): number {
    const bytes = this.#bytes
    let [end, isPlain] = [start, true]
    for (; end < bytes.length; end++) {
      const byte = bytes[end]!
      if (byte >= 0x80) isPlain = false
      else if (!isLetter(byte) && !(end > start && bytes[end - 1]! >= 0x80 && mayTrail(byte))) break
    }
    if (!isPlain) this.#takeWord(start, end)
    else if (isText) this.#countPlain(start, end)
    return end
  }

  /** Once each: what stands in a menu says no more for standing in all of them. */
  #takeWord(start: number, end: number): void {
    if (end - start === 1) this.#singles.add(this.#bytes[start]!)
    if (end - start === 1 || this.#length >= MOST_WORDS) return
    const key = this.#text.toString('latin1', start, Math.min(end, start + MOST_KEY))
    if (this.#taken.has(key)) return
    this.#taken.add(key)
    this.#add(this.#bytes.subarray(start, Math.min(end, start + MOST_WORDS - this.#length)))
  }

  #add(word: Uint8Array): void {
    this.#words.set(word, this.#length)
    this.#length += word.length
    this.#words[this.#length++] = SPACE
  }

  /** Signs, and words of one letter, unless there are so many that it is a table of them, in which none follows another. */
  #addSingles(): void {
    if (this.#singles.size > this.#taken.size) return
    for (const byte of this.#singles) if (this.#length < MOST_WORDS) this.#add(Uint8Array.of(byte))
  }

  /** A letter alone is a mark in a list, and what stands behind `&` a reference. */
  #countPlain(start: number, end: number): void {
    if (this.#letters >= MOST_PLAIN || end - start < 2 || this.#bytes[start - 1] === AMPERSAND) return
    let before = 0
    for (let at = start; at <= end; at++) {
      const now = at === end ? 0 : (this.#bytes[at]! | 0x20) - 0x60
      this.#plain[before * PLAIN_SIZE + now]!++
      before = now
    }
    this.#letters += end - start
  }

  #behindMarkup(at: number): number {
    const bytes = this.#bytes
    const next = bytes[at + 1]
    if (next === undefined) return at + 1
    if (next === 0x21) return this.#behindDeclaration(at)
    if (next !== 0x2f && next !== 0x3f && !isLetter(next)) return at + 1
    const name = this.#text.toString('latin1', at + 1, at + 8).toLowerCase()
    if (/^script[\s/>]/.test(name)) return this.#behindRaw(at, 'script')
    return /^style[\s/>]/.test(name) ? this.#behindRaw(at, 'style') : this.#behindTag(at)
  }

  #behindTag(start: number): number {
    const end = this.#behind('>', start)
    if (isAscii(this.#bytes.subarray(start, end))) return end
    for (let at = start; at < end;) {
      const byte = this.#bytes[at]!
      at = byte >= 0x80 || isLetter(byte) ? this.#word(at, false) : at + 1
    }
    return end
  }

  /** What a feed keeps in CDATA is as good a text as any. */
  #behindDeclaration(at: number): number {
    if (this.#text.toString('latin1', at, at + 4) === '<!--') return this.#behind('-->', at + 4)
    return this.#text.toString('latin1', at, at + 9) === '<![CDATA[' ? at + 9 : this.#behind('>', at)
  }

  #behindRaw(at: number, name: string): number {
    for (let end = this.#text.indexOf('</', at); end >= 0; end = this.#text.indexOf('</', end + 2))
      if (this.#text.toString('latin1', end + 2, end + 2 + name.length).toLowerCase() === name)
        return this.#behind('>', end)
    return this.#bytes.length
  }

  #behind(mark: string, from: number): number {
    const found = this.#text.indexOf(mark, from)
    return found < 0 ? this.#bytes.length : found + mark.length
  }
}
