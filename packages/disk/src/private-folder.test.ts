import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { makePrivateFolder, openNewSecret, writeNewSecret } from './private-folder.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-private-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

function under(umask: number, work: () => void): void {
  const before = process.umask(umask)
  try {
    work()
  } finally {
    process.umask(before)
  }
}

for (const umask of [0, 0o002, 0o022, 0o077, 0o277, 0o777]) {
  test(`under umask ${umask.toString(8)} new folders are for their owner alone, those above them too`, (t) => {
    const dir = folder(t)
    under(umask, () => makePrivateFolder(join(dir, 'a/b/c')))
    for (const made of ['a', 'a/b', 'a/b/c']) assert.equal(modeOf(join(dir, made)), '700')
  })

  test(`under umask ${umask.toString(8)} a part is for those whom the whole is for`, (t) => {
    const dir = folder(t)
    chmodSync(dir, 0o750)
    under(umask, () => makePrivateFolder(join(dir, 'part/inner'), dir))
    for (const made of ['part', 'part/inner']) assert.equal(modeOf(join(dir, made)), '750')
  })

  test(`under umask ${umask.toString(8)} a new secret is for its owner alone, who can read it`, (t) => {
    const dir = folder(t)
    under(umask, () => writeNewSecret(join(dir, 'key'), 'x'))
    assert.equal(modeOf(join(dir, 'key')), '600')
    assert.equal(readFileSync(join(dir, 'key'), 'utf8'), 'x')
  })
}

test('the mode of a folder that is there is kept, also by way of a link', (t) => {
  const dir = folder(t)
  mkdirSync(join(dir, 'open'))
  chmodSync(join(dir, 'open'), 0o755)
  symlinkSync('open', join(dir, 'link'))
  makePrivateFolder(join(dir, 'open'))
  makePrivateFolder(join(dir, 'link'))
  makePrivateFolder(join(dir, 'link/new'))
  assert.equal(modeOf(join(dir, 'open')), '755')
  assert.equal(modeOf(join(dir, 'open/new')), '700')
})

test('a file in the way is an error, and a secret is not written over', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'file'), 'old')
  assert.throws(() => makePrivateFolder(join(dir, 'file')), { code: 'EEXIST' })
  assert.throws(() => makePrivateFolder(join(dir, 'file/in')), { code: 'ENOTDIR' })
  assert.throws(() => openNewSecret(join(dir, 'file')), { code: 'EEXIST' })
  assert.equal(readFileSync(join(dir, 'file'), 'utf8'), 'old')
})
