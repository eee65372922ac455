/**
 * Decide which site comes next. An order is two small functions of plain facts; the lower rank is visited first, and
 * politeness holds whatever they say: an order chooses among the sites that may be visited now.
 *
 *   npx node examples/order-plugin.ts /tmp/fair http://127.0.0.1:8080/ http://127.0.0.2:8080/
 */
import { crawl } from '@comity/crawler'
import { simpleOrder } from '@comity/frontier'

const [into = 'collection', ...seeds] = process.argv.slice(2)

/** Every site gets its turn: the one we have taken least from so far goes first. */
const fair = simpleOrder({
  name: 'fair',
  description: 'breadth-first in each site, the least visited site first',
  rankPage: ({ depth }) => depth,
  rankSite: ({ visited }) => visited,
})

// One visit at a time, and each page read before the next is chosen, makes the order plain to see. Real crawls run many
// visits, each to another site, and read in threads meanwhile.
const [parallel, threads] = [1, 0]
const hooks = { onCapture: ({ url }: { url: string }) => console.log(url) }
await crawl({ into, options: { seeds, order: fair, parallel, threads, hooks, allowPrivate: true, privateDelayMs: 0 } })
