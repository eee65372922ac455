import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventQueue } from './events.ts'

test('events come out in the order of their times, each once, whatever is pushed in between', () => {
  const acts = fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })), { maxLength: 300 })
  fc.assert(
    fc.property(acts, (list) => {
      const queue = new EventQueue()
      const times: number[] = []
      const waiting = new Set<number>()
      const pop = (): void => {
        const least = Math.min(...[...waiting].map((code) => times[code]!))
        const code = queue.pop()
        assert.equal(queue.now, least)
        assert.equal(times[code], least)
        assert.ok(waiting.delete(code))
      }
      for (const time of list) {
        if (time !== null) {
          waiting.add(times.push(time) - 1)
          queue.push(time, times.length - 1)
        } else if (waiting.size > 0) pop()
      }
      while (waiting.size > 0) pop()
      assert.equal(queue.size, 0)
    }),
  )
})

test('there is room for more events than at first', () => {
  const queue = new EventQueue()
  const count = 10_000
  for (let n = 0; n < count; n++) queue.push((n * 7_919) % count, n)
  for (let n = 0; n < count; n++) {
    queue.pop()
    assert.equal(queue.now, n)
  }
})
