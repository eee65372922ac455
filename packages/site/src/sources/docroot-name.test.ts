import assert from 'node:assert/strict'
import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isListed, isNameOnDisk, otherNames } from './docroot-name.ts'
import { toOctets } from './docroot-path.ts'
import { sampleRoot } from '../testing/docroot-sample.ts'

// oxfmt-ignore
const names: [sentence: string, name: string, others: readonly string[]][] = [
  ['letters of the other case',                 'Drafts/a.HTML',     ['dRAFTS/A.html']],
  ['letters in their parts, and the other way', 'ü.html',            ['ü.HTML', 'u\u0308.html']],
  ['letters put together',                      'u\u0308',          ['U\u0308', 'ü']],
  ['none where nothing has two forms',          '1/2.3',             []],
]
for (const [sentence, name, others] of names)
  test(`another name for ${name}: ${sentence}`, () =>
    assert.deepEqual(otherNames(toOctets(name)).toSorted(), others.map(toOctets).toSorted()))

test('a name is the one that the file has, step by step, and no other that leads to it', async (t) => {
  const { dir } = sampleRoot(t, { 'Drafts/a.html': 'a', 'Drafts/b.html': 'b' })
  for (const name of ['Drafts/a.html', 'Drafts', '']) assert.ok(await isListed(dir, name), name)
  for (const name of ['Drafts/A.html', 'Drafts/a.html.', 'Drafts/a.html ', 'Drafts/a.html::$DATA', 'Drafts/A~1.HTM'])
    assert.equal(await isListed(dir, name), false, name)
})

test('where another name is there too, the list of the folder decides, and both may have it', async (t) => {
  const { dir } = sampleRoot(t, { 'a.html': 'a' })
  linkSync(join(dir, 'a.html'), join(dir, 'A.HTML'))
  assert.deepEqual([await isNameOnDisk(dir, 'a.html'), await isNameOnDisk(dir, 'A.HTML')], [true, true])
})
