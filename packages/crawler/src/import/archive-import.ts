/**
 * Archive import: the records of somebody's WARC files become captures of a collection, as if it had been there.
 *
 *   bytes ──▶ WARC reader ──▶ archivedOf ──┬─ answer ──▶ reading pool ──▶ handler ──▶ deposit
 *                                          ├─ revisit ─▶ waits for what it repeats, then like an answer
 *                                          └─ skipped ─▶ counted by its reason
 *
 * Each record is worked on apart: one that we fail on is kept aside, named and counted, and the next goes on; so are damaged
 * ones. Whatever a file holds, every record that was seen is a capture, or is counted under the reason why it is not.
 *
 * Deposits are made in the order of the records, whoever reads them first, so the same archive always makes the same
 * collection. A capture is known by its URL and date: importing twice changes nothing, and an import that was cut short
 * is completed by running it again.
 */
import { createWarcReader, digestProblem, entityBody, payloadDigest, responseHead, warcTarget } from '@comity/protocol'
import type { HeaderList, Instant, WarcItem } from '@comity/protocol'
import { Collection, forgottenSites } from '@comity/collection'
import type { CollectionOptions, WarcPosition } from '@comity/collection'
import { Frontier } from '@comity/frontier'
import type { SiteRow } from '@comity/frontier'
import { ArchiveHandler } from './archive-handler.ts'
import {
  archivedOf,
  FAULT,
  FaultIsolation,
  GroupCommit,
  IngestStream,
  LinkHandler,
  knownHooks,
  ReadingPool,
  earlierTotals,
  Tally,
} from '@comity/ingest'
import type { ArchivedAnswer, ArchivedRevisit, FaultAbout, Hooks, Totals } from '@comity/ingest'
import { Indexing } from '@comity/search'
import type { IndexSummary } from '@comity/search'
import { crawlDefaults, productTokenOf } from '../options.ts'

/** The bytes of one WARC file, plain or in gzip. */
export interface Archive {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface ImportCall {
  readonly into: string
  readonly archives: Iterable<Archive> | AsyncIterable<Archive>
  readonly now?: () => Instant
  readonly limits?: Partial<ImportLimits>
  /** Make what is new searchable as it comes in. */
  readonly index?: boolean
  /** Aborting stops behind the record under way; what was taken in stays. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
  readonly collection?: Partial<CollectionOptions>
  /** `onCapture` sees every whole page that is new. */
  readonly hooks?: Pick<Hooks, 'onCapture'>
}

export interface ImportLimits {
  /** Records with a longer block are skipped. */
  readonly maxRecordBytes: number
  /** Revisits that may wait for what they repeat. */
  readonly maxRevisits: number
  readonly threads: number
}

export const importLimits: ImportLimits = { maxRecordBytes: 64 << 20, maxRevisits: 100_000, threads: 1 }

export interface ImportProgress {
  readonly archive: string
  readonly records: number
  readonly captures: number
  readonly bytes: number
}

export interface ImportSummary {
  readonly collection: string
  readonly archives: number
  /** Records that could be read, of all kinds. */
  readonly records: number
  /** The same with those that could not: as many as are captures or left out. */
  readonly seen: number
  /** Observations that are new in the collection. */
  readonly captures: number
  /** Pages that are held whole now and were not before. */
  readonly pages: number
  /** Of bodies, as sent. */
  readonly bytes: number
  /** Records that are no captures now, by reason; also what could not be read, by the problem's name. */
  readonly skipped: Readonly<Record<string, number>>
  /** Faults of records that were read all the same. */
  readonly problems: Readonly<Record<string, number>>
  readonly interrupted: boolean
  /** Absent when nothing was indexed. */
  readonly index?: IndexSummary | undefined
}

const MAX_UNREAD_BYTES = 4 << 20
const MAX_UNCOMMITTED_PAGES = 1_000
const MAX_UNCOMMITTED_BYTES = 8 << 20
const MAX_UNINDEXED_PAGES = 400
/** Answers between the WARC reader and their deposit. */
const MAX_IN_FLIGHT = 64
/** Captures remembered until they are known to be on disk. */
const MAX_TAKEN = 10_000
/** Revisits are looked at together, as each look needs all before it on disk. */
const REVISITS_A_LOOK = 1_000
const PROGRESS_EVERY_MS = 500

/** Problems after which the record is there nevertheless. */
const HARMLESS: ReadonlySet<string> = new Set(['missing-field', 'missing-crlf', 'bad-line', 'bad-digest'])

export async function importArchives(call: ImportCall): Promise<ImportSummary> {
  const now = call.now ?? ((): Instant => Date.now())
  await using collection = await Collection.open(call.into, now(), call.collection)
  await using run = new ImportRun(collection, now, call)
  return await run.toEnd(call)
}

class ImportRun implements AsyncDisposable {
  readonly #collection: Collection
  readonly #now: () => Instant
  readonly #limits: ImportLimits
  readonly #frontier: Frontier
  readonly #tally: Tally
  readonly #handler: ArchiveHandler
  readonly #pool: ReadingPool
  readonly #commit: GroupCommit
  readonly #skipped = new Map<string, number>()
  readonly #problems = new Map<string, number>()
  readonly #faults: FaultIsolation
  readonly #counts = { archives: 0, records: 0, seen: 0, captures: 0 }
  readonly #before: Totals
  /** Deposits in the order of their records, each after the one before it. */
  readonly #line: Promise<void>[] = []
  #revisits: ArchivedRevisit[] = []
  #unlooked = 0
  #archive = ''
  readonly #isIndexed: boolean
  readonly #hooks: Hooks
  #indexing: Indexing | undefined
  #error: Error | undefined

  constructor(collection: Collection, now: () => Instant, call: ImportCall) {
    const limits = { ...importLimits, ...call.limits }
    const { siteBudget, maxTries, order, gzipLevel, politeness } = crawlDefaults
    this.#collection = collection
    this.#now = now
    this.#limits = limits
    this.#isIndexed = call.index ?? false
    this.#hooks = knownHooks(call.hooks ?? {})
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the crawler wrote it.
    this.#tally = new Tally(earlierTotals(collection))
    this.#before = structuredClone(this.#tally.totals)
    this.#frontier = new Frontier({
      order,
      politenessOf: () => politeness,
      budgetOf: () => siteBudget,
      maxTries,
      random: () => 0,
      gates: false,
      textOf: (page) => collection.text(page),
    })
    this.#faults = new FaultIsolation(collection.dir, 'import', now)
    const links = new LinkHandler(this.#frontier, () => 'depth')
    const forgotten = forgottenSites(collection)
    const [frontier, tally] = [this.#frontier, this.#tally]
    this.#handler = new ArchiveHandler({ frontier, collection, links, tally, forgotten, gzipLevel, now })
    this.#pool = new ReadingPool(readingOptions(), limits.threads, MAX_UNREAD_BYTES)
    const taken = new IngestStream()
    const everyMs = crawlDefaults.commitEveryMs
    const onError = (error: Error): unknown => (this.#error ??= error)
    this.#commit = new GroupCommit({ collection, frontier, everyMs, taken, onError })
    taken.follow('committing', () => collection.putMeta('totals', structuredClone(tally.totals)))
    taken.follow('committed', () => this.#indexing?.follow())
  }

  async toEnd({ archives, signal, onProgress, into }: ImportCall): Promise<ImportSummary> {
    this.#restore()
    // Also what keeps the process alive while the readers' threads, which do not, are all that works.
    const ticker = setInterval(() => onProgress?.({ archive: this.#archive, ...this.#figures() }), PROGRESS_EVERY_MS)
    try {
      for await (const archive of archives) {
        if (signal?.aborted) break
        await this.#take(archive, signal)
      }
      await this.#lookAtRevisits()
      for (const _ of this.#revisits) this.#skip('revisit-without-original')
      await this.#settle()
      await this.#indexing?.finish(signal?.aborted !== true)
    } finally {
      clearInterval(ticker)
    }
    if (this.#error !== undefined) throw this.#error
    return {
      collection: into,
      archives: this.#counts.archives,
      ...this.#figures(),
      seen: this.#counts.seen,
      pages: this.#tally.totals.pages - this.#before.pages,
      skipped: Object.fromEntries(this.#skipped),
      problems: Object.fromEntries(this.#problems),
      interrupted: signal?.aborted ?? false,
      index: this.#indexing?.summary,
    }
  }

  async #take({ name, bytes }: Archive, signal: AbortSignal | undefined): Promise<void> {
    this.#archive = name
    this.#counts.archives++
    // What fails outside of any record takes the rest of its file with it, and no other file.
    const came = await this.#faults.apart({ kind: 'record', from: name }, () => this.#takeRecords(bytes, signal))
    if (came === FAULT) this.#leaveOut('fault')
  }

  async #takeRecords(bytes: Archive['bytes'], signal: AbortSignal | undefined): Promise<void> {
    const { maxRecordBytes } = this.#limits
    for await (const item of createWarcReader(bytes, { limits: { maxRecordBytes } })) {
      await this.#item(item)
      if (this.#error !== undefined) throw this.#error
      if (signal?.aborted) return
    }
  }

  /** Something that is no record, or none that can be read. */
  #leaveOut(problem: string): void {
    this.#counts.seen++
    count(this.#skipped, problem)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#indexing?.[Symbol.asyncDispose]()
    await this.#pool[Symbol.asyncDispose]()
    this.#faults[Symbol.dispose]()
  }

  #figures(): Omit<ImportProgress, 'archive'> {
    const { records, captures } = this.#counts
    return { records, captures, bytes: this.#tally.totals.bytes - this.#before.bytes }
  }

  #restore(): void {
    const collection = this.#collection
    const source = {
      journal: () => collection.journal(),
      sites: () => collection.sites<SiteRow>(),
      addresses: () => collection.addresses(),
    }
    this.#frontier.restore(source, this.#now(), collection.wasClosed)
  }

  async #item(item: WarcItem): Promise<void> {
    const from = `${this.#archive}, at ${item.offset}`
    if (item.kind === 'problem') {
      if (HARMLESS.has(item.problem)) count(this.#problems, item.problem)
      else this.#leaveOut(item.problem)
      return
    }
    this.#counts.records++
    this.#counts.seen++
    const { record } = item
    const about = {
      key: `read ${this.#archive} ${this.#counts.seen}`,
      kind: 'record',
      from,
      url: warcTarget(record),
    } as const
    const archived = this.#faults.apartNow(about, () => {
      if (digestProblem(record) !== undefined) count(this.#problems, 'bad-digest')
      return archivedOf(record, this.#now(), crawlDefaults.urlRules)
    })
    if (archived === FAULT) this.#skip('fault')
    else if (archived.kind === 'skipped') this.#skip(archived.reason)
    else if (archived.kind === 'answer') await this.#answer(archived, from)
    else await this.#revisit(archived)
  }

  async #answer(answer: ArchivedAnswer, from: string): Promise<void> {
    const page = this.#handler.enter(answer.url, answer.at)
    if (typeof page === 'string') return this.#skip(page)
    await this.#room()
    const about = { key: `record ${answer.url} ${answer.at}`, kind: 'record', url: answer.url, from } as const
    // What may end the process does so alone, so that no other is taken for it.
    const isSuspect = this.#faults.isSuspect(about.key)
    if (isSuspect) await this.#settle()
    this.#line.push(this.#inTurn(this.#line.at(-1), page, answer, about))
    if (isSuspect) await this.#settle()
  }

  async #inTurn(
    before: Promise<void> | undefined,
    page: number,
    answer: ArchivedAnswer,
    about: FaultAbout,
  ): Promise<void> {
    try {
      const came = await this.#faults.apart(about, () => this.#takeAnswer(before, page, answer))
      if (came === FAULT) this.#skip('fault')
    } catch (error) {
      this.#error ??= error as Error
    }
  }

  async #takeAnswer(before: Promise<void> | undefined, page: number, answer: ArchivedAnswer): Promise<void> {
    const { url, at, status, headers, truncated } = answer
    // A copy for the thread that reads; what we store is the archive's own.
    const body = Uint8Array.from(answer.body)
    this.#announce(answer)
    const asked = { address: '', statusText: '', origin: { requestHeaders: [] } }
    const reading = this.#pool.read({ url, at, status, headers, body, truncated, ...asked })
    const [read] = await Promise.allSettled([reading, before])
    if (this.#error !== undefined) return
    if (read.status === 'rejected') throw read.reason
    this.#handler.answered(page, answer, read.value)
    this.#deposited()
  }

  #announce({ url, at, status, headers, body, truncated }: ArchivedAnswer): void {
    if (this.#hooks.onCapture === undefined || truncated !== undefined) return
    const copy = Uint8Array.from(body)
    this.#hooks.onCapture({ url, at, source: 'dump', status, headers, body: copy, digest: payloadDigest(copy) })
  }

  #deposited(): void {
    // Not before there is something new: importing twice changes nothing.
    if (this.#isIndexed) this.#indexing ??= new Indexing(this.#collection)
    this.#counts.captures++
    this.#commit.add()
  }

  async #room(): Promise<void> {
    await this.#pool.room()
    if (this.#line.length >= MAX_IN_FLIGHT) await this.#line.shift()
    if (this.#handler.taken >= MAX_TAKEN) await this.#settle()
    await this.#commit.room(MAX_UNCOMMITTED_PAGES, MAX_UNCOMMITTED_BYTES)
    await this.#indexing?.room(MAX_UNINDEXED_PAGES)
  }

  /** All that was taken in so far, durable. */
  async #settle(): Promise<void> {
    await this.#line.at(-1)
    this.#line.length = 0
    if (this.#commit.pending > 0) await this.#commit.flush()
    this.#handler.committed()
  }

  async #revisit(revisit: ArchivedRevisit): Promise<void> {
    if (this.#revisits.length >= this.#limits.maxRevisits) return this.#skip('revisit-without-original')
    // A view would hold all that the reader had in memory at the time.
    const head = revisit.head && { ...revisit.head, bytes: revisit.head.bytes.slice() }
    this.#revisits.push({ ...revisit, head })
    this.#unlooked++
    if (this.#unlooked >= REVISITS_A_LOOK) await this.#lookAtRevisits()
  }

  /** Those whose original is here by now. The others go on waiting: it may stand in a later file. */
  async #lookAtRevisits(): Promise<void> {
    if (this.#unlooked === 0) return
    this.#unlooked = 0
    await this.#settle()
    // All looked up before the first is taken in: what that stores is not on disk yet.
    const looked = this.#revisits.map((revisit) => [revisit, this.#handler.originalOf(revisit)] as const)
    this.#revisits = []
    for (const [revisit, original] of looked) {
      if (original === undefined) this.#revisits.push(revisit)
      else await this.#takeRevisit(revisit, original)
    }
  }

  async #takeRevisit(revisit: ArchivedRevisit, original: WarcPosition): Promise<void> {
    const about = { kind: 'record', url: revisit.url } as const
    const came = await this.#faults.apart(about, async () => {
      if (revisit.isNotModified) await this.#unchanged(revisit, original)
      else await this.#answer(this.#whole(revisit, original), 'a revisit')
    })
    if (came === FAULT) this.#skip('fault')
  }

  async #unchanged(revisit: ArchivedRevisit, original: WarcPosition): Promise<void> {
    await this.#room()
    // After those before it, since what the page's row says by then counts.
    await this.#line.at(-1)
    const page = this.#handler.enter(revisit.url, revisit.at)
    if (typeof page === 'string') return this.#skip(page)
    this.#handler.unchanged(page, revisit, original)
    this.#deposited()
  }

  /** The answer that a revisit stands for. */
  #whole({ head, resourceType, ...observed }: ArchivedRevisit, original: WarcPosition): ArchivedAnswer {
    const message = this.#collection.readMessage(original)
    const { url, at, recordId, ip } = observed
    const status = head?.status ?? message.status ?? 200
    const headers = resourceType === undefined ? (head?.headers ?? message.headers) : typed(resourceType)
    const httpHead = resourceType === undefined ? (head?.bytes ?? responseHead({ status, headers })) : new Uint8Array(0)
    const body = entityBody(message)
    return {
      kind: 'answer',
      url,
      at,
      recordId,
      ip,
      status,
      headers,
      httpHead,
      body,
      truncated: undefined,
      resourceType,
    }
  }

  #skip(reason: string): void {
    count(this.#skipped, reason)
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

const typed = (type: string): HeaderList => [['Content-Type', type]]

function readingOptions(): ConstructorParameters<typeof ReadingPool>[0] {
  const { userAgent, urlRules, maxDecodedBytes, kinds, topic } = crawlDefaults
  // The records it makes are not ours to keep: those of the archive are.
  return { productToken: productTokenOf(userAgent), urlRules, maxDecodedBytes, kinds, gzipLevel: 0, topic }
}
