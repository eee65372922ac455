/** SeenExchange: an exchange that went by, and what its body says, which is read once, at the earliest when somebody asks. */
import { decodeBody, headerOf } from '@comity/protocol'
import { codingOf } from '../http/observed-exchange.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { codedOf } from '../privacy/page-verdict.ts'
import { PageReader } from './page-reading.ts'
import type { PageReading, PageSource, ReadPage } from './page-reading.ts'

/** What the gate says of itself. */
interface JudgingRules {
  readonly judgedBy: string
  readonly maxPageBytes: number
}

export class SeenExchange {
  readonly observed: ObservedExchange
  /** As its readers know it; undefined where that is not sure. */
  readonly url: string | undefined
  readonly #rules: JudgingRules
  #read: (source: PageSource) => PageReading
  #reading: PageReading | undefined
  #coded: string | undefined

  /** `read`: how its body is read, when somebody asks. */
  constructor(
    observed: ObservedExchange,
    url: string | undefined,
    rules: JudgingRules,
    read: (source: PageSource) => PageReading = (source) => new PageReader().read(source),
  ) {
    this.observed = observed
    this.url = url
    this.#rules = rules
    this.#read = read
  }

  get source(): PageSource {
    const { endedAt, response, body } = this.observed
    const type = headerOf(response?.headers ?? [], 'content-type')
    const coding = response === undefined ? undefined : codingOf(response)
    return { url: this.url ?? '', at: endedAt, type, coding, body, maxBytes: this.#rules.maxPageBytes }
  }

  /** Somebody else has begun to read it. */
  readBy(read: () => PageReading): void {
    this.#read = read
  }

  /** Somebody will ask. What goes wrong is met by who does. */
  readNow(): void {
    try {
      this.#reading ??= this.#read(this.source)
    } catch (error) {
      this.#reading = { kind: 'fault', error }
    }
  }

  /** Undefined when its content coding cannot be taken off. Throws for a fault of ours. */
  reading(): ReadPage | undefined {
    const reading = (this.#reading ??= this.#read(this.source))
    if (reading.kind === 'fault') throw reading.error
    return reading.kind === 'coding' ? undefined : reading
  }

  /** Without its content coding. */
  body(): Uint8Array {
    const { coding, body } = this.source
    const decoded = decodeBody(body, coding, { maxBytes: this.#rules.maxPageBytes })
    return decoded.kind === 'ok' ? decoded.body : NOTHING
  }

  /** As it came, by the rules of now: whatever has the same is judged the same. */
  get coded(): string {
    const reading = this.#reading
    // Where there is no coding the bytes were hashed already.
    const isPlain = reading?.kind === 'ok' && this.source.coding === undefined
    return (this.#coded ??= codedOf(this.observed, this.#rules.judgedBy, isPlain ? reading.digest : undefined))
  }
}

const NOTHING = new Uint8Array(0)
