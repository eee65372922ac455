/**
 * ChunkedBody: a body in pieces with their lengths before them (RFC 9112 §7.1), as it comes, with holes in it. Lines may end
 * with a line feed alone, numbers may have zeros, blanks or other marks around them: readers take that, so it is taken, as a
 * doubt.
 */
import { ChunkLines } from './chunk-lines.ts'

type ChunkState = 'open' | 'ended' | 'lost'

const MAX_LINE_BYTES = 8_192
const MAX_TRAILER_BYTES = 65_536
const MAX_DIGITS = 13
/** Lines without anything on them before a length. */
const MAX_EMPTY = 4

const SIZE = /^[0-9a-f]+(?:[ \t]*;.*)?$/i
const ODD_SIZE = /^\s*([0-9a-f]+)/i

export class ChunkedBody {
  state: ChunkState = 'open'
  hasDoubt = false
  readonly #lines: ChunkLines
  /** What the next line is: behind data it should be empty. */
  #phase: 'size' | 'after' | 'trailer' = 'size'
  #trailerBytes = 0
  #empty = 0

  constructor(data: (bytes: Uint8Array) => void) {
    const line = (text: string, isPair: boolean): void => this.#line(text, isPair)
    this.#lines = new ChunkLines(MAX_LINE_BYTES, { data, line, tooLong: () => this.#end('lost') })
  }

  /** How many of these bytes belong to it. */
  take(bytes: Uint8Array, from: number): number {
    return this.#lines.take(bytes, from)
  }

  /** Bytes are missing. Inside a piece that does no harm to what follows. */
  gap(length: number): void {
    if (length > this.#lines.left) this.#end('lost')
    else this.#lines.left -= length
  }

  #end(state: ChunkState): void {
    this.state = state
    this.#lines.isOver = true
  }

  #line(line: string, isPair: boolean): void {
    if (!isPair) this.hasDoubt = true
    if (this.#phase === 'after') {
      if (line !== '') this.#end('lost')
      this.#phase = 'size'
    } else if (this.#phase === 'trailer') {
      this.#trailerBytes += line.length
      if (line === '') this.#end('ended')
      else if (this.#trailerBytes > MAX_TRAILER_BYTES) this.#end('lost')
    } else this.#size(line)
  }

  #size(line: string): void {
    const digits = SIZE.exec(line)
    if (digits === null) this.hasDoubt = true
    if (line.trim() === '' && ++this.#empty <= MAX_EMPTY) return
    const text = ODD_SIZE.exec(line)?.[1]?.replace(/^0+(?=.)/, '')
    if (text === undefined || text.length > MAX_DIGITS) return this.#end('lost')
    this.#empty = 0
    this.#lines.left = Number.parseInt(text, 16)
    this.#phase = this.#lines.left === 0 ? 'trailer' : 'after'
  }
}
