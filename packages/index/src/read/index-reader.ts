/**
 * IndexReader: the index as it is now, for searching; works beside a writer, in this process or another. `refresh`
 * looks whether the manifest was replaced and opens what is new; searches under way go on with what they had.
 *
 * A segment that cannot be read is refused by name and the others still answer.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { IndexError } from '../errors.ts'
import { FrameCache } from '../format/frame-cache.ts'
import { GoneDocuments } from './gone-documents.ts'
import { manifestPath, readIndexManifest, segmentPath } from '../index-manifest.ts'
import type { IndexManifest, SegmentEntry } from '../index-manifest.ts'
import type { CollectionTotals } from '../rank/ranking.ts'
import { Segment } from './segment.ts'

export interface IndexReaderOptions {
  /** Memory for parts of the index that were read lately. */
  readonly cacheBytes: number
}

const indexReaderDefaults: IndexReaderOptions = { cacheBytes: 128 << 20 }

export interface SearchedSegment {
  readonly name: string
  readonly segment: Segment
  readonly gone: GoneDocuments
  /** Made by a merge, or of all documents at once. */
  readonly isMerged: boolean
}

/** One state of the index. */
export interface IndexView extends CollectionTotals {
  readonly generation: number
  readonly position: number
  readonly segments: readonly SearchedSegment[]
  readonly bytes: number
  /** What could not be read, and why. */
  readonly refused: readonly IndexError[]
}

/** A writer may remove a file between our reading the manifest and opening it; then there is a newer manifest. */
const MAX_TRIES = 10

const NOTHING: IndexView = {
  generation: -1,
  position: 0,
  segments: [],
  bytes: 0,
  refused: [],
  documents: 0,
  meanLength: 0,
}

export class IndexReader implements Disposable {
  readonly #dir: string
  readonly #cache: FrameCache
  readonly #refused = new Map<string, IndexError>()
  #stamp = ''
  #manifest: IndexManifest | undefined
  #view: IndexView = NOTHING
  readonly #held = new Set<IndexView>()

  constructor(dir: string, options: Partial<IndexReaderOptions> = {}) {
    this.#dir = dir
    this.#cache = new FrameCache({ ...indexReaderDefaults, ...options }.cacheBytes)
    this.refresh()
  }

  get view(): IndexView {
    return this.#view
  }
  get cachedBytes(): number {
    return this.#cache.bytes
  }

  /** Look for a newer state; true when there is one. Costs a look at one file when there is not. */
  refresh(): boolean {
    const stamp = stampOf(manifestPath(this.#dir))
    if (stamp === this.#stamp) return false
    for (let tries = 1; ; tries++) {
      const manifest = readIndexManifest(this.#dir)
      if (isDeepStrictEqual(manifest, this.#manifest)) break
      const state = this.#open(manifest)
      const isRefused = state.refused.length > 0 && tries < MAX_TRIES
      if (!isRefused || readIndexManifest(this.#dir).generation === manifest.generation) {
        this.#adopt(state)
        this.#manifest = manifest
        break
      }
      this.#close(state.segments)
    }
    this.#stamp = stamp
    return true
  }

  /** The view as it is now stays open until it is let go of, whatever comes after it. */
  hold(): Disposable & { readonly view: IndexView } {
    // Of its own, so that each who holds it lets go of it for itself.
    const view = { ...this.#view }
    this.#held.add(view)
    return { view, [Symbol.dispose]: () => void (this.#held.delete(view) && this.#close(view.segments)) }
  }

  /** A segment turned out to be damaged while it was searched: it is left out from now on. */
  refuse(name: string, error: IndexError): void {
    const segments = this.#view.segments.filter((held) => held.name !== name)
    this.#refused.set(name, error)
    this.#adopt({ ...this.#view, ...totalsOf(segments), segments, refused: [...this.#view.refused, error] })
  }

  [Symbol.dispose](): void {
    this.#held.clear()
    for (const { segment } of this.#view.segments) segment[Symbol.dispose]()
  }

  /** The state that a manifest describes, with what is open already. */
  #open({ generation, position, segments: entries }: IndexManifest): IndexView {
    // An index that was made anew counts from the beginning, and gives other files the names we know.
    if (generation <= this.#view.generation) this.#forget()
    const known = new Map(this.#view.segments.map((held) => [held.name, held]))
    const segments: SearchedSegment[] = []
    const refused: IndexError[] = []
    for (const entry of entries) {
      try {
        segments.push(this.#openSegment(entry, known.get(entry.name)))
      } catch (error) {
        if (!(error instanceof IndexError)) throw error
        refused.push(error)
      }
    }
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
    return { generation, position, segments, bytes, refused, ...totalsOf(segments) }
  }

  #openSegment(entry: SegmentEntry, known: SearchedSegment | undefined): SearchedSegment {
    const { name, goneCount } = entry
    const isMerged = entry.isMerged === true || entry.isDense === true
    const damage = this.#refused.get(name)
    if (damage !== undefined) throw damage
    if (known?.gone.count === goneCount) return known
    const segment = known?.segment ?? new Segment(segmentPath(this.#dir, name), this.#cache)
    try {
      return { name, segment, gone: this.#goneOf(entry, segment.documents), isMerged }
    } catch (error) {
      if (known === undefined) segment[Symbol.dispose]()
      throw error
    }
  }

  #adopt(view: IndexView): void {
    const before = this.#view.segments
    this.#view = view
    this.#close(before)
  }

  /** Segments that neither the newest view has, nor one that is held. */
  #close(segments: readonly SearchedSegment[]): void {
    const open = new Set([this.#view, ...this.#held].flatMap((view) => view.segments.map(({ segment }) => segment)))
    for (const { segment } of segments) if (!open.has(segment)) segment[Symbol.dispose]()
  }

  #forget(): void {
    this.#refused.clear()
    this.#adopt(NOTHING)
  }

  #goneOf({ gone }: SegmentEntry, documents: number): GoneDocuments {
    return gone === undefined ? new GoneDocuments(documents) : GoneDocuments.read(join(this.#dir, gone), documents)
  }
}

/** Whether one state has the documents of another, no more and no others: all that happened is that some were merged. */
export function isMergeOf(view: IndexView, before: IndexView): boolean {
  const added = view.segments.filter((held) => !before.segments.includes(held))
  const removed = before.segments.filter((held) => !view.segments.includes(held))
  // Of one step alone: between two looks a commit and a merge of what it changed would look the same.
  const isOneStep = view.generation === before.generation + 1 && view.position === before.position
  const isMerged = removed.length > 0 && added.length === 1 && added[0]?.isMerged === true
  return isOneStep && isMerged && livingIn(added) === livingIn(removed)
}

const livingIn = (segments: readonly SearchedSegment[]): number =>
  segments.reduce((sum, { segment, gone }) => sum + segment.documents - gone.count, 0)

function totalsOf(segments: readonly SearchedSegment[]): CollectionTotals {
  const documents = livingIn(segments)
  const all = segments.reduce((sum, { segment }) => sum + segment.documents, 0)
  const words = segments.reduce((sum, { segment }) => sum + segment.directory.positions, 0)
  return { documents, meanLength: all === 0 ? 0 : words / all }
}

function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}
