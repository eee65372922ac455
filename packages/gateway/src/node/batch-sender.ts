/**
 * BatchSender: takes batches from the spool to the repository, the oldest first, one at a time, evenly spread over
 * time (`node/batch-schedule.ts`). A batch leaves the spool when the repository says that it has it, or never will take it;
 * whatever else happens, it is sent again later. Time, chance and the request itself are arguments.
 *
 * A repository of an earlier version cannot read the words of a batch as they are packed now: it is sent what it can read, and
 * asked again after a day whether it reads more.
 */
import { headerOf, retryAfter, messageOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { olderBatch } from './batch-maker.ts'
import { leavesAt } from './batch-schedule.ts'
import type { BatchSchedule } from './batch-schedule.ts'
import type { BatchSpool } from './batch-spool.ts'

export interface PostedAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
}

export interface SenderOptions {
  /** Sends a batch, signed; rejects when there is no answer. */
  readonly post: (batch: Uint8Array, signal?: AbortSignal) => Promise<PostedAnswer>
  readonly now: () => Instant
  /** When to try again after so many failures in a row; `askedAt` is what Retry-After came to. */
  readonly backOff: (failures: number, now: Instant, askedAt: Instant | undefined) => Instant
  readonly schedule: BatchSchedule
  /** A batch that the repository will never take. */
  readonly onRefused: (batch: Uint8Array) => void
  /** What the operator should know. */
  readonly tell: (sentence: string) => void
}

export interface SenderFigures {
  sent: number
  bytes: number
  /** Taken before: the answer had been lost. */
  seenAlready: number
  refused: number
  /** Could not be read from the spool. */
  setAside: number
  failures: number
}

export class BatchSender {
  readonly figures: SenderFigures = { sent: 0, bytes: 0, seenAlready: 0, refused: 0, setAside: 0, failures: 0 }
  readonly #spool: BatchSpool
  readonly #options: SenderOptions
  #lastLeftAt: Instant = -Infinity
  #failures = 0
  #nextTryAt: Instant = 0
  #trouble = ''
  /** Until then the repository is sent the older format at once. */
  #olderUntil: Instant = -Infinity

  constructor(spool: BatchSpool, options: SenderOptions) {
    this.#spool = spool
    this.#options = options
  }

  /** Why the repository does not take anything now; '' while it does. */
  get trouble(): string {
    return this.#trouble
  }

  /** When the next batch is to be sent; Infinity while none waits. */
  nextAt(): Instant {
    const leaves = leavesAt(this.#lastLeftAt, this.#spool.waiting.length, this.#options.schedule)
    return this.#failures > 0 && leaves !== Infinity ? this.#nextTryAt : leaves
  }

  /** Sends the oldest, if it is time. Whether one left the spool. */
  async tick(signal?: AbortSignal): Promise<boolean> {
    return this.#options.now() >= this.nextAt() && (await this.#send(signal))
  }

  /** Sends all that waits, one after the other, until something is in the way. Whether nothing waits any more. */
  async drain(signal?: AbortSignal): Promise<boolean> {
    while (this.#spool.waiting.length > 0) {
      if (signal?.aborted === true || !(await this.#send(signal))) return false
    }
    return true
  }

  async #send(signal: AbortSignal | undefined): Promise<boolean> {
    const { name } = this.#spool.waiting[0]!
    const { now, onRefused, tell } = this.#options
    const batch = this.#read(name)
    if (batch === undefined) return true
    const posted = await this.#post(batch, signal).catch((error: unknown) => messageOf(error))
    if (signal?.aborted === true && typeof posted === 'string') return false
    if (typeof posted === 'string') return this.#later(posted, undefined)
    const { answer, bytes } = posted
    const { status, headers } = answer
    const said = saidIn(answer)
    if (REFUSED.has(status)) {
      this.figures.refused++
      tell(`The repository refuses a batch for good (${status}${said}); its pages are shipped again when they come by.`)
      this.#spool.remove(name)
      this.#left()
      onRefused(batch)
      return true
    }
    if (!isTaken(status)) return this.#later(whyNot(status, said), retryAfter(headerOf(headers, 'retry-after'), now()))
    this.#spool.remove(name)
    this.figures.sent++
    this.figures.bytes += bytes
    if (status === 200) this.figures.seenAlready++
    if (this.#failures > 0) tell(`The repository takes batches again, after ${this.#failures} failures.`)
    this.#left()
    return true
  }

  async #post(batch: Uint8Array, signal: AbortSignal | undefined): Promise<Posted> {
    const { post, now, tell } = this.#options
    const older = now() < this.#olderUntil ? olderBatch(batch) : undefined
    if (older !== undefined) return { answer: await post(older, signal), bytes: older.length }
    const answer = await post(batch, signal)
    const again = answer.status === UNREADABLE ? olderBatch(batch) : undefined
    if (again === undefined) return { answer, bytes: batch.length }
    const second = await post(again, signal)
    if (isTaken(second.status)) {
      this.#olderUntil = now() + OLDER_MS
      tell('The repository reads batches of an earlier version alone: they are larger, until it is renewed.')
    }
    return { answer: second, bytes: again.length }
  }

  /** Undefined when it is no longer there, or cannot be read: then the next one is due. */
  #read(name: string): Uint8Array | undefined {
    try {
      const batch = this.#spool.read(name)
      if (batch === undefined) this.#spool.remove(name)
      return batch
    } catch (error) {
      this.figures.setAside++
      this.#options.tell(`${messageOf(error)} The batch ${name} is set aside, and the next is sent.`)
      this.#spool.setAside(name)
      return undefined
    }
  }

  #left(): void {
    this.#lastLeftAt = this.#options.now()
    this.#failures = 0
    this.#trouble = ''
  }

  #later(trouble: string, askedAt: Instant | undefined): false {
    const { now, backOff, tell } = this.#options
    this.#failures++
    this.figures.failures++
    this.#nextTryAt = backOff(this.#failures, now(), askedAt)
    // Once, and again when something else is in the way.
    if (trouble !== this.#trouble)
      tell(`The repository did not take a batch: ${trouble} It waits in ${this.#spool.folder}.`)
    this.#trouble = trouble
    return false
  }
}

interface Posted {
  readonly answer: PostedAnswer
  /** As it was sent. */
  readonly bytes: number
}

/** What a repository says to a format that it does not know. */
const UNREADABLE = 422
const OLDER_MS = 86_400_000

const isTaken = (status: number): boolean => status >= 200 && status <= 299

/** This batch will not be taken, now or later; a key or a host that is not trusted may be tomorrow. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 415, 422])

function whyNot(status: number, said: string): string {
  if (status === 401 || status === 403)
    return (
      `it does not know this gateway's key, or its hosts (${status}${said}). ` +
      'Add them to the file that its --gateways names.'
    )
  if (status === 404)
    return `there is nobody for gateways (404). Start its \`comity watch\` with --listen and --gateways.`
  if (status === 429 || status === 503) return `it has enough to do (${status}${said}).`
  return `it answered ${status}${said}.`
}

/** The first line of what it said, without what could move a cursor. */
function saidIn({ body }: PostedAnswer): string {
  const text = Buffer.from(body).subarray(0, 2_000).toString('utf8')
  const detail = /"detail"\s*:\s*"([^"\\]{1,300})"/.exec(text)?.[1] ?? text.split('\n', 1)[0]!.slice(0, 200)
  const shown = detail.replaceAll(/\p{C}+/gu, ' ').trim()
  return shown === '' ? '' : `: ${shown}`
}
