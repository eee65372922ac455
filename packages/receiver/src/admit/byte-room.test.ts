import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteRoom } from './byte-room.ts'
import type { Holder } from './byte-room.ts'

const stranger = (name: number): Holder => ({ name: `192.0.2.${name}`, isProven: false })
const site = (name: number): Holder => ({ name: `https://${name}.example`, isProven: true })

/** As much as it is given, in pieces. */
function fill(room: ByteRoom, holder: Holder, piece = 1): number {
  let bytes = 0
  while (room.take(holder, piece) === 'taken') bytes += piece
  return bytes
}

test('one stranger gets a third of a quarter, one site a third of all', () => {
  assert.equal(fill(new ByteRoom(1_200), stranger(1)), 100)
  assert.equal(fill(new ByteRoom(1_200), site(1)), 400)
})

test('whatever strangers hold, a site that is proven gets a third of three quarters', () => {
  const room = new ByteRoom(1_200)
  for (let n = 0; n < 200; n++) fill(room, stranger(n))
  assert.ok(room.used <= 300, String(room.used))
  assert.ok(fill(room, site(1)) >= 300)
})

test('under the usual limits that is a whole batch of a gateway’s, and a stranger’s share a whole notice', () => {
  const room = new ByteRoom(64 << 20)
  for (let n = 0; n < 200; n++) fill(room, stranger(n), 1 << 10)
  assert.equal(room.take(site(1), 16 << 20), 'taken')
  assert.equal(new ByteRoom(64 << 20).take(stranger(1), 4 << 20), 'taken')
})

test('whoever takes and gives whatever, no share is passed, and all is free at the end', () => {
  const holders = fc.tuple(fc.boolean(), fc.nat(4)).map(([isProven, n]) => (isProven ? site(n) : stranger(n)))
  fc.assert(
    fc.property(fc.array(fc.tuple(holders, fc.integer({ min: 1, max: 300 }))), (wishes) => {
      const room = new ByteRoom(1_000)
      const held = wishes.filter(([holder, bytes]) => room.take(holder, bytes) === 'taken')
      const sum = (rows: typeof held): number => rows.reduce((all, [, bytes]) => all + bytes, 0)
      assert.equal(room.used, sum(held))
      assert.ok(sum(held.filter(([{ isProven }]) => !isProven)) <= 250)
      assert.ok(room.used < 1_000)
      for (const [holder, bytes] of held) room.give(holder, bytes)
      assert.equal(room.used, 0)
    }),
  )
})
