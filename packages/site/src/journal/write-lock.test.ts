import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { failsAs, testFolder } from '../testing/journal-sample.ts'
import { takeWriteLock } from './write-lock.ts'

test('a second writer is told who holds the journal, and what to delete when that one is gone for good', (t) => {
  const dir = testFolder(t)
  {
    using _ = takeWriteLock(dir)
    const holder = new RegExp(`process ${process.pid} on ${hostname()}`)
    assert.throws(() => takeWriteLock(dir), failsAs('JOURNAL_HELD', holder))
  }
  takeWriteLock(dir)[Symbol.dispose]()
  writeFileSync(join(dir, 'writer-9.lock'), JSON.stringify({ pid: 1, started: 'x', host: 'elsewhere.example' }))
  assert.throws(() => takeWriteLock(dir), failsAs('JOURNAL_HELD', /elsewhere\.example.*writer-9\.lock/))
})
