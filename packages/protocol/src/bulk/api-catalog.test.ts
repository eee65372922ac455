import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readApiCatalog, writeApiCatalog } from './api-catalog.ts'

const BASE = 'https://a.example/'

test('a catalog that was written is read back', () => {
  const catalog = { batch: `${BASE}b`, changes: `${BASE}c`, resourcesync: `${BASE}caps.xml` }
  assert.deepEqual(readApiCatalog(writeApiCatalog(BASE, catalog), BASE), catalog)
})

test('relative targets are made absolute', () => {
  assert.deepEqual(readApiCatalog('{"linkset":[{"urn:comity:batch":[{"href":"/b"}]}]}', BASE), { batch: `${BASE}b` })
})

test('a catalog of somebody else, who offers none of this, is empty', () => {
  assert.deepEqual(readApiCatalog('{"linkset":[{"anchor":"/","service-desc":[{"href":"/x"}]}]}', BASE), {})
})

test('no text makes reading a catalog throw', () => {
  const odd = fc.json().map((json) => `{"linkset":[${json}, {"urn:comity:batch":${json}}]}`)
  fc.assert(fc.property(fc.oneof(fc.string(), odd), (text) => void readApiCatalog(text, BASE)))
})
