import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDERS, orderNamed, parseOrder, usableOrders } from './orders.ts'

test('every order of the table can be started by its name', () => {
  for (const { name } of ORDERS) assert.equal(orderNamed(name).name, name)
})

const bad: [order: string, problem: RegExp][] = [
  ['shuffle', /there is no order "shuffle"/],
  ['depth:3', /depth takes no parameter/],
  ['batch:0', /batch: "0" is no number above 0/],
  ['partial:many', /partial: "many" is no number above 0/],
  ['topic:batch', /topic: ties cannot be broken by batches/],
  ['topic:nothing', /topic: there is no order "nothing"/],
  [
    '0.7*pagerank + 0.3*love',
    /there is no metric "love"\. An order is one of depth, .* or an expression over backlink/,
  ],
  ['0.7*pagerank +', /it ends too early/],
]
for (const [order, problem] of bad) {
  test(`"${order}" is no order, and a sentence says why`, () => {
    const said = parseOrder(order)
    assert.match(typeof said === 'string' ? said : 'an order', problem)
  })
}

const good = ['batch:50000', 'topic:pagerank', 'webbase:3', '0.7*pagerank + 0.3*topic', 'log(backlink)', '-depth']
for (const order of good) {
  test(`"${order}" is an order`, () => assert.equal(orderNamed(order).name, order))
}

const topical: [order: string, needsTopic: boolean][] = [
  ['topic', true],
  ['topic:fifo', true],
  ['anchor', true],
  ['0.7*pagerank + 0.3*topic', true],
  ['-anchor', true],
  ['pagerank + depth', false],
  ['depth', false],
]
for (const [order, needsTopic] of topical) {
  test(`"${order}" ${needsTopic ? 'means nothing without a topic' : 'needs no topic'}`, () => {
    assert.equal(orderNamed(order).needsTopic === true, needsTopic)
  })
}

test('any crawl can use each order but those of the lab, and batches are as large as is said', () => {
  const usable = usableOrders(500)
  assert.deepEqual(
    usable.filter((name) => name.includes(':')),
    ['batch:500', 'partial:500'],
  )
  assert.equal(usable.length, ORDERS.filter(({ isLabOnly }) => isLabOnly !== true).length)
})
