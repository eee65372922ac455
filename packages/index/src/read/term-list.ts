/** The terms of all segments together, with the number of documents that have each. */
import type { SearchedSegment } from './index-reader.ts'
import { compareTerms } from '../format/posting.ts'
import { guarded } from '../rank/ranked-search.ts'

/** In the order of terms. Documents that are gone still count until their segment is merged. */
export function* allTerms(
  segments: readonly SearchedSegment[],
  prefix = '',
): Generator<[term: string, documents: number]> {
  const streams = segments.map((held) => ({ held, terms: held.segment.terms(prefix) }))
  const heads = streams.map(({ held, terms }) => guarded(held, () => terms.next()))
  for (;;) {
    let least: string | undefined
    for (const head of heads)
      if (head.done !== true && (least === undefined || compareTerms(head.value[0], least) < 0)) least = head.value[0]
    if (least === undefined) return
    let documents = 0
    for (const [i, head] of heads.entries()) {
      if (head.done === true || head.value[0] !== least) continue
      documents += head.value[1]
      const { held, terms } = streams[i]!
      heads[i] = guarded(held, () => terms.next())
    }
    yield [least, documents]
  }
}

/** The most frequent terms that begin like this, at most `most` of them, looking at no more than `looked`. */
export function frequentTermsWithPrefix(
  segments: readonly SearchedSegment[],
  prefix: string,
  most: number,
  looked: number,
): { readonly terms: string[]; readonly looked: number } {
  const found: [string, number][] = []
  for (const pair of allTerms(segments, prefix)) {
    if (found.length >= looked) break
    found.push(pair)
  }
  const best = found.toSorted((a, b) => b[1] - a[1]).slice(0, most)
  return { terms: best.map(([term]) => term), looked: found.length }
}
