/**
 * FaultIsolation: works on each item apart from all others. A fault of ours in one is kept aside as a dead letter, counted, and the
 * next goes on.
 *
 *   apart(about, work) ── done ──▶ what came of it
 *        │ a fault of ours ──▶ dead letter, durable ──▶ FAULT
 *        │ it ended the process so often before ──▶ likewise, and nothing is tried
 *        └ the disk, or a hook of the user's ──▶ thrown on: that ends the run, and says why
 *
 * A letter is durable before the item counts as dealt with, so whatever happens then, it is not met again.
 */
import { textOf } from '@comity/protocol'
import { join } from 'node:path'
import { Attempts, DeadLetters, isStorageFault } from '@comity/collection'
import type { AttemptNote, DeadLetter, LetterWriter, NewLetter } from '@comity/collection'
import { IndexError } from '@comity/index'
import type { Instant } from '@comity/protocol'
import { OwnersFault } from './owners-fault.ts'
import { isHookFault } from '../hooks.ts'
import { ReadingFault } from '../read/pool.ts'

/** What came of an item that we failed on. */
export const FAULT: unique symbol = Symbol('fault')

/** What an item is, for whoever looks at it later. */
export interface FaultAbout extends Omit<NewLetter, 'at' | 'reason' | 'trace'> {
  /** The same in every run. What has none takes too little work to end a process, or stands in something that has one. */
  readonly key?: string | undefined
  /** Most of the time it waits: whoever works on it notes that, while it does. A kill in between is none of its doing. */
  readonly isNotedAtWork?: boolean | undefined
  /** Items stand in it that are worked on apart: it is given up one ending later than they are. */
  readonly holdsOthers?: boolean | undefined
  /** What is kept of it, where that has to be made: whoever tries it again has it whole. */
  readonly bodyOf?: (() => Uint8Array) | undefined
  /** Whatever ends us before `durable`, it is brought again, and is then passed over: its letter is there already. */
  readonly isBroughtAgain?: boolean | undefined
}

/**
 * So often the process may end while an item is worked on. More than once or twice, as a process is killed for many reasons
 * and the item at hand is seldom one of them.
 */
const MOST_ENDINGS = 5
/** The same for a thread whose process lives on: nobody kills one. The first time, all that came before may have been too much for it. */
const MOST_ENDINGS_OF_THREADS = 2

/** Where its attempts are noted. */
export const attemptsPath = (dir: string, writer: LetterWriter): string => join(dir, `attempts-${writer}.log`)

export class FaultIsolation implements Disposable {
  readonly #letters: DeadLetters
  readonly #attempts: Attempts
  readonly #now: () => Instant
  readonly #isSuccessor: boolean
  #count = 0

  /** In the folder of a collection that this process writes. A successor takes the place of a thread that ended by itself. */
  constructor(dir: string, writer: LetterWriter, now: () => Instant, isSuccessor = false) {
    this.#letters = new DeadLetters(dir, writer)
    this.#attempts = new Attempts(attemptsPath(dir, writer))
    this.#now = now
    this.#isSuccessor = isSuccessor
  }

  /** Items kept aside in this run. */
  get count(): number {
    return this.#count
  }

  async apart<T>(about: FaultAbout, work: (note?: AttemptNote) => T | Promise<T>): Promise<T | typeof FAULT> {
    if (this.#endsProcesses(about)) return FAULT
    const note = this.#begin(about)
    try {
      return await work(note)
    } catch (error) {
      return this.failed(about, error)
    } finally {
      this.#end(about)
    }
  }

  /** The same for work that waits for nobody. */
  apartNow<T>(about: FaultAbout, work: () => T): T | typeof FAULT {
    if (this.#endsProcesses(about)) return FAULT
    this.#begin(about)
    try {
      return work()
    } catch (error) {
      return this.failed(about, error)
    } finally {
      this.#end(about)
    }
  }

  /** The process ended before while it was worked on: it is better worked on alone. */
  isSuspect(key: string): boolean {
    return this.#attempts.of(key) > 0
  }

  /** Keeps aside what somebody else failed on; throws on what is no fault of an item's. */
  failed(about: FaultAbout, error: unknown): typeof FAULT {
    if (!isItemFault(error)) throw error
    if (error instanceof ReadingFault) this.#keep({ ...about, body: error.body }, error.message, traceOf(error.cause))
    else this.#keep(about, textOf(error), traceOf(error))
    this.#giveUp(about)
    return FAULT
  }

  /** Those that somebody wants to be tried again, once each. */
  retries(): ReturnType<DeadLetters['retries']> {
    return this.#letters.retries()
  }

  /** What came of a second try is durable. */
  settled(letter: DeadLetter): void {
    this.#letters.settled(letter)
  }

  /** All that followed from what was given up is durable: whoever brings it again means it. */
  durable(): void {
    this.#attempts.settle()
  }

  [Symbol.dispose](): void {
    this.#attempts[Symbol.dispose]()
  }

  /** It did so often enough, and is kept aside now. It may be tried again, by whoever asks for that. */
  #endsProcesses(about: FaultAbout): boolean {
    const { key } = about
    if (key === undefined) return false
    if (this.#attempts.isGivenUp(key)) return true
    const endings = this.#attempts.of(key)
    const ofThread = this.#isSuccessor && this.#attempts.wasAtHand(key)
    if (endings < (ofThread ? MOST_ENDINGS_OF_THREADS : MOST_ENDINGS) + Number(about.holdsOthers ?? false)) return false
    const who = ofThread ? 'the thread' : 'comity'
    this.#keep(about, `${who} ended ${endings} times while it was worked on, and did not say why`, undefined)
    // Its letter says so from now on: whoever tries it again begins anew.
    this.#attempts.end(key)
    this.#giveUp(about)
    return true
  }

  #begin({ key, isNotedAtWork = false }: FaultAbout): AttemptNote | undefined {
    if (key !== undefined && isNotedAtWork) return this.#attempts.noteFor(key)
    if (key !== undefined) this.#attempts.begin(key)
    return undefined
  }

  #end({ key, isNotedAtWork = false }: FaultAbout): void {
    if (key === undefined) return
    if (isNotedAtWork) this.#attempts.noted(key)
    else this.#attempts.end(key)
  }

  #giveUp({ key, isBroughtAgain = false }: FaultAbout): void {
    if (key !== undefined && isBroughtAgain) this.#attempts.giveUp(key)
  }

  #keep(about: FaultAbout, reason: string, trace: string | undefined): void {
    const { kind, url, page, origin, from, item } = about
    const body = about.bodyOf?.() ?? about.body
    this.#letters.keep({ kind, url, page, origin, from, item, body, at: this.#now(), reason, trace })
    this.#count++
  }
}

const traceOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined)

/** Our own fault with one item: not the storage's, and not what a hook of the user's says. */
function isItemFault(error: unknown): boolean {
  const isForeign = error instanceof OwnersFault || error instanceof IndexError || isHookFault(error)
  return !isForeign && !isStorageFault(error)
}
