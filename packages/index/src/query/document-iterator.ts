/**
 * Iterators over the documents of a segment that match a plan, in rising order. Each stands before its first document
 * until it is moved, and on `END` after its last.
 */
import type { Plan } from './match-plan.ts'
import { END } from '../read/posting-cursor.ts'
import type { PostingCursor } from '../read/posting-cursor.ts'
import { SearchWork } from './search-work.ts'
import type { Segment } from '../read/segment.ts'

interface DocumentIterator {
  readonly doc: number
  next(): number
  /** To the first document that is not before `target`; stays when it is there already. */
  seek(target: number): number
  /** About how many documents it has: the rarest leads an intersection. */
  readonly cost: number
}

/**
 * Cursors of the terms that score, one for each: on a document that matches, `seek` tells whether it has the term.
 *
 * Where every match of the plan is a match of the iterator (or it is one of a row of alternatives), that is the cursor
 * the iterator itself moves: on a match it is not beyond, and nothing is decoded twice. Elsewhere, as in
 * `(a b) OR c`, the iterator's own cursor may already be beyond a match that has the term; there the term gets another.
 */
export type Leaves = Map<string, PostingCursor>

/** Where iterators read, and on whose account. */
interface Source {
  readonly segment: Segment
  readonly work: SearchWork
}

/** The iterator of a plan in a segment. The cursors of the terms that score are put into `leaves`. */
export function iterate(
  plan: Plan,
  segment: Segment,
  leaves: Leaves,
  work: SearchWork = new SearchWork(),
): DocumentIterator {
  return iteratorOf(plan, { segment, work }, leaves, true)
}

function iteratorOf(plan: Plan, source: Source, leaves: Leaves, isShared: boolean): DocumentIterator {
  const { segment, work } = source
  switch (plan.kind) {
    case 'term':
      return termIterator(source, plan.term, leaves, isShared)
    case 'zone':
      return inZone(termIterator(source, plan.term, leaves, isShared), plan.zones)
    case 'all':
      return allOf(
        plan.parts.map((part) => iteratorOf(part, source, leaves, isShared)),
        work,
      )
    case 'any':
      return anyOf(
        plan.parts.map((part) => iteratorOf(part, source, leaves, isShared && isAlternative(part))),
        work,
      )
    case 'without': {
      const part = iteratorOf(plan.part, source, leaves, isShared)
      return new Without(part, iteratorOf(plan.not, source, new Map(), true), work)
    }
    case 'phrase':
      return phraseOf(plan.words, source, leaves, isShared)
    case 'every':
      return new Every(segment.documents)
    default:
      return NOTHING
  }
}

/** It stands on every match of the row that has its term, since it passes over no document with one. */
const isAlternative = ({ kind }: Plan): boolean => kind === 'term' || kind === 'any'

const NOTHING: DocumentIterator = { doc: END, next: () => END, seek: () => END, cost: 0 }

class TermIterator implements DocumentIterator {
  readonly cursor: PostingCursor
  constructor(cursor: PostingCursor) {
    this.cursor = cursor
  }
  get doc(): number {
    return this.cursor.doc
  }
  get cost(): number {
    return this.cursor.postings.documents
  }
  next(): number {
    return this.cursor.next()
  }
  seek(target: number): number {
    return this.cursor.seek(target)
  }
}

function termIterator(
  { segment, work }: Source,
  term: string,
  leaves: Leaves,
  isShared: boolean,
): TermIterator | typeof NOTHING {
  const postings = segment.postings(term)
  if (postings === undefined) return NOTHING
  const cursor = segment.cursor(postings, work)
  if (!leaves.has(term)) leaves.set(term, isShared ? cursor : segment.cursor(postings, work))
  return new TermIterator(cursor)
}

class Every implements DocumentIterator {
  doc = -1
  readonly cost: number
  constructor(documents: number) {
    this.cost = documents
  }
  next(): number {
    return this.seek(this.doc + 1)
  }
  seek(target: number): number {
    if (this.doc < target) this.doc = target < this.cost ? target : END
    return this.doc
  }
}

function inZone(inner: DocumentIterator, zones: number): DocumentIterator {
  return inner instanceof TermIterator ? new InZone(inner, zones) : NOTHING
}

class InZone implements DocumentIterator {
  readonly #inner: TermIterator
  readonly #zones: number
  constructor(inner: TermIterator, zones: number) {
    this.#inner = inner
    this.#zones = zones
  }
  get doc(): number {
    return this.#inner.doc
  }
  get cost(): number {
    return this.#inner.cost
  }
  next(): number {
    this.#inner.next()
    return this.#settle()
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc
    this.#inner.seek(target)
    return this.#settle()
  }
  #settle(): number {
    while (this.doc !== END && (this.#inner.cursor.zones & this.#zones) === 0) this.#inner.next()
    return this.doc
  }
}

function allOf(parts: readonly DocumentIterator[], work: SearchWork): DocumentIterator {
  const [only, ...rest] = parts
  if (only === undefined) return NOTHING
  return rest.length === 0 ? only : new All(parts, work)
}

/** Documents that all parts have: the rarest leads, the others follow. */
class All implements DocumentIterator {
  doc = -1
  readonly #lead: DocumentIterator
  readonly #others: readonly DocumentIterator[]
  readonly #work: SearchWork
  constructor(parts: readonly DocumentIterator[], work: SearchWork) {
    this.#work = work
    const [lead, ...others] = parts.toSorted((a, b) => a.cost - b.cost)
    this.#lead = lead as DocumentIterator
    this.#others = others
  }
  get cost(): number {
    return this.#lead.cost
  }
  next(): number {
    return this.#settle(this.#lead.next())
  }
  seek(target: number): number {
    return this.doc >= target ? this.doc : this.#settle(this.#lead.seek(target))
  }
  #settle(from: number): number {
    let doc = from
    for (let i = 0; i < this.#others.length && doc !== END;) {
      this.#work.spend(1)
      const found = (this.#others[i] as DocumentIterator).seek(doc)
      if (found === doc) i++
      else {
        doc = this.#lead.seek(found)
        i = 0
      }
    }
    return (this.doc = doc)
  }
}

function anyOf(parts: readonly DocumentIterator[], work: SearchWork): DocumentIterator {
  const some = parts.filter((part) => part !== NOTHING)
  const [only, ...rest] = some
  if (only === undefined) return NOTHING
  return rest.length === 0 ? only : new Any(some, work)
}

/** Documents that any part has. Queries are short, so the least of them is found by looking at all. */
class Any implements DocumentIterator {
  doc = -1
  readonly cost: number
  readonly #parts: readonly DocumentIterator[]
  readonly #work: SearchWork
  constructor(parts: readonly DocumentIterator[], work: SearchWork) {
    this.#parts = parts
    this.#work = work
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0)
  }
  next(): number {
    return this.seek(this.doc + 1)
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc
    this.#work.spend(this.#parts.length)
    let least = END
    for (const part of this.#parts) least = Math.min(least, part.seek(target))
    return (this.doc = least)
  }
}

class Without implements DocumentIterator {
  readonly #part: DocumentIterator
  readonly #not: DocumentIterator
  readonly #work: SearchWork
  constructor(part: DocumentIterator, not: DocumentIterator, work: SearchWork) {
    this.#work = work
    this.#part = part
    this.#not = not
  }
  get doc(): number {
    return this.#part.doc
  }
  get cost(): number {
    return this.#part.cost
  }
  next(): number {
    this.#part.next()
    return this.#settle()
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc
    this.#part.seek(target)
    return this.#settle()
  }
  #settle(): number {
    while (this.doc !== END && this.#not.seek(this.doc) === this.doc) {
      this.#work.spend(1)
      this.#part.next()
    }
    return this.doc
  }
}

function phraseOf(
  words: readonly (readonly string[])[],
  source: Source,
  leaves: Leaves,
  isShared: boolean,
): DocumentIterator {
  const { segment, work } = source
  const places = words.map((terms) => {
    const cursors = terms
      .map((term) => termIterator(source, term, leaves, isShared))
      .filter((one) => one instanceof TermIterator)
    return { terms: cursors, any: anyOf(cursors, work) }
  })
  if (places.length === 0 || places.some(({ any }) => any === NOTHING)) return NOTHING
  // Without positions a phrase is all of its words.
  const all = allOf(
    places.map(({ any }) => any),
    work,
  )
  return segment.directory.hasPositions && places.length > 1 ? new Phrase(places, all, work) : all
}

/** Documents in which the words stand one after another. */
class Phrase implements DocumentIterator {
  readonly #places: readonly { terms: readonly TermIterator[] }[]
  readonly #all: DocumentIterator
  /** Where a word stands, and two lists of places that take turns. */
  #here: Int32Array = new Int32Array(64)
  #starts: Int32Array = new Int32Array(64)
  #next: Int32Array = new Int32Array(64)
  readonly #work: SearchWork
  constructor(places: readonly { terms: readonly TermIterator[] }[], all: DocumentIterator, work: SearchWork) {
    this.#work = work
    this.#places = places
    this.#all = all
  }
  get doc(): number {
    return this.#all.doc
  }
  get cost(): number {
    return this.#all.cost
  }
  next(): number {
    this.#all.next()
    return this.#settle()
  }
  seek(target: number): number {
    if (this.doc >= target) return this.doc
    this.#all.seek(target)
    return this.#settle()
  }
  #settle(): number {
    while (this.doc !== END && !this.#stands()) this.#all.next()
    return this.doc
  }
  /** Places where the phrase may begin, after each word fewer of them. All lists are in order, so one pass each does. */
  #stands(): boolean {
    let [starts, next, count] = [this.#starts, this.#next, 0]
    for (const [offset, { terms }] of this.#places.entries()) {
      const places = this.#placesOf(terms)
      this.#work.spend(terms.length + places)
      if (next.length < places) next = new Int32Array(places * 2)
      const here = this.#here
      let found = 0
      for (let i = 0, at = 0; i < places; i++) {
        const start = (here[i] as number) - offset
        if (offset > 0) while (at < count && (starts[at] as number) < start) at++
        if (offset === 0 || (at < count && starts[at] === start)) next[found++] = start
      }
      ;[starts, next, count] = [next, starts, found]
      if (found === 0) break
    }
    this.#starts = starts
    this.#next = next
    return count > 0
  }

  /** Puts where any of the terms stands in the document into `#here`, in order; gives how many. */
  #placesOf(terms: readonly TermIterator[]): number {
    let count = 0
    let isMixed = false
    for (const { cursor } of terms) {
      if (cursor.doc !== this.doc) continue
      isMixed = count > 0
      if (count + cursor.count > this.#here.length) this.#here = enlarged(this.#here, (count + cursor.count) * 2)
      count += cursor.positions(count === 0 ? this.#here : this.#here.subarray(count))
    }
    if (isMixed) this.#here.subarray(0, count).sort()
    return count
  }
}

function enlarged(places: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length)
  larger.set(places)
  return larger
}
