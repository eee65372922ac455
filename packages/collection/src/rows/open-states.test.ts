import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '../collection.ts'

async function made(t: TestContext): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-open-states-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  await (await Collection.open(dir, 0)).close()
  return dir
}

test('a writer waits for who reads the collection in its own process', async (t) => {
  const dir = await made(t)
  const readers = [Collection.openReadOnly(dir), Collection.openReadOnly(dir)]
  const opening = Collection.open(dir, 0)
  for (const reader of readers) await reader.close()
  await using writer = await opening
  assert.ok(writer.wasClosed)
})

test('a writer that waits in vain says why, and holds nothing', async (t) => {
  const dir = await made(t)
  const reader = Collection.openReadOnly(dir)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const opening = Collection.open(dir, 0)
  const refused = assert.rejects(opening, { code: 'COLLECTION_READ_HERE' })
  t.mock.timers.tick(5_000)
  await refused
  await reader.close()
  await (await Collection.open(dir, 0)).close()
})

test('readers that come after a writer may stay when another writer comes', async (t) => {
  const dir = await made(t)
  const writer = await Collection.open(dir, 0)
  await using reader = Collection.openReadOnly(dir)
  await writer.close()
  await using next = await Collection.open(dir, 0)
  assert.deepEqual([next.wasClosed, [...reader.pages()]], [true, []])
})
