/**
 * Docroot scan: one look at some files of a document root, and what follows from it.
 *
 *   name ─▶ verdict ─▶ times and size ─ other ─▶ read, digest, verdict ─▶ observation ─▶ journal
 *                                     └ as before ─▶ seen; what the journal has and nobody saw is gone
 */
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Instant } from '@comity/protocol'
import { isSettled, lookAtFile, mtimeOf } from './docroot-file.ts'
import type { DocrootOptions, DocrootScanWorld } from './docroot-options.ts'
import { pathsOfFile, systemPath, urlPathOf } from './docroot-path.ts'
import { isMissing } from './docroot-walk.ts'
import type { FoundFile } from './docroot-walk.ts'
import type { Journal } from '../journal/journal.ts'
import { isTextType, mimeTypeOf } from '@comity/protocol'
import { contentVerdict, fileVerdict } from '../privacy/privacy.ts'
import type { PrivateReason, PublicVerdict } from '../privacy/private-reason.ts'
import type { PublicRules } from '../privacy/public-rules.ts'
import { RecordBatch } from '../journal/record-batch.ts'

/** What a file was when it was last read, where the journal does not say: it was only touched, or is private. */
export interface Remembered {
  readonly mtimeMs: Instant
  readonly bytes: number
  readonly reason: PrivateReason | undefined
}

interface ScanParts {
  readonly journal: Journal
  readonly options: DocrootOptions
  readonly world: DocrootScanWorld
  readonly memory: Map<string, Remembered>
  /** Its real path. */
  readonly root: string
  readonly rules: PublicRules
}

export interface DocrootScanSummary {
  readonly files: number
  /** Not even opened. */
  readonly unchanged: number
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  /** Files that stay private, by reason. */
  readonly private: Readonly<Partial<Record<PrivateReason, number>>>
  /** Files that are being written, as octets below the root. */
  readonly unsettled: readonly string[]
  /** Addresses of files and folders that could not be read; what was known of them stays. */
  readonly unreadable: readonly string[]
}

/** Times asked for at once; the file system answers on four threads. */
const AT_ONCE = 128
/** Looked through for `meta` elements that hide a page. */
const MAX_HTML_BYTES = 8 << 20

/**
 * Builds that are to be the same each time give all files one time, 1970 or 1980, so that it tells nothing: such files are
 * read at each scan. Nobody wrote a page before there was a Web.
 */
const FIRST_TRUE_TIME: Instant = Date.UTC(1990, 0)

export class DocrootScan {
  readonly #parts: ScanParts
  readonly #batch: RecordBatch
  readonly #startedAfter: number
  /** Addresses that are there, or not known to be gone. */
  readonly #seen = new Set<string>()
  readonly #unreadable: string[] = []
  readonly #private: Partial<Record<PrivateReason, number>> = {}
  #unsettled: FoundFile[] = []
  #files = 0
  #unchanged = 0
  #read = 0

  constructor(parts: ScanParts) {
    this.#parts = parts
    this.#batch = new RecordBatch(parts.journal, () => parts.world.now())
    this.#startedAfter = parts.journal.last
  }

  noteUnreadable(path: string): void {
    this.#unreadable.push(path)
  }

  /** Those that were being written, to be looked at again. */
  takeUnsettled(): readonly FoundFile[] {
    const files = this.#unsettled
    this.#unsettled = []
    this.#files -= files.length
    return files
  }

  async look(files: readonly FoundFile[], spreadMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { world } = this.#parts
    const startedAt = world.now()
    for (let done = 0; done < files.length;) {
      signal?.throwIfAborted()
      const some = files.slice(done, done + AT_ONCE)
      await Promise.all(some.map((file) => this.#lookAt(file)))
      await this.#batch.flushWhenFull()
      done += some.length
      const earlyMs = startedAt + (spreadMs * done) / files.length - world.now()
      if (spreadMs > 0 && earlyMs > 0) await world.sleep(earlyMs, signal)
    }
    await this.#batch.flush()
  }

  /**
   * Of these pages, which were known before the scan began, those that nobody saw are gone. Except what was recorded
   * while the scan went on: its file may be younger than the list of names, and the next scan will see it.
   */
  async reportGone(paths: Iterable<string>): Promise<void> {
    // Forgotten already when very much was recorded; the pages themselves are known from before all the same.
    const meanwhile = this.#parts.journal.changesAfter(this.#startedAfter) ?? []
    const young = new Set(meanwhile.map(({ path }) => path))
    for (const path of paths) {
      const isUnknown = this.#unreadable.some((prefix) => path.startsWith(prefix))
      if (!this.#seen.has(path) && !young.has(path) && !isUnknown) this.#batch.add({ path, gone: true })
    }
    await this.#batch.flush()
  }

  summary(): DocrootScanSummary {
    return {
      files: this.#files,
      unchanged: this.#unchanged,
      read: this.#read,
      ...this.#batch.counts,
      private: this.#private,
      unsettled: this.#unsettled.map(({ octets }) => octets),
      unreadable: this.#unreadable,
    }
  }

  async #lookAt(file: FoundFile): Promise<void> {
    const { options, rules, root } = this.#parts
    this.#files++
    const paths = pathsOfFile(file.octets, file.isIndex, options)
    const verdict = fileVerdict([...new Set([...paths, urlPathOf(file.octets)])], rules)
    if (!verdict.public) return this.#refuse(verdict)
    try {
      const stats = await stat(systemPath(root, file.octets))
      if (!stats.isFile()) return
      const reason = this.#reasonBefore(file.octets, stats)
      if (reason !== undefined) this.#private[reason] = (this.#private[reason] ?? 0) + 1
      else if (this.#isAsBefore(file.octets, paths, stats)) {
        this.#unchanged++
        this.#see(paths)
      } else await this.#readFile(file, paths)
    } catch (error) {
      if (isMissing(error)) return
      // It is there, so its pages are not gone; that it cannot be read is told.
      this.#unreadable.push(urlPathOf(file.octets))
      this.#see(paths)
    }
  }

  /** Why the file was kept private when it was read, if it is still the same. */
  #reasonBefore(octets: string, stats: Stats): PrivateReason | undefined {
    const before = this.#parts.memory.get(octets)
    const isSame = before?.mtimeMs === mtimeOf(stats) && before.bytes === stats.size
    return isSame && before.mtimeMs >= FIRST_TRUE_TIME ? before.reason : undefined
  }

  #isAsBefore(octets: string, paths: readonly string[], stats: Stats): boolean {
    const { journal, memory, world } = this.#parts
    const mtimeMs = mtimeOf(stats)
    if (!isSettled(stats, world.now()) || mtimeMs < FIRST_TRUE_TIME) return false
    const isRemembered = memory.get(octets)?.mtimeMs === mtimeMs
    const type = mimeTypeOf(octets)
    return paths.every((path) => {
      const page = journal.page(path)
      const isSame = page?.bytes === stats.size && page.type === type
      return isSame && (isRemembered || page.modifiedAt === mtimeMs)
    })
  }

  async #readFile(file: FoundFile, paths: readonly string[]): Promise<void> {
    const { options, world, memory, root } = this.#parts
    const type = mimeTypeOf(file.octets)
    const isHtml = type === 'text/html' || type === 'application/xhtml+xml'
    const bodyBytes = isTextType(type) ? options.maxBodyBytes : 0
    const headBytes = isHtml ? Math.max(MAX_HTML_BYTES, bodyBytes) : bodyBytes
    const look = await lookAtFile(systemPath(root, file.octets), headBytes, () => world.now())
    if (look.kind === 'unsettled') {
      this.#unsettled.push(file)
      return this.#see(paths)
    }
    this.#read++
    const { digest, bytes, mtimeMs, head } = look
    const now = world.now()
    const verdict = contentVerdict(head, type, now)
    // A date in the future is no date; the page is as new as the moment it was seen.
    const modifiedAt = Math.min(mtimeMs, now)
    const isTold = verdict.public && paths.every((path) => this.#willShow(path, digest, modifiedAt) === mtimeMs)
    if (isTold) memory.delete(file.octets)
    else memory.set(file.octets, { mtimeMs, bytes, reason: verdict.public ? undefined : verdict.reason })
    if (!verdict.public) return this.#refuse(verdict)
    this.#see(paths)
    const body = bytes <= bodyBytes ? head : undefined
    for (const path of paths) this.#batch.add({ path, modifiedAt, digest, bytes, type, body })
  }

  /** When the journal will say that the page changed: a file that was only touched keeps its date there. */
  #willShow(path: string, digest: string, modifiedAt: Instant): Instant {
    const page = this.#parts.journal.page(path)
    return page?.digest === digest ? page.modifiedAt : modifiedAt
  }

  #see(paths: readonly string[]): void {
    for (const path of paths) this.#seen.add(path)
  }

  #refuse(verdict: PublicVerdict & { readonly public: false }): void {
    this.#private[verdict.reason] = (this.#private[verdict.reason] ?? 0) + 1
  }
}
