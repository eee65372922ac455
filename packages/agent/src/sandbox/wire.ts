/**
 * Sandbox wire: what host and sandbox say to each other, over the sandbox's standard input and output. The host speaks
 * first and says what is to be run; afterwards the sandbox asks and waits, and the host answers or kills it.
 *
 *   frame     u32 length, little-endian · that many bytes
 *   question  NAME \n TEXT
 *   answer    J and JSON, or B and bytes
 *
 * Texts are JSON, or lines of JSON: QuickJS takes and gives strings as C does, and half of a pair or a zero, which pages do
 * hold, would end them; JSON writes both as escapes.
 */
import type { AgentOutcome } from '../agent-outcome.ts'

/** What the host sends first. */
export interface SandboxJob {
  /** `describe` only loads the program and gives its manifest. */
  readonly task: 'run' | 'describe'
  readonly source: string
  readonly perPage: boolean
  readonly cpuMs: number
  readonly memoryBytes: number
}

/** What the sandbox sends last. */
export interface SandboxEnd {
  readonly outcome: AgentOutcome
  readonly message: string
  readonly cpuMs: number
  readonly memoryBytes: number
  /** JSON of the program's manifest, when it was asked for. */
  readonly manifest?: string | undefined
}

/**
 * pages: N → the next pages from the Nth on, each in a list with what was remembered of it, if that is short. text, html, bytes: URL → what the page holds, or null. log: → hits by URL, or
 * null. previous: URL → what was remembered, or null. gone: N → URLs remembered that are no pages any more. put: lines of
 * what was emitted (`e`), remembered (`r`), noted (`n`) or too long for any of these (`x`). end: SandboxEnd; has no answer.
 */
export const QUESTIONS = ['pages', 'text', 'html', 'bytes', 'log', 'previous', 'gone', 'put', 'end'] as const
type QuestionName = (typeof QUESTIONS)[number]

export interface Question {
  readonly name: QuestionName
  readonly text: string
}

export const LENGTH_BYTES = 4
/** No question is longer: what is put comes in pieces, and one record is shorter than this. */
export const MAX_QUESTION_BYTES: number = 8 << 20

export function frame(payload: string | Uint8Array, tag = ''): Buffer {
  const text = Buffer.from(tag, 'latin1')
  const body = typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload
  const out = Buffer.allocUnsafe(LENGTH_BYTES + text.length + body.length)
  out.writeUInt32LE(text.length + body.length)
  text.copy(out, LENGTH_BYTES)
  out.set(body, LENGTH_BYTES + text.length)
  return out
}

export const questionFrame = (name: QuestionName, text: string): Buffer => frame(`${name}\n${text}`)

/** Undefined for what no sandbox of ours would send. */
export function readQuestion(bytes: Uint8Array): Question | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const end = text.indexOf('\n')
  const name = QUESTIONS.find((one) => one === text.slice(0, end))
  return name === undefined ? undefined : { name, text: text.slice(end + 1) }
}

/** Puts frames together from bytes as they come; gives undefined when one is longer than `maxBytes`. */
export class FrameReader {
  readonly #maxBytes: number
  #held: Buffer = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  push(bytes: Uint8Array): Buffer[] | undefined {
    this.#held = this.#held.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes])
    const frames: Buffer[] = []
    let at = 0
    while (this.#held.length - at >= LENGTH_BYTES) {
      const length = this.#held.readUInt32LE(at)
      if (length > this.#maxBytes) return undefined
      const end = at + LENGTH_BYTES + length
      if (this.#held.length < end) break
      frames.push(this.#held.subarray(at + LENGTH_BYTES, end))
      at = end
    }
    this.#held = this.#held.subarray(at)
    return frames
  }
}
