import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { WaitingLine } from './waiting-line.ts'

/** A line whose work is done when the test says so. */
class Held {
  readonly begun: string[] = []
  readonly #open = new Map<string, () => void>()
  readonly line: WaitingLine<string>

  constructor({ most = 100, mostPerHost = 100, atOnce = 2 }) {
    const handle = async (work: string): Promise<void> => {
      this.begun.push(work)
      await new Promise<void>((resolve) => this.#open.set(work, resolve))
    }
    this.line = new WaitingLine({ most, mostPerHost, atOnce, handle })
  }

  async finish(work: string): Promise<void> {
    this.#open.get(work)?.()
    await setImmediate()
  }
}

test('work of one host is done in order, one piece at a time, and nobody else waits for it', async () => {
  const { line, begun, finish } = bound(new Held({}))
  for (const work of ['a1', 'a2', 'b1', 'c1']) assert.equal(line.add(work[0]!, work), 'added')
  assert.deepEqual(begun, [], 'whoever asks is answered first')
  await setImmediate()
  assert.deepEqual(begun, ['a1', 'b1'])
  await finish('b1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1'])
  await finish('c1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1'])
  await finish('a1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2'])
  assert.equal(line.size, 1)
  const settled = line.settled()
  await finish('a2')
  await settled
  assert.equal(line.size, 0)
})

test('no more wait than may, in all and for one host', async () => {
  const { line, finish } = bound(new Held({ most: 3, mostPerHost: 2 }))
  const places = ['a', 'a', 'a', 'b', 'c'].map((host, i) => line.add(host, `${host}${i}`))
  assert.deepEqual(places, ['added', 'added', 'host-full', 'added', 'full'])
  await setImmediate()
  await finish('a0')
  assert.equal(line.add('c', 'c5'), 'added')
})

test('what waits can be forgotten; what is under way ends by itself', async () => {
  const { line, begun, finish } = bound(new Held({ atOnce: 1 }))
  for (const work of ['a1', 'a2', 'b1']) line.add(work[0]!, work)
  await setImmediate()
  line.clear()
  assert.equal(line.size, 1)
  await finish('a1')
  await line.settled()
  assert.deepEqual(begun, ['a1'])
})

test('whatever comes, everything is done once, in order for each host', async () => {
  const works = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(works, fc.integer({ min: 1, max: 4 }), async (hosts, atOnce) => {
      const done: string[] = []
      let [now, most] = [0, 0]
      const busy = new Set<string>()
      const line = new WaitingLine<readonly [string, number]>({
        most: 100,
        mostPerHost: 100,
        atOnce,
        handle: async ([host, i]) => {
          assert.ok(!busy.has(host))
          busy.add(host)
          most = Math.max(most, ++now)
          await setImmediate()
          now--
          busy.delete(host)
          done.push(`${host}${i}`)
        },
      })
      hosts.forEach((host, i) => line.add(host, [host, i]))
      await line.settled()
      assert.ok(most <= atOnce)
      for (const host of new Set(hosts)) {
        const own = done.filter((work) => work.startsWith(host)).map((work) => Number(work.slice(1)))
        assert.deepEqual(
          own,
          [...hosts.keys()].filter((i) => hosts[i] === host),
        )
      }
    }),
    { numRuns: 50 },
  )
})

const bound = (held: Held): Pick<Held, 'line' | 'begun' | 'finish'> => ({
  line: held.line,
  begun: held.begun,
  finish: async (work) => await held.finish(work),
})
