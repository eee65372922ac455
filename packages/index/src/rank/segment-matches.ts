/**
 * SegmentMatches: every document of a segment that matches a plan, with what scoring asks of each: how often every term
 * stands there, and in which zones.
 *
 * A segment never changes, so neither do these. A question that is asked again after a commit is matched in the new
 * segments only; in all others its matches are scored again, as each commit changes what words are worth (idf, mean
 * length) and which documents are gone.
 */
import { iterate } from '../query/document-iterator.ts'
import type { Leaves } from '../query/document-iterator.ts'
import type { Weighed } from '../format/frame-cache.ts'
import type { Plan } from '../query/match-plan.ts'
import { END } from '../read/posting-cursor.ts'
import type { PostingCursor } from '../read/posting-cursor.ts'
import { SearchWork } from '../query/search-work.ts'
import type { Segment } from '../read/segment.ts'

/** A term in each of the matches: 0 times where it does not stand. */
interface MatchedTerm {
  readonly term: string
  readonly counts: Int32Array
  readonly zones: Uint8Array
}

export class SegmentMatches implements Weighed {
  readonly docs: Int32Array
  readonly terms: readonly MatchedTerm[]

  constructor(docs: Int32Array, terms: readonly MatchedTerm[]) {
    this.docs = docs
    this.terms = terms
  }

  get weight(): number {
    return 300 + this.docs.length * 4 + this.terms.length * (200 + this.docs.length * 5)
  }
}

/** What takes more is walked through each time rather than kept. */
const MAX_KEPT_BYTES = 1 << 20
const TOO_MANY: Weighed = { weight: 100 }
const FIRST_ROOM = 64

/** The matches of a plan, kept by its name; undefined when there may be too many to keep. */
export function matchesOf(
  plan: Plan,
  name: string,
  segment: Segment,
  work: SearchWork = new SearchWork(),
): SegmentMatches | undefined {
  const kept = segment.kept(name, () => matchAll(plan, segment, work))
  return kept instanceof SegmentMatches ? kept : undefined
}

function matchAll(plan: Plan, segment: Segment, work: SearchWork): Weighed {
  const leaves: Leaves = new Map()
  const matches = iterate(plan, segment, leaves, work)
  if (matches.cost * (4 + 5 * leaves.size) > MAX_KEPT_BYTES) return TOO_MANY
  const columns = Array.from(leaves, ([term, cursor]) => new TermColumn(term, cursor, FIRST_ROOM))
  let docs = new Int32Array(FIRST_ROOM)
  let found = 0
  for (let doc = matches.next(); doc !== END; doc = matches.next(), found++) {
    work.spend(1 + leaves.size)
    if (found === docs.length) {
      docs = resized(docs, Int32Array, 2 * found)
      for (const column of columns) column.resize(2 * found)
    }
    docs[found] = doc
    for (const column of columns) column.note(doc, found)
  }
  for (const column of columns) column.resize(found)
  // Without the cursors, which hold frames.
  const terms = columns.map(({ term, counts, zones }) => ({ term, counts, zones }))
  return new SegmentMatches(resized(docs, Int32Array, found), terms)
}

class TermColumn implements MatchedTerm {
  readonly term: string
  counts: Int32Array
  zones: Uint8Array
  readonly #cursor: PostingCursor

  constructor(term: string, cursor: PostingCursor, room: number) {
    this.term = term
    this.#cursor = cursor
    this.counts = new Int32Array(room)
    this.zones = new Uint8Array(room)
  }

  note(doc: number, at: number): void {
    const cursor = this.#cursor
    if (cursor.seek(doc) !== doc) return
    this.counts[at] = cursor.count
    this.zones[at] = cursor.zones
  }

  resize(room: number): void {
    this.counts = resized(this.counts, Int32Array, room)
    this.zones = resized(this.zones, Uint8Array, room)
  }
}

/** A copy of another length: the first numbers, and zeros behind them. */
function resized<Numbers extends Int32Array | Uint8Array>(
  numbers: Numbers,
  Kind: new (length: number) => Numbers,
  length: number,
): Numbers {
  if (numbers.length === length) return numbers
  const copy = new Kind(length)
  copy.set(length < numbers.length ? numbers.subarray(0, length) : numbers)
  return copy
}
