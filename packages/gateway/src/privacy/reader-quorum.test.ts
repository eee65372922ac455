import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ReaderQuorum } from './reader-quorum.ts'
import type { Reader } from './reader-quorum.ts'

const SALT = Uint8Array.of(1, 2, 3)
const reader = (network: string, cookie = ''): Reader => ({ network, cookie })
const bytes = (text: string): Uint8Array => Buffer.from(text)

test('a page is everybody’s once enough different readers got the same bytes', () => {
  const quorum = new ReaderQuorum(SALT, { readers: 3 })
  assert.equal(quorum.seen('u', bytes('a'), reader('10.0.0.1')), false)
  assert.equal(quorum.seen('u', bytes('a'), reader('10.0.0.1')), false, 'one reader twice is one reader')
  assert.equal(quorum.seen('u', bytes('a'), reader('10.0.0.2')), false)
  assert.equal(quorum.seen('u', bytes('a'), reader('10.0.0.3')), true)
  assert.equal(quorum.seen('u', bytes('a'), reader('10.0.0.1')), true)
  assert.equal(quorum.seen('v', bytes('a'), reader('10.0.0.3')), false, 'another page has readers of its own')
})

test('one reader at several places, or several cookies at one place, is one reader', () => {
  const quorum = new ReaderQuorum(SALT, { readers: 2 })
  for (let at = 0; at < 200; at++)
    assert.equal(quorum.seen('u', bytes('a'), reader(`10.0.0.${at}`, 'session=1')), false)
  for (let at = 0; at < 9; at++) assert.equal(quorum.seen('v', bytes('a'), reader('10.0.0.1', `session=${at}`)), false)
  assert.equal(quorum.seen('v', bytes('a'), reader('10.0.0.2', 'session=other')), true)
})

test('other bytes begin anew, so what is made for each reader never gets there', () => {
  const quorum = new ReaderQuorum(SALT, { readers: 2 })
  for (let at = 0; at < 50; at++) {
    assert.equal(quorum.seen('u', bytes(`hello reader ${at}`), reader(`10.0.0.${at}`)), false)
  }
})

test('there are never more pages than allowed, and no reader can be read out of it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.webUrl(), fc.ipV4()), { maxLength: 60 }), (visits) => {
      const quorum = new ReaderQuorum(SALT, { readers: 2, pages: 5 })
      for (const [url, from] of visits) quorum.seen(url, bytes('x'), reader(from))
      assert.ok(quorum.size <= 5)
    }),
  )
})
