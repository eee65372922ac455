import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bodyDigest, defaultCaps } from '@comity/agent'
import { shippedText } from '@comity/index'
import { faultFigure } from '@comity/protocol'
import { GatewayProgram } from './gateway-program.ts'
import type { Judgement } from './gateway-program.ts'
import type { SeenPage } from './page-words.ts'
import { NOW, programBundle, programStore } from '../testing/program-fixture.ts'

function page(path: string, html: string): SeenPage {
  const body = Buffer.from(html)
  const headers = [['Content-Type', 'text/html; charset=utf-8']] as const
  return { url: `https://a.example/${path}`, at: NOW, headers, body, digest: bodyDigest(body).slice('sha-256:'.length) }
}

const kindOf = (judgement: Judgement): string => (judgement.kind === 'skip' ? judgement.reason : judgement.kind)
const said = async (program: GatewayProgram, ...pages: SeenPage[]): Promise<string[]> =>
  (await Promise.all(pages.map((one) => program.judge(one)))).map(kindOf)

const RULES = `export function onPage(page, agent) {
  const { title, text, links } = agent.html(page)
  if (title === 'Login') agent.emit({ kind: 'meta', url: page.url, skip: 'login' })
  else if (title === 'Liar') agent.emit({ kind: 'meta', url: page.url, skip: 'fault-0123456789ab' })
  else if (title === 'Odd') agent.emit({ kind: 'meta', url: page.url, skip: 'No such reason!' })
  else if (text.includes('draft')) agent.emit({ kind: 'postings', url: page.url, title: 'Draft', text: 'only this', links: links.map(({ url, anchor }) => [url, anchor]) })
  else agent.emit({ kind: 'meta', url: page.url, words: text.length })
}`

test('a program leaves pages out, has them indexed as they are, or says what is indexed instead', async (t) => {
  const program = new GatewayProgram(programStore(t, programBundle('1.0.0', RULES)), 'rules', { now: () => NOW })
  const draft = page('draft', '<title>A</title><p>a draft <a href=/b>of b</a>')
  const judged = await Promise.all([
    program.judge(page('login', '<title>Login</title>')),
    program.judge(page('odd', '<title>Odd</title>')),
    program.judge(page('plain', '<title>Plain</title>')),
    program.judge(draft),
    program.judge(page('liar', '<title>Liar</title>')),
  ])
  assert.deepEqual(judged.map(kindOf), ['program-login', 'program', 'index', 'replace', 'program'])
  const { document } = judged[3] as Extract<Judgement, { kind: 'replace' }>
  assert.deepEqual(
    [document.title, shippedText(document), document.digest],
    ['Draft', 'only this', `sha-256:${draft.digest}`],
  )
  assert.deepEqual(program.figures, { judged: 5, skipped: 3, replaced: 1, runs: 1, faults: 0 })
})

test('without a program that may run, the own rules of the gateway are all there is', async (t) => {
  const program = new GatewayProgram(programStore(t), 'rules', { now: () => NOW })
  assert.deepEqual(await said(program, page('a', '')), ['index'])
})

test('a page that a program fails on is left out, and the others are judged', async (t) => {
  const source = RULES.replace('{', "{ if (agent.html(page).title === 'Trap') for (;;);")
  const failing = programBundle('1.0.0', source)
  const store = programStore(t, failing)
  const program = new GatewayProgram(store, 'rules', { now: () => NOW, caps: { ...defaultCaps, cpuMs: 100 } })
  const pages = [page('trap', '<title>Trap</title>'), page('a', '<title>A</title>'), page('l', '<title>Login</title>')]
  assert.deepEqual(await said(program, ...pages), ['program-failed', 'index', 'program-login'])
  assert.deepEqual(program.takeFaults(), { [faultFigure(failing.digest)]: 2 })
  assert.deepEqual(program.takeFaults(), {})
  assert.equal(store.agent('rules').versions[0]?.withdrawn, undefined)
})

test('a version that fails on all pages is withdrawn, and the one before takes over', async (t) => {
  const store = programStore(
    t,
    programBundle('1.0.0', RULES),
    programBundle('1.1.0', 'export function onPage() { throw new Error("new") }'),
  )
  const program = new GatewayProgram(store, 'rules', { now: () => NOW })
  const pages = ['1', '2', '3', '4'].map((path) => page(path, '<title>Login</title>'))
  assert.deepEqual(await said(program, ...pages), [
    'program-failed',
    'program-failed',
    'program-login',
    'program-login',
  ])
  const { current, versions } = store.agent('rules')
  assert.equal(versions.find(({ digest }) => digest === current)?.version, '1.0.0')
})

test('what waits is bounded, and the same page twice is judged twice', async (t) => {
  const program = new GatewayProgram(programStore(t, programBundle('1.0.0', RULES)), 'rules', {
    now: () => NOW,
    maxWaiting: 2,
  })
  const one = page('a', '<title>Login</title>')
  assert.deepEqual(await said(program, one, one, one), ['program-login', 'program-login', 'busy'])
  assert.equal(program.figures.runs, 2)
})

test('a store that cannot be used has nothing indexed against the rules, and says so', async (t) => {
  const store = programStore(t, programBundle('1.0.0', RULES))
  rmSync(join(store.dir, 'bundles'), { recursive: true })
  const told: string[] = []
  const program = new GatewayProgram(store, 'rules', { now: () => NOW, tell: (sentence) => void told.push(sentence) })
  assert.deepEqual(await said(program, page('a', '')), ['program-unavailable'])
  assert.match(told[0] ?? '', /could not be run/)
})
