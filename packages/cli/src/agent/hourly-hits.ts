/** Hourly hits: how often people read each page, by an access log that grows. A long log is not read anew for every run. */
import { messageOf } from '@comity/protocol'
import { open } from 'node:fs/promises'
import { accessHits } from '@comity/agent'

const HOUR_MS = 3_600_000

export class HourlyHits {
  readonly #file: string
  readonly #base: string
  readonly #tell: (sentence: string) => void
  #hits: ReadonlyMap<string, number> | undefined
  #readAt = -Infinity

  constructor(file: string, base: string, tell: (sentence: string) => void) {
    this.#file = file
    this.#base = base
    this.#tell = tell
  }

  /** As they were within the last hour; undefined while the log cannot be read. */
  async read(now: number): Promise<ReadonlyMap<string, number> | undefined> {
    if (now < this.#readAt + HOUR_MS) return this.#hits
    this.#readAt = now
    try {
      await using file = await open(this.#file)
      this.#hits = (await accessHits(file.readLines(), this.#base)).hits
    } catch (error) {
      this.#hits = undefined
      this.#tell(`The access log cannot be read, so agents are told nothing of it: ${messageOf(error)}`)
    }
    return this.#hits
  }
}
