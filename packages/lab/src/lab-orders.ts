/**
 * Orders as the lab knows them: those of the table, by name, and orders of a user's own, which are known from the moment
 * they are added. An experiment names its orders, in files and plots; this is where the names lead.
 */
import { parseOrder } from '@comity/frontier'
import type { Order } from '@comity/frontier'

const own = new Map<string, Order>()

/** Make an order known under its name, which must not be one of the table's. */
export function addOrder(order: Order): void {
  if (typeof parseOrder(order.name) !== 'string') throw new RangeError(`there is an order ${order.name} already`)
  own.set(order.name, order)
}

/** The order of this name; a sentence when there is none. */
export function findOrder(name: string): Order | string {
  return own.get(name) ?? parseOrder(name)
}

/** For names that are known to be good. */
export function labOrder(name: string): Order {
  const order = findOrder(name)
  if (typeof order === 'string') throw new RangeError(order)
  return order
}
