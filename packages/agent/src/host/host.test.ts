import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeAgent } from './host.ts'
import { AgentMemory } from './memory.ts'
import { MemoryPages } from './pages.ts'
import { CATS, HOME, ran, samplePages, TEXT } from '../testing/agent-sample.ts'

test('an agent sees the public pages in the order of their URLs, with what is known of them', async () => {
  const run = await ran(
    'export default (agent) => { for (const page of agent.pages()) agent.emit({ kind: "meta", ...page }) }',
    {
      perPage: false,
    },
  )
  assert.equal(run.outcome, 'done')
  const listed = [...samplePages().list()].toSorted((a, b) => (a.url < b.url ? -1 : 1))
  assert.deepEqual(
    run.emitted.map(({ record }) => record),
    listed.map((page) => ({ kind: 'meta', ...page })),
  )
  assert.deepEqual(
    run.emitted.map(({ page }) => page),
    listed.map(({ digest }) => digest),
  )
})

test('it reads pages as HTML, as text and as bytes, whatever is in them', async () => {
  const source = `export function onPage(page, agent) {
    agent.emit({ kind: 'meta', url: page.url, html: agent.html(page), text: agent.read(page.url),
      bytes: [...agent.bytes(page)].length, isBytes: agent.bytes(page) instanceof Uint8Array })
  }`
  const { outcome, emitted, use } = await ran(source)
  assert.equal(outcome, 'done')
  const byUrl = new Map(emitted.map(({ record }) => [record.url, record]))
  assert.deepEqual(byUrl.get(HOME)?.['html'], {
    title: 'Home',
    lang: 'en',
    headings: ['Welcome'],
    text: 'Welcome\nSee the cats.',
    links: [{ url: CATS, anchor: 'the cats', rel: '' }],
  })
  assert.deepEqual(byUrl.get(CATS)?.['html'], {
    title: 'Cats',
    lang: null,
    headings: [],
    text: 'Two cats. Elsewhere',
    links: [{ url: 'https://b.example/x', anchor: 'Elsewhere', rel: 'nofollow' }],
  })
  assert.equal(byUrl.get(TEXT)?.['html'], null)
  assert.equal(byUrl.get(TEXT)?.['text'], 'plain\0text \u{1f600}')
  assert.equal(byUrl.get(TEXT)?.['bytes'], 15)
  assert.equal(byUrl.get(TEXT)?.['isBytes'], true)
  // A page that is looked at in several ways was read once.
  assert.equal(use.reads, 3)
})

test('what it remembers it finds again in the next run, and pages that are gone are named to it', async () => {
  const source = `
    export function onPage(page, agent) {
      agent.emit({ kind: 'meta', url: page.url, before: agent.previous(page) })
      agent.remember(page, { seen: page.digest, odd: '\\ud800\\u0000' })
    }
    export function onGone(url, agent) { agent.emit({ kind: 'meta', url, change: 'deleted', before: agent.previous(url) }) }`
  const first = await ran(source)
  assert.deepEqual(
    first.emitted.map(({ record }) => record['before']),
    [null, null, null],
  )
  const fewer = new MemoryPages().add(HOME, 'new')
  const second = await ran(source, {}, { pages: fewer, memory: AgentMemory.read(first.memory.write()) })
  assert.deepEqual(
    second.emitted.map(({ record }) => [record.url, record['change']]),
    [
      [HOME, undefined],
      [CATS, 'deleted'],
      [TEXT, 'deleted'],
    ],
  )
  assert.deepEqual(Object.keys(second.emitted[1]!.record['before'] as object), ['seen', 'odd'])
  assert.equal(second.emitted[1]!.page, undefined)
  const third = await ran(source, {}, { pages: fewer, memory: second.memory })
  assert.deepEqual(
    third.emitted.map(({ record }) => record.url),
    [HOME],
  )
})

test('of a run that fails nothing is remembered', async () => {
  const memory = new AgentMemory(new Map([[HOME, '"before"']]))
  const source = 'export function onPage(page, agent) { agent.remember(page, "after"); throw new Error("late") }'
  const run = await ran(source, {}, { memory })
  assert.equal(run.outcome, 'threw')
  assert.equal(run.memory.get(HOME), '"before"')
})

test('the access log is counts of public pages, and only for an agent that declares it and an owner who allows it', async () => {
  const source =
    'export default (agent) => { agent.emit({ kind: "meta", url: "https://a.example/", log: agent.log() }) }'
  const log = new Map([
    [HOME, 12],
    ['https://a.example/private', 3],
  ])
  const declared = { perPage: false, reads: ['pages', 'log'] } as const
  const allowed = await ran(source, declared, { log })
  assert.deepEqual(allowed.emitted[0]?.record['log'], { [HOME]: 12 })
  const refused = await ran(source, declared)
  assert.equal(refused.emitted[0]?.record['log'], null)
  const undeclared = await ran(source, { perPage: false }, { log })
  assert.deepEqual([undeclared.outcome, undeclared.emitted], ['not-allowed', []])
})

test('a page that is no page here, or another by now, is null', async () => {
  const pages = samplePages()
  const source = {
    list: () => pages.list(),
    read: async (): Promise<Uint8Array> => await Promise.resolve(Buffer.from('other')),
  }
  const program = `export default (agent) => {
    for (const url of ['${HOME}', 'https://b.example/', 'file:///etc/passwd', '', '${HOME}?'])
      agent.emit({ kind: 'meta', url: '${HOME}', got: [agent.read(url), agent.html(url), agent.bytes(url), agent.previous(url)] })
  }`
  const { outcome, emitted } = await ran(program, { perPage: false }, { pages: source })
  assert.equal(outcome, 'done')
  for (const { record } of emitted) assert.deepEqual(record['got'], [null, null, null, null])
})

test('two runs emit the same to the letter', async () => {
  const source = readFileSync(join(import.meta.dirname, '../../../../examples/agents/important-pages.js'), 'utf8')
  const pages = new MemoryPages()
  for (let i = 0; i < 60; i++) {
    const links = Array.from({ length: 5 }, (_, k) => `<a href="/${(i * 7 + k * 13) % 60}">x</a>`)
    pages.add(`${HOME}${i}`, links.join(' '))
  }
  const once = await ran(source, { perPage: false, reads: ['pages', 'log'] }, { pages })
  const again = await ran(source, { perPage: false, reads: ['pages', 'log'] }, { pages })
  assert.equal(once.outcome, 'done')
  assert.equal(once.emitted.length, 60)
  assert.deepEqual(
    again.emitted.map(({ text }) => text),
    once.emitted.map(({ text }) => text),
  )
  assert.equal(again.pagesDigest, once.pagesDigest)
})

test('a digest is SHA-256 of a text in UTF-8', async () => {
  const { emitted } = await ran(
    'export default (agent) => agent.emit({ kind: "meta", url: "https://a.example/", d: agent.digest("a\\u0000\\u{1f600}") })',
    {
      perPage: false,
    },
  )
  // printf 'a\0\xf0\x9f\x98\x80' | sha256sum
  assert.equal(emitted[0]?.record['d'], '25e6e602546a9f17fca0440b7b1164c833788269e72dba72cff89a935f13df43')
})

test('an empty site is run over, and makes nothing', async () => {
  const run = await ran('export function onPage() {}', {}, { pages: new MemoryPages() })
  assert.deepEqual([run.outcome, run.pages, run.use.records], ['done', 0, 0])
})

test('a program is described without being run', async () => {
  const described = await describeAgent(
    'export const manifest = { name: "x", odd: undefined }; export function onPage() {}',
  )
  assert.deepEqual(described, { kind: 'described', manifest: { name: 'x' } })
})

// oxfmt-ignore
const undescribed: [sentence: string, source: string, message: RegExp][] = [
  ['wrong syntax',            'export default function ( {',                          /^SyntaxError: .*agent\.js:1/],
  ['nothing to call',         'export const manifest = {}',                           /neither a function onPage/],
  ['an import',               'import fs from "node:fs"; export default () => {}',    /could not load module 'node:fs'/],
  ['an await at its top',     'await 1; export default () => {}',                     /must not be asynchronous/],
  // Of the processor or, on a busy machine, by the clock: whichever limit is reached first.
  ['no end when it is loaded', 'for (;;);',                                           /time|it ran for more than/],
]
for (const [sentence, source, message] of undescribed) {
  test(`a program with ${sentence} is not described`, async () => {
    const described = await describeAgent(source)
    assert.ok(described.kind === 'refused')
    assert.match(described.message, message)
  })
}
