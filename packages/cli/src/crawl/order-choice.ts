/** `--order`: one of the table, an expression over metrics, or a file of the user's own. */
import { METRICS, ORDERS, orderNamed, parseOrder } from '@comity/frontier'
import type { Order } from '@comity/frontier'
import type { HelpTable } from '../command.ts'
import { loadOrder } from '../terminal/hook-module.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { BadValue } from '../usage-error.ts'

export type OrderChoice = { readonly order: Order } | { readonly file: string }

/** Orders that a crawl can use; the others need to know what only a lab can. */
const CRAWLABLE = ORDERS.filter(({ isLabOnly }) => isLabOnly !== true)

const NAMES = CRAWLABLE.map(({ name }) => name)

export const usualOrder: OrderChoice = { order: orderNamed('depth') }

export const orderTables: readonly HelpTable[] = [
  {
    title: 'Orders',
    rows: CRAWLABLE.map(({ name, parameter, description }) => [
      parameter === undefined ? name : `${name}[:${parameter.name}]`,
      parameter === undefined
        ? description
        : `${description}; ${parameter.name} is ${parameter.byDefault} when left out`,
    ]),
  },
  {
    title: 'Metrics, for orders such as "0.7*pagerank + 0.3*topic"',
    rows: METRICS.map(({ name, description }) => [name, description]),
  },
]

export function parseOrderChoice(text: string): OrderChoice {
  if (/\.[cm]?[jt]s$/.test(text)) return { file: text }
  const order = parseOrder(text)
  if (typeof order === 'string') {
    throw new BadValue(
      `is no order: ${order}.${didYouMean(text, NAMES) || ` The orders are ${NAMES.join(', ')}, and expressions of metrics: see --help.`}`,
    )
  }
  const [name] = text.split(':')
  if (ORDERS.find((kind) => kind.name === name)?.isLabOnly) {
    throw new BadValue('needs to know the importance of pages not seen yet: it works in `comity lab` alone')
  }
  return { order }
}

export const orderOf = async (choice: OrderChoice): Promise<Order> =>
  'file' in choice ? await loadOrder(choice.file) : choice.order
