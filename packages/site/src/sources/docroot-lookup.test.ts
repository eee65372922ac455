import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { docrootReader, lookUp } from './docroot-lookup.ts'
import { urlPathOf } from './docroot-path.ts'
import { sampleRoot } from '../testing/docroot-sample.ts'
import { testFolder } from '../testing/journal-sample.ts'

const files = {
  'index.html': 'home',
  'a.html': 'a',
  'b c/d%e.html': 'odd',
  'folder/index.htm': 'second name',
  'run.php': '<?php secret',
  'a.html.bak': 'old',
  '.env': 'secret',
  '.git/config': 'secret',
}

// oxfmt-ignore
const cases: [sentence: string, path: string, found: string | undefined][] = [
  ['a file is found by its path',                     '/a.html',             'a.html'],
  ['a query does not matter',                         '/a.html?x=/../',      'a.html'],
  ['a folder is its index file',                      '/',                   'index.html'],
  ['a folder has its second index file without first','/folder/',            'folder/index.htm'],
  ['names are percent-encoded',                       '/b%20c/d%25e.html',   'b c/d%e.html'],
  ['a folder without its slash leads on',             '/folder',             '→ /folder/'],
  ['what is not there is not found',                  '/none.html',          undefined],
  ['a folder without index is not found',             '/b%20c/',             undefined],
  ['programs are not handed out',                     '/run.php',            undefined],
  ['backups are not handed out',                      '/a.html.bak',         undefined],
  ['hidden files are not handed out',                 '/.env',               undefined],
  ['hidden folders are not entered',                  '/.git/config',        undefined],
  ['nor by another spelling',                         '/%2egit/config',      undefined],
  ['nothing leads out',                               '/../a.html',          undefined],
  ['nor by another spelling of that',                 '/%2e%2e/a.html',      undefined],
  ['nor by an encoded slash',                         '/folder%2f..%2f..%2fa', undefined],
  ['a NUL is in no name',                             '/a.html%00',          undefined],
  ['empty steps are no path',                         '//a.html',            undefined],
]
for (const [sentence, path, expected] of cases) {
  test(sentence, async (t) => {
    const found = await lookUp(sampleRoot(t, files).dir, path)
    assert.equal(found?.kind === 'folder' ? `→ ${found.path}` : found?.octets, expected)
  })
}

test('a link that leads out of the root is not followed', async (t) => {
  const { dir } = sampleRoot(t, files)
  const outside = testFolder(t)
  writeFileSync(join(outside, 'secret.html'), 'secret')
  symlinkSync(join(outside, 'secret.html'), join(dir, 'link.html'))
  symlinkSync(outside, join(dir, 'linked'))
  symlinkSync(join(dir, 'a.html'), join(dir, 'inside.html'))
  assert.equal(await lookUp(dir, '/link.html'), undefined)
  assert.equal(await lookUp(dir, '/linked/secret.html'), undefined)
  assert.equal((await lookUp(dir, '/inside.html'))?.kind, 'file')
})

test('a root that is a link is looked up anew each time, so that it may be set to another folder', async (t) => {
  const [one, two, link] = [
    sampleRoot(t, { 'a.html': '1' }),
    sampleRoot(t, { 'b.html': '2' }),
    join(testFolder(t), 'now'),
  ]
  symlinkSync(one.dir, link)
  const read = docrootReader(link, 100)
  assert.ok(await read('/a.html'))
  rmSync(link)
  symlinkSync(two.dir, link)
  assert.deepEqual([await read('/a.html'), Buffer.from((await read('/b.html')) ?? '').toString()], [undefined, '2'])
})

test('whatever is asked for, nothing outside the root is found and nothing is thrown', async (t) => {
  const { dir } = sampleRoot(t, files)
  mkdirSync(join(dir, 'x'))
  const steps = fc.constantFrom('..', '.', '%2e', '%2E%2e', 'x', 'a.html', '%00', '', '%2f', '~', '\u00e9', '%')
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 8 }), async (path) => {
      const found = await lookUp(dir, `/${path.join('/')}`)
      if (found?.kind === 'file') assert.ok(!found.file.toString('latin1').includes('..'))
    }),
    { numRuns: 200 },
  )
})

test('every file that a scan would call a page is found under the path it gives it', async (t) => {
  const name = fc.stringMatching(/^[a-zA-Z0-9 %#?&é€-]{1,12}$/).map((text) => `p${text}x.html`)
  await fc.assert(
    fc.asyncProperty(name, async (one) => {
      const { dir } = sampleRoot(t, { [one]: 'page' })
      const octets = Buffer.from(one).toString('latin1')
      const found = await lookUp(dir, urlPathOf(octets))
      assert.ok(found?.kind === 'file')
      assert.equal(found.octets, octets)
    }),
    { numRuns: 30 },
  )
})

test('bodies are read up to a size', async (t) => {
  const { dir } = sampleRoot(t, files)
  assert.equal(Buffer.from((await docrootReader(dir, 100)('/a.html')) ?? '').toString(), 'a')
  assert.equal(await docrootReader(dir, 3)('/'), undefined)
  assert.equal(await docrootReader(dir, 100)('/none'), undefined)
})
