/**
 * IndexUpdater: from a collection to its index. Follows the list of changes (`rows/change-list.ts` of `collection`): what each
 * changed page says, as it was read or read back from the archive, is put into the index or taken out, and the index remembers how
 * far it has come. So it goes on after a kill where it was, whatever brought the pages: a crawl, an import.
 *
 * Each page is worked on apart: one that we fail on is kept aside (`faults/fault-isolation.ts` of ingest), cannot be found, and the next goes on.
 *
 * When nothing is new there is other work: pages that are called otherwise by now, importance, merges. All of it in
 * short steps, so that a new page never waits for it.
 */
import { join } from 'node:path'
import { addCount } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { contentVersion, deadLetters, readableContent } from '@comity/collection'
import type { Collection, DeadLetter, PageRow } from '@comity/collection'
import { IndexWriter, PdfReader, writePageValues } from '@comity/index'
import type { IndexWriterOptions, DocumentText, ReadPlace } from '@comity/index'
import { AnchorStore } from './anchor-store.ts'
import { readAnchorNotes, writeAnchorNotes } from './anchor-notes.ts'
import { FAULT, FaultIsolation, heldWords, wordsOfPage, wordsOfText } from '@comity/ingest'
import { importanceOf } from './importance-values.ts'
import type { ReadPages } from './read-pages.ts'
import { hitsOf, readingFact } from './readership.ts'

export interface IndexUpdaterOptions {
  /** A page is searchable at the latest this long after it was taken in; sooner where few pages come. */
  readonly commitEveryMs: number
  /** And so many pages never wait for more. */
  readonly maxHeldPages: number
  /** Hits are made again at most so often, and for at most a twentieth of the time. */
  readonly hitsEveryMs: number
  readonly writer: Partial<IndexWriterOptions>
  readonly now: () => Instant
  /** What was read in this run. */
  readonly readPages: ReadPages | undefined
  /** It takes the place of an updater whose thread ended by itself. */
  readonly isSuccessor: boolean
}

const indexUpdaterDefaults: IndexUpdaterOptions = {
  commitEveryMs: 1_500,
  maxHeldPages: 2_000,
  hitsEveryMs: 10_000,
  writer: {},
  now: () => performance.now(),
  readPages: undefined,
  isSuccessor: false,
}

/** What the index has of the collection. */
export interface IndexUpdaterReport {
  readonly position: number
  /** Pages put in or taken out so far. */
  readonly pages: number
  /** As many of them as that is true of for whoever searches. */
  readonly searchable: number
  /** Times that a page was read back from the archive, as nobody had said what it says. */
  readonly readBack: number
  /** Pages that could not be read, by reason. */
  readonly unread: Readonly<Record<string, number>>
}

/** Commits take a tenth of the time at most: what is written often is small, and has to be merged again and again. */
const COMMIT_COST = 10
/** A run that brought less than this share of the pages leaves larger segments as they are. */
const MERGED_SHARE = 1 / 16
/** Fewer are merged in a second or so. */
const FEW_DOCUMENTS = 16_384
/** Pages that are called otherwise are indexed again for a twentieth of the time at most, until a run ends. */
const RECALL_COST = 20
/** Importance is made again when this share of the pages has come or changed, for a twentieth of the time at most until a run ends. */
const CHANGED_SHARE = 0.3
const RANK_COST = 20
/** How long a step of other work may keep a new page waiting. */
const STEP_MS = 50
const HITS_COST = 20

export class IndexUpdater implements AsyncDisposable {
  readonly #collection: Collection
  readonly #writer: IndexWriter
  readonly #options: IndexUpdaterOptions
  readonly #dir: string
  readonly #anchors = new AnchorStore()
  readonly #unread: Record<string, number> = {}
  #position: number
  #pages = 0
  #committedAt: Instant
  #commitMs = 0
  #searchable = 0
  #readBack = 0
  /** Pages were indexed again since the last commit; and from when on others may be. */
  #hasRecalled = false
  #recallDueAt: Instant = -Infinity
  #merge: Generator<void, void> | undefined
  /** Pages in the index when importance was last made, and those taken by then; none of it by this updater, so it makes it soon. */
  #ranked = { documents: 0, pages: 0 }
  #rankDueAt: Instant = -Infinity
  /** What was counted when hits were last written, and from when on they may be again. */
  #hitsVersion: number | undefined
  #hitsDueAt: Instant = -Infinity
  #canMerge = true
  #knowsAnchors: boolean
  /** Everything that was put in or taken out is committed. */
  #isWhole = true
  /** See `AnchorNotes`. */
  #settledAt = -1
  readonly #faults: FaultIsolation
  /** Pages that we failed on as they are: another name for one is no reason to meet it again. */
  readonly #keptAside: Set<number>
  /** Tried again, and not committed yet. */
  readonly #retried: DeadLetter[] = []
  #hasRetried = false
  /** Made for the first PDF. */
  #pdf: PdfReader | undefined

  /** The collection may be read-only, beside its writer; whoever updates it holds the collection's lock or knows who does. */
  constructor(collection: Collection, options: Partial<IndexUpdaterOptions> = {}) {
    this.#collection = collection
    this.#options = { ...indexUpdaterDefaults, ...options }
    this.#dir = join(collection.dir, 'index')
    this.#writer = new IndexWriter(this.#dir, this.#options.writer)
    this.#position = this.#writer.position
    this.#committedAt = this.#options.now()
    this.#knowsAnchors = this.#position === 0
    this.#faults = new FaultIsolation(collection.dir, 'index', () => Date.now(), this.#options.isSuccessor)
    this.#keptAside = new Set(deadLetters(collection.dir).flatMap(pageKeptAside))
  }

  get report(): IndexUpdaterReport {
    const { position } = this.#writer
    const counts = { pages: this.#pages, searchable: this.#searchable, readBack: this.#readBack }
    return { position, ...counts, unread: this.#unread }
  }

  /** When what was taken in has to be committed; Infinity when all of it is. `step` does so. */
  get dueAt(): Instant {
    if (!this.#isHeld) return Infinity
    if (this.#pages - this.#searchable >= this.#options.maxHeldPages) return -Infinity
    return this.#committedAt + Math.min(this.#options.commitEveryMs, COMMIT_COST * this.#commitMs)
  }

  get #isHeld(): boolean {
    return this.#position !== this.#writer.position || this.#retried.length > 0 || this.#hasRecalled
  }

  /** Make all that was committed searchable; `onCommit` hears of each step that has become so. */
  async catchUp(onCommit: (report: IndexUpdaterReport) => void = () => undefined): Promise<boolean> {
    const isNew = await this.takeIn(onCommit)
    if (this.#isHeld) this.#commit(onCommit)
    return isNew
  }

  /**
   * Take in all that was committed. Where much comes, the last of it waits for more, so that it needs fewer and larger segments:
   * until `dueAt`, or the next `catchUp`.
   */
  async takeIn(onCommit: (report: IndexUpdaterReport) => void = () => undefined): Promise<boolean> {
    let isNew = await this.#retry()
    this.#isWhole = false
    for (const { number, pages } of this.#collection.changes(this.#position)) {
      for (const page of pages) await this.#take(page)
      this.#position = number
      isNew = true
      if (this.dueAt <= this.#options.now()) this.#commit(onCommit)
    }
    return isNew
  }

  /** Some other work; false when there is none but what `dueAt` tells of. Call it when nothing is new, again and again. */
  async step(onCommit: (report: IndexUpdaterReport) => void = () => undefined): Promise<boolean> {
    const until = this.#options.now() + STEP_MS
    if (this.dueAt <= this.#options.now()) this.#commit(onCommit)
    else if (this.#rankDueMs === 0) this.#rank()
    else if (this.hitsDueMs === 0) this.#writeHits()
    else if (this.#mergeUntil(until)) return true
    else return await this.#recall(false, until)
    return true
  }

  /** How long until `step` has something to do that waits for its time; undefined when nothing does. */
  get waitMs(): number | undefined {
    const waitMs = Math.min(this.dueAt - this.#options.now(), this.#rankDueMs ?? Infinity, this.hitsDueMs ?? Infinity)
    return waitMs === Infinity ? undefined : Math.max(0, waitMs)
  }

  /** How long hits that were counted stay unseen for what they cost; undefined when all are there. `step` writes them then. */
  get hitsDueMs(): number | undefined {
    if (readingFact(this.#collection)?.version === this.#hitsVersion) return undefined
    return Math.max(0, this.#hitsDueAt - this.#options.now())
  }

  /** What is cheap of that which `step` would put off, for a crawl that is broken off: whoever was heard counts. */
  leave(): void {
    if (this.hitsDueMs !== undefined) this.#writeHits()
  }

  /** Everything that `step` would put off, for a crawl that ends. */
  async finish(): Promise<void> {
    await this.catchUp()
    // An update that was cut short may have left pages that are called otherwise by now.
    if (readAnchorNotes(this.#dir).settledAt !== this.#position) this.#knowAnchors()
    if (await this.#recall(true, Infinity)) this.#commit(uncounted)
    this.#settledAt = this.#position
    this.#rank()
    const { documents } = this.#writer
    // What few pages changed in a large index is merged as always, or each small crawl would write all of it again.
    if (documents <= FEW_DOCUMENTS || this.#pages >= documents * MERGED_SHARE) this.#mergeWhole()
    else while (this.#mergeUntil(Infinity)) continue
  }

  #mergeWhole(): void {
    this.#merge?.return()
    this.#merge = undefined
    this.#mergeOrGiveUp(() => this.#writer.mergeAll())
  }

  /** Everything into one well packed segment. */
  mergeAll(): void {
    this.#writer.mergeAll()
  }

  /** Take pages out of the index, files and all; nothing of them is left on disk. */
  purge(pages: Iterable<number>): void {
    for (const page of pages) this.#writer.remove(page)
    this.#writer.commit(this.#position)
    this.#writer.rewriteGone()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#merge?.return()
    if (this.#isWhole) this.#keepNotes()
    this.#writer[Symbol.dispose]()
    this.#faults[Symbol.dispose]()
    await this.#pdf?.[Symbol.asyncDispose]()
  }

  async #take(page: number): Promise<void> {
    this.#knowAnchors()
    this.#settledAt = -1
    const onUnread = (why: string): void => addCount(this.#unread, why)
    await this.#apart(page, onUnread, async () => {
      for (const { to, anchor } of this.#collection.links(page)) this.#anchors.add(to, anchor)
      await this.#put(page, onUnread)
    })
    this.#pages++
  }

  async #apart(page: number, onUnread: (why: string) => void, work: () => Promise<void>): Promise<void> {
    const url = this.#collection.url(page)
    const about = { key: `document ${page}`, kind: 'document', page, url, isBroughtAgain: true } as const
    if ((await this.#faults.apart(about, work)) !== FAULT) return void this.#keptAside.delete(page)
    this.#keptAside.add(page)
    onUnread('a fault of ours: kept aside as a dead letter')
    this.#writer.remove(page)
  }

  /** What was kept aside before, and somebody wants to be tried again. */
  async #retry(): Promise<boolean> {
    if (this.#hasRetried) return false
    this.#hasRetried = true
    for (const letter of this.#faults.retries()) {
      if (letter.page !== undefined) await this.#take(letter.page)
      this.#retried.push(letter)
    }
    return this.#retried.length > 0
  }

  async #put(page: number, onUnread: (why: string) => void): Promise<void> {
    const row = this.#collection.page(page)
    const url = row === undefined || contentVersion(row) === undefined ? undefined : this.#collection.url(page)
    const isPut = row !== undefined && url !== undefined && (await this.#putWords(page, row, url, onUnread))
    if (isPut) this.#anchors.noted(page)
    else this.#writer.remove(page)
  }

  /** False for a page without words, or whose words nobody can tell. */
  async #putWords(page: number, row: PageRow, url: string, onUnread: (why: string) => void): Promise<boolean> {
    const place = this.#placeOf(page, row, url)
    const read = this.#options.readPages?.termsOf(page, url, row)
    const shipped = read === undefined ? heldWords(this.#collection, row, url) : undefined
    if (read !== undefined) this.#writer.putRead(place, read.terms, read.dictionary)
    else if (shipped !== undefined) this.#writer.putShipped(shipped, { key: page, anchors: place.anchors })
    else {
      const words = await this.#wordsOf(row, url)
      if (typeof words !== 'string') this.#writer.put({ ...place, ...words })
      else return (onUnread(words), false)
    }
    return true
  }

  #placeOf(page: number, row: PageRow, url: string): ReadPlace {
    return {
      key: page,
      url,
      anchors: this.#anchors.textsOf(page),
      type: (row.type ?? '').split(';', 1)[0]!.trim().toLowerCase() || 'text/html',
      at: row.changedAt ?? row.visitedAt,
      duplicateOf: row.nearDuplicateOf,
    }
  }

  /** What the page says, read back from the archive, or why nobody can tell. */
  async #wordsOf(row: PageRow, url: string): Promise<DocumentText | string> {
    this.#readBack++
    const read = readableContent(this.#collection, row.body!, url)
    if (read.kind === 'page') return wordsOfPage(read.page)
    if (read.kind === 'text') return wordsOfText(read.text, row.language)
    if (read.content.kind !== 'ok') return read.content.message
    if (!/^application\/pdf\b/i.test(row.type ?? '')) return `no words in ${read.media}`
    this.#pdf ??= new PdfReader()
    const pdf = await this.#pdf.read(read.content.bytes)
    if (pdf.kind === 'ok') return { title: pdf.title, headings: [], text: pdf.text, language: row.language }
    return pdf.reason === 'no-reader' ? pdf.message : 'unreadable PDF'
  }

  #commit(onCommit: (report: IndexUpdaterReport) => void): void {
    const began = this.#options.now()
    this.#writer.commit(this.#position)
    this.#committedAt = this.#options.now()
    this.#commitMs = this.#committedAt - began
    this.#searchable = this.#pages
    this.#hasRecalled = false
    this.#isWhole = true
    this.#faults.durable()
    for (const letter of this.#retried.splice(0)) this.#faults.settled(letter)
    onCommit(this.report)
  }

  /** Index pages again that are called otherwise by now. */
  async #recall(all: boolean, until: Instant): Promise<boolean> {
    const began = this.#options.now()
    if (!all && began < this.#recallDueAt) return false
    let did = false
    for (const page of this.#anchors.outdated(all)) {
      if (this.#options.now() >= until) break
      // It is found again when that is written.
      if (!all && this.#writer.holds(page)) continue
      this.#isWhole = false
      // One that cannot be read was counted when it was taken in.
      if (!this.#keptAside.has(page)) await this.#apart(page, uncounted, () => this.#put(page, uncounted))
      // A page we do not hold has no document, and is not to be asked for again.
      this.#anchors.noted(page)
      did = true
    }
    this.#hasRecalled ||= did
    this.#recallDueAt = this.#options.now() + RECALL_COST * (this.#options.now() - began)
    return did
  }

  /** How long until importance is made again; undefined when it is as it should be. */
  get #rankDueMs(): number | undefined {
    const { documents, pages } = this.#ranked
    // A collection that is kept fresh does not grow, and its links change all the same.
    const isDue = documents === 0 ? this.#writer.documents > 0 : this.#pages - pages > CHANGED_SHARE * documents
    return isDue ? Math.max(0, this.#rankDueAt - this.#options.now()) : undefined
  }

  #rank(): void {
    const began = this.#options.now()
    this.#ranked = { documents: this.#writer.documents, pages: this.#pages }
    writePageValues(this.#dir, 'importance', importanceOf(this.#collection))
    this.#writeHits()
    // A kill would leave the index behind what is noted of it.
    if (!this.#isHeld) this.#keepNotes()
    const now = this.#options.now()
    this.#rankDueAt = now + RANK_COST * (now - began)
  }

  /** How often people read each page (001 §IV). A collection that no gateway fed has none. */
  #writeHits(): void {
    const began = this.#options.now()
    const fact = readingFact(this.#collection)
    this.#hitsVersion = fact?.version
    if (fact !== undefined) writePageValues(this.#dir, 'hits', hitsOf(this.#collection))
    const now = this.#options.now()
    this.#hitsDueAt = now + Math.max(this.#options.hitsEveryMs, HITS_COST * (now - began))
  }

  /** What is written down already stays true when no page was looked at. */
  #keepNotes(): void {
    if (this.#knowsAnchors) writeAnchorNotes(this.#dir, { settledAt: this.#settledAt, notes: this.#anchors.notes })
  }

  #mergeUntil(until: Instant): boolean {
    let isMore = false
    this.#mergeOrGiveUp(() => {
      this.#merge ??= this.#writer.merge()
      isMore = true
      while (isMore && this.#options.now() < until) isMore = this.#merge.next().done !== true
      if (!isMore) this.#merge = undefined
    })
    return isMore && this.#canMerge
  }

  /** A segment that cannot be read cannot be merged; the rest still answers, so pages go on coming in. */
  #mergeOrGiveUp(merge: () => void): void {
    if (!this.#canMerge) return
    try {
      merge()
    } catch (error) {
      this.#canMerge = false
      this.#merge = undefined
      addCount(this.#unread, `merge given up: ${(error as Error).message}`)
    }
  }

  /** After a restart, hear all links again. */
  #knowAnchors(): void {
    if (this.#knowsAnchors) return
    this.#knowsAnchors = true
    for (const [, links] of this.#collection.linkLists())
      for (const { to, anchor } of links) this.#anchors.add(to, anchor)
    this.#anchors.recall(readAnchorNotes(this.#dir).notes)
  }
}

const pageKeptAside = ({ writer, page, isRetried }: DeadLetter): number[] =>
  writer === 'index' && page !== undefined && !isRetried ? [page] : []

const uncounted = (): void => undefined
