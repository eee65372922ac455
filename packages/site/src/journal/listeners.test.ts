import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Listeners } from './listeners.ts'
import type { Turn } from './listeners.ts'

class Sample {
  now = 0
  mark = 7
  readonly listeners: Listeners

  constructor({ most = 2, maxMs = 3_600_000 } = {}) {
    this.listeners = new Listeners({ most, maxMs, now: () => this.now, mark: () => this.mark })
  }

  pass(ms: number): void {
    this.now += ms
    this.listeners.tick()
  }
}

test('whoever waits is told of another number, of a while without one, and of the end', async () => {
  const sample = new Sample({ maxMs: 20_000 })
  const listener = sample.listeners.enter()!
  const turns: Turn[] = []
  const next = async (): Promise<void> => void turns.push(await listener.turn(sample.mark))
  let waiting = next()
  sample.pass(250)
  assert.deepEqual(turns, [])
  sample.mark = 8
  sample.pass(250)
  await waiting
  waiting = next()
  sample.pass(14_999)
  assert.deepEqual(turns, ['news'])
  sample.pass(1)
  await waiting
  waiting = next()
  sample.pass(5_000)
  await waiting
  assert.deepEqual(turns, ['news', 'heartbeat', 'over'])
  assert.deepEqual([listener.isOver, sample.listeners.size], [true, 0])
})

test('what came before the turn is told at once by the next look', async () => {
  const sample = new Sample()
  using listener = sample.listeners.enter()!
  sample.mark = 9
  const turn = listener.turn(7)
  sample.listeners.tick()
  assert.equal(await turn, 'news')
})

test('whoever does not come back for a minute loses its place, and is told when it does', async () => {
  const sample = new Sample({ most: 1 })
  using listener = sample.listeners.enter()!
  assert.equal(sample.listeners.admits(undefined), false)
  sample.pass(59_999)
  assert.equal(listener.isOver, false)
  sample.pass(1)
  assert.deepEqual([listener.isOver, sample.listeners.admits(undefined)], [true, true])
  assert.equal(await listener.turn(7), 'over')
})

test('there is one timer while somebody listens, and none otherwise', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const sample = new Sample()
  const [one, two] = [sample.listeners.enter()!, sample.listeners.enter()!]
  let looks = 0
  Object.defineProperty(sample, 'mark', { get: () => ++looks })
  t.mock.timers.tick(1_000)
  assert.equal(looks, 4)
  one[Symbol.dispose]()
  two[Symbol.dispose]()
  t.mock.timers.tick(1_000)
  assert.equal(looks, 4)
})
