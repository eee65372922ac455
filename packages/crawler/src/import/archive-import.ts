/**
 * Archive import: the records of somebody's WARC files become captures of a collection, as if it had been there.
 *
 *   bytes ──▶ WARC reader ──▶ archivedOf ──┬─ answer ──▶ ingest, as every capture is
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
import { createWarcReader, digestProblem, siteOf, warcTarget } from '@comity/protocol'
import type { Instant, WarcItem } from '@comity/protocol'
import { Collection } from '@comity/collection'
import type { WarcPosition } from '@comity/collection'
import type { SiteRow } from '@comity/frontier'
import { archivedOf, FAULT } from '@comity/ingest'
import type { ArchivedAnswer, ArchivedRevisit, FaultAbout, PageTask } from '@comity/ingest'
import { answerOf } from './archived-revisits.ts'
import type { Archive, ImportCall, ImportSummary } from './import-call.ts'
import { requireSiteOverride } from '../fetch/site-override.ts'
import { statedUrlRules } from '../run/stated-url-rules.ts'
import { importParts } from './import-parts.ts'
import type { ImportParts } from './import-parts.ts'

const MAX_UNCOMMITTED_PAGES = 1_000
const MAX_UNCOMMITTED_BYTES = 8 << 20
const MAX_UNINDEXED_PAGES = 400
/** Answers between the WARC reader and their deposit. */
const MAX_IN_FLIGHT = 64
/** Captures remembered until they are known to be on disk. */
const MAX_TAKEN = 10_000
const PROGRESS_EVERY_MS = 500

/** Problems after which the record is there nevertheless. */
const HARMLESS: ReadonlySet<string> = new Set(['missing-field', 'missing-crlf', 'bad-line', 'bad-digest'])

/** How a capture of an archive says that it came. */
const DUMPED = { source: 'dump' } as const

export async function importArchives(call: ImportCall): Promise<ImportSummary> {
  const now = call.now ?? ((): Instant => Date.now())
  call.sites?.forEach(requireSiteOverride)
  await using collection = await Collection.open(call.into, now(), {
    ...call.collection,
    urlRules: statedUrlRules(call),
  })
  await using run = new ImportRun(importParts(collection, now, call))
  return await run.toEnd(call)
}

class ImportRun implements AsyncDisposable {
  readonly #parts: ImportParts
  /** Deposits in the order of their records, each after the one before it. */
  readonly #line: Promise<void>[] = []

  constructor(parts: ImportParts) {
    this.#parts = parts
  }

  async toEnd({ archives, signal, onProgress, into }: ImportCall): Promise<ImportSummary> {
    const { counts, revisits, index, runSwitch } = this.#parts
    this.#restore()
    // Also what keeps the process alive while the readers' threads, which do not, are all that works.
    const ticker = setInterval(() => onProgress?.(counts.progress), PROGRESS_EVERY_MS)
    try {
      for await (const archive of archives) {
        if (signal?.aborted) break
        await this.#take(archive, signal)
      }
      await this.#lookAtRevisits()
      for (let left = revisits.waiting; left > 0; left--) counts.skip('revisit-without-original')
      await this.#settle()
      await index?.finish(signal?.aborted !== true)
    } finally {
      clearInterval(ticker)
    }
    if (runSwitch.error !== undefined) throw runSwitch.error
    return { collection: into, ...counts.summary, interrupted: signal?.aborted ?? false, index: index?.summary }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { index, pool, faults } = this.#parts
    await index?.[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
    faults[Symbol.dispose]()
  }

  #restore(): void {
    const { collection, frontier, now } = this.#parts
    const source = {
      pageLog: () => collection.pageLog(),
      sites: () => collection.sites<SiteRow>(),
      addresses: () => collection.addresses(),
    }
    frontier.restore(source, now(), collection.wasClosed)
  }

  async #take({ name, bytes }: Archive, signal: AbortSignal | undefined): Promise<void> {
    const { counts, faults } = this.#parts
    counts.archive = name
    counts.archives++
    // What fails outside of any record takes the rest of its file with it, and no other file.
    const came = await faults.apart({ kind: 'record', from: name }, () => this.#takeRecords(bytes, signal))
    if (came === FAULT) counts.leaveOut('fault')
  }

  async #takeRecords(bytes: Archive['bytes'], signal: AbortSignal | undefined): Promise<void> {
    const { limits, runSwitch } = this.#parts
    const { maxRecordBytes } = limits
    for await (const item of createWarcReader(bytes, { limits: { maxRecordBytes } })) {
      await this.#item(item)
      if (runSwitch.error !== undefined) throw runSwitch.error
      if (signal?.aborted) return
    }
  }

  async #item(item: WarcItem): Promise<void> {
    const { counts, faults, urlRules, now } = this.#parts
    const from = `${counts.archive}, at ${item.offset}`
    if (item.kind === 'problem') {
      if (HARMLESS.has(item.problem)) counts.problem(item.problem)
      else counts.leaveOut(item.problem)
      return
    }
    const { record } = item
    const key = `read ${counts.archive} ${counts.record()}`
    const archived = faults.apartNow({ key, kind: 'record', from, url: warcTarget(record) }, () => {
      if (digestProblem(record) !== undefined) counts.problem('bad-digest')
      return archivedOf(record, now(), urlRules)
    })
    if (archived === FAULT) counts.skip('fault')
    else if (archived.kind === 'skipped') counts.skip(archived.reason)
    else if (archived.kind === 'answer') await this.#answer(archived, from)
    else await this.#revisit(archived)
  }

  async #answer(answer: ArchivedAnswer, from: string): Promise<void> {
    const { entered, counts, faults } = this.#parts
    const { url, at } = answer
    const task = entered.enter(url, at)
    if (typeof task === 'string') return counts.skip(task)
    await this.#room()
    const about = { key: `record ${url} ${at}`, kind: 'record', url, from } as const
    // What may end the process does so alone, so that no other is taken for it.
    const isSuspect = faults.isSuspect(about.key)
    if (isSuspect) await this.#settle()
    this.#line.push(this.#inTurn(this.#line.at(-1), task, answer, about))
    if (isSuspect) await this.#settle()
  }

  async #inTurn(
    after: Promise<void> | undefined,
    task: PageTask,
    answer: ArchivedAnswer,
    about: FaultAbout,
  ): Promise<void> {
    const { faults, counts, runSwitch } = this.#parts
    try {
      const came = await faults.apart(about, () => this.#ingest(after, task, answer))
      if (came === FAULT) counts.skip('fault')
    } catch (error) {
      runSwitch.fail(error as Error)
    }
  }

  async #ingest(after: Promise<void> | undefined, task: PageTask, archived: ArchivedAnswer): Promise<void> {
    const { pages, frontier, now } = this.#parts
    const { url, at, status, headers, truncated, recordId, resourceType, ip = '' } = archived
    // Copies for the thread that reads: a view would take along all that the reader has in memory.
    const [body, httpHead] = [Uint8Array.from(archived.body), Uint8Array.from(archived.httpHead)]
    const head = { status, statusText: '', headers }
    await pages.ingest({
      task,
      site: frontier.site(siteOf(url)),
      answer: { head, body, startedAt: at, truncated, declined: false },
      address: ip,
      origin: { requestHeaders: [] },
      sent: DUMPED,
      archived: { record: { recordId, httpHead, resourceType }, takenAt: now(), after },
    })
  }

  async #room(): Promise<void> {
    const { pool, entered, commit, index } = this.#parts
    await pool.room()
    if (this.#line.length >= MAX_IN_FLIGHT) await this.#line.shift()
    if (entered.taken >= MAX_TAKEN) await this.#settle()
    await commit.room(MAX_UNCOMMITTED_PAGES, MAX_UNCOMMITTED_BYTES)
    await index?.room(MAX_UNINDEXED_PAGES)
  }

  /** All that was taken in so far, durable. */
  async #settle(): Promise<void> {
    const { commit, entered } = this.#parts
    await this.#line.at(-1)
    this.#line.length = 0
    if (commit.pending > 0) await commit.flush()
    entered.committed()
  }

  async #revisit(revisit: ArchivedRevisit): Promise<void> {
    const { revisits, counts } = this.#parts
    if (!revisits.add(revisit)) return counts.skip('revisit-without-original')
    if (revisits.isLookDue) await this.#lookAtRevisits()
  }

  /** Those whose original is here by now. The others go on waiting. */
  async #lookAtRevisits(): Promise<void> {
    const { revisits } = this.#parts
    if (revisits.isLookedAt) return
    await this.#settle()
    for (const [revisit, original] of revisits.look()) await this.#takeRevisit(revisit, original)
  }

  async #takeRevisit(revisit: ArchivedRevisit, original: WarcPosition): Promise<void> {
    const { faults, counts, collection } = this.#parts
    const came = await faults.apart({ kind: 'record', url: revisit.url }, async () => {
      if (revisit.isNotModified) await this.#unchanged(revisit, original)
      else await this.#answer(answerOf(collection, revisit, original), 'a revisit')
    })
    if (came === FAULT) counts.skip('fault')
  }

  /** 304: the copy of that day was still good. */
  async #unchanged(revisit: ArchivedRevisit, body: WarcPosition): Promise<void> {
    const { entered, counts, pages, frontier, now } = this.#parts
    const { url, at, recordId, refersTo, ip = '', head } = revisit
    await this.#room()
    // After those before it, since what the page's row says by then counts.
    await this.#line.at(-1)
    const task = entered.enter(url, at)
    if (typeof task === 'string') return counts.skip(task)
    pages.unchanged({
      task,
      site: frontier.site(siteOf(url)),
      head: { status: 304, statusText: '', headers: head?.headers ?? [] },
      at,
      address: ip,
      sent: DUMPED,
      archived: { recordId, httpHead: head?.bytes, refersTo, body, takenAt: now() },
    })
  }
}
