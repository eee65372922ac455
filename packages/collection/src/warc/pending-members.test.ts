import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PendingMembers } from './pending-members.ts'

const bytesOf = (seed: number, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 7) & 0xff)

test('what is taken is what was appended, in order, however large, and whatever was written before', () => {
  const sizes = fc.oneof(fc.nat(2_000), fc.constantFrom(0, 1, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 600_000))
  const rounds = fc.array(fc.array(sizes, { maxLength: 6 }), { maxLength: 5 })
  fc.assert(
    fc.property(rounds, (commits) => {
      const pending = new PendingMembers()
      for (const [round, lengths] of commits.entries()) {
        const members = lengths.map((length, n) => bytesOf(round * 10 + n, length))
        for (const member of members) {
          pending.append(member)
          // It is its owner's again.
          member.buffer.transfer(0)
        }
        const taken = pending.take()
        assert.equal(pending.isEmpty, true)
        // What comes meanwhile does not touch what is being written.
        pending.append(bytesOf(99, 1_000))
        const expected = Buffer.concat(lengths.map((length, n) => bytesOf(round * 10 + n, length)))
        assert.ok(Buffer.concat(taken).equals(expected))
        pending.giveBack(taken)
        const meanwhile = pending.take()
        assert.ok(Buffer.concat(meanwhile).equals(bytesOf(99, 1_000)))
        pending.giveBack(meanwhile)
      }
    }),
    { numRuns: 30 },
  )
})
