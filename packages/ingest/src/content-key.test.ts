import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { contentKey, isDigestOf, isSameKey } from './content-key.ts'

const body = Buffer.from('<p>one')
const digest = `sha-256:${hash('sha256', body)}`

test('a body has the key that its published digest begins with', () => {
  assert.equal(isDigestOf(digest, contentKey(body)), true)
  assert.equal(isDigestOf(digest.toUpperCase().replace('SHA', 'sha'), contentKey(body)), true)
})

test('another body has another key', () => {
  const other = contentKey(Buffer.from('<p>two'))
  assert.equal(isDigestOf(digest, other), false)
  assert.equal(isSameKey(contentKey(body), other), false)
  assert.equal(isSameKey(contentKey(body), contentKey(body)), true)
})

test('nobody can tell without a key, or by a digest of another kind', () => {
  assert.equal(isDigestOf(digest, undefined), undefined)
  assert.equal(isDigestOf('md5:00', contentKey(body)), undefined)
  assert.equal(isSameKey(undefined, undefined), false)
})
