/**
 * Would my order have found the important pages sooner? An order of your own beside two of the table, on a web that is made
 * from a seed: the very code that crawls, in simulated time. Printed is the share of the PageRank of all pages
 * that can be reached.
 *
 *   npx node examples/compare-orders.ts
 *   npx comity lab ordering --order ./my-order.ts       the whole experiment, with plots
 */
import { addOrder, generateWeb, noPoliteness, simulate } from '@comity/lab'
import cashOrder from './learning-order.ts'

addOrder(cashOrder)
const web = generateWeb({ pages: 5_000, sites: 100, seed: 7 })
for (const order of ['fifo', 'backlink', cashOrder.name]) {
  const { curve } = simulate(web, { order, robots: 1, bandwidth: 1e6, politeness: noPoliteness, seed: 1 })
  const [fetched, whole] = [curve.pages.at(-1)!, curve.rank.at(-1)!]
  const shares = [1, 2, 3, 5].map((tenth) => {
    const at = curve.pages.findIndex((pages) => pages >= (tenth / 10) * fetched)
    return `${((100 * curve.rank[at]!) / whole).toFixed(0)} %`
  })
  console.log(`${order.padEnd(8)} after 10, 20, 30 and 50 % of the pages: ${shares.join(', ')}`)
}
