/**
 * Sample index, for the tests of this package: documents that are lists of terms, made from a seed, segments of them, and
 * a model that answers every question by looking through all documents.
 *
 * Terms are skewed as in texts, a few in most documents and most in few, and written in many scripts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ZONE_GAP, ZONES } from '../document.ts'
import type { DocumentEntry } from '../format/document-table.ts'
import type { FrameCache } from '../format/frame-cache.ts'
import { GoneDocuments } from '../read/gone-documents.ts'
import type { IndexView, SearchedSegment } from '../read/index-reader.ts'
import { Inversion } from '../write/inversion.ts'
import { lengthByte } from '../format/length-byte.ts'
import { compareTerms } from '../format/posting.ts'
import { Segment } from '../read/segment.ts'
import { writeSegment } from '../write/segment-writer.ts'

/** A folder that is gone when the test ends. */
export function testFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-index-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export interface SampleWord {
  readonly term: string
  readonly position: number
  readonly zone: number
}

export interface SampleDocument {
  readonly entry: DocumentEntry
  readonly words: readonly SampleWord[]
}

export interface SampleShape {
  readonly seed: number
  readonly documents: number
  readonly vocabulary: number
  /** Words of a document, at most. */
  readonly words: number
  /** Key of the first document. */
  readonly firstKey?: number | undefined
}

/** Numbers from 0 to 1, always the same for a seed (Mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const chosen = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item

// U+E000 to U+FFFF stand before the astral characters in UTF-8 and after them in UTF-16.
const LETTERS = ['a', 'b', 'e', 'zz', 'é', 'ß', 'ж', '文', '文字', '\uff21', '\ue000', '\u{1d49c}', '\u{1f600}', '9']
const ZONE_SETS = [0, 0, 0, 0, 0, ...Object.values(ZONES)]
const SITES = ['https://a.example', 'https://b.example', 'http://b.example:8080', 'https://www.c.example']
const TYPES = ['text/html', 'text/plain', 'application/pdf']
const LANGUAGES = ['en', 'de', 'und']
const FIRST_AT = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

export function sampleTerms({ seed, vocabulary }: SampleShape): string[] {
  const random = randomFrom(seed)
  const terms = new Set<string>()
  for (let length = 1; terms.size < vocabulary; length = 1 + ((length + 1) % 12))
    terms.add(Array.from({ length: 1 + Math.floor(random() * length) }, () => chosen(LETTERS, random)).join(''))
  return [...terms]
}

export function sampleDocuments(shape: SampleShape): SampleDocument[] {
  const terms = sampleTerms(shape)
  const random = randomFrom(~shape.seed)
  const first = shape.firstKey ?? 0
  return Array.from({ length: shape.documents }, (_, i) => {
    const words: SampleWord[] = []
    let position = 0
    for (let left = Math.floor(random() * (shape.words + 1)); left > 0; left--) {
      const term = terms[Math.floor(terms.length * random() ** 3)] as string
      words.push({ term, position, zone: chosen(ZONE_SETS, random) })
      position += random() < 0.1 ? 1 + ZONE_GAP : 1
    }
    return { entry: entryOf(first + i, words.length, random), words }
  })
}

function entryOf(key: number, length: number, random: () => number): DocumentEntry {
  const site = chosen(SITES, random)
  return {
    key,
    url: `${site}/${chosen(['docs', 'über', 'x'], random)}/${Math.floor(random() * 1e6)}-${key}`,
    group: key,
    length: lengthByte(length),
    site,
    type: chosen(TYPES, random),
    language: chosen(LANGUAGES, random),
    at: FIRST_AT + Math.floor(random() * 1_000) * HOUR,
  }
}

/** Write documents as a segment and open it. */
export function sampleSegment(
  path: string,
  documents: readonly SampleDocument[],
  cache: FrameCache,
  hasPositions = true,
): Segment {
  const inversion = new Inversion(1 << 20)
  for (const { entry, words } of documents) {
    for (const { term, position, zone } of words) inversion.add(inversion.vocabulary.numberOf(term), position, zone)
    inversion.close(entry)
  }
  writeSegment(path, inversion.source(hasPositions))
  return new Segment(path, cache)
}

/** In the order in which a segment has them. */
export const inOrder = (documents: readonly SampleDocument[]): SampleDocument[] =>
  documents.toSorted((a, b) => compareTerms(a.entry.url, b.entry.url))

export interface ModelPosting {
  readonly doc: number
  readonly positions: readonly number[]
  readonly zones: number
}

/** What a segment of these documents must have for each term, by looking. */
export function modelPostings(documents: readonly SampleDocument[]): Map<string, ModelPosting[]> {
  const postings = new Map<string, ModelPosting[]>()
  for (const [doc, { words }] of inOrder(documents).entries())
    for (const [term, { positions, zones }] of wordsByTerm(words)) {
      const list = postings.get(term) ?? []
      postings.set(term, list)
      list.push({ doc, positions, zones })
    }
  return postings
}

export function wordsByTerm(words: readonly SampleWord[]): Map<string, { positions: number[]; zones: number }> {
  const terms = new Map<string, { positions: number[]; zones: number }>()
  for (const { term, position, zone } of words) {
    const known = terms.get(term) ?? { positions: [], zones: 0 }
    known.positions.push(position)
    known.zones |= zone
    terms.set(term, known)
  }
  return terms
}

/** A state of an index of these segments. */
export function sampleView(segments: readonly Segment[], isGone: (key: number) => boolean = () => false): IndexView {
  const held = segments.map((segment, i): SearchedSegment => {
    const gone = new GoneDocuments(segment.documents)
    for (const [doc, key] of segment.columns.keys.entries()) if (isGone(key)) gone.add(doc)
    return { name: `s${i + 1}`, segment, gone, isMerged: false }
  })
  const all = segments.reduce((sum, { documents }) => sum + documents, 0)
  const words = segments.reduce((sum, { directory }) => sum + directory.positions, 0)
  return {
    generation: 1,
    position: 0,
    segments: held,
    bytes: 0,
    refused: [],
    documents: held.reduce((sum, { segment, gone }) => sum + segment.documents - gone.count, 0),
    meanLength: all === 0 ? 0 : words / all,
  }
}
