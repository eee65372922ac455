import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { testFolder } from '../testing/sample-crawl.ts'
import { adoptNextState, createNextState, currentStatePath, openState, openStateReadOnly } from './state.ts'

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(join(dir, 'state'), { recursive: true })
  return dir
}

test('a successor is seen from the moment it gets its number, and opening removes the old one', async (t) => {
  const dir = folder(t)
  const first = openState(dir)
  await first.meta.put('who', 'first')
  const next = createNextState(dir)
  await next.meta.put('who', 'second')
  await next.root.close()
  const before = openStateReadOnly(dir)
  assert.equal(before.meta.get('who'), 'first')
  await before.root.close()
  adoptNextState(dir)
  await first.root.close()
  const after = openState(dir)
  assert.equal(after.meta.get('who'), 'second')
  assert.deepEqual(readdirSync(join(dir, 'state')).toSorted(), ['data-2.mdb', 'data-2.mdb-lock', 'known'])
  await after.root.close()
})

test('a half-written successor is thrown away, and files that are not ours stay', async (t) => {
  const dir = folder(t)
  const state = openState(dir)
  await state.meta.put('who', 'first')
  await state.root.close()
  const next = createNextState(dir)
  await next.meta.put('who', 'second')
  await next.root.close()
  writeFileSync(join(dir, 'state', 'data-x.mdb'), 'mine')
  const again = openState(dir)
  assert.equal(again.meta.get('who'), 'first')
  assert.ok(!existsSync(join(dir, 'state', 'next.mdb')))
  assert.ok(existsSync(join(dir, 'state', 'data-x.mdb')))
  assert.ok(currentStatePath(dir).endsWith('data-1.mdb'))
  await again.root.close()
})

test('numbers and keys come back in order, the first page included', async (t) => {
  const state = openState(folder(t))
  await state.root.batch(() => {
    for (const page of [300, 0, 7, 2 ** 31]) void state.links.put(page, Buffer.of(page & 0xff))
    for (const at of [9, 10, 1_000_000_000_000]) {
      void state.captures.put([3, at], { source: 'crawl', outcome: 'ok', status: 200, bytes: at })
    }
    void state.captures.put([30, 1], { source: 'crawl', outcome: 'ok', status: 200, bytes: 0 })
  })
  assert.deepEqual([...state.links.getKeys()], [0, 7, 300, 2 ** 31])
  const third = [...state.captures.getRange({ start: [3, 0], end: [3, Number.MAX_SAFE_INTEGER] })]
  assert.deepEqual(
    third.map(({ key }) => key[1]),
    [9, 10, 1_000_000_000_000],
  )
  await state.root.close()
})

test('a folder without a state is damage to a reader', (t) => {
  assert.throws(() => openStateReadOnly(folder(t)), { code: 'COLLECTION_DAMAGED' })
})
