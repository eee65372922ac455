/**
 * ChunkedBody: a body in pieces with their lengths before them (RFC 9112 §7.1), as it comes, with holes in it. Lines may end
 * with a line feed alone, numbers may have zeros, blanks or other marks around them: readers take that, so it is taken, as a
 * doubt.
 */

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
  #line = ''
  #left = 0
  #phase: 'size' | 'data' | 'after' | 'trailer' = 'size'
  #trailerBytes = 0
  #empty = 0
  readonly #data: (bytes: Uint8Array) => void

  constructor(data: (bytes: Uint8Array) => void) {
    this.#data = data
  }

  /** How many of these bytes belong to it. */
  take(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length && this.state === 'open') {
      if (this.#phase === 'data') {
        const end = Math.min(bytes.length, at + this.#left)
        this.#data(bytes.subarray(at, end))
        this.#left -= end - at
        at = end
        if (this.#left === 0) this.#phase = 'after'
        continue
      }
      const feed = bytes.indexOf(10, at)
      const end = feed === -1 ? bytes.length : feed + 1
      if (end - at + this.#line.length > MAX_LINE_BYTES) {
        this.state = 'lost'
        return at - from
      }
      this.#line += latin1(bytes, at, end)
      at = end
      if (feed !== -1) this.#lineEnded()
    }
    return at - from
  }

  /** Bytes are missing. Inside a piece that does no harm to what follows. */
  gap(length: number): void {
    if (this.#phase !== 'data' || length > this.#left) this.state = 'lost'
    else {
      this.#left -= length
      if (this.#left === 0) this.#phase = 'after'
    }
  }

  #lineEnded(): void {
    const isPair = this.#line.endsWith('\r\n')
    const line = this.#line.slice(0, isPair ? -2 : -1)
    if (!isPair) this.hasDoubt = true
    this.#line = ''
    if (this.#phase === 'after') {
      if (line !== '') this.state = 'lost'
      this.#phase = 'size'
    } else if (this.#phase === 'trailer') {
      this.#trailerBytes += line.length
      if (line === '') this.state = 'ended'
      else if (this.#trailerBytes > MAX_TRAILER_BYTES) this.state = 'lost'
    } else this.#size(line)
  }

  #size(line: string): void {
    const digits = SIZE.exec(line)
    if (digits === null) this.hasDoubt = true
    if (line.trim() === '' && ++this.#empty <= MAX_EMPTY) return
    const text = ODD_SIZE.exec(line)?.[1]?.replace(/^0+(?=.)/, '')
    if (text === undefined || text.length > MAX_DIGITS) return void (this.state = 'lost')
    this.#empty = 0
    this.#left = Number.parseInt(text, 16)
    this.#phase = this.#left === 0 ? 'trailer' : 'data'
  }
}

function latin1(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1')
}
