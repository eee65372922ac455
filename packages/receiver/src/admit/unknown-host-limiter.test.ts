import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnknownHostLimiter } from './unknown-host-limiter.ts'

const TERMS = { one: { perSecond: 1, burst: 3 }, all: { perSecond: 1, burst: 5 } }
const hosts = (isKnown: (origin: string) => boolean = () => false): UnknownHostLimiter =>
  new UnknownHostLimiter(TERMS, isKnown)
const named = (strange: UnknownHostLimiter, asker: string, count: number, now: number): number =>
  Array.from({ length: count }, (_, n) => strange.call(`${asker}-${now}-${n}`, asker, now)).filter((ms) => ms === 0)
    .length

test('an address names so many, all of them so many more, and some again as time goes by', () => {
  const strange = hosts()
  assert.deepEqual([named(strange, 'a', 9, 0), named(strange, 'b', 9, 0), named(strange, 'c', 9, 0)], [3, 2, 0])
  assert.equal(named(strange, 'a', 9, 2_000), 2)
})

test('a host that is known, or was called before, costs nothing', () => {
  const strange = hosts((origin) => origin === 'known')
  for (let i = 0; i < 9; i++) assert.deepEqual([strange.call('known', 'a', 0), strange.call('again', 'a', 0)], [0, 0])
  assert.equal(named(strange, 'a', 9, 0), 2)
})

test('whoever names hosts that prove themselves names as many as there are', () => {
  const strange = hosts()
  for (let n = 0; n < 50; n++) {
    assert.equal(strange.call(`site ${n}`, 'a', 0), 0)
    strange.proven(`site ${n}`, 0)
    // Not twice for one.
    strange.proven(`site ${n}`, 0)
  }
  assert.equal(named(strange, 'a', 9, 0), 3)
})
