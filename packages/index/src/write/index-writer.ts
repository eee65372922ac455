/**
 * IndexWriter: documents in, segments out. Documents gather in memory up to a bound; `commit` writes them as a segment,
 * marks older versions of the same pages as gone and puts a new manifest in place, all or nothing. Merges run in small
 * steps in between, so that a page need not wait for them.
 *
 * One writer at a time: whoever writes holds the lock of the collection the index belongs to.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import { siteOf } from '@comity/protocol'
import { Analyzer } from './analysis.ts'
import type { DocumentSense } from './analysis.ts'
import type { IndexDocument } from '../document.ts'
import { FrameCache } from '../format/frame-cache.ts'
import { GoneDocuments } from '../read/gone-documents.ts'
import { readIndexManifest, removeUnnamed, segmentPath, writeIndexManifest } from '../index-manifest.ts'
import type { IndexManifest, SegmentEntry } from '../index-manifest.ts'
import { Inversion } from './inversion.ts'
import { lengthByte } from '../format/length-byte.ts'
import { chooseMerge, staysLong } from './merge-policy.ts'
import type { SegmentSize } from './merge-policy.ts'
import { planMerge } from './merge.ts'
import type { PageTerms, TermDictionary } from './page-terms.ts'
import { Segment } from '../read/segment.ts'
import { GONE } from '../read/segment-stream.ts'
import { writeSegment, writeSegmentInSteps } from './segment-writer.ts'
import type { ShippedDocument } from '../ship/shipped-document.ts'

export interface IndexWriterOptions {
  /** Memory for documents that are not written yet, about. */
  readonly memoryBytes: number
  /** Without positions the index has a fifth of the size and knows no phrases. */
  readonly hasPositions: boolean
}

const indexWriterDefaults: IndexWriterOptions = { memoryBytes: 64 << 20, hasPositions: true }

/** What this side knows of a page that was shipped. */
export interface ShippedPlace {
  readonly key: number
  /** Words of links that point here, one entry a link. */
  readonly anchors?: readonly string[] | undefined
  readonly duplicateOf?: number | undefined
}

/** What is known of a page beside its own words. */
export type ReadPlace = Omit<IndexDocument, 'title' | 'headings' | 'text' | 'language'>

/** A writer reads frames only to merge, one after another. */
const CACHE_BYTES = 1 << 20

interface Held {
  readonly name: string
  readonly segment: Segment
  readonly isDense: boolean
  readonly isMerged: boolean
  readonly gone: GoneDocuments
  /** The file that holds `gone` as it was last written. */
  goneFile: string | undefined
  goneWritten: number
}

export class IndexWriter implements Disposable {
  readonly #dir: string
  readonly #options: IndexWriterOptions
  readonly #cache = new FrameCache(CACHE_BYTES)
  #analyzer = new Analyzer()
  #inversion: Inversion
  /** Keys in the inversion: a page that comes twice is written in between. */
  readonly #keys = new Set<number>()
  readonly #removed = new Set<number>()
  #segments: Held[]
  /** Segments that a merge is writing. */
  readonly #unfinished = new Set<string>()
  #generation: number
  #nextName: number
  #position: number
  #hasChanged = false
  #cutWords = 0

  constructor(dir: string, options: Partial<IndexWriterOptions> = {}) {
    makePrivateFolder(dir)
    this.#dir = dir
    this.#options = { ...indexWriterDefaults, ...options }
    this.#inversion = new Inversion(this.#options.memoryBytes, this.#analyzer.vocabulary)
    const manifest = readIndexManifest(dir)
    // What a killed writer left behind.
    removeUnnamed(dir, manifest)
    this.#generation = manifest.generation
    this.#nextName = manifest.nextName
    this.#position = manifest.position
    this.#segments = manifest.segments.map((entry) => this.#open(entry))
  }

  /** How far the committed index has followed its source. */
  get position(): number {
    return this.#position
  }
  get segments(): number {
    return this.#segments.length
  }
  get documents(): number {
    return this.#segments.reduce((sum, { segment, gone }) => sum + segment.documents - gone.count, 0)
  }
  /** The page was put since the last segment was written: to put it again would write another. */
  holds(key: number): boolean {
    return this.#keys.has(key)
  }
  /** Words of overlong pages that were left out. */
  get cutWords(): number {
    return this.#cutWords
  }

  /** What fails leaves nothing behind: neither half of the document, nor what was thought while it was read. */
  put(document: IndexDocument): void {
    this.#whole(document.key, () => this.#close(document, this.#analyzer.analyze(document, this.#inversion)))
  }

  /** The same for a page whose words were found elsewhere: it is as if the page itself had been put. */
  putShipped(document: ShippedDocument, place: ShippedPlace): void {
    this.#whole(place.key, () => {
      const sense = this.#analyzer.analyzeShipped(document, place.anchors ?? [], this.#inversion)
      this.#close({ ...document, ...place }, sense)
    })
  }

  /** The same for a page that was read in another thread. */
  putRead(place: ReadPlace, terms: PageTerms, dictionary: TermDictionary): void {
    this.#whole(place.key, () =>
      this.#close(place, this.#analyzer.analyzeRead(terms, dictionary, place, this.#inversion)),
    )
  }

  #whole(key: number, put: () => void): void {
    this.#begin(key)
    try {
      put()
    } catch (error) {
      this.#inversion.drop()
      this.#keys.delete(key)
      this.#flush()
      this.#analyzer = new Analyzer()
      this.#inversion = new Inversion(this.#options.memoryBytes, this.#analyzer.vocabulary)
      throw error
    }
  }

  #begin(key: number): void {
    if (this.#keys.has(key) || this.#inversion.isFull) this.#flush()
    this.#removed.delete(key)
    this.#keys.add(key)
  }

  #close(document: Pick<IndexDocument, 'key' | 'url' | 'type' | 'at' | 'duplicateOf'>, sense: DocumentSense): void {
    const { key, url, type, at, duplicateOf } = document
    const { language, length, cut } = sense
    this.#cutWords += cut
    const group = duplicateOf ?? key
    this.#inversion.close({ key, url, group, length: lengthByte(length), site: siteOf(url), type, language, at })
  }

  /** The page is not to be found any more. */
  remove(key: number): void {
    if (this.#keys.has(key)) this.#flush()
    this.#removed.add(key)
  }

  /** Make everything since the last commit searchable and durable, and remember how far the source was followed. */
  commit(position: number): void {
    this.#flush()
    for (const key of this.#removed) this.#forget(key, this.#segments)
    this.#removed.clear()
    if (!this.#hasChanged && position === this.#position) return
    this.#position = position
    this.#write()
  }

  /**
   * Merge what the policy chooses, a little at a step; a commit in between is seen to. Ends when nothing is left to do.
   * Stop asking, and the merge under way is given up.
   */
  *merge(choose: typeof chooseMerge = chooseMerge): Generator<void, void> {
    for (;;) {
      const sizes = this.#segments.map(sizeOf)
      const places = choose(sizes)
      if (places.length === 0) return
      const isDense = staysLong(places.map((i) => sizes[i]!))
      yield* this.#mergeOf(
        places.map((i) => this.#segments[i] as Held),
        isDense,
      )
    }
  }

  /**
   * Everything into one segment: for an index that will not change for a while. Documents that fit in memory and are all
   * there are, are written once.
   */
  mergeAll(): void {
    this.#flush(this.#segments.length === 0)
    const [only, another] = this.#segments
    if (only !== undefined && another === undefined && only.isDense && only.gone.count === 0) {
      if (this.#hasChanged) this.#write()
      return
    }
    if (this.#segments.length > 0) for (const _ of this.#mergeOf(this.#segments, true));
  }

  /** Write segments anew without what is gone, so that nothing of it is left on disk. */
  rewriteGone(): void {
    for (const held of this.#segments.filter(({ gone }) => gone.count > 0))
      for (const _ of this.#mergeOf([held], held.isDense));
  }

  [Symbol.dispose](): void {
    for (const { segment } of this.#segments) segment[Symbol.dispose]()
  }

  /** Write what is in memory as a segment; the manifest does not name it before the next commit. */
  #flush(isDense = false): void {
    if (this.#inversion.documents === 0) return
    const name = `s${this.#nextName++}`
    const source = this.#inversion.source(this.#options.hasPositions)
    writeSegment(segmentPath(this.#dir, name), { ...source, isDense })
    for (const key of this.#keys) this.#forget(key, this.#segments)
    this.#keys.clear()
    this.#analyzer.trim()
    this.#inversion.clear()
    this.#segments.push(this.#open({ name, isDense }))
    this.#hasChanged = true
  }

  #forget(key: number, segments: readonly Held[]): void {
    for (const { segment, gone } of segments) {
      const doc = segment.columns.find(key)
      if (doc === -1 || gone.has(doc)) continue
      gone.add(doc)
      this.#hasChanged = true
    }
  }

  *#mergeOf(sources: readonly Held[], isDense: boolean): Generator<void, void> {
    const name = `s${this.#nextName++}`
    const path = segmentPath(this.#dir, name)
    const goneThen = sources.map(({ gone }) => gone.copy())
    let isWhole = false
    this.#unfinished.add(name)
    try {
      const plan = planMerge(
        sources.map(({ segment }, i) => ({ segment, isGone: (doc) => (goneThen[i] as GoneDocuments).has(doc) })),
        isDense,
      )
      for (const pause of writeSegmentInSteps(path, plan.source)) {
        yield pause
        // Another merge was quicker: what it made holds these documents already.
        if (!sources.every((held) => this.#segments.includes(held))) return
      }
      isWhole = true
      const merged = this.#open({ name, isDense, isMerged: true })
      for (const [i, { gone }] of sources.entries()) carryOver(gone, goneThen[i]!, plan.renumbered[i]!, merged.gone)
      this.#segments = [...this.#segments.filter((held) => !sources.includes(held)), merged]
    } finally {
      this.#unfinished.delete(name)
      if (!isWhole) rmSync(path, { force: true })
    }
    this.#write()
    for (const { segment } of sources) segment[Symbol.dispose]()
  }

  #write(): void {
    const empty = this.#segments.filter(({ segment, gone }) => gone.count === segment.documents)
    this.#segments = this.#segments.filter((held) => !empty.includes(held))
    const entries = this.#segments.map((held) => this.#entryOf(held))
    const manifest: IndexManifest = {
      generation: ++this.#generation,
      nextName: this.#nextName,
      position: this.#position,
      segments: entries,
    }
    writeIndexManifest(this.#dir, manifest)
    removeUnnamed(this.#dir, manifest, this.#unfinished)
    for (const { segment } of empty) segment[Symbol.dispose]()
    this.#hasChanged = false
  }

  #entryOf(held: Held): SegmentEntry {
    const { name, segment, gone } = held
    if (gone.count !== held.goneWritten) {
      held.goneFile = `${name}-${this.#generation + 1}.gone`
      gone.write(join(this.#dir, held.goneFile))
      held.goneWritten = gone.count
    }
    const entry = {
      name,
      documents: segment.documents,
      bytes: segment.bytes,
      goneCount: gone.count,
      ...(held.isDense ? { isDense: true } : {}),
      ...(held.isMerged ? { isMerged: true } : {}),
    }
    return held.goneFile === undefined ? entry : { ...entry, gone: held.goneFile }
  }

  #open({
    name,
    gone: goneFile,
    isDense = false,
    isMerged = false,
  }: Pick<SegmentEntry, 'name' | 'gone' | 'isDense' | 'isMerged'>): Held {
    const segment = new Segment(segmentPath(this.#dir, name), this.#cache)
    const gone =
      goneFile === undefined
        ? new GoneDocuments(segment.documents)
        : GoneDocuments.read(join(this.#dir, goneFile), segment.documents)
    return { name, segment, isDense, isMerged, gone, goneFile, goneWritten: gone.count }
  }
}

const sizeOf = ({ segment, gone }: Held): SegmentSize => ({ documents: segment.documents, gone: gone.count })

/** Documents that went while the merge was under way are gone in what it made, too. */
function carryOver(now: GoneDocuments, then: GoneDocuments, renumbered: Int32Array, into: GoneDocuments): void {
  for (let doc = 0; doc < now.documents; doc++) {
    const number = renumbered[doc] as number
    if (number !== GONE && now.has(doc) && !then.has(doc)) into.add(number)
  }
}
