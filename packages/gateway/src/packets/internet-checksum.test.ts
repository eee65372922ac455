import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { UnfilledSums, addressSum, sumOf, tcpSum } from './internet-checksum.ts'

/** As RFC 1071 §1 says it. */
function plainSum(bytes: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += bytes[at]! * 256 + (bytes[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum % 65_536) + Math.floor(sum / 65_536)
  return sum
}

test('22: the example of RFC 1071 §3 gives its sum', () => {
  assert.equal(sumOf(Buffer.from('0001f203f4f5f6f7', 'hex'), 0, 8), 0xddf2)
})

test('22: wherever a message stands in memory, its sum is the sum of its words', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(9), fc.nat(9), (message, before, shift) => {
      const room = new Uint8Array(before + shift + message.length + 5).fill(0xa5)
      room.set(message, before + shift)
      const bytes = room.subarray(shift)
      assert.equal(sumOf(bytes, before, before + message.length), plainSum(message))
      assert.equal(
        sumOf(bytes, before, before + message.length, 0x1234),
        plainSum(Uint8Array.of(0x12, 0x34, ...message)),
      )
    }),
  )
})

test('22: long messages have no sum that is too large for its room', () => {
  for (const length of [131_071, 131_072, 131_076, 400_003]) {
    const message = new Uint8Array(length).fill(0xff)
    message[length - 2] = 0x12
    assert.equal(sumOf(message, 0, length), plainSum(message), String(length))
  }
})

test('22: a sum that is put in makes the whole all ones, with the addresses before it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 26, maxLength: 200 }), (packet) => {
      packet.set([0, 0], 24)
      const sum = ~tcpSum(packet, 8, packet.length, 0, 4, false) & 0xffff
      packet.set([sum >> 8, sum & 255], 24)
      assert.equal(tcpSum(packet, 8, packet.length, 0, 4, false), 0xffff)
    }),
  )
})

test('22: what stands before a sum that a card is to fill in is that of the addresses', () => {
  assert.equal(addressSum(Uint8Array.of(10, 0, 0, 1, 10, 0, 0, 2), 0, 4, 20, false), 0x141d)
})

test('22: sums are taken as left to the card where that is not seldom', () => {
  const cards = new UnfilledSums()
  const senders = Uint8Array.of(10, 0, 0, 1, 10, 0, 0, 2)
  assert.ok(cards.left(senders, 0, false))
  for (let packet = 0; packet < 100; packet++) cards.right(senders, 0, false)
  assert.ok(!cards.left(senders, 0, false))
  assert.ok(cards.left(senders, 4, false))
})
