/**
 * IndexUpdater: from a collection to its index. Follows the list of changes (`rows/change-list.ts` of `collection`): each
 * changed page is read back from the archive, its words put into the index or taken out, and the index remembers how
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
import type { IndexDocument, IndexWriterOptions, ShippedDocument } from '@comity/index'
import { AnchorStore } from './anchor-store.ts'
import { readAnchorNotes, writeAnchorNotes } from './anchor-notes.ts'
import { FAULT, FaultIsolation, heldWords, isWordsOnly } from '@comity/ingest'
import { importanceOf } from './importance-values.ts'
import { hitsOf, readingFact } from './readership.ts'

export interface IndexUpdaterOptions {
  /** A page is searchable at the latest this long after it was read. */
  readonly commitEveryMs: number
  /** Hits are made again at most so often, and for at most a twentieth of the time. */
  readonly hitsEveryMs: number
  readonly writer: Partial<IndexWriterOptions>
  readonly now: () => Instant
  /** It takes the place of an updater whose thread ended by itself. */
  readonly isSuccessor: boolean
}

const indexUpdaterDefaults: IndexUpdaterOptions = {
  commitEveryMs: 300,
  hitsEveryMs: 10_000,
  writer: {},
  now: () => performance.now(),
  isSuccessor: false,
}

/** What the index has of the collection. */
export interface IndexUpdaterReport {
  readonly position: number
  /** Pages put in or taken out so far. */
  readonly pages: number
  /** Pages that could not be read, by reason. */
  readonly unread: Readonly<Record<string, number>>
}

/** Importance is made again when this share of the pages has come or changed. */
const CHANGED_SHARE = 0.3
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
  #merge: Generator<void, void> | undefined
  /** Pages in the index when importance was last made, and those taken by then; none of it by this updater, so it makes it soon. */
  #ranked = { documents: 0, pages: 0 }
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
    return { position: this.#writer.position, pages: this.#pages, unread: this.#unread }
  }

  /** Take in all that was committed; `onCommit` hears of each step that became searchable. */
  async catchUp(onCommit: (report: IndexUpdaterReport) => void = () => undefined): Promise<boolean> {
    let isNew = await this.#retry()
    this.#isWhole = false
    for (const { number, pages } of this.#collection.changes(this.#position)) {
      for (const page of pages) await this.#take(page)
      this.#position = number
      isNew = true
      if (this.#options.now() - this.#committedAt >= this.#options.commitEveryMs) this.#commit(onCommit)
    }
    if (this.#position !== this.#writer.position || this.#retried.length > 0) this.#commit(onCommit)
    this.#isWhole = true
    return isNew
  }

  /** Some other work; false when there is none. Call it when nothing is new, again and again. */
  async step(): Promise<boolean> {
    const until = this.#options.now() + STEP_MS
    if (this.#isRankDue()) this.#rank()
    else if (this.hitsDueMs === 0) this.#writeHits()
    else if (this.#mergeUntil(until)) return true
    else return await this.#recall(false, until)
    return true
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
    await this.#recall(true, Infinity)
    this.#settledAt = this.#position
    this.#rank()
    while (this.#mergeUntil(Infinity)) continue
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
    const words = this.#wordsOnly(page)
    const document = words === undefined ? await this.#documentOf(page, onUnread) : undefined
    if (words !== undefined) this.#writer.putShipped(words, { key: page, anchors: this.#anchors.textsOf(page) })
    else if (document !== undefined) this.#writer.put(document)
    else return this.#writer.remove(page)
    this.#anchors.noted(page)
  }

  /** Of a page that came as its words. */
  #wordsOnly(page: number): ShippedDocument | undefined {
    const row = this.#collection.page(page)
    const isOne = isWordsOnly(row) && contentVersion(row) !== undefined
    return isOne ? heldWords(this.#collection, row!, this.#collection.url(page) ?? '') : undefined
  }

  async #documentOf(page: number, onUnread: (why: string) => void): Promise<IndexDocument | undefined> {
    const row = this.#collection.page(page)
    const url = row === undefined ? undefined : this.#collection.url(page)
    if (row === undefined || url === undefined || contentVersion(row) === undefined) return undefined
    const words = await this.#wordsOf(row, url)
    if (typeof words === 'string') {
      onUnread(words)
      return undefined
    }
    return {
      key: page,
      url,
      ...words,
      anchors: this.#anchors.textsOf(page),
      type: (row.type ?? '').split(';', 1)[0]!.trim().toLowerCase() || 'text/html',
      at: row.changedAt ?? row.visitedAt,
      duplicateOf: row.nearDuplicateOf,
    }
  }

  /** What the page says, or why nobody can tell. */
  async #wordsOf(
    row: PageRow,
    url: string,
  ): Promise<Pick<IndexDocument, 'title' | 'headings' | 'text' | 'language'> | string> {
    const read = readableContent(this.#collection, row.body!, url)
    if (read.kind === 'page') {
      const { title, headings, text, lang } = read.page
      return { title: title ?? '', headings: headings.map((heading) => heading.text), text, language: lang }
    }
    if (read.kind === 'text') return { title: '', headings: [], text: read.text, language: row.language }
    if (read.content.kind !== 'ok') return read.content.message
    if (!/^application\/pdf\b/i.test(row.type ?? '')) return `no words in ${read.media}`
    this.#pdf ??= new PdfReader()
    const pdf = await this.#pdf.read(read.content.bytes)
    return pdf.kind === 'ok'
      ? { title: pdf.title, headings: [], text: pdf.text, language: row.language }
      : 'unreadable PDF'
  }

  #commit(onCommit: (report: IndexUpdaterReport) => void): void {
    this.#writer.commit(this.#position)
    this.#committedAt = this.#options.now()
    this.#faults.durable()
    for (const letter of this.#retried.splice(0)) this.#faults.settled(letter)
    onCommit(this.report)
  }

  /** Index pages again that are called otherwise by now. */
  async #recall(all: boolean, until: Instant): Promise<boolean> {
    let did = false
    this.#isWhole = false
    for (const page of this.#anchors.outdated(all)) {
      if (this.#options.now() >= until) break
      // One that cannot be read was counted when it was taken in.
      if (!this.#keptAside.has(page)) await this.#apart(page, uncounted, () => this.#put(page, uncounted))
      // A page we do not hold has no document, and is not to be asked for again.
      this.#anchors.noted(page)
      did = true
    }
    if (did) this.#writer.commit(this.#position)
    this.#isWhole = true
    return did
  }

  /** A collection that is kept fresh does not grow, and its links change all the same. */
  #isRankDue(): boolean {
    const { documents, pages } = this.#ranked
    if (documents === 0) return this.#writer.documents > 0
    return this.#pages - pages > CHANGED_SHARE * documents
  }

  #rank(): void {
    this.#ranked = { documents: this.#writer.documents, pages: this.#pages }
    writePageValues(this.#dir, 'importance', importanceOf(this.#collection))
    this.#writeHits()
    this.#keepNotes()
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
    if (!this.#canMerge) return false
    this.#merge ??= this.#writer.merge()
    try {
      while (this.#options.now() < until) {
        if (this.#merge.next().done !== true) continue
        this.#merge = undefined
        return false
      }
      return true
    } catch (error) {
      // A segment that cannot be read cannot be merged; the rest still answers, so pages go on coming in.
      this.#canMerge = false
      this.#merge = undefined
      addCount(this.#unread, `merge given up: ${(error as Error).message}`)
      return false
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
