import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { LiveHub } from './live-hub.ts'
import type { LiveSample } from '../model/models.ts'
import { SampleControl, sampleOf } from '../testing/sample-repository.ts'

/** Waits end when the test says so, or when they are given up. */
class Waits {
  #open: (() => void)[] = []
  readonly wait = (_: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.#open.push(resolve)
      signal.addEventListener('abort', () => resolve())
    })
  async end(): Promise<void> {
    for (const resolve of this.#open.splice(0)) resolve()
    await turn()
  }
}

interface Heard {
  readonly samples: number[]
  ends: number
}

function listen(hub: LiveHub, since?: number): Heard & { stop: () => void } {
  const heard = { samples: [] as number[], ends: 0, stop: () => undefined as void }
  heard.stop = hub.listen(
    { sample: ({ pages }: LiveSample) => heard.samples.push(pages), end: () => void heard.ends++ },
    since,
  )
  return heard
}

test('all hear every sample; who comes later hears first what is remembered', async () => {
  const [crawl, waits] = [new SampleControl(), new Waits()]
  const hub = new LiveHub(crawl, waits.wait)
  const first = listen(hub)
  await turn()
  for (const pages of [1, 2]) crawl.push(sampleOf(pages))
  await turn()
  const [second, third] = [listen(hub), listen(hub, sampleOf(1).at)]
  crawl.push(sampleOf(3))
  await turn()
  assert.deepEqual(
    [first.samples, second.samples, third.samples],
    [
      [1, 2, 3],
      [1, 2, 3],
      [2, 3],
    ],
  )
  hub.close()
})

test('after the last listener has gone it lingers, then lets go and remembers nothing', async () => {
  const [crawl, waits] = [new SampleControl(), new Waits()]
  const hub = new LiveHub(crawl, waits.wait)
  listen(hub).stop()
  await turn()
  assert.equal(crawl.listeners, 1)
  crawl.push(sampleOf(1))
  await turn()
  const back = listen(hub)
  await waits.end()
  assert.deepEqual([back.samples, crawl.listeners], [[1], 1], 'it came back in time')
  back.stop()
  await waits.end()
  await turn()
  assert.deepEqual([listen(hub).samples, hub.listeners], [[], 1])
  hub.close()
})

test('when a crawl ends all are told once, and the next one is found', async () => {
  const waits = new Waits()
  let crawls = 0
  const crawl = new SampleControl()
  crawl.samples = async function* samples() {
    crawls++
    if (crawls === 1) throw new Error('nobody there')
    yield sampleOf(crawls)
  }
  const hub = new LiveHub(crawl, waits.wait)
  const heard = listen(hub)
  await turn()
  assert.deepEqual([heard.samples, heard.ends], [[], 0], 'no crawl, no end')
  await waits.end()
  await turn()
  assert.deepEqual([heard.samples, heard.ends], [[2], 1])
  await waits.end()
  await turn()
  assert.deepEqual([heard.samples, heard.ends], [[2, 3], 2])
  assert.deepEqual(listen(hub).samples, [], 'what has ended is not remembered')
  hub.close()
})

const at = (second: number): LiveSample => ({ ...sampleOf(second), at: second * 1_000 })

test('a hub that is kept remembers an hour: the last minutes whole, what is older now and then', async () => {
  const [crawl, waits] = [new SampleControl(), new Waits()]
  const hub = new LiveHub(crawl, waits.wait)
  hub.keep()
  await turn()
  assert.equal(crawl.listeners, 1, 'also while nobody listens')
  for (let second = 0; second < 5_000; second++) {
    crawl.push(at(second))
    if (second % 100 === 0) await turn()
  }
  await turn()
  const { samples, stop } = listen(hub)
  assert.deepEqual(
    samples.slice(-300),
    Array.from({ length: 300 }, (_, i) => 4_700 + i),
  )
  assert.ok(samples.length > 500 && samples.length < 560, `${samples.length}`)
  assert.ok(samples[0]! >= 1_399 && samples[0]! <= 1_420, `${samples[0]}`)
  stop()
  await waits.end()
  assert.equal(crawl.listeners, 1, 'and after the last has gone')
  hub.close()
})
