/**
 * ChunkReader: follows a chunked body (RFC 9112 §7.1) to its end and shows the data in it. Strict, for what is not sure must
 * not be passed on: sizes are hexadecimal digits, lines end with CRLF, and neither extensions nor trailers may say anything of
 * framing or have control characters. Whoever passes the data on cuts it anew.
 */

/** What Node's own parser takes of extensions. */
const MAX_LINE = 16_384
const MAX_TRAILERS = 16_384
/** What a number holds. */
const TOO_MUCH = 2 ** 52

/** The one problem that may have no end. */
export const LONG_LINE = 'a chunk has too long a line'

type ChunkSpan = (bytes: Buffer) => void

// oxlint-disable-next-line no-control-regex
const EXTENSION = /^[ \t]*;[\t\x20-\x7e\x80-\xff]*$/
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/
/** What would change what came before, who asks, or for what (RFC 9110 §6.5.1); an underscore is a dash to many servers. */
const NO_TRAILER =
  /^(?:content-.*|transfer-encoding|host|connection|trailer|te|upgrade|expect|range|if-.*|max-forwards|cache-control|age|expires|date|location|retry-after|vary|warning|pragma|proxy.*|www-authenticate|authorization|cookie|set-cookie|forwarded|x-forwarded-.*|x-real-ip|via|keep-alive)$/

/** May a field of this name stand behind a body? */
export const isTrailer = (name: string): boolean => !NO_TRAILER.test(name.toLowerCase().replaceAll('_', '-'))

export class ChunkReader {
  isEnded = false
  problem: string | undefined
  readonly trailers: [name: string, value: string][] = []
  #phase: 'size' | 'data' | 'after' | 'trailer' = 'size'
  #left = 0
  #line = ''
  #trailerBytes = 0
  readonly #span: ChunkSpan | undefined
  readonly #mayTrail: (name: string) => boolean

  /** `mayTrail`: whoever passes no trailers on can take more of them. */
  constructor(span?: ChunkSpan, mayTrail: (name: string) => boolean = isTrailer) {
    this.#span = span
    this.#mayTrail = mayTrail
  }

  /** How many bytes from `from` on belong to the body. Look at `problem` and `isEnded` then. */
  take(bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length && !this.isEnded && this.problem === undefined) {
      if (this.#phase !== 'data') {
        at = this.#takeLine(bytes, at)
        continue
      }
      const end = Math.min(bytes.length, at + this.#left)
      this.#span?.(bytes.subarray(at, end))
      this.#left -= end - at
      at = end
      if (this.#left === 0) this.#phase = 'after'
    }
    return at - from
  }

  #takeLine(bytes: Buffer, at: number): number {
    const feed = bytes.indexOf(10, at)
    const end = feed === -1 ? bytes.length : feed + 1
    if (end - at + this.#line.length > MAX_LINE) {
      this.problem = LONG_LINE
      return at
    }
    const piece = bytes.toString('latin1', at, end)
    const line = this.#line === '' ? piece : this.#line + piece
    if (feed === -1) this.#line = line
    else {
      this.#line = ''
      if (line.charCodeAt(line.length - 2) === 13) this.#lineEnded(line.slice(0, -2))
      else this.problem = 'a line of a chunk ends with a line feed alone'
    }
    return end
  }

  #lineEnded(line: string): void {
    if (this.#phase === 'size') this.#size(line)
    else if (this.#phase === 'trailer') this.#trailer(line)
    else if (line === '') this.#phase = 'size'
    else this.problem = 'a chunk is longer than it says'
  }

  #size(line: string): void {
    let [size, digits] = [0, 0]
    for (; digits < line.length; digits++) {
      const digit = hexOf(line.charCodeAt(digits))
      if (digit === -1) break
      size = size * 16 + digit
    }
    const isSize = digits > 0 && size < TOO_MUCH && (digits === line.length || EXTENSION.test(line.slice(digits)))
    if (!isSize) this.problem = 'a chunk has no proper size'
    this.#left = size
    this.#phase = size === 0 ? 'trailer' : 'data'
  }

  #trailer(line: string): void {
    if (line === '') return void (this.isEnded = true)
    const field = FIELD.exec(line)
    this.#trailerBytes += line.length
    if (field === null || this.#trailerBytes > MAX_TRAILERS) this.problem = 'it has no proper trailers'
    else if (!this.#mayTrail(field[1]!)) this.problem = `${field[1]!} may not stand behind a body`
    else this.trailers.push([field[1]!, field[2]!.trim()])
  }
}

function hexOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
