import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteQueue } from './write-queue.ts'

test('who comes while a write is under way waits with the others, and one write is for all of them', async () => {
  const groups: number[][] = []
  const queue = new WriteQueue<number, number>({
    write: async (group) => {
      groups.push(group.map(({ item }) => item))
      if (groups.length === 1) late.push(queue.add(4), queue.add(5))
      await Promise.resolve()
      for (const { item, resolve } of group) resolve(item * 10)
    },
  })
  const late: Promise<number>[] = []
  assert.deepEqual(await Promise.all([1, 2, 3].map((n) => queue.add(n))), [10, 20, 30])
  assert.deepEqual(await Promise.all(late), [40, 50])
  assert.deepEqual(groups, [
    [1, 2, 3],
    [4, 5],
  ])
})

test('a group ends when it is heavy, and always has one', async () => {
  const groups: number[][] = []
  const queue = new WriteQueue<number, void>({
    write: (group) => {
      groups.push(group.map(({ item }) => item))
      for (const { resolve } of group) resolve()
      return Promise.resolve()
    },
    weightOf: (n) => n,
    maxWeight: 10,
  })
  await Promise.all([50, 4, 5, 6, 1].map((n) => queue.add(n)))
  assert.deepEqual(groups, [[50], [4, 5, 6], [1]])
})

test('a write that fails is told to those it was for, and the next goes on', async () => {
  let writes = 0
  const queue = new WriteQueue<string, string>({
    write: (group) => {
      for (const { item, resolve } of group) if (item === 'answered') resolve('yes')
      if (writes++ === 0) return Promise.reject(new Error('full'))
      for (const { resolve } of group) resolve('yes')
      return Promise.resolve()
    },
  })
  const first = await Promise.allSettled([queue.add('answered'), queue.add('not')])
  assert.deepEqual(
    first.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  assert.equal(await queue.add('next'), 'yes')
})

test('what is run stands between two writes, and a queue is settled when all that came is done', async () => {
  const steps: string[] = []
  const queue = new WriteQueue<string, void>({
    write: async (group) => {
      await Promise.resolve()
      for (const { item, resolve } of group) {
        steps.push(item)
        resolve()
      }
    },
    afterwards: () => {
      steps.push('afterwards')
      return Promise.reject(new Error('its own affair'))
    },
  })
  void queue.add('one')
  const run = queue.run(() => {
    steps.push('run')
    void queue.add('two')
    return Promise.reject(new Error('told'))
  })
  await assert.rejects(run, /told/)
  await queue.settled()
  assert.deepEqual(steps, ['one', 'afterwards', 'run', 'two', 'afterwards'])
})
