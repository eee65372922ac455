import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import { CookieWatch } from './cookie-watch.ts'
import type { Journal } from '../journal/journal.ts'
import { AT } from '../testing/journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { noteChange, pathOfAddress, recordPages } from './page-sources.ts'
import type { OwnPageAnswer, PageSourceOptions, PageSourceWorld } from './page-sources.ts'
import { publicRules } from '../privacy/public-rules.ts'

const HTML: HeaderList = [['Content-Type', 'text/html']]
const page = (text: string, headers: HeaderList = HTML): OwnPageAnswer => ({
  status: 200,
  headers,
  body: Buffer.from(text),
})
const worldOf = (answers: Readonly<Record<string, OwnPageAnswer>>): PageSourceWorld => ({
  now: () => AT,
  answer: async (path) => answers[path] ?? { status: 404, headers: [], body: Buffer.alloc(0) },
})
const options: PageSourceOptions = {
  rules: publicRules({ robots: 'User-agent: *\nDisallow: /no' }),
  base: 'https://a.example',
}
const paths = (journal: Journal): string[] => [...journal.pages()].map((one) => one.path)
const { signal } = new AbortController()

test('listed pages are asked for once each, and recorded or refused by name', async () => {
  const journal = new MemoryJournal()
  const world = worldOf({
    '/a?x=1': page('a'),
    '/b': page('b'),
    '/no': page('n'),
    '/c': page('c', [['Set-Cookie', 'a']]),
  })
  const list = [
    '/a?x=1',
    'https://a.example/b#top',
    '/no',
    '/c',
    '/missing',
    'https://b.example/',
    '//b.example/',
    'words',
  ]
  const summary = await recordPages(journal, list, options, world, signal)
  assert.deepEqual(paths(journal), ['/a?x=1', '/b'])
  const { asked, created, elsewhere, isCut } = summary
  assert.deepEqual({ asked, created, elsewhere, isCut }, { asked: 6, created: 2, elsewhere: 2, isCut: false })
  assert.deepEqual(summary.private, { robots: 1, 'cookie-set': 1, missing: 2 })
})

test('a page that is asked for again and gone or private is withdrawn, one without an answer stays', async () => {
  const journal = new MemoryJournal()
  const list = ['/a', '/b', '/c']
  await recordPages(journal, list, options, worldOf({ '/a': page('a'), '/b': page('b'), '/c': page('c') }), signal)
  const later: PageSourceWorld = {
    now: () => AT,
    answer: async (path) => {
      if (path === '/a') throw new Error('connection lost')
      return path === '/b' ? page('<meta name=robots content=noindex>') : { ...page(''), status: 404 }
    },
  }
  const summary = await recordPages(journal, list, options, later, signal)
  assert.deepEqual(paths(journal), ['/a'])
  assert.deepEqual(summary.private, { 'no-answer': 1, noindex: 1, missing: 1 })
})

test('an answer that never comes is given up, also by a function that does not heed its signal', async () => {
  const journal = new MemoryJournal()
  const world: PageSourceWorld = { now: () => AT, answer: () => new Promise(() => undefined) }
  const keepsAlive = setInterval(() => undefined, 1_000)
  const summary = await recordPages(journal, ['/a'], { ...options, timeoutMs: 1 }, world, signal)
  clearInterval(keepsAlive)
  assert.deepEqual(summary.private, { 'no-answer': 1 })
})

async function* endless(): AsyncGenerator<string> {
  for (let i = 0; ; i++) yield `/item?id=${i}`
}

test('a generator without an end is cut', async () => {
  const journal = new MemoryJournal()
  const world: PageSourceWorld = { now: () => AT, answer: async (path) => page(path) }
  const summary = await recordPages(journal, endless(), { ...options, maxPages: 25 }, world, signal)
  assert.deepEqual([summary.asked, summary.created, summary.isCut], [25, 25, true])
})

test('asking is ended by its signal', async () => {
  const off = new AbortController()
  const world: PageSourceWorld = { now: () => AT, answer: async () => (off.abort(new Error('enough')), page('a')) }
  await assert.rejects(recordPages(new MemoryJournal(), ['/a', '/b'], options, world, off.signal), /enough/)
})

test('a site that sets a cookie on every answer is found out', async () => {
  const cookies = new CookieWatch()
  const world: PageSourceWorld = {
    now: () => AT,
    answer: async () => page('x', [...HTML, ['Set-Cookie', 'session=1']]),
  }
  await recordPages(
    new MemoryJournal(),
    Array.from({ length: 25 }, (_, i) => `/${i}`),
    { ...options, cookies },
    world,
    signal,
  )
  assert.match(cookies.advice() ?? '', /All 25 answers/)
})

const addresses: [address: string, base: string | undefined, expected: string | undefined][] = [
  ['/a?b#c', 'https://a.example', '/a?b'],
  ['/a b', 'https://a.example', '/a%20b'],
  ['/a/../b', undefined, '/b'],
  ['https://a.example/x', 'https://a.example', '/x'],
  ['http://a.example/x', 'https://a.example', undefined],
  ['https://a.example/x', undefined, undefined],
  ['//b.example/x', 'https://a.example', undefined],
  ['mailto:a@a.example', 'https://a.example', undefined],
  ['http://[', 'https://a.example', undefined],
]
for (const [address, base, expected] of addresses) {
  test(`${address} of ${base ?? 'a site without a name'} is ${expected ?? 'elsewhere'}`, () =>
    assert.equal(pathOfAddress(address, base), expected))
}

test('a CMS notes a change, the rules hold for it, and what it deletes is gone', async () => {
  const journal = new MemoryJournal()
  const note = async (path: string, text: string): Promise<unknown> => {
    const { changes, verdict } = await noteChange(
      journal,
      { path, type: 'text/html', body: Buffer.from(text) },
      options,
      AT,
    )
    return [changes.map(({ change }) => change), verdict.public || verdict.reason]
  }
  assert.deepEqual(await note('/a', 'one'), [['created'], true])
  assert.deepEqual(await note('/a', 'one'), [[], true])
  assert.deepEqual(await note('/a', 'two'), [['updated'], true])
  assert.deepEqual(await note('/no/a', 'x'), [[], 'robots'])
  assert.deepEqual(await note('/a', '<meta name=robots content=noindex>'), [['deleted'], 'noindex'])
  await note('/a', 'three')
  const { changes } = await noteChange(journal, { path: '/a', gone: true }, options, AT)
  assert.deepEqual(
    changes.map(({ change }) => change),
    ['deleted'],
  )
})
