/**
 * BrowserChunks: a body in pieces as Chromium takes it (net/http: `HttpChunkedDecoder`). A number has digits alone and blanks behind
 * it, lines may end with a feed alone, and whatever else is wrong ends it, where others read on.
 */
import { ChunkLines } from '../http/chunk-lines.ts'

type ChunkState = 'open' | 'ended' | 'damaged'

/** A line that is longer is no line. */
const MOST_LINE_BYTES = 16_384
const SIZE = /^[0-9a-f]+$/i
/** As it should be (RFC 9112 §7.1). */
const SOUND = /^[0-9a-f]+(?:[ \t]*;[^\0\r]*)?$/i

export class BrowserChunks {
  state: ChunkState = 'open'
  /** Strict readers would not have it. */
  isOdd = false
  readonly #lines: ChunkLines
  #phase: 'size' | 'after' | 'trailer' = 'size'

  constructor(data: (bytes: Uint8Array) => void) {
    const line = (text: string, isPair: boolean): void => this.#line(text, isPair)
    this.#lines = new ChunkLines(MOST_LINE_BYTES, { data, line, tooLong: () => this.#end('damaged') })
  }

  /** How many of these bytes belong to it. */
  take(bytes: Uint8Array, from: number): number {
    return this.#lines.take(bytes, from)
  }

  #end(state: ChunkState): void {
    this.state = state
    this.#lines.isOver = true
  }

  #line(line: string, isPair: boolean): void {
    if (!isPair) this.isOdd = true
    if (this.#phase === 'size') this.#size(line)
    else if (this.#phase === 'after') {
      if (line === '') this.#phase = 'size'
      else this.#end('damaged')
    } else if (line === '') this.#end('ended')
  }

  #size(line: string): void {
    if (!SOUND.test(line)) this.isOdd = true
    const semicolon = line.indexOf(';')
    const digits = withoutBlanks(semicolon === -1 ? line : line.slice(0, semicolon)).replace(/^0+(?=.)/, '')
    if (!SIZE.test(digits) || digits.length > 16 || (digits.length === 16 && digits >= '8')) return this.#end('damaged')
    // Beyond what a number holds exactly nothing ever ends.
    this.#lines.left = Number.parseInt(digits, 16)
    this.#phase = this.#lines.left === 0 ? 'trailer' : 'after'
  }
}

/** Behind it, and no tabs. */
function withoutBlanks(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === ' ') end--
  return text.slice(0, end)
}
