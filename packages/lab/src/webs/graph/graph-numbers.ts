/**
 * Lines of numbers, read byte by byte: ten million links take seconds, because no line ever becomes a string. Blank
 * lines count as lines; lines that begin with `#` or `%` are comments.
 */
import type { ReadLog } from './limits.ts'
import { webUnreadable } from '../../lab-error.ts'

export interface NumberSink {
  /** What a line must be, for the message when one is not: `two page numbers`. */
  readonly expected: string
  /** Columns that are read; the rest of a line is skipped. */
  readonly columns: number
  number(value: number, column: number): void
  /**
   * The line's end; comments have none. A malformed line was noted already: it is not `whole`, and `columns` are the
   * numbers before the fault.
   */
  endLine(columns: number, line: number, whole: boolean): void
}

const START = 0
const NUMBERS = 1
const COMMENT = 2
const REST = 3
const BAD = 4

const TAB = 0x09
const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const ZERO = 0x30
const HASH = 0x23
const PERCENT = 0x25

/** Give it all chunks, then `end`. How the bytes are cut into chunks makes no difference. */
export class NumberScanner {
  readonly #sink: NumberSink
  readonly #log: ReadLog
  #mode = START
  #value = -1
  #column = 0
  #line = 1
  #lineBytes = 0

  constructor(sink: NumberSink, log: ReadLog) {
    this.#sink = sink
    this.#log = log
  }

  write(chunk: Uint8Array): void {
    const sink = this.#sink
    // Locals, since this loop runs for each byte. -1 is: no digit yet.
    let value = this.#value
    let mode = this.#mode
    let lineStart = -this.#lineBytes
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      const digit = byte - ZERO
      if (digit >= 0 && digit <= 9 && mode <= NUMBERS) {
        value = value < 0 ? digit : value * 10 + digit
        mode = NUMBERS
      } else if (byte === SPACE || byte === TAB || byte === RETURN) {
        if (value >= 0) mode = this.#endNumber(value, sink)
        value = -1
      } else if (byte === NEWLINE) {
        if (value >= 0) mode = this.#endNumber(value, sink)
        value = -1
        this.#endLine(mode, sink)
        mode = START
        lineStart = i + 1
      } else if (mode === START) mode = byte === HASH || byte === PERCENT ? COMMENT : BAD
      else if (mode === NUMBERS) {
        mode = BAD
        value = -1
      }
    }
    this.#value = value
    this.#mode = mode
    this.#lineBytes = chunk.length - lineStart
    if (this.#lineBytes > this.#log.limits.maxLineBytes)
      throw webUnreadable(`${this.#log.path}, line ${this.#line}`, 'The line does not end; these are no links.')
  }

  end(): void {
    if (this.#value >= 0) this.#mode = this.#endNumber(this.#value, this.#sink)
    if (this.#mode !== START) this.#endLine(this.#mode, this.#sink)
    this.#mode = START
    this.#value = -1
  }

  #endNumber(value: number, sink: NumberSink): number {
    if (value > Number.MAX_SAFE_INTEGER) return BAD
    sink.number(value, this.#column)
    this.#column += 1
    return this.#column < sink.columns ? NUMBERS : REST
  }

  #endLine(mode: number, sink: NumberSink): void {
    if (mode === BAD) this.#log.malformedLine(this.#line, sink.expected)
    if (mode !== COMMENT) sink.endLine(this.#column, this.#line, mode !== BAD)
    this.#column = 0
    this.#line += 1
  }
}
