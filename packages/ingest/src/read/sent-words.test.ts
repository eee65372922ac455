import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headerOf } from '@comity/protocol'
import { readShipment, SHIPMENT_TYPE, shippedText } from '@comity/index'
import { keyOfDigest } from '../content-key.ts'
import { isWordsOnly, sentWords } from './sent-words.ts'

const DIGEST = `sha-256:${'ab'.repeat(32)}`
const URL_A = 'https://a.example/'

test('words come in as a page whose body is a shipment of them, under the digest of the page they are of', () => {
  const record = {
    kind: 'postings',
    url: URL_A,
    type: 'text/html',
    title: 'Cats',
    words: ['two', 'cats'],
    line: [0, 1],
  }
  const words = sentWords(record, DIGEST, 5_000)!
  assert.deepEqual([words.title, words.type, words.digest], ['Cats', 'text/html', DIGEST])
  assert.deepEqual(words.key, keyOfDigest(DIGEST))
  const { url, status, headers, body, at } = words.page
  assert.deepEqual([url, status, at, headerOf(headers, 'content-type')], [URL_A, 200, 5_000, SHIPMENT_TYPE])
  const read = readShipment(body)
  assert.ok(read.kind === 'shipment')
  assert.equal(shippedText(read.documents[0]!), 'two cats')
})

test('what is no record of words, or says of no page, is none', () => {
  assert.equal(sentWords({ url: URL_A }, DIGEST, 0), undefined)
  assert.equal(sentWords({ url: URL_A, text: 'x' }, 'sha-256:no', 0), undefined)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), fc.string(), (record, digest) => {
      const words = sentWords(record, digest, 0)
      assert.ok(words === undefined || words.page.status === 200)
    }),
  )
})

test('only a page whose body is words is one of words', () => {
  assert.equal(isWordsOnly(undefined), false)
  const row = { site: 0, outcome: 'ok', status: 200, visitedAt: 0, visits: 1, changes: 0, bytes: 1, timings: {} }
  assert.equal(isWordsOnly({ ...row, type: 'text/html' }), false)
  assert.equal(isWordsOnly({ ...row, type: SHIPMENT_TYPE }), true)
})
