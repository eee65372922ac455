/**
 * File journal: a journal in a directory, safe against kill -9 and power cuts.
 *
 *   DIR/journal.log      header, then one record for each change (`journal/header.ts`, `journal/record.ts`)
 *   DIR/versions/        bodies of pages as they are and were (`journal/file-versions.ts`)
 *   DIR/writer-N.lock    who writes it (`journal/write-lock.ts`)
 *
 * Whoever records while a write is under way waits with all others who do, and one sync makes them durable together. What
 * is not durable is not in the table, so nobody can be told a number that a crash would give to another change.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import type { Instant } from '@comity/protocol'
import { ChangeTable } from './change-table.ts'
import { isCompactionDue, journalLimits, keptOf } from './compaction.ts'
import type { JournalLimits } from './compaction.ts'
import { journalClosed, journalUnopened, SiteError } from '../errors.ts'
import { FileVersions } from './file-versions.ts'
import type { Change, Journal, Observation } from './journal.ts'
import { JournalFile } from './journal-file.ts'
import { recoverJournal } from './recovery.ts'
import { JournalView } from './view.ts'
import { checkedObservations, Staging } from './staging.ts'
import { keepVersions } from './version-store.ts'
import type { VersionLimits, VersionStore } from './version-store.ts'
import { takeWriteLock } from './write-lock.ts'

export interface FileJournalOptions {
  readonly limits?: Partial<JournalLimits>
  readonly versions?: Partial<VersionLimits>
  /** Name of a new journal, a UUID; random unless given. */
  readonly id?: string
}

interface Waiting {
  readonly observations: readonly Observation[]
  readonly at: Instant
  readonly resolve: (changes: readonly Change[]) => void
  readonly reject: (error: unknown) => void
}

interface Parts {
  readonly id: string
  readonly file: JournalFile
  readonly table: ChangeTable
  readonly versions: VersionStore
  readonly lock: Disposable
  readonly limits: JournalLimits
  readonly cutBytes: number
}

/** More than this many observations are made durable in two steps, so that the first need not wait for the last. */
const MAX_GROUP = 10_000

export class FileJournal extends JournalView implements Journal, AsyncDisposable {
  /** What a crash had left half-written, cut off when the journal was opened. */
  readonly cutBytes: number
  readonly #limits: JournalLimits
  readonly #lock: Disposable
  #file: JournalFile
  #rowsAfterCompaction: number
  #waiting: Waiting[] = []
  /** What is under way; writes and compactions follow each other. */
  #tail: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(parts: Parts) {
    super(parts.id, parts.table, parts.versions)
    this.cutBytes = parts.cutBytes
    this.#file = parts.file
    this.#lock = parts.lock
    this.#limits = parts.limits
    this.#rowsAfterCompaction = parts.table.rowCount
  }

  /** Opens the journal of a directory, or makes one. Throws by name when another process writes it or it is damaged. */
  static async open(dir: string, options: FileJournalOptions = {}): Promise<FileJournal> {
    const limits = journalLimits(options.limits)
    let lock: Disposable | undefined
    try {
      makePrivateFolder(dir)
      lock = takeWriteLock(dir)
      const versions = new FileVersions(join(dir, 'versions'), options.versions)
      const opened = await openFile(join(dir, 'journal.log'), options.id)
      return new FileJournal({ ...opened, versions, lock, limits })
    } catch (error) {
      lock?.[Symbol.dispose]()
      throw error instanceof SiteError ? error : journalUnopened(dir, error)
    }
  }

  /** Length of the file. */
  get bytes(): number {
    return this.#file.bytes
  }

  async record(seen: Iterable<Observation>, at: Instant): Promise<readonly Change[]> {
    if (this.#isClosed) throw journalClosed(this.#file.path)
    const observations = checkedObservations(seen)
    const { promise, resolve, reject } = Promise.withResolvers<readonly Change[]>()
    this.#waiting.push({ observations, at, resolve, reject })
    if (this.#waiting.length === 1) void this.#then(() => this.#flush())
    return await promise
  }

  /** Forget what the limits do not keep. Happens by itself when it is worth it. */
  async compact(now: Instant): Promise<void> {
    if (this.#isClosed) throw journalClosed(this.#file.path)
    await this.#then(() => this.#compact(now))
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#tail
    await this.#file.close()
    this.#lock[Symbol.dispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work)
    this.#tail = done.catch(() => undefined)
    return done
  }

  /** Never rejects: each who waits is told. */
  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      await this.#record(group)
    }
    const at = this.table.lastAt
    if (isCompactionDue(this.table, this.#limits, this.#rowsAfterCompaction)) {
      // It is only about room: if it fails, the journal is what it was, and the next one tries again.
      await this.#compact(at).catch(() => undefined)
    }
  }

  async #record(group: readonly Waiting[]): Promise<void> {
    const staging = new Staging(this.table, this.#limits)
    const answers: (() => void)[] = []
    const refusals: ((error: unknown) => void)[] = []
    for (const { observations, at, resolve, reject } of group) {
      try {
        const changes = staging.add(observations, at)
        answers.push(() => resolve(changes))
        refusals.push(reject)
      } catch (error) {
        reject(error)
      }
    }
    try {
      if (staging.changes.length > 0) {
        await keepVersions(this.versions, staging.changes)
        await this.#file.append(staging.changes.map(({ change }) => change))
      }
      staging.applyTo(this.table)
      for (const answer of answers) answer()
    } catch (error) {
      for (const refuse of refusals) refuse(error)
    }
  }

  async #compact(now: Instant): Promise<void> {
    const { last, lastAt } = this.table
    const { since, changes } = keptOf(this.table, this.#limits, now)
    const table = new ChangeTable(since, last, lastAt)
    const file = await JournalFile.replace(
      this.#file.path,
      { id: this.id, since, last, lastAt },
      copiedInto(table, changes),
    )
    await this.#file.close()
    this.#file = file
    this.table = table
    this.#rowsAfterCompaction = table.rowCount
  }
}

async function openFile(
  path: string,
  id: string = randomUUID(),
): Promise<Pick<Parts, 'id' | 'file' | 'table' | 'cutBytes'>> {
  if (!existsSync(path)) {
    const file = await JournalFile.replace(path, { id, since: 0, last: 0, lastAt: -Infinity }, [])
    return { id, file, table: new ChangeTable(), cutBytes: 0 }
  }
  const { header, table, bytes, cutBytes } = recoverJournal(path)
  return { id: header.id, file: await JournalFile.open(path, bytes), table, cutBytes }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let [count, size] = [0, 0]
  while (count < waiting.length && (count === 0 || size < MAX_GROUP)) size += waiting[count++]!.observations.length
  return waiting.splice(0, count)
}

function* copiedInto(table: ChangeTable, changes: Iterable<Change>): Iterable<Change> {
  for (const change of changes) {
    table.append(change)
    yield change
  }
}
