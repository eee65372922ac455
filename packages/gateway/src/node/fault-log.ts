/**
 * FaultLog: what went wrong in us while something of a stranger's was worked on: an exchange, a document, a packet. It is counted and
 * written down for the operator, and the next one goes on.
 *
 *   DIR/faults.jsonl    a line each: when, where in the program, and of a document that is for everybody its address and what was said
 *
 * An exchange that was not judged yet may be private, and so may be what an error says of it: of those only the place in the program
 * is written. A document that failed is known by its key, also after a restart, and is not worked on again by the same program; whoever
 * wants it to be removes the file. Both the file and what is remembered are bounded: of faults at one place a few lines are enough.
 */
import { messageOf } from '@comity/protocol'
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Instant } from '@comity/protocol'
import { shortHash } from '../privacy/page-verdict.ts'

export const FAULT_STAGES = ['packet', 'connection', 'exchange', 'document', 'batch'] as const
export type FaultStage = (typeof FAULT_STAGES)[number]

export interface Fault {
  readonly at: string
  readonly stage: FaultStage
  /** Of which class the error was, and where it was thrown. */
  readonly error: string
  readonly place: string
  /** Of a document: what it was, and what was said. */
  readonly key?: string | undefined
  readonly url?: string | undefined
  readonly message?: string | undefined
  /** Of the program. */
  readonly version: string
}

export interface FaultLogOptions {
  /** Where they are written down; nowhere unless given. */
  readonly path?: string | undefined
  readonly version?: string | undefined
  readonly now?: (() => Instant) | undefined
  readonly tell?: ((sentence: string) => void) | undefined
}

/** A document that is for everybody. */
interface FailedDocument {
  readonly url: string
  readonly digest: string
}

const MAX_BYTES = 256 << 10
const MAX_KEYS = 10_000
/** Of faults at one place that are written down. */
const MOST_LINES = 20
const MAX_PLACES = 1_000
const MAX_MESSAGE = 300

export class FaultLog {
  readonly counts: Record<FaultStage, number> = { packet: 0, connection: 0, exchange: 0, document: 0, batch: 0 }
  readonly #options: FaultLogOptions
  readonly #known = new Set<string>()
  readonly #places = new Map<string, number>()

  constructor(options: FaultLogOptions = {}) {
    this.#options = options
    for (const { key, version } of this.read()) if (key !== undefined && version === this.#version) this.#keep(key)
  }

  get count(): number {
    return Object.values(this.counts).reduce((sum, times) => sum + times, 0)
  }
  get path(): string | undefined {
    return this.#options.path
  }
  get #version(): string {
    return this.#options.version ?? ''
  }

  /** It failed before, in this very form and by this program. */
  isKnown(document: FailedDocument): boolean {
    return this.#known.size > 0 && this.#known.has(keyOf(document))
  }

  note(stage: FaultStage, error: unknown, document?: FailedDocument): void {
    this.counts[stage]++
    const place = placeOf(error)
    const times = (this.#places.get(place) ?? 0) + 1
    if (times === 1 && this.#places.size >= MAX_PLACES) return
    this.#places.set(place, times)
    if (document !== undefined) this.#keep(keyOf(document))
    if (times === 1) this.#options.tell?.(this.#sentence(stage, place))
    if (times <= MOST_LINES) this.#write(this.#faultOf(stage, error, place, document))
  }

  /** What is written down, the oldest first. */
  read(): Fault[] {
    const { path } = this.#options
    if (path === undefined || !existsSync(path)) return []
    return readFileSync(path, 'utf8').split('\n').flatMap(faultIn)
  }

  #faultOf(stage: FaultStage, error: unknown, place: string, document: FailedDocument | undefined): Fault {
    const { now = Date.now } = this.#options
    const name = error instanceof Error ? error.name : typeof error
    const at = new Date(now()).toISOString()
    const fault = { at, stage, error: name.slice(0, MAX_MESSAGE), place, version: this.#version }
    if (document === undefined) return fault
    return { ...fault, key: keyOf(document), url: document.url, message: messageOf(error).slice(0, MAX_MESSAGE) }
  }

  #sentence(stage: FaultStage, place: string): string {
    const { path } = this.#options
    const where = path === undefined ? 'With --state DIR, DIR/faults.jsonl tells more' : `${path} tells more`
    return `A fault of ours: ${WHAT[stage]} could not be worked on (${place}). It is left out and the next goes on. ${where}; please report it.`
  }

  /** A disk that is full is no reason to stop. */
  #write(fault: Fault): void {
    const { path, tell } = this.#options
    if (path === undefined) return
    try {
      if (existsSync(path) && statSync(path).size > MAX_BYTES) this.#halve(path)
      appendFileSync(path, `${JSON.stringify(fault)}\n`, { mode: 0o600 })
    } catch (error) {
      tell?.(`${path} cannot be written: ${messageOf(error)}`)
    }
  }

  #halve(path: string): void {
    const faults = this.read()
    const kept = faults.slice(Math.ceil(faults.length / 2))
    writeFileSync(path, kept.map((fault) => `${JSON.stringify(fault)}\n`).join(''), { mode: 0o600 })
  }

  #keep(key: string): void {
    this.#known.add(key)
    if (this.#known.size > MAX_KEYS) this.#known.delete(this.#known.values().next().value!)
  }
}

const WHAT: Readonly<Record<FaultStage, string>> = {
  packet: 'a packet',
  connection: 'a connection',
  exchange: 'a request and its answer',
  document: 'a page',
  batch: 'a batch',
}

const keyOf = ({ url, digest }: FailedDocument): string => shortHash(`${digest} ${url}`)

/** The innermost frame that is ours, without what was said: names of files and lines alone. */
function placeOf(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '').match(FRAME) : null
  return frames?.[0] ?? 'unknown'
}

const FRAME = /[\w-]{1,60}\.ts:\d{1,7}:\d{1,7}/g

function faultIn(line: string): Fault[] {
  try {
    const fault = JSON.parse(line) as Fault
    return typeof fault?.place === 'string' ? [fault] : []
  } catch {
    // The last line of a process that was killed, or what an editor left.
    return []
  }
}
