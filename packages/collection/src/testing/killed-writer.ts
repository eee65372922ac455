/**
 * A process for the crash tests to kill: it fills the collection named on its command line without end and says after
 * each commit how many pages are acknowledged. What page n holds follows from n, so anybody can check it.
 */
import { Collection } from '../collection.ts'
import { SampleCrawl } from './sample-crawl.ts'
import { factKind } from '../rows/facts.ts'
import type { FactKind } from '../rows/facts.ts'
import { isCount } from '../rows/row-shape.ts'

export const bodyOf = (page: number): string =>
  page % 5 === 0 ? '<p>the same words on every fifth page</p>' : `<p>page ${page} ${'words '.repeat(page % 300)}</p>`
export const linksOf = (page: number): { to: number; anchor: string }[] => [
  { to: page + 1, anchor: `from ${page}` },
  { to: 0, anchor: 'home' },
]
export const AT: number = Date.UTC(2026, 10, 1)
/** How many pages are acknowledged. */
export const COUNT: FactKind<number> = factKind('count', isCount)
const MAX_PAGES_A_COMMIT = 20

async function fill(dir: string): Promise<never> {
  const collection = await Collection.open(dir, AT, { maxWarcBytes: 20_000, minFreeBytes: 0 })
  let page = collection.fact(COUNT) ?? 0
  const crawl = new SampleCrawl(collection, ['https://a.example'], page)
  process.stdout.write(`open ${collection.wasClosed}\n`)
  for (let round = 0; ; round++) {
    for (let i = 0; i <= (page * 7 + round) % MAX_PAGES_A_COMMIT; i++, page++) {
      crawl.offer(`/page/${page}`)
      crawl.visit({ page, at: AT + page, body: bodyOf(page), title: `Page ${page}`, links: linksOf(page) })
    }
    collection.putFact(COUNT, page)
    await crawl.commit()
    process.stdout.write(`acknowledged ${page}\n`)
  }
}

if (import.meta.main) await fill(process.argv[2] ?? '')
