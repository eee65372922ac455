import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { previewDocroot } from './docroot-preview.ts'
import { DocrootScanner } from './docroot-scanner.ts'
import { sampleRoot, SampleWorld } from '../testing/docroot-sample.ts'
import { AT, failsAs } from '../testing/journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { exportedGlobs } from '../export/paths.ts'

const files = {
  'robots.txt': 'User-agent: *\nDisallow: /private/\n',
  'index.html': 'home',
  'a.html': 'a',
  'data.json': '{}',
  'hidden.html': '<meta name="robots" content="noindex">',
  'run.php': '',
  'a.bak': '',
  'drafts/x.html': '',
  'private/x.html': '',
  '.htaccess': '',
  'sitemap.xml': '<urlset/>',
}
const base = 'https://a.example/'
const rules = { reject: ['/drafts/*'] }

test('every file is public or has a reason, with examples and what decided', async (t) => {
  const { dir } = sampleRoot(t, files)
  const preview = await previewDocroot({ root: dir, base, rules, now: AT })
  assert.deepEqual([preview.public.files, preview.public.examples.toSorted()], [3, ['/', '/a.html', '/data.json']])
  assert.deepEqual(
    preview.types.map(({ type, files: count }) => [type, count]),
    [
      ['text/html', 2],
      ['application/json', 1],
    ],
  )
  assert.deepEqual(
    preview.private
      .map(({ reason, examples, details }) => [reason, examples[0], details[0]])
      .toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    [
      ['backup', '/a.bak', '/a.bak'],
      ['noindex', '/hidden.html', '<meta name="robots" content="noindex">'],
      ['program', '/run.php', '/run.php'],
      ['rejected', '/drafts/x.html', '/drafts/*'],
      ['robots', '/private/x.html', 'Disallow: /private/'],
    ],
  )
  assert.deepEqual([preview.own, preview.unreadable], [2, []])
})

test('it says what a scan then does, and writes nothing', async (t) => {
  const { dir } = sampleRoot(t, files)
  const before = readdirSync(dir, { recursive: true })
  const preview = await previewDocroot({ root: dir, base, rules, now: AT })
  assert.deepEqual(readdirSync(dir, { recursive: true }), before)
  const journal = new MemoryJournal()
  const reject = [...rules.reject, ...exportedGlobs('/')]
  await new DocrootScanner(journal, { root: dir, rules: { reject } }, new SampleWorld()).scan()
  assert.deepEqual(
    [...journal.pages()].map(({ path }) => path),
    preview.public.examples.toSorted(),
  )
})

test('a root that is not there, or no folder, is named', async (t) => {
  const { dir } = sampleRoot(t, { file: '' })
  for (const root of [join(dir, 'none'), join(dir, 'file')])
    await assert.rejects(previewDocroot({ root, base, now: AT }), failsAs('DOCROOT_UNREADABLE', /cannot be read/))
})
