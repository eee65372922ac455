/** The terms of all segments together, with the number of documents that have each. */
import type { SearchedSegment } from './index-reader.ts'
import { compareTerms } from '../format/posting.ts'
import { guarded } from '../rank/ranked-search.ts'

type TermCount = readonly [term: string, documents: number]

/** In the order of terms. Documents that are gone still count until their segment is merged. */
export function* allTerms(segments: readonly SearchedSegment[], prefix = ''): Generator<TermCount> {
  yield* mergedTerms(
    segments.map((held) => {
      const terms = held.segment.terms(prefix)
      return { next: () => guarded(held, () => terms.next()) }
    }),
  )
}

/** Lists of terms in order, as one list in which each stands once. */
export function* mergedTerms(streams: readonly Iterator<TermCount>[]): Generator<TermCount> {
  const heads = streams.map((stream) => stream.next())
  for (;;) {
    let least: string | undefined
    for (const head of heads)
      if (head.done !== true && (least === undefined || compareTerms(head.value[0], least) < 0)) least = head.value[0]
    if (least === undefined) return
    let documents = 0
    for (const [i, head] of heads.entries()) {
      if (head.done === true || head.value[0] !== least) continue
      documents += head.value[1]
      heads[i] = streams[i]!.next()
    }
    yield [least, documents]
  }
}

/** The most frequent of some terms, at most `most` of them, looking at no more than `looked`. */
export function frequentTerms(
  terms: Iterable<TermCount>,
  most: number,
  looked: number,
): { readonly terms: string[]; readonly looked: number } {
  const found: TermCount[] = []
  for (const pair of terms) {
    if (found.length >= looked) break
    found.push(pair)
  }
  const best = found.toSorted((a, b) => b[1] - a[1]).slice(0, most)
  return { terms: best.map(([term]) => term), looked: found.length }
}
