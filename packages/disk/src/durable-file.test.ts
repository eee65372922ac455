import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DurableFile, writeDurably } from './durable-file.ts'

test('a file is there whole, or not at all', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-disk-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const path = join(dir, 'a')
  writeDurably(path, 'old')
  {
    using file = new DurableFile(path)
    file.write('new')
    assert.equal(readFileSync(path, 'utf8'), 'old')
  }
  assert.equal(readFileSync(path, 'utf8'), 'old')
  writeDurably(path, 'ne', Buffer.from('w'))
  assert.equal(readFileSync(path, 'utf8'), 'new')
  assert.deepEqual(readdirSync(dir), ['a'])
})
