/**
 * Attempts: what was being worked on when the process ended by itself, and how often. An item that ends the whole process,
 * by all the memory it takes, say, would otherwise be met again after every start, for ever.
 *
 *   +3f…  begun      -3f…  ended, whichever way      =2 3f…  begun twice in earlier lives, and never ended
 *   !3f…  given up      .  all that was given up is settled: what follows from it is durable
 *
 * A life is that of a process, or of one thread after another that keeps these notes.
 *
 * Written beside the work and not synced: whatever ends a process leaves what it wrote to the kernel, and what ends the
 * kernel was no item of ours. For that reason a note that could not be written is no failure either.
 */
import { hash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

/** The file is written anew when it is this long. */
const MAX_BYTES = 256 << 10
/** Items remembered that ended a process. */
const MAX_COUNTED = 1_000

export class Attempts implements Disposable {
  readonly #fd: number | undefined
  /** Earlier lives that ended while it was worked on. */
  readonly #endings = new Map<string, number>()
  readonly #open = new Map<string, number>()
  readonly #givenUp: Set<string>
  /** What the last life had at hand when it ended. */
  readonly #left: ReadonlySet<string>
  #bytes = 0

  constructor(path: string) {
    const { endings, open, givenUp } = readNotes(path)
    for (const [key, count] of endings) this.#endings.set(key, count)
    this.#left = open
    this.#givenUp = givenUp
    try {
      this.#fd = openSync(path, 'a', 0o600)
    } catch {
      // A folder that cannot be written is said by whoever needs it.
    }
    this.#rewrite()
  }

  /** How often the process ended while this was worked on. */
  of(item: string): number {
    return this.#endings.size === 0 ? 0 : (this.#endings.get(keyOf(item)) ?? 0)
  }

  /** The last life ended while this was worked on. */
  wasAtHand(item: string): boolean {
    return this.#left.has(keyOf(item))
  }

  /** Somebody gave it up, in this life or the last, and it is not settled. */
  isGivenUp(item: string): boolean {
    return this.#givenUp.size > 0 && this.#givenUp.has(keyOf(item))
  }

  /** Whoever brings it again is told so, also in the next life, until it is settled. */
  giveUp(item: string): void {
    const key = keyOf(item)
    this.#givenUp.add(key)
    this.#write(`!${key}\n`)
  }

  /** What followed from giving up all those that are given up is durable. */
  settle(): void {
    if (this.#givenUp.size === 0) return
    this.#givenUp.clear()
    this.#write('.\n')
  }

  begin(item: string): void {
    const key = keyOf(item)
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    this.#write(`+${key}\n`)
  }

  /** Done, failed or given up: the process lives. */
  end(item: string): void {
    const key = keyOf(item)
    const left = (this.#open.get(key) ?? 1) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
    this.#endings.delete(key)
    this.#write(`-${key}\n`)
    if (this.#bytes > MAX_BYTES) this.#rewrite()
  }

  /** For whoever works on it in another thread: `notedWork` notes it there, when it begins. Undefined where nothing can be noted. */
  noteFor(item: string): AttemptNote | undefined {
    return this.#fd === undefined ? undefined : { fd: this.#fd, key: keyOf(item) }
  }

  /** It was worked on by whoever had the note, or will not be. */
  noted(item: string): void {
    this.#endings.delete(keyOf(item))
    this.#bytes += 2 * NOTE_BYTES
    if (this.#bytes > MAX_BYTES) this.#rewrite()
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }

  #rewrite(): void {
    const lines = [
      ...this.#endings.entries().map(([key, count]) => `=${count} ${key}\n`),
      ...this.#givenUp.keys().map((key) => `!${key}\n`),
      ...this.#open.keys().map((key) => `+${key}\n`),
    ]
    try {
      if (this.#fd !== undefined) ftruncateSync(this.#fd)
    } catch {
      return
    }
    this.#bytes = 0
    this.#write(lines.join(''))
  }

  #write(text: string): void {
    this.#bytes += text.length
    try {
      if (this.#fd !== undefined && text !== '') writeSync(this.#fd, text)
    } catch {
      // A full disk: the next commit says so.
    }
  }
}

/** A sign, a key and a line's end. */
const NOTE_BYTES = 34

/** What is noted of an item by whoever works on it. */
export interface AttemptNote {
  readonly fd: number
  readonly key: string
}

/** Works on it with a note that it does, in whatever thread of the process. */
export function notedWork<T>(note: AttemptNote | undefined, work: () => T): T {
  writeNote(note, '+')
  try {
    return work()
  } finally {
    writeNote(note, '-')
  }
}

function writeNote(note: AttemptNote | undefined, sign: '+' | '-'): void {
  try {
    if (note !== undefined) writeSync(note.fd, `${sign}${note.key}\n`)
  } catch {
    // A full disk: the next commit says so.
  }
}

/** An item is asked for some times in a row. */
let last = { item: '', key: '' }

function keyOf(item: string): string {
  if (item !== last.item || last.key === '') last = { item, key: hash('sha256', item, 'hex').slice(0, 32) }
  return last.key
}

/** Whoever keeps these notes is gone, and was working on something. */
export const endedAtWork = (path: string): boolean => readNotes(path).open.size > 0

interface Notes {
  readonly endings: Iterable<[string, number]>
  readonly open: ReadonlySet<string>
  readonly givenUp: Set<string>
}

function readNotes(path: string): Notes {
  const endings = new Map<string, number>()
  const open = new Set<string>()
  const givenUp = new Set<string>()
  for (const line of textOf(path).split('\n')) {
    const [, sign, count, key = ''] = /^(?:([+!-])|=(\d{1,9}) )([\da-f]{32})$/.exec(line) ?? []
    if (count !== undefined) endings.set(key, Number(count))
    else if (sign === '+') open.add(key)
    else if (sign === '!') givenUp.add(key)
    else if (sign === '-') {
      open.delete(key)
      endings.delete(key)
    } else if (line === '.') givenUp.clear()
  }
  for (const key of open) endings.set(key, (endings.get(key) ?? 0) + 1)
  return { endings: [...endings].slice(-MAX_COUNTED), open, givenUp: new Set([...givenUp].slice(-MAX_COUNTED)) }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // None yet, or none that can be read: nothing is known of earlier lives.
    return ''
  }
}
