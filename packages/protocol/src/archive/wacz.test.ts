import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { waczDigest, waczPackage, waczPageLine, waczPagesHeader } from './wacz.ts'

const made = waczPackage({
  title: 'example',
  software: 'comity/0.1',
  created: new Date(0),
  resources: [{ path: 'archive/a.warc.gz', bytes: 7, hash: 'sha256:00' }],
})

test('the package lists every file with its name, size and sum', () => {
  assert.deepEqual(JSON.parse(made), {
    profile: 'data-package',
    wacz_version: '1.1.1',
    title: 'example',
    created: '1970-01-01T00:00:00.000Z',
    software: 'comity/0.1',
    resources: [{ name: 'a.warc.gz', path: 'archive/a.warc.gz', hash: 'sha256:00', bytes: 7 }],
  })
})

test('the digest is that of the package, byte for byte', () => {
  const sum = createHash('sha256').update(made).digest('hex')
  assert.deepEqual(JSON.parse(waczDigest(made)), { path: 'datapackage.json', hash: `sha256:${sum}` })
})

test('pages are lines after a line that says what they are', () => {
  assert.deepEqual(JSON.parse(waczPagesHeader({ hasText: false })).format, 'json-pages-1.0')
  const line = waczPageLine({ id: '7', url: 'http://a.example/', at: 0, title: undefined })
  const page = { id: '7', url: 'http://a.example/', ts: '1970-01-01T00:00:00.000Z', title: 'http://a.example/' }
  assert.deepEqual(JSON.parse(line), page)
})
