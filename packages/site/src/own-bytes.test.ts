import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodedCache } from './serve/coded-cache.ts'
import { DocumentStore } from './documents/document-store.ts'
import { MemoryVersions, digestOf } from './journal/version-store.ts'
import { ownBytes } from './own-bytes.ts'

/** A view of the buffer that small ones share. */
const shared = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  assert.ok(bytes.buffer.byteLength > bytes.byteLength, 'small buffers share one')
  return bytes
}

test('bytes of their own stay what they are, and a view becomes a copy', () => {
  const own = new Uint8Array([1, 2, 3])
  assert.equal(ownBytes(own), own)
  const view = shared('a page')
  assert.deepEqual(ownBytes(view), new Uint8Array(view))
  assert.equal(ownBytes(view).buffer.byteLength, 6)
})

const page = 'x'.repeat(500)
// oxfmt-ignore
const keepers: readonly [name: string, kept: () => Promise<Uint8Array | undefined>][] = [
  ['a version of a page', async () => {
    const versions = new MemoryVersions()
    const body = shared(page)
    await versions.put(digestOf(body), body)
    return versions.get(digestOf(body))
  }],
  ['a coded page', async () => {
    const cache = new CodedCache<{ body: Uint8Array }>(1 << 20)
    cache.set('key', { body: shared(page) })
    const held = cache.get('key')
    return held === 'useless' ? undefined : held?.body
  }],
  ['a document', async () => {
    const store = new DocumentStore(1 << 20)
    await store.bytes('key', async () => shared(page))
    return await store.bytes('key', () => Promise.reject(new Error('it is held')))
  }],
]
for (const [name, kept] of keepers) {
  test(`${name} that is kept takes the memory that it counts`, async () => {
    assert.equal((await kept())?.buffer.byteLength, page.length)
  })
}

test('a version is what it was when it was put, whatever becomes of the bytes that were given', async () => {
  const versions = new MemoryVersions()
  const body = Buffer.from(page)
  const digest = digestOf(body)
  await versions.put(digest, body)
  body.fill(0)
  assert.equal(digestOf(versions.get(digest)!), digest)
})
