/** Lines of text out of chunks of bytes, for tables with names in them; what is not UTF-8 becomes U+FFFD. */
import type { ReadLog } from './limits.ts'
import { webUnreadable } from '../../lab-error.ts'

const NEWLINE = 0x0a

export class LineScanner {
  readonly #onLine: (text: string, line: number) => void
  readonly #log: ReadLog
  /** The beginning of a line whose end is in a chunk to come. */
  #begun: Buffer[] = []
  #begunBytes = 0
  #line = 0

  /** `onLine` gets the text without its line end, and its number from 1. */
  constructor(onLine: (text: string, line: number) => void, log: ReadLog) {
    this.#onLine = onLine
    this.#log = log
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      this.#finish(bytes.subarray(at, end))
      at = end + 1
    }
    if (at === bytes.length) return
    this.#begun.push(bytes.subarray(at))
    this.#begunBytes += bytes.length - at
    if (this.#begunBytes > this.#log.limits.maxLineBytes)
      throw webUnreadable(`${this.#log.path}, line ${this.#line + 1}`, 'The line does not end; this is no table.')
  }

  end(): void {
    if (this.#begunBytes > 0) this.#finish(Buffer.alloc(0))
  }

  #finish(rest: Buffer): void {
    const whole = this.#begunBytes === 0 ? rest : Buffer.concat([...this.#begun, rest])
    this.#begun = []
    this.#begunBytes = 0
    this.#line += 1
    const end = whole.at(-1) === 0x0d ? whole.length - 1 : whole.length
    this.#onLine(whole.toString('utf8', 0, end), this.#line)
  }
}
