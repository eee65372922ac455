import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { ClientPlaces } from './client-places.ts'
import type { PlaceTerms } from './client-places.ts'

const fill = (places: ClientPlaces, address: string | undefined): number => {
  let count = 0
  while (places.take(address) !== undefined) count++
  return count
}

// oxfmt-ignore
const cases: [sentence: string, terms: PlaceTerms, addresses: (string | undefined)[], held: number[]][] = [
  ['one that takes all it can leaves two thirds',          { most: 64 },                          ['10.0.0.1', '10.0.0.2'],             [21, 14]],
  ['or a quarter, where three times what is free is given', { most: 64, share: 3 },               ['10.0.0.1', '10.0.0.2'],             [48, 12]],
  ['a single place is for who comes first',                { most: 1 },                           ['10.0.0.1', '10.0.0.2'],             [1, 0]],
  ['nobody has more than one may have',                    { most: 64, mostOfOne: 2 },            ['10.0.0.1', '10.0.0.2'],             [2, 2]],
  ['an IPv4 address is one, however it is written',        { most: 64 },                          ['10.0.0.1', '::ffff:10.0.0.1'],      [21, 0]],
  ['a network of IPv6 is one client',                      { most: 64 },                          ['2001:db8::1', '2001:db8::2'],       [21, 0]],
  ['who is unknown has no share, and there are no more',   { most: 64 },                          [undefined, '10.0.0.1'],              [64, 0]],
  ['nor has a proxy that is trusted to share by itself',   { most: 64, trusted: ['10.0.0.1'] },   ['10.0.0.2', '10.0.0.1'],             [21, 43]],
]
for (const [sentence, terms, addresses, held] of cases)
  test(sentence, () => {
    let refused = 0
    const places = new ClientPlaces({ ...terms, onRefused: () => refused++ })
    assert.deepEqual(
      addresses.map((address) => fill(places, address)),
      held,
    )
    assert.equal(refused, addresses.length)
  })

test('whatever comes and goes, who has none finds a place while there is one, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.boolean()), { maxLength: 200 }), (acts) => {
      const places = new ClientPlaces({ most: 12 })
      const leave: (() => void)[] = []
      for (const [who, isComing] of acts) {
        const left = isComing ? places.take(`10.0.0.${who}`) : undefined
        if (left !== undefined) leave.push(left)
        else leave.shift()?.()
        assert.equal(places.held, leave.length)
        if (places.held < 12) assert.ok(places.admits('10.0.1.1'))
      }
    }),
  )
})

test('a connection keeps its place until it closes; who finds none is ended', () => {
  class Socket extends EventEmitter {
    readonly remoteAddress = '10.0.0.1'
    isEnded = false
    destroy(): void {
      this.isEnded = true
      this.emit('close')
    }
  }
  const server = Object.assign(new EventEmitter(), { maxConnections: 0 })
  const places = new ClientPlaces({ most: 2, mostOfOne: 1 })
  places.seatAllOf(server)
  const [one, two, three] = [new Socket(), new Socket(), new Socket()]
  server.emit('connection', one)
  server.emit('connection', two)
  one.destroy()
  server.emit('connection', three)
  assert.deepEqual([two.isEnded, three.isEnded, places.held, server.maxConnections], [true, false, 1, 2])
})
