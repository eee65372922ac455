/**
 * An order that learns: each page it has seen hands on what it was worth to the pages it links to, once (the cash of
 * Abiteboul, Preda and Cobena, _Adaptive On-Line Page Importance Computation_, WWW 2003).
 *
 *   npx comity crawl http://127.0.0.1:8080/ --into /tmp/cash --allow-private --delay 0 --order examples/learning-order.ts
 *   npx comity lab ordering --order examples/learning-order.ts
 */
import type { Order } from '@comity/frontier'

const cashOrder: Order = {
  name: 'cash',
  description: 'pages that have been handed most by those that link to them',
  start: (web) => {
    const cash = new Map<number, number>()
    // A start page has 1 to give; every other page has what it was given.
    const cashOf = (page: number): number => cash.get(page) ?? (web.depthOf(page) === 0 ? 1 : 0)
    return {
      // Lower comes first.
      rankPage: (page) => -cashOf(page),
      visited: (page, { links }) => {
        const share = cashOf(page) / links.length
        cash.set(page, 0)
        for (let i = 0; i < links.length; i++) {
          const to = links[i]!
          cash.set(to, cashOf(to) + share)
          web.moved(to)
        }
      },
    }
  },
}

export default cashOrder
