import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import { testFolder } from '../testing/journal-sample.ts'
import { FolderFiles } from './kept-files.ts'

test('what is kept by name is found again, and no name leads out of the folder', (t) => {
  const dir = join(testFolder(t), 'kept', 'archives')
  const files = new FolderFiles(dir)
  files.write('plan.json', Buffer.from('{}'))
  assert.equal(Buffer.from(files.read('plan.json') ?? '').toString(), '{}')
  const secrets = [join(dirname(dir), 'secret'), join(dirname(dirname(dir)), 'secret')]
  for (const path of secrets) writeFileSync(path, 'mine')
  for (const name of HOSTILE_NAMES) {
    assert.equal(files.read(name), undefined, name)
    files.remove(name)
    assert.throws(() => files.write(name, Buffer.from('theirs')), /no name of a file/, name)
  }
  for (const path of secrets) assert.equal(readFileSync(path, 'utf8'), 'mine')
  files.remove('plan.json')
  assert.equal(files.read('plan.json'), undefined)
})
