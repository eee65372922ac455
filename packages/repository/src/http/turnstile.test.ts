import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { Turnstile } from './turnstile.ts'

test('one who asks for more than there is keeps nobody else out, nor waiting behind all of it', async () => {
  let refused = 0
  const turnstile = new Turnstile(1, 30, () => refused++)
  const order: string[] = []
  const gates: (() => void)[] = []
  const ask = async (client: string): Promise<void> => {
    await turnstile.pass(client, async () => {
      order.push(client)
      await new Promise<void>((resolve) => gates.push(resolve))
    })
  }
  const asked = Array.from({ length: 40 }, () => ask('greedy').catch(() => 'refused'))
  const modest = ask('modest')
  await Promise.resolve()
  while (order.at(-1) !== 'modest') {
    gates.shift()?.()
    await new Promise(setImmediate)
  }
  assert.deepEqual(order, ['greedy', 'greedy', 'modest'])
  const all = Promise.all([modest, ...asked])
  let isOver = false
  void all.finally(() => (isOver = true))
  await untilSo(() => {
    gates.shift()?.()
    return isOver
  })
  const [, ...results] = await all
  assert.deepEqual([refused, results.filter((one) => one === 'refused').length, turnstile.inside], [29, 29, 0])
})
