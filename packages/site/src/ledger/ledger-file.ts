/**
 * Ledger file: a ledger that outlasts the process. It is small, so it is written anew as a whole, some seconds after something
 * was noted; a crash costs those seconds and nothing else. A file that cannot be read is set aside, not written over.
 */
import { textOf } from '@comity/protocol'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, makePrivateFolder } from '@comity/disk'
import type { Instant } from '@comity/protocol'
import { CrawlerWeek } from './crawler-week.ts'
import type { CrawlerVisit } from './crawler-week.ts'
import { Ledger, readLedger } from './ledger.ts'
import type { LedgerRows, LedgerEntry } from './ledger.ts'

export interface LedgerFileOptions {
  readonly now: () => Instant
  readonly everyMs?: number | undefined
  /** Told when it cannot be written or read; each time anew, as counting goes on in memory. */
  readonly tell?: ((sentence: string) => void) | undefined
}

const EVERY_MS = 5_000
const MAX_BYTES = 16 << 20

export class LedgerFile implements Disposable {
  readonly #path: string
  readonly #everyMs: number
  readonly #tell: (sentence: string) => void
  readonly #ledger: Ledger
  readonly #week: CrawlerWeek
  readonly #now: () => Instant
  #timer: NodeJS.Timeout | undefined

  constructor(path: string, { now, everyMs = EVERY_MS, tell }: LedgerFileOptions) {
    this.#path = path
    this.#everyMs = everyMs
    this.#tell = tell ?? ((sentence) => process.emitWarning(sentence, 'ComityWarning'))
    this.#now = now
    const store = this.#read()
    this.#ledger = new Ledger(now(), store)
    this.#week = new CrawlerWeek(store?.days)
  }

  /** Path and status of an answer; of what was sent there are none. */
  note(entry: LedgerEntry & Partial<Pick<CrawlerVisit, 'path' | 'status'>>): void {
    const { wholeRequests, wholeBytes } = this.#ledger.note(entry)
    const { agent, proven, called, path = '', status = 0, bytes, requests } = entry
    this.#week.note({
      at: this.#now(),
      agent,
      proven,
      called,
      path,
      status,
      bytes,
      requests,
      wholeRequests,
      wholeBytes,
    })
    this.#timer ??= setTimeout(() => this.flush(), this.#everyMs).unref()
  }

  store(): LedgerRows {
    return { ...this.#ledger.store(), days: this.#week.rows() }
  }

  /** Write now what is noted. Never throws. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      makePrivateFolder(dirname(this.#path))
      writeFileSync(`${this.#path}.part`, JSON.stringify(this.store()))
      renameSync(`${this.#path}.part`, this.#path)
    } catch (error) {
      this.#tell(
        `The ledger ${this.#path} could not be written (${textOf(error)}). It is kept in memory and tried again.`,
      )
    }
  }

  [Symbol.dispose](): void {
    if (this.#timer !== undefined) this.flush()
  }

  #read(): LedgerRows | undefined {
    const text = this.#text()
    if (text === undefined) return undefined
    const store = readLedger(text)
    if (store === undefined) this.#setAside()
    return store
  }

  #text(): string | undefined {
    try {
      const bytes = readFileSync(this.#path)
      return bytes.length > MAX_BYTES ? '' : bytes.toString('utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  #setAside(): void {
    renameSync(this.#path, `${this.#path}.damaged`)
    this.#tell(
      `${this.#path} is no ledger that can be read. It is now ${this.#path}.damaged, and counting begins anew.`,
    )
  }
}
