import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CollectionError } from './errors.ts'
import { takeLock } from './lock.ts'
import { testFolder } from './testing/sample-crawl.ts'

const heldBy = (pattern: RegExp) => (error: unknown) =>
  error instanceof CollectionError && error.code === 'COLLECTION_HELD' && pattern.test(error.message)

test('a second writer is told who holds the collection, and what to delete when that one is gone for good', (t) => {
  const dir = testFolder(t)
  mkdirSync(dir, { recursive: true })
  {
    using _ = takeLock(dir)
    assert.throws(() => takeLock(dir), heldBy(new RegExp(`process ${process.pid} on ${hostname()} since 20`)))
  }
  takeLock(dir)[Symbol.dispose]()
  writeFileSync(join(dir, 'writer-9.lock'), JSON.stringify({ pid: 1, started: 'x', host: 'elsewhere.example' }))
  assert.throws(() => takeLock(dir), heldBy(/elsewhere\.example.*delete .*writer-9\.lock/))
})
