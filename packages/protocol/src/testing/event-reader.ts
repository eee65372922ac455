/** Event reader: server-sent events as a browser takes them (HTML Standard §9.2.6), for tests of those that send them. */

/** A message as it is read. */
export interface ReceivedEvent {
  /** The newest id up to here, '' when there was none: what `Last-Event-ID` says next time. */
  readonly id: string
  readonly event: string
  readonly data: string
}

interface EventReaderOptions {
  /** Where an earlier stream ended. */
  readonly lastId?: string | undefined
  /** Of one message; a longer one is passed over and counted. */
  readonly maxChars?: number | undefined
}

const MAX_CHARS = 1 << 20
const MAX_ID_CHARS = 1_024

/** Reads a stream as its bytes come. Memory is bounded by one message; nothing throws. */
export class EventReader {
  readonly #maxChars: number
  readonly #decoder = new TextDecoder('utf-8')
  #rest = ''
  /** The line that is being read was longer than any may be: the rest of it says nothing. */
  #isCut = false
  #endedInReturn = false
  #data: string[] = []
  #chars = 0
  #event = ''
  #lastId: string
  #isTooLong = false
  #retryMs: number | undefined
  #dropped = 0

  constructor({ lastId = '', maxChars = MAX_CHARS }: EventReaderOptions = {}) {
    this.#lastId = lastId
    this.#maxChars = maxChars
  }

  /** The messages that end in this piece. */
  write(chunk: Uint8Array): readonly ReceivedEvent[] {
    let text = this.#decoder.decode(chunk, { stream: true })
    if (text === '') return []
    // The \n of a \r\n whose \r ended the piece before; only one belongs to it.
    if (this.#endedInReturn && text.startsWith('\n')) text = text.slice(1)
    this.#endedInReturn = text.endsWith('\r')
    const lines = (this.#rest + text).split(/\r\n|\r|\n/)
    const rest = lines.pop() ?? ''
    const events = lines.flatMap((line) => this.#line(line) ?? [])
    this.#rest = this.#bounded(rest)
    return events
  }

  get lastId(): string {
    return this.#lastId
  }

  /** What the sender wants to be waited for; undefined when it said nothing. */
  get retryMs(): number | undefined {
    return this.#retryMs
  }

  /** Messages that were too long. */
  get dropped(): number {
    return this.#dropped
  }

  /** A line that never ends is not gathered: what is kept of it is enough to see that it is one. */
  #bounded(rest: string): string {
    if (rest.length <= this.#maxChars) return rest
    this.#isTooLong = true
    this.#isCut = true
    return rest.slice(0, 1)
  }

  #line(line: string): ReceivedEvent | undefined {
    if (line === '') return this.#end()
    const isCut = this.#isCut || line.length > this.#maxChars
    this.#isCut = false
    this.#chars += line.length
    if (this.#chars > this.#maxChars) {
      this.#isTooLong = true
      this.#data = []
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    // Half a value is none: an id made of what is left would have everything sent again, or nothing.
    if (!isCut) this.#field(name, value)
    return undefined
  }

  #field(name: string, value: string): void {
    if (name === 'data') {
      if (!this.#isTooLong) this.#data.push(value)
    } else if (name === 'event') this.#event = value.slice(0, MAX_ID_CHARS)
    else if (name === 'id' && !value.includes('\0') && value.length <= MAX_ID_CHARS) this.#lastId = value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value)
  }

  #end(): ReceivedEvent | undefined {
    const [data, event, isTooLong] = [this.#data, this.#event, this.#isTooLong]
    this.#data = []
    this.#event = ''
    this.#chars = 0
    this.#isTooLong = false
    if (isTooLong) this.#dropped++
    // Without data it is no message, but its id counts.
    if (isTooLong || data.length === 0) return undefined
    return { id: this.#lastId, event: event === '' ? 'message' : event, data: data.join('\n') }
  }
}
