/** A crawler that draws any page at random and may draw it again (003 §3), by drawing: what it has seen beside K / T and 1 − e^(−K/T). */
import { createRandom } from '@comity/testbed'

interface DrawnCrawl {
  /** Of all pages, after as many visits as there are pages. */
  readonly atEnd: number
  /** The furthest from K / T, and from 1 − e^(−K/T). */
  readonly furthest: number
  readonly fromLaw: number
}

/** Enough for chance to stay below a tenth of a point. */
const PAGES = 200_000

export function withRevisits(pages: number = PAGES): DrawnCrawl {
  const random = createRandom(1)
  const isSeen = new Uint8Array(pages)
  let [seen, furthest, fromLaw] = [0, 0, 0]
  for (let visits = 1; visits <= pages; visits++) {
    const page = random.int(pages)
    if (isSeen[page] === 0) seen++
    isSeen[page] = 1
    const share = visits / pages
    furthest = Math.max(furthest, Math.abs(share - seen / pages))
    fromLaw = Math.max(fromLaw, Math.abs(1 - Math.exp(-share) - seen / pages))
  }
  return { atEnd: seen / pages, furthest, fromLaw }
}
