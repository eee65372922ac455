/**
 * Generated page sizes: a lognormal body with a Pareto tail, as file sizes on the Web are (Crovella and Bestavros 1997),
 * scaled so that the mean is the one asked for.
 */
import { lognormal } from './distributions.ts'
import { createRandom, seedOf } from '@comity/testbed'

const sigma = 1
/** Seven pages in a hundred are from the tail. It begins at three medians and falls with exponent 1.5. */
const tail = { share: 0.07, from: 3, exponent: 1.5 }
/** In medians. A longer tail would let one page decide the mean of a small web. */
const largest = 2_000
/** No page is smaller: an HTML page with a title and a link hardly can be. */
const leastBytes = 200

export function pageSizes(seed: number, pages: number, meanBytes: number): Uint32Array {
  const random = createRandom(seedOf(seed, 'bytes'))
  const median = meanBytes / meanInMedians()
  const bytes = new Uint32Array(pages)
  for (let page = 0; page < pages; page += 1) {
    const size = random.chance(tail.share)
      ? Math.min(largest, tail.from * (1 - random.next()) ** (-1 / tail.exponent))
      : lognormal(random, 1, sigma)
    bytes[page] = Math.max(leastBytes, Math.round(median * size))
  }
  return bytes
}

function meanInMedians(): number {
  const { share, from, exponent: a } = tail
  // Mean of a Pareto law cut at `largest`: what lies beyond counts as `largest`.
  const tailMean = (a * from - from ** a * largest ** (1 - a)) / (a - 1)
  return (1 - share) * Math.exp(sigma ** 2 / 2) + share * tailMean
}
