import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from './agent-sample.ts'
import { DurableFile, writeDurably } from './durable.ts'

test('a file is there whole, or not at all', (t) => {
  const dir = testFolder(t)
  const path = join(dir, 'a')
  writeDurably(path, 'old')
  {
    using file = new DurableFile(path)
    file.write('new')
    assert.equal(readFileSync(path, 'utf8'), 'old')
  }
  assert.equal(readFileSync(path, 'utf8'), 'old')
  {
    using file = new DurableFile(path)
    file.write('ne')
    file.write(Buffer.from('w'))
    file.keep()
  }
  assert.equal(readFileSync(path, 'utf8'), 'new')
  assert.deepEqual(readdirSync(dir), ['a'])
  assert.equal(existsSync(`${path}.new`), false)
})
