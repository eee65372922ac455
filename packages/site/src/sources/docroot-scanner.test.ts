import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { DocrootOptions } from './docroot-options.ts'
import { sampleRoot, SampleWorld } from '../testing/docroot-sample.ts'
import type { SampleRoot } from '../testing/docroot-sample.ts'
import { DocrootScanner } from './docroot-scanner.ts'
import type { Journal } from '../journal/journal.ts'
import { AT, failsAs, pageOf, testFolder } from '../testing/journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { digestOf } from '../journal/version-store.ts'

interface Setup {
  readonly root: SampleRoot
  readonly journal: MemoryJournal
  readonly world: SampleWorld
  readonly scanner: DocrootScanner
}

function setUp(t: TestContext, files: Readonly<Record<string, string>>, options: Partial<DocrootOptions> = {}): Setup {
  const root = sampleRoot(t, files)
  const journal = new MemoryJournal()
  const world = new SampleWorld()
  return { root, journal, world, scanner: new DocrootScanner(journal, { root: root.dir, ...options }, world) }
}

const paths = (journal: Journal): string[] => [...journal.pages()].map(({ path }) => path)
const changed = (journal: Journal, after: number): string[] =>
  (journal.changesAfter(after) ?? []).map(({ change, path }) => `${change} ${path}`)

test('a scan records each file with its time, size, type, digest and, for texts, its body', async (t) => {
  const { journal, scanner, root } = setUp(t, { 'index.html': '<p>home', 'a/b.txt': 'text' })
  root.write('a/c.png', Buffer.from([137, 80]))
  const summary = await scanner.scan()
  assert.deepEqual(paths(journal), ['/', '/a/b.txt', '/a/c.png'])
  const text = Buffer.from('text')
  const expected = {
    path: '/a/b.txt',
    modifiedAt: AT - 3_600_000,
    digest: digestOf(text),
    bytes: 4,
    type: 'text/plain',
  }
  assert.deepEqual(journal.page('/a/b.txt'), expected)
  assert.equal(journal.page('/a/c.png')?.type, 'image/png')
  assert.deepEqual(Buffer.from(journal.version(digestOf(text)) ?? []), text)
  assert.equal(journal.version(journal.page('/a/c.png')?.digest ?? ''), undefined)
  const { files, read, unchanged, created } = summary
  assert.deepEqual({ files, read, unchanged, created }, { files: 3, read: 3, unchanged: 0, created: 3 })
})

test('a second scan opens only what has another time or size, and reports what changed and what is gone', async (t) => {
  const { journal, scanner, root } = setUp(t, { a: '1', b: '2', c: '3', d: '4', e: '5' })
  await scanner.scan()
  const before = journal.last
  root.write('b', 'other')
  root.write('c', '!', AT - 5_000)
  root.write('d', '4', AT - 5_000)
  rmSync(join(root.dir, 'e'))
  root.write('f', '6')
  const second = await scanner.scan()
  assert.deepEqual(changed(journal, before).toSorted(), ['created /f', 'deleted /e', 'updated /b', 'updated /c'])
  assert.deepEqual([second.read, second.unchanged], [4, 1])
  const third = await scanner.scan()
  assert.deepEqual([third.read, third.unchanged, third.updated], [0, 5, 0], 'a file that was touched is read once')
})

test('a new scanner, as after a restart, reads nothing that the journal can tell', async (t) => {
  const { journal, scanner, root, world } = setUp(t, { a: '1', 'b.html': '2' })
  await scanner.scan()
  const again = await new DocrootScanner(journal, { root: root.dir }, world).scan()
  assert.deepEqual([again.read, again.unchanged], [0, 2])
})

const indexes: [indexPaths: DocrootOptions['indexPaths'], expected: string[]][] = [
  ['folder', ['/', '/a/', '/a/index.htm', '/b/', '/b/default.html']],
  ['file', ['/a/index.htm', '/a/index.html', '/b/default.html', '/b/index.htm', '/index.html']],
  ['both', ['/', '/a/', '/a/index.htm', '/a/index.html', '/b/', '/b/default.html', '/b/index.htm', '/index.html']],
]
for (const [indexPaths, expected] of indexes) {
  test(`index files are listed as ${indexPaths}`, async (t) => {
    const files = ['index.html', 'a/index.html', 'a/index.htm', 'b/index.htm', 'b/default.html']
    const { journal, scanner } = setUp(t, Object.fromEntries(files.map((name) => [name, name])), { indexPaths })
    await scanner.scan()
    assert.deepEqual(paths(journal), expected)
    if (indexPaths !== 'file') assert.equal(journal.page('/a/')?.digest, digestOf(Buffer.from('a/index.html')))
  })
}

test('odd names are percent-encoded octet by octet, also those that are not UTF-8', async (t) => {
  const { journal, scanner, root } = setUp(t, { 'a b/ü?#%.txt': '', "it's(1)+2,3;@.txt": '', 'a"<>|\\b.txt': '' })
  writeFileSync(Buffer.concat([Buffer.from(`${root.dir}/`), Buffer.from([0xe9, 0x2e, 0x74, 0x78, 0x74])]), '')
  const summary = await scanner.scan()
  assert.deepEqual(
    paths(journal).toSorted(),
    ['/%E9.txt', '/a%20b/%C3%BC%3F%23%25.txt', '/a%22%3C%3E%7C%5Cb.txt', "/it's(1)+2,3;@.txt"].toSorted(),
  )
  assert.deepEqual(summary.unreadable, [])
})

test('hidden, disallowed, rejected, noindex, backup and program files are never listed', async (t) => {
  const { journal, scanner } = setUp(
    t,
    {
      'robots.txt': 'User-agent: *\nDisallow: /secret',
      '.env': 'KEY=1',
      '.git/config': 'x',
      'a/.htaccess': 'x',
      'secret/a.html': 'x',
      'draft.html': 'x',
      'old.html~': 'x',
      'index.php': '<?php $password = 1 ?>',
      'hidden.html': '<meta name="robots" content="noindex">',
      'open.html': '<p>open',
    },
    { rules: { reject: ['/draft*'] } },
  )
  const summary = await scanner.scan()
  assert.deepEqual(paths(journal), ['/open.html', '/robots.txt'])
  assert.deepEqual(summary.private, { robots: 1, rejected: 1, backup: 1, program: 1, noindex: 1 })
  const second = await scanner.scan()
  assert.deepEqual([second.read, second.private], [0, summary.private], 'what is private is remembered')
})

test('a page that turns private is withdrawn: by robots.txt, by noindex', async (t) => {
  const { journal, scanner, root } = setUp(t, { 'a.html': '1', 'b.html': '2', 'c.html': '3' })
  await scanner.scan()
  root.write('robots.txt', 'User-agent: *\nDisallow: /a')
  root.write('b.html', '<meta name=robots content=none>', AT - 5_000)
  const before = journal.last
  await scanner.scan()
  assert.deepEqual(changed(journal, before).toSorted(), ['created /robots.txt', 'deleted /a.html', 'deleted /b.html'])
  root.write('b.html', '2', AT - 4_000)
  await scanner.scan()
  assert.deepEqual(paths(journal), ['/b.html', '/c.html', '/robots.txt'])
})

test('links are followed within the root and never out of it, and two that lead to each other end', async (t) => {
  const { journal, scanner, root } = setUp(t, { 'a/page.html': '1', 'b/page.html': '2', '.hidden/key': 'k' })
  const outside = sampleRoot(t, { 'secret.html': 's' })
  const link = (target: string, name: string): void => symlinkSync(target, join(root.dir, name))
  link(join(outside.dir, 'secret.html'), 'out.html')
  link(outside.dir, 'out')
  link('.hidden/key', 'key.txt')
  link('a/page.html', 'alias.html')
  link('../b', 'a/to-b')
  link('../a', 'b/to-a')
  link('.', 'circle')
  link('nowhere', 'broken')
  await scanner.scan()
  const expected = ['/a/page.html', '/a/to-b/page.html', '/alias.html', '/b/page.html', '/b/to-a/page.html']
  assert.deepEqual(
    paths(journal).filter((path) => !path.startsWith('/circle/')),
    expected,
  )
  assert.equal(
    paths(journal).some((path) => /out|key|circle\/circle/.test(path)),
    false,
  )
})

test('a file that is being written is seen once it holds still', async (t) => {
  const { journal, scanner, root, world } = setUp(t, { 'a.html': '1' })
  root.write('young.html', 'half', AT - 300)
  world.onSleep = () => {
    if (world.slept.length === 1) root.write('young.html', 'whole', world.at - 2_000)
  }
  const summary = await scanner.scan()
  assert.deepEqual([world.slept, summary.unsettled, summary.files], [[1_000], [], 2])
  assert.equal(journal.page('/young.html')?.digest, digestOf(Buffer.from('whole')))
})

test('a file that never holds still waits for the next scan, and its page stays as it is', async (t) => {
  const { journal, scanner, root, world } = setUp(t, { 'a.html': '1' })
  await scanner.scan()
  world.onSleep = () => root.write('a.html', `more ${world.at}`, world.at)
  root.write('a.html', 'more', AT)
  const summary = await scanner.scan()
  assert.deepEqual([world.slept.length, summary.unsettled, summary.deleted], [3, ['a.html'], 0])
  assert.equal(journal.page('/a.html')?.digest, digestOf(Buffer.from('1')))
})

test('a file from the future is listed, dated now, and read once', async (t) => {
  const { journal, scanner, root } = setUp(t, {})
  root.write('a.html', '1', AT + 86_400_000)
  await scanner.scan()
  assert.equal(journal.page('/a.html')?.modifiedAt, AT)
  assert.equal((await scanner.scan()).read, 0)
})

test('a scan is spread over the time it is given', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`${i}.txt`, String(i)]))
  const { journal, scanner, world } = setUp(t, files, { spreadMs: 86_400_000 })
  await scanner.scan()
  assert.equal(journal.pageCount, 600)
  assert.equal(world.at, AT + 86_400_000)
  assert.ok(world.slept.length >= 4, `${world.slept.length} rests`)
  assert.ok(Math.max(...world.slept) < 86_400_000 / 3)
})

test('pages of other sources, and those recorded during a scan, are not taken for deleted', async (t) => {
  const { journal, scanner, world } = setUp(t, { 'a.txt': '1' }, { spreadMs: 10 })
  await journal.record([pageOf('/search?q=1'), pageOf('/old')], AT)
  world.onSleep = async () => {
    if (journal.page('/new') === undefined) await journal.record([pageOf('/new')], world.at)
  }
  await scanner.scan()
  assert.deepEqual(paths(journal), ['/a.txt', '/new', '/search?q=1'])
})

test('a root that has vanished, is no folder or is suddenly empty deletes nothing and says why', async (t) => {
  const { journal, scanner, root, world } = setUp(t, { 'a.txt': '1' })
  await scanner.scan()
  renameSync(root.dir, `${root.dir}-moved`)
  t.after(() => rmSync(`${root.dir}-moved`, { recursive: true }))
  await assert.rejects(scanner.scan(), failsAs('DOCROOT_UNREADABLE', /ENOENT.*mounted/s))
  writeFileSync(root.dir, '')
  await assert.rejects(scanner.scan(), failsAs('DOCROOT_UNREADABLE', /no folder/))
  rmSync(root.dir)
  mkdirSync(root.dir)
  await assert.rejects(scanner.scan(), failsAs('DOCROOT_EMPTY', /1 pages.*mayBeEmpty/s))
  assert.equal(journal.pageCount, 1)
  await new DocrootScanner(journal, { root: root.dir, mayBeEmpty: true }, world).scan()
  assert.equal(journal.pageCount, 0)
})

test('a folder or file that cannot be read is told, and its pages stay', async (t) => {
  const { journal, scanner, root } = setUp(t, { 'a/1.txt': '1', 'b.txt': '2', 'c.txt': '3' })
  await scanner.scan()
  const before = journal.last
  root.write('b.txt', 'other')
  chmodSync(root.dir, 0o755)
  for (const name of ['a', 'b.txt']) chmodSync(join(root.dir, name), 0)
  const summary = await asNobody(() => scanner.scan())
  chmodSync(join(root.dir, 'a'), 0o755)
  assert.deepEqual(summary.unreadable.toSorted(), ['/a/', '/b.txt'])
  assert.equal(journal.last, before)
})

/** Root may read everything, so it has to be somebody else for a while. */
async function asNobody<T>(act: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

test('a file whose time cannot be true is read at each scan, since only its digest tells', async (t) => {
  const { journal, scanner, root } = setUp(t, {})
  root.write('a.html', 'one', 1_000)
  await scanner.scan()
  root.write('a.html', 'two', 1_000)
  assert.equal((await scanner.scan()).updated, 1)
  assert.equal(journal.page('/a.html')?.digest, digestOf(Buffer.from('two')))
})

test('options and rules that cannot be meant are refused', async (t) => {
  const root = testFolder(t)
  const make = (options: object): DocrootScanner =>
    new DocrootScanner(new MemoryJournal(), { root, ...options }, new SampleWorld())
  for (const options of [{ rot: 1 }, { indexPaths: 'none' }, { spreadMs: -1 }, { indexNames: ['a/b'] }])
    assert.throws(() => make(options), failsAs('PUBLISH_OPTION_INVALID', /./), JSON.stringify(options))
  await assert.rejects(make({ rules: { include: ['x'] } }).scan(), failsAs('PUBLISH_OPTION_INVALID', /pattern/))
})

test('a scan that is called off ends with the reason, and what it recorded stays', async (t) => {
  const { scanner, world } = setUp(t, Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}`, ''])), {
    spreadMs: 1_000,
  })
  const off = new AbortController()
  world.onSleep = () => off.abort(new Error('enough'))
  await assert.rejects(scanner.scan(off.signal), /enough/)
})

const touches: [sentence: string, act: (root: SampleRoot) => void, touched: string[], expected: string[]][] = [
  ['a file that changed', (root) => root.write('a/1.txt', 'new', AT - 5_000), ['a/1.txt'], ['updated /a/1.txt']],
  ['a file that is gone', ({ dir }) => rmSync(join(dir, 'a/1.txt')), ['a/1.txt'], ['deleted /a/1.txt']],
  [
    'a folder that is gone',
    ({ dir }) => rmSync(join(dir, 'a'), { recursive: true }),
    ['a'],
    ['deleted /a/', 'deleted /a/1.txt', 'deleted /a/b/2.txt'],
  ],
  ['a new folder', (root) => root.write('n/x/3.txt', ''), ['n'], ['created /n/x/3.txt']],
  ['a hidden file', (root) => root.write('.env', ''), ['.env'], []],
  ['the root itself', () => undefined, [''], []],
  ['a name that never was', () => undefined, ['never'], []],
  [
    'a folder that moved',
    ({ dir }) => renameSync(join(dir, 'a/b'), join(dir, 'c')),
    ['a/b', 'c'],
    ['created /c/2.txt', 'deleted /a/b/2.txt'],
  ],
  [
    'an index file that went, so that another moves up',
    ({ dir }) => rmSync(join(dir, 'i/index.html')),
    ['i/index.html'],
    ['deleted /i/index.htm', 'updated /i/'],
  ],
  [
    'an index file that came, so that another moves down',
    (root) => root.write('j/index.html', 'x'),
    ['j/index.html'],
    ['created /j/index.htm', 'updated /j/'],
  ],
  ['the last index file', ({ dir }) => rmSync(join(dir, 'a/index.html')), ['a/index.html'], ['deleted /a/']],
]
for (const [sentence, act, touched, expected] of touches) {
  test(`a look at what was touched: ${sentence}`, async (t) => {
    const files = {
      'a/1.txt': '1',
      'a/b/2.txt': '2',
      'a/index.html': 'i',
      'i/index.html': 'one',
      'i/index.htm': 'another',
      'j/index.htm': 'third',
      z: '',
    }
    const { journal, scanner, root } = setUp(t, files)
    await scanner.scan()
    const before = journal.last
    act(root)
    await scanner.look(touched)
    assert.deepEqual(changed(journal, before).toSorted(), expected)
    assert.deepEqual(
      [(await scanner.scan()).created, journal.last],
      [0, before + expected.length],
      'a scan finds no more',
    )
  })
}
