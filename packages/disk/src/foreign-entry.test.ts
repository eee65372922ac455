import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { foreignEntry } from './foreign-entry.ts'

const TERMS = { mayBeElsewhere: ['large'], sockets: ['a.sock'] }

// oxfmt-ignore
const cases: [sentence: string, make: (folder: string) => void, found: string | undefined, is?: RegExp][] = [
  ['files and folders are what they seem',          (folder) => writeFileSync(join(folder, 'sub', 'file'), ''),                  undefined],
  ['a link to a neighbour leads nowhere else',      (folder) => symlinkSync('file', join(folder, 'link')),                       undefined],
  ['a folder that is large may be elsewhere',       (folder) => symlinkSync('../elsewhere', join(folder, 'large')),              undefined],
  ['another folder may not',                        (folder) => symlinkSync(join(folder, '..'), join(folder, 'small')),          'small', /leads out/],
  ['a link to a file elsewhere is foreign',         (folder) => symlinkSync('/etc/passwd', join(folder, 'link')),                'link',  /leads out/],
  ['so is one in a folder',                         (folder) => symlinkSync('../../x', join(folder, 'sub', 'link')),             'sub/link', /leads out/],
  ['a link that leads nowhere may lead there soon', (folder) => symlinkSync('/nowhere/at/all', join(folder, 'link')),            'link',  /leads out/],
  ['a link to itself leads nowhere',                (folder) => symlinkSync('link', join(folder, 'link')),                       'link',  /leads out/],
  ['a pipe is neither a file nor a folder',         (folder) => execFileSync('mkfifo', [join(folder, 'pipe')]),                  'pipe',  /neither/],
  ['a pipe called like a socket is none',           (folder) => execFileSync('mkfifo', [join(folder, 'a.sock')]),                'a.sock', /neither/],
]
for (const [sentence, make, found, is] of cases) {
  test(sentence, (t) => {
    const above = mkdtempSync(join(tmpdir(), 'comity-foreign-'))
    t.after(() => rmSync(above, { recursive: true }))
    const folder = join(above, 'folder')
    mkdirSync(join(folder, 'sub'), { recursive: true })
    mkdirSync(join(above, 'elsewhere'))
    writeFileSync(join(folder, 'file'), '')
    make(folder)
    const entry = foreignEntry(folder, TERMS)
    assert.equal(entry?.path, found === undefined ? undefined : join(folder, found))
    if (is !== undefined) assert.match(entry?.is ?? '', is)
  })
}

test('in a folder that is not there, nothing is foreign', () => {
  assert.equal(foreignEntry(join(tmpdir(), 'no-such-folder', 'here'), TERMS), undefined)
})
