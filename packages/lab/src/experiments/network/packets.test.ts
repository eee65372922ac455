import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PacketTable } from './packets.ts'

test('a packet keeps its number and what is written to it until it is dropped', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 3_000 }), (acts) => {
      const table = new PacketTable()
      const alive: { packet: number; mark: number }[] = []
      acts.forEach((isTake, mark) => {
        if (isTake || alive.length === 0) {
          const packet = table.take()
          table.part[packet] = mark
          table.bits[packet] = mark
          alive.push({ packet, mark })
        } else table.drop(alive.splice(mark % alive.length, 1)[0]!.packet)
      })
      assert.equal(table.alive, alive.length)
      for (const { packet, mark } of alive) assert.deepEqual([table.part[packet], table.bits[packet]], [mark, mark])
    }),
    { numRuns: 30 },
  )
})

test('there is room for more packets than at first', () => {
  const table = new PacketTable()
  const numbers = new Set(Array.from({ length: 5_000 }, () => table.take()))
  assert.equal(numbers.size, 5_000)
  assert.ok(table.goal.length >= 5_000)
})
