import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { HOSTILE_NAMES } from './testing/hostile-names-fixture.ts'
import { isPlainName, pathBelow, pathInside } from './inside-folder.ts'

function testFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-inside-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'secret'), 'secret')
  const folder = join(dir, 'folder')
  mkdirSync(folder)
  return folder
}

for (const name of HOSTILE_NAMES)
  test(`${JSON.stringify(name.slice(0, 40))} is no path inside a folder`, (t) => {
    const folder = testFolder(t)
    assert.equal(pathInside(folder, name), undefined)
    assert.equal(pathBelow(folder, `a/${name}/b`), undefined)
  })

test('a way of very many steps is none', (t) => {
  assert.equal(pathBelow(testFolder(t), 'a/'.repeat(1_000_000) + 'a'), undefined)
})

test('what is no text is no name', (t) => {
  for (const name of [undefined, null, 1, {}, ['a'], true]) assert.equal(pathInside(testFolder(t), name), undefined)
})

for (const name of [
  'a',
  's12.seg',
  '.well-known',
  '...a',
  'comity-20261114093000-00002-r1.warc.gz',
  'ü b+c~(1)',
  'console',
])
  test(`${name} is a name`, (t) => {
    const folder = testFolder(t)
    assert.equal(pathInside(folder, name), join(folder, name))
  })

test('a link is followed while it stays inside, and one that leads out or nowhere is not', (t) => {
  const folder = testFolder(t)
  mkdirSync(join(folder, 'below'))
  writeFileSync(join(folder, 'below', 'a'), 'a')
  symlinkSync(join('..', 'secret'), join(folder, 'out'))
  symlinkSync('..', join(folder, 'up'))
  symlinkSync('nowhere', join(folder, 'nowhere'))
  symlinkSync(join('below', 'a'), join(folder, 'in'))
  assert.equal(pathInside(folder, 'in'), join(folder, 'in'))
  assert.equal(pathBelow(folder, 'below/a'), join(folder, 'below', 'a'))
  for (const name of ['out', 'up', 'nowhere']) assert.equal(pathInside(folder, name), undefined, name)
  assert.equal(pathBelow(folder, 'up/secret'), undefined)
})

test('a folder that is a link itself may be one: whoever named it meant it', (t) => {
  const folder = testFolder(t)
  const link = join(folder, '..', 'link')
  symlinkSync(folder, link)
  writeFileSync(join(folder, 'a'), 'a')
  symlinkSync('a', join(folder, 'b'))
  assert.equal(pathInside(link, 'b'), join(link, 'b'))
})

test('whatever a name is, its path is directly in the folder', (t) => {
  const folder = testFolder(t)
  const parts = fc.constantFrom('..', '.', '/', '\\', ':', 'a', ' ', '\0', 'nul', '%2e', '~')
  const names = fc.oneof(
    fc.array(parts, { maxLength: 6 }).map((some) => some.join('')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(names, (name) => {
      const path = pathInside(folder, name)
      assert.equal(path !== undefined, isPlainName(name))
      if (path !== undefined) assert.equal(resolve(path).lastIndexOf(sep), resolve(folder).length)
    }),
    { numRuns: 1_000 },
  )
})
