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
import { join } from 'node:path'
import { LogFile, LogUnwritable, makePrivateFolder, WriteQueue } from '@comity/disk'
import type { WaitingWrite } from '@comity/disk'
import type { Instant } from '@comity/protocol'
import { ChangeTable } from './change-table.ts'
import { isCompactionDue, journalLimits, keptOf } from './compaction.ts'
import type { JournalLimits } from './compaction.ts'
import { journalClosed, journalUnopened, journalUnwritable, SiteError } from '../errors.ts'
import { FileVersions } from './file-versions.ts'
import type { Change, Journal, Observation } from './journal.ts'
import { encodeHeader, HEADER_BYTES } from './header.ts'
import type { JournalHeader } from './header.ts'
import { journalFraming } from './record.ts'
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

interface Noticed {
  readonly observations: readonly Observation[]
  readonly at: Instant
}

interface Parts {
  readonly id: string
  readonly log: LogFile<Change>
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
  readonly #queue: WriteQueue<Noticed, readonly Change[]>
  #log: LogFile<Change>
  #rowsAfterCompaction: number
  #isClosed = false

  private constructor(parts: Parts) {
    super(parts.id, parts.table, parts.versions)
    this.cutBytes = parts.cutBytes
    this.#log = parts.log
    this.#lock = parts.lock
    this.#limits = parts.limits
    this.#rowsAfterCompaction = parts.table.rowCount
    this.#queue = new WriteQueue({
      write: (group) => this.#record(group),
      weightOf: ({ observations }) => observations.length,
      maxWeight: MAX_GROUP,
      afterwards: () => this.#compactWhenDue(),
    })
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
    return this.#log.bytes
  }

  async record(seen: Iterable<Observation>, at: Instant): Promise<readonly Change[]> {
    if (this.#isClosed) throw journalClosed(this.#log.path)
    const observations = checkedObservations(seen)
    return await this.#queue.add({ observations, at })
  }

  /** Forget what the limits do not keep. Happens by itself when it is worth it. */
  async compact(now: Instant): Promise<void> {
    if (this.#isClosed) throw journalClosed(this.#log.path)
    await this.#queue.run(() => this.#compact(now))
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#queue.settled()
    this.#log.close()
    this.#lock[Symbol.dispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** It is only about room: if it fails, the journal is what it was, and the next one tries again. */
  async #compactWhenDue(): Promise<void> {
    if (isCompactionDue(this.table, this.#limits, this.#rowsAfterCompaction)) await this.#compact(this.table.lastAt)
  }

  async #record(group: readonly WaitingWrite<Noticed, readonly Change[]>[]): Promise<void> {
    const staging = new Staging(this.table, this.#limits)
    const answers: (() => void)[] = []
    for (const { item, resolve, reject } of group) {
      try {
        const changes = staging.add(item.observations, item.at)
        answers.push(() => resolve(changes))
      } catch (error) {
        reject(error)
      }
    }
    if (staging.changes.length > 0) {
      await keepVersions(this.versions, staging.changes)
      await this.#append(staging.changes.map(({ change }) => change))
    }
    staging.applyTo(this.table)
    for (const answer of answers) answer()
  }

  async #append(changes: readonly Change[]): Promise<void> {
    try {
      await this.#log.append(changes)
    } catch (error) {
      if (!(error instanceof LogUnwritable)) throw error
      throw journalUnwritable(this.#log.path, error.cause, error.isUsable)
    }
  }

  async #compact(now: Instant): Promise<void> {
    const { last, lastAt } = this.table
    const { since, changes } = keptOf(this.table, this.#limits, now)
    const table = new ChangeTable(since, last, lastAt)
    const log = await newLog(this.#log.path, { id: this.id, since, last, lastAt }, copiedInto(table, changes))
    this.#log.close()
    this.#log = log
    this.table = table
    this.#rowsAfterCompaction = table.rowCount
  }
}

async function openFile(
  path: string,
  id: string = randomUUID(),
): Promise<Pick<Parts, 'id' | 'log' | 'table' | 'cutBytes'>> {
  const recovered = recoverJournal(path)
  if (recovered !== undefined) return { ...recovered, id: recovered.header.id }
  const log = await newLog(path, { id, since: 0, last: 0, lastAt: -Infinity }, [])
  return { id, log, table: new ChangeTable(), cutBytes: 0 }
}

/** In the place of the old one, if there is one. */
async function newLog(
  path: string,
  facts: Omit<JournalHeader, 'snapshotBytes'>,
  entries: Iterable<Change>,
): Promise<LogFile<Change>> {
  const header = (snapshotBytes: number): Uint8Array => encodeHeader({ ...facts, snapshotBytes })
  // Whom it is for, its folder says.
  const terms = { framing: journalFraming, entries, headerBytes: HEADER_BYTES, header, mode: 0o666 }
  try {
    return await LogFile.create(path, terms)
  } catch (error) {
    throw journalUnwritable(path, error, true)
  }
}

function* copiedInto(table: ChangeTable, changes: Iterable<Change>): Iterable<Change> {
  for (const change of changes) {
    table.append(change)
    yield change
  }
}
