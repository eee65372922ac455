import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import { testFolder } from '../testing/journal-sample.ts'
import { FolderFiles } from './kept-files.ts'
import { MemoryFiles } from '../testing/memory-files.ts'
import type { KeptFiles } from './kept-files.ts'

const kinds: [name: string, make: (t: TestContext) => KeptFiles][] = [
  ['in memory', () => new MemoryFiles()],
  ['in a folder', (t) => new FolderFiles(join(testFolder(t), 'kept', 'archives'))],
]
for (const [name, make] of kinds) {
  test(`${name}: what is kept by name is found again, the newest of it, until it is removed`, (t) => {
    const files = make(t)
    const textOf = (file: string): string | undefined => files.read(file) && Buffer.from(files.read(file)!).toString()
    assert.equal(textOf('plan.json'), undefined)
    files.remove('plan.json')
    for (const text of ['{}', '', '{"longer":1}']) {
      files.write('plan.json', Buffer.from(text))
      files.write('other.json', Buffer.from('other'))
      assert.equal(textOf('plan.json'), text)
    }
    files.remove('plan.json')
    assert.deepEqual([textOf('plan.json'), textOf('other.json')], [undefined, 'other'])
  })
}

test('no name leads out of the folder', (t) => {
  const dir = join(testFolder(t), 'kept', 'archives')
  const files = new FolderFiles(dir)
  files.write('plan.json', Buffer.from('{}'))
  const secrets = [join(dirname(dir), 'secret'), join(dirname(dirname(dir)), 'secret')]
  for (const path of secrets) writeFileSync(path, 'mine')
  for (const name of HOSTILE_NAMES) {
    assert.equal(files.read(name), undefined, name)
    files.remove(name)
    assert.throws(() => files.write(name, Buffer.from('theirs')), /no name of a file/, name)
  }
  for (const path of secrets) assert.equal(readFileSync(path, 'utf8'), 'mine')
})
