import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AddressKeeper } from './keeper.ts'

const LEASE = 30_000
const REST = 2_000
const keeper = (isFirst = true, bornAt = 0): AddressKeeper => new AddressKeeper({ leaseMs: LEASE, bornAt, isFirst })
const ask = (shard: number, token: string, epoch = 1): Parameters<AddressKeeper['borrow']>[0] => ({
  shard,
  epoch,
  token,
  address: 'x',
  restMs: REST,
})

test('an address is lent to one shard at a time, and rests before the next', () => {
  const one = keeper()
  assert.deepEqual(one.borrow(ask(1, 'a'), 0), { kind: 'lent' })
  assert.equal(one.borrow(ask(2, 'b'), 10).kind, 'wait')
  one.giveBack({ address: 'x', token: 'a', restMs: REST }, 100)
  assert.equal(one.borrow(ask(2, 'c'), 2_099).kind, 'wait')
  assert.deepEqual(one.borrow(ask(2, 'd'), 2_100), { kind: 'lent' })
})

test('the same question heard twice is one loan, and none when it comes after its end', () => {
  const one = keeper()
  assert.deepEqual(one.borrow(ask(1, 'a'), 0), { kind: 'lent' })
  assert.deepEqual(one.borrow(ask(1, 'a'), 5), { kind: 'lent' })
  assert.equal(one.borrow(ask(1, 'b'), 5).kind, 'wait', 'its own shard asks for another visit')
  one.giveBack({ address: 'x', token: 'a', restMs: 0 }, 10)
  assert.equal(one.borrow(ask(1, 'a'), 20).kind, 'wait')
  assert.deepEqual(one.borrow(ask(1, 'c'), 20), { kind: 'lent' })
})

test('a loan that nobody renews ends after a lease, and counts as a visit until then', () => {
  const one = keeper()
  one.borrow(ask(1, 'a'), 0)
  assert.deepEqual(one.renew(1, 1, [{ address: 'x', token: 'a', restMs: REST }], 20_000), ['a'])
  assert.equal(one.borrow(ask(2, 'b'), 50_000 + REST - 1).kind, 'wait')
  assert.deepEqual(one.borrow(ask(2, 'c'), 50_000 + REST), { kind: 'lent' })
  assert.deepEqual(one.renew(1, 1, [{ address: 'x', token: 'a', restMs: REST }], 50_000 + REST), [])
})

test('a keeper that is not the first lends nothing before every loan of its predecessor has ended and rested', () => {
  const next = keeper(false, 1_000)
  assert.equal(next.borrow(ask(1, 'a'), 1_000 + LEASE + REST - 1).kind, 'wait')
  assert.deepEqual(next.borrow(ask(1, 'b'), 1_000 + LEASE + REST), { kind: 'lent' })
  const other = keeper(false, 1_000)
  assert.deepEqual(
    other.renew(3, 1, [{ address: 'x', token: 'old', restMs: REST }], 20_000),
    ['old'],
    'it is taken over',
  )
  assert.equal(other.borrow(ask(1, 'c'), 40_000).kind, 'wait')
})

test('an owner that was followed by another gets nothing', () => {
  const one = keeper()
  assert.equal(one.borrow(ask(1, 'a', 7), 0).kind, 'lent')
  assert.deepEqual(one.borrow({ ...ask(1, 'b', 6), address: 'y' }, 0), { kind: 'refused' })
  assert.deepEqual(one.renew(1, 6, [{ address: 'x', token: 'a', restMs: REST }], 0), [])
})

test('who waits is told when to come, in the order of asking, and who does not come is passed over', () => {
  const one = keeper()
  one.borrow(ask(1, 'a'), 0)
  const waits = [2, 3, 4].map((shard) => one.borrow(ask(shard, `w${shard}`), 10))
  const times = waits.map((wait) => (wait.kind === 'wait' ? wait.waitMs : -1))
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  one.giveBack({ address: 'x', token: 'a', restMs: 0 }, 100)
  assert.equal(one.borrow(ask(4, 'w5'), 110).kind, 'wait', 'shards 2 and 3 asked before')
  const late = 10 + times[1]! + 1_001
  assert.equal(one.borrow(ask(4, 'w6'), late).kind, 'lent', 'neither came')
})

test('whatever is asked, renewed and given back by whom, two shards never have one address together or too soon', () => {
  const act = fc.record({
    shard: fc.nat(3),
    address: fc.nat(1),
    kind: fc.constantFrom('borrow', 'borrow', 'back', 'renew', 'forget'),
    after: fc.constantFrom(0, 1, 50, 500, 1_999, 2_000, 9_000, 29_999, 30_000),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), fc.boolean(), (acts, isFirst) => {
      const one = keeper(isFirst)
      const held = new Map<string, { shard: number; token: string; until: number }>()
      const free = new Map<string, number>()
      let [now, tokens] = [0, 0]
      for (const { shard, address: n, kind, after } of acts) {
        now += after
        const address = `a${n}`
        const mine = held.get(address)
        if (mine !== undefined && mine.until <= now) {
          held.delete(address)
          free.set(address, Math.max(free.get(address) ?? 0, mine.until + REST))
        }
        const holder = held.get(address)
        if (kind === 'borrow') {
          const token = `${++tokens}`
          if (one.borrow({ ...ask(shard, token), address }, now).kind !== 'lent') continue
          assert.equal(holder, undefined, 'it was lent already')
          assert.ok(now >= (free.get(address) ?? (isFirst ? 0 : LEASE + REST)), 'it rested')
          held.set(address, { shard, token, until: now + LEASE })
        } else if (holder?.shard === shard && kind === 'back') {
          one.giveBack({ address, token: holder.token, restMs: REST }, now)
          held.delete(address)
          free.set(address, now + REST)
        } else if (holder?.shard === shard && kind === 'renew') {
          assert.deepEqual(one.renew(shard, 1, [{ address, token: holder.token, restMs: REST }], now), [holder.token])
          holder.until = now + LEASE
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('places that nobody comes for any more are let go, and where there is no room for another nobody is let in', () => {
  const one = keeper()
  const fill = (from: number, now: number): void => {
    for (let n = from; n < from + 100_000; n++) {
      const address = `10.${n}`
      one.borrow({ ...ask(1, `a${n}`), address }, now)
      // Another waits in line, and never comes again.
      one.borrow({ ...ask(2, `b${n}`), address }, now)
    }
  }
  fill(0, 0)
  fill(100_000, 0)
  assert.equal(one.places, 200_000)
  assert.deepEqual(one.borrow({ ...ask(1, 'c'), address: 'y' }, 1_000), { kind: 'wait', waitMs: 10_000 })
  assert.equal(one.places, 200_000)
  assert.deepEqual(one.borrow({ ...ask(1, 'd'), address: 'y' }, 10 * LEASE), { kind: 'lent' })
  assert.equal(one.places, 1)
})

test('a shard hears which of its loans another one waits for', () => {
  const one = keeper()
  one.borrow(ask(1, 'a'), 0)
  one.borrow({ ...ask(1, 'b'), address: 'y' }, 0)
  one.borrow(ask(2, 'c'), 10)
  const loans = [
    { address: 'x', token: 'a', restMs: REST },
    { address: 'y', token: 'b', restMs: REST },
    { address: 'x', token: 'spent', restMs: REST },
  ]
  const good = one.renew(1, 1, loans, 3_000)
  assert.deepEqual([good, one.wanted(good, loans)], [['a', 'b'], ['a']])
})
