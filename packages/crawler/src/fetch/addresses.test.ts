import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressCache } from './addresses.ts'
import type { Lookup } from './addresses.ts'

/** A name server that gives one answer after the other, and the last for ever. */
function names(...answers: (readonly string[] | Error)[]): Lookup & { asked: number } {
  const lookup = (): ReturnType<Lookup> => {
    const answer = answers[Math.min(made.asked++, answers.length - 1)]
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ addresses: answer ?? [], ttlMs: 60_000 })
  }
  const made = Object.assign(lookup, { asked: 0 })
  return made
}
const store = (lookup: Lookup, allowPrivate: boolean | string[] = false, now: () => number = () => 0): AddressCache =>
  new AddressCache({ lookup, allowPrivate, now, timeoutMs: 50 })

test('an address in a URL is looked at, not looked up', async () => {
  const lookup = names()
  const addresses = store(lookup)
  assert.deepEqual(await addresses.resolve('http://93.184.216.34:8080'), { kind: 'address', address: '93.184.216.34' })
  assert.deepEqual(await addresses.resolve('https://[2606:4700::1111]'), {
    kind: 'address',
    address: '2606:4700::1111',
  })
  assert.equal((await addresses.resolve('http://[::1]:80')).kind, 'address-refused')
  assert.equal((await addresses.resolve('http://127.0.0.1')).kind, 'address-refused')
  assert.equal(lookup.asked, 0)
})

// oxfmt-ignore
const cases: [sentence: string, answer: readonly string[] | Error, expected: string][] = [
  ['the first public address is taken',                   ['93.184.216.34', '1.1.1.1'],        '93.184.216.34'],
  ['a private address beside a public one is passed over', ['10.0.0.1', '93.184.216.34'],      '93.184.216.34'],
  ['a name with private addresses alone is refused',      ['10.0.0.1', '::1'],                 'address-refused'],
  ['a mapped address is refused',                         ['::ffff:10.0.0.1'],                 'address-refused'],
  ['a name without an address is an error of the DNS',    [],                                  'dns-error'],
  ['what is no address counts for none',                  ['not-an-address', ''],              'dns-error'],
  ['a name that does not exist is an error of the DNS',   new Error('ENOTFOUND'),              'dns-error'],
]
for (const [sentence, answer, expected] of cases) {
  test(sentence, async () => {
    const resolution = await store(names(answer)).resolve('http://name.test')
    assert.equal(resolution.kind === 'address' ? resolution.address : resolution.kind, expected)
  })
}

test('a name that turns private is refused as soon as its answer has run out', async () => {
  let now = 0
  const lookup = names(['93.184.216.34'], ['10.0.0.1'])
  const addresses = store(lookup, false, () => now)
  assert.equal((await addresses.resolve('http://name.test')).kind, 'address')
  now = 59_999
  assert.equal((await addresses.resolve('http://name.test')).kind, 'address', 'within the time to live')
  assert.equal(lookup.asked, 1)
  now = 60_000
  assert.equal((await addresses.resolve('http://name.test')).kind, 'address-refused')
  assert.equal(lookup.asked, 2)
})

test('only listed private addresses are taken', async () => {
  const addresses = store(names(['10.0.0.1', '10.0.0.2']), ['10.0.0.2'])
  assert.deepEqual(await addresses.resolve('http://name.test'), { kind: 'address', address: '10.0.0.2' })
})

test('a name server that never answers is an error of the DNS', async () => {
  const resolution = await store(() => new Promise(() => undefined)).resolve('http://name.test')
  assert.ok(resolution.kind === 'dns-error' && /in time/.test(resolution.message))
})

test('a thousand addresses of one name are not all kept', async () => {
  const flood = Array.from({ length: 5_000 }, (_, n) => `93.184.${n >> 8}.${n & 255}`)
  assert.equal((await store(names(flood)).resolve('http://name.test')).kind, 'address')
})

test('localhost needs no name server', async () => {
  const addresses = new AddressCache({ allowPrivate: true, now: () => 0 })
  assert.deepEqual(await addresses.resolve('http://x.localhost'), { kind: 'address', address: '127.0.0.1' })
})
