/**
 * Sorted lines: any number of lines in byte order, with bounded memory: runs that fit are sorted and put on disk, then
 * merged. The files stand beside what is being written and go with this object. Lines are ASCII.
 */
import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

/** Some 200 MB of strings at the most. */
const MAX_RUN_CHARS = 64 << 20

interface Run {
  line: string
  readonly rest: AsyncIterator<string>
}

export class SortedLines implements AsyncDisposable {
  readonly #base: string
  readonly #maxChars: number
  readonly #runs: string[] = []
  #lines: string[] = []
  #chars = 0

  /** Runs are put at `base` with a number behind it. */
  constructor(base: string, maxChars: number = MAX_RUN_CHARS) {
    this.#base = base
    this.#maxChars = maxChars
  }

  async add(line: string): Promise<void> {
    this.#lines.push(line)
    this.#chars += line.length
    if (this.#chars < this.#maxChars) return
    const path = `${this.#base}-${this.#runs.length}`
    this.#runs.push(path)
    await writeFile(path, inPieces(this.#takeSorted()), { encoding: 'latin1' })
  }

  /** All of them, once. */
  async *all(): AsyncGenerator<string> {
    const newest = this.#takeSorted()
    const runs: Run[] = []
    for (const lines of [...this.#runs.map(linesOf), newest[Symbol.iterator]()]) await advance(runs, lines)
    // Few runs are ever open, so the least line is looked for one by one.
    while (runs.length > 0) {
      const least = runs.reduce((a, b) => (b.line < a.line ? b : a))
      yield least.line
      runs.splice(runs.indexOf(least), 1)
      await advance(runs, least.rest)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#runs.map((path) => rm(path, { force: true })))
  }

  #takeSorted(): string[] {
    // oxlint-disable-next-line unicorn/no-array-sort -- in place: a copy would double the memory that is bounded here.
    const lines = this.#lines.sort()
    this.#lines = []
    this.#chars = 0
    return lines
  }
}

async function advance(runs: Run[], rest: AsyncIterator<string> | Iterator<string>): Promise<void> {
  const { value, done } = await rest.next()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an iterator of lines that may be asked either way.
  if (done !== true) runs.push({ line: value, rest: rest as AsyncIterator<string> })
}

function linesOf(path: string): AsyncIterator<string> {
  const input = createReadStream(path, { encoding: 'latin1' })
  return createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]()
}

const LINES_A_PIECE = 4_096

function* inPieces(lines: readonly string[]): Generator<string> {
  for (let i = 0; i < lines.length; i += LINES_A_PIECE) yield `${lines.slice(i, i + LINES_A_PIECE).join('\n')}\n`
}
