/** Everything an agent can do wrong, each with the outcome it must have. All run for real, in the process that would run them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing } from '@comity/protocol/testing'
import type { AgentOutcome } from '../agent-outcome.ts'
import type { AgentManifest } from '../bundle/manifest.ts'
import { HOME, ran, samplePages } from '../testing/agent-sample.ts'

const caps = { cpuMs: 400, wallMs: 20_000, memoryBytes: 24 << 20 } as const
/** For those who use up all they are given. */
const little = { caps: { ...caps, cpuMs: 100 } }
const inPage = (body: string): string => `export function onPage(page, agent) { ${body} }`
const emitting = (fields: string): string => inPage(`agent.emit({ kind: 'meta', url: page.url, ${fields} })`)

type Case = readonly [
  sentence: string,
  source: string,
  outcome: AgentOutcome,
  message?: RegExp | undefined,
  more?: Partial<AgentManifest>,
]

// oxfmt-ignore
const cases: readonly Case[] = [
  ['loops',                                inPage('for (;;);'),                                                      'too-slow', undefined, little],
  ['loops while it is loaded',             'for (;;);',                                                              'too-slow', undefined, little],
  ['catches whatever stops its loop',      inPage('for (;;) try { for (;;); } catch {} finally { for (;;); }'),      'too-slow', undefined, little],
  ['loops in a comparison',                inPage('[1, 2, 3].sort(() => { for (;;); })'),                            'too-slow', undefined, little],
  ['loops in what it emits',               emitting('x: { toJSON() { for (;;); } }'),                                'too-slow', undefined, little],
  ['loops in an error that it throws',     inPage('throw { get message() { for (;;); } }'),                          'too-slow', undefined, little],
  ['loops over what a proxy invents',      inPage('for (const x of { [Symbol.iterator]: () => ({ next: () => ({}) }) });'), 'too-slow', undefined, little],
  ['notes without end',                    inPage('for (;;) agent.note("x")'),                                       'too-slow', undefined, little],
  ['has a regular expression that backtracks', inPage('/^(a+)+$/.test("a".repeat(40) + "b")'),                       'too-slow', undefined, little],

  ['gathers strings',                      inPage('const a = []; for (;;) a.push("x".repeat(1000) + a.length)'),     'too-large', undefined, { caps: { ...caps, cpuMs: 10_000 } }],
  ['gathers arrays',                       inPage('const a = []; for (;;) a.push(new Uint8Array(1e5))'),             'too-large'],
  ['asks for a gigabyte',                  inPage('new Uint8Array(2 ** 30)'),                                        'too-large'],
  ['doubles a string',                     inPage('let s = "x"; for (;;) s += s'),                                   'too-large'],
  ['fills an array without end',           inPage('new Array(2 ** 32 - 1).fill(0)'),                                 'too-large', undefined, { caps: { ...caps, cpuMs: 10_000 } }],

  ['reads when there is no memory left',   inPage('const a = []; try { for (let n = 1e6; n > 8; n /= 2) try { for (;;) a.push(new Uint8Array(n)) } catch {} } catch {} for (;;) agent.read(page)'), 'too-large', undefined, { caps: { ...caps, cpuMs: 10_000 } }],

  ['calls itself',                         inPage('const f = () => f() + 1; f()'),                                   'too-deep'],
  ['calls itself while it is turned into text', inPage('const o = { toString: () => `${o}` }; `${o}`'),              'too-deep'],
  ['parses what is nested a million deep', inPage('JSON.parse("[".repeat(1e6))'),                                    'too-deep'],
  ['writes what is nested without end',    inPage('let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)'), 'too-deep'],

  ['reads more pages than it may',         inPage('agent.read(page)'),                                               'reads-too-much', /more than 2 pages/, { caps: { ...caps, reads: 2 } }],
  ['reads more bytes than it may',         inPage('agent.bytes(page)'),                                              'reads-too-much', /more than 100 bytes/, { caps: { ...caps, readBytes: 100 } }],
  ['emits more records than it may',       inPage('for (;;) agent.emit({ kind: "meta", url: page.url })'),           'emits-too-much', /more than 500 records/, { caps: { ...caps, records: 500 } }],
  ['emits more bytes than it may',         inPage('for (;;) agent.emit({ kind: "meta", url: page.url, x: "x".repeat(999) })'), 'emits-too-much', /more than 100000 bytes/, { caps: { ...caps, outputBytes: 1e5 } }],
  ['remembers more than it may',           inPage('agent.remember(page, "x".repeat(60000))'),                        'emits-too-much', /remember more than 100000 bytes/, { caps: { ...caps, stateBytes: 1e5 } }],
  ['remembers too much of one page',       inPage('agent.remember(page, "x".repeat(70000))'),                        'emits-too-much', /characters of a page/],

  ['throws an error',                      inPage('throw new TypeError("no")'),                                      'threw', /^TypeError: no \(agent\.js:1:\d+\)$/],
  ['throws nothing',                       inPage('throw null'),                                                     'threw', /^null$/],
  ['throws an object',                     inPage('throw { a: 1 }'),                                                 'threw', /"a":1/],
  ['throws a long story',                  inPage('throw new Error("x".repeat(1e6))'),                               'threw', /^Error: x{400}/],
  ['throws while it is loaded',            'throw new Error("early"); export function onPage() {}',                  'threw', /early/],
  ['throws an error that says it is something else', inPage('const e = new Error("x"); e.name = "done"; throw e'),   'threw', /^done: x/],

  ['emits a number',                       inPage('agent.emit(1)'),                                                  'bad-record', /no JSON object/],
  ['emits nothing',                        inPage('agent.emit()'),                                                   'bad-record', /no JSON object/],
  ['emits a function',                     inPage('agent.emit(() => 1)'),                                            'bad-record', /no JSON object/],
  ['emits a list',                         inPage('agent.emit([])'),                                                 'bad-record', /no JSON object/],
  ['emits what is no kind of record',      emitting('kind: "mail"'),                                                 'bad-record', /kind is none of/],
  ['emits what it did not declare',        emitting('kind: "page"'),                                                 'bad-record', /not declared/],
  ['emits something of another site',      emitting('url: "https://b.example/"'),                                    'bad-record', /no page https:\/\/b\.example/],
  ['emits something of a page there is not', emitting('url: page.url + "?"'),                                        'bad-record', /no page/],
  ['emits a change that there is not',     emitting('change: "moved"'),                                              'bad-record', /none of created/],
  ['emits what is nested too deep',        emitting('x: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]'),                     'bad-record', /nested/],
  ['emits a book',                         emitting('x: "x".repeat(3e6)'),                                           'bad-record', /characters/],
  ['emits a library',                      emitting('x: "x".repeat(9e6)'),                                           'bad-record', /characters/, { caps: { ...caps, memoryBytes: 128 << 20 } }],
  ['emits a circle',                       inPage('const r = { kind: "meta", url: page.url }; r.r = r; agent.emit(r)'), 'threw', /circular/],
  ['emits a big integer',                  emitting('x: 1n'),                                                        'threw', /BigInt/i],
  ['remembers something of another site',  inPage('agent.remember("https://b.example/", 1)'),                        'bad-record', /no page here/],

  ['asks for the log that it did not declare', inPage('agent.log()'),                                                'not-allowed', /access log/],

  ['looks for the process',                inPage('process.exit()'),                                                 'threw', /process/],
  ['looks for require',                    inPage('require("fs")'),                                                  'threw', /require/],
  ['looks for the network',                inPage('fetch("http://127.0.0.1/")'),                                     'threw', /fetch/],
  ['imports a module of Node',             'import fs from "node:fs"; export function onPage() {}',                  'bad-program', /could not load/],
  ['imports a file',                       'import x from "./sandbox-child.ts"; export function onPage() {}',        'bad-program', /could not load/],
  ['climbs from an object to its makers',  inPage('agent.read.constructor("return process")()'),                     'threw', /process/],
  ['climbs from an array of the host',     inPage('agent.html(page).links.constructor.constructor("return this.process.exit()")()'), 'threw'],
  ['evaluates',                            inPage('(0, eval)("globalThis.process.exit()")'),                         'threw'],
  ['replaces functions of the sandbox',    inPage('agent.emit = 1'),                                                 'threw', /read-only|not writable/],
  ['asks the host in its own words',       inPage('const { constructor } = agent.read; constructor("host", "return host(\'end\', \'{}\')")()'), 'threw'],

  ['throws what has no text',              inPage('throw Object.assign(new Error("x"), { name: { toString: null }, message: Object.create(null) })'), 'threw'],
  ['throws an object without a parent',    inPage('throw Object.create(null)'),                                      'threw'],
  ['throws a symbol',                      inPage('throw Symbol("s")'),                                              'threw'],
  ['is asynchronous',                      'export async function onPage() {}',                                      'bad-program', /asynchronous/],
  ['awaits while it is loaded',            'await new Promise(() => {}); export function onPage() {}',               'bad-program', /asynchronous/],
  ['is no program',                        '<html>',                                                                 'bad-program', /SyntaxError/],
  ['is nested too deep to be read',        `export const x = ${'['.repeat(20_000)}`,                                 'too-deep'],
  ['has nothing to call',                  'export const onPage = 1',                                                'bad-program', /must export a function/],
]

test('an agent that', { concurrency: 2 }, async (t) => {
  await Promise.all(
    cases.map(([sentence, source, outcome, message, more]) =>
      t.test(`${sentence} comes to ${outcome}`, async () => {
        const run = await ran(source, { caps, ...more })
        assert.equal(run.outcome, outcome, run.message)
        if (message !== undefined) assert.match(run.message, message)
        assert.ok(run.message.length <= 500)
        assert.ok(run.use.memoryBytes <= (more?.caps?.memoryBytes ?? caps.memoryBytes))
      }),
    ),
  )
})

// oxfmt-ignore
const harmless: [sentence: string, source: string][] = [
  ['replaces what the language has', `
    JSON.parse = () => { throw 1 }; JSON.stringify = () => '{}'
    Array.prototype[Symbol.iterator] = function* () { yield* [] }
    Object.prototype.url = 'https://b.example/'; String.prototype.toString = () => 'x'
    export function onPage(page, agent) { agent.emit({ kind: 'meta', url: page.url, title: (agent.html(page) || {}).title }) }`],
  ['pollutes the prototypes of what it emits', inPage(`
    agent.emit(JSON.parse('{"kind":"meta","url":"' + page.url + '","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'))`)],
  ['leaves promises behind', inPage('Promise.resolve().then(() => { for (;;); }); import("node:fs").then((fs) => fs.rmSync("/")); agent.emit({ kind: "meta", url: page.url })')],
  ['changes what it was given', inPage('try { page.url = 1 } catch {} agent.emit({ kind: "meta", url: page.url })')],
]
for (const [sentence, source] of harmless) {
  test(`an agent that ${sentence} harms nobody`, async () => {
    const run = await ran(source, { caps })
    assert.equal(run.outcome, 'done', run.message)
    assert.equal(run.emitted.length, 3)
    for (const { record } of run.emitted) assert.match(record.url, /^https:\/\/a\.example\//)
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })
}

test('there is no clock and no chance in a sandbox', async () => {
  const { emitted } = await ran(
    `export default (agent) => agent.emit({ kind: 'meta', url: '${HOME}',
      has: ['Date', 'performance', 'setTimeout', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics', 'crypto', 'console', 'Intl']
        .filter((name) => name in globalThis), random: typeof Math.random })`,
    { perPage: false },
  )
  assert.deepEqual([emitted[0]?.record['has'], emitted[0]?.record['random']], [[], 'undefined'])
})

/** A search for a needle that nearly matches everywhere: days in one call of QuickJS, which looks at no clock. */
const DEAF = inPage('"a".repeat(4e6).includes("a".repeat(2e6) + "b")')

test('an agent that does not come to look at the clock is killed when its processor time is up', async (t) => {
  if (process.platform !== 'linux') return missing(t, 'the processor time of another process', 'take Linux')
  const run = await ran(DEAF, { caps: { ...caps, cpuMs: 100 } })
  assert.deepEqual([run.outcome, run.message], ['hung', 'it went on after its processor time was used up'])
})

test('or when the time on the wall is', async () => {
  const run = await ran(DEAF, { caps: { ...caps, cpuMs: 3_600_000, wallMs: 700 } })
  assert.deepEqual([run.outcome, run.message], ['hung', 'it ran for more than 700 ms'])
})

test('an agent whose page never comes is killed when the time on the wall is up', async () => {
  const pages = { list: () => samplePages().list(), read: (): Promise<undefined> => new Promise(() => {}) }
  const run = await ran(inPage('agent.read(page)'), { caps: { ...caps, wallMs: 700 } }, { pages })
  assert.equal(run.outcome, 'hung')
})

// oxfmt-ignore
const signals: [signal: NodeJS.Signals, outcome: AgentOutcome][] = [
  ['SIGKILL', 'killed'],
  ['SIGTERM', 'killed'],
  ['SIGSEGV', 'crashed'],
  ['SIGABRT', 'crashed'],
]
for (const [signal, outcome] of signals) {
  test(`a sandbox that ${signal} ends comes to ${outcome}`, async () => {
    const patient = { ...caps, cpuMs: 60_000 }
    const run = await ran(inPage('for (;;);'), { caps: patient }, { onStart: (pid) => void process.kill(pid, signal) })
    assert.equal(run.outcome, outcome)
    assert.match(run.message, new RegExp(signal))
  })
}

test('an owner can stop a run, and one that has not begun', async () => {
  const stop = new AbortController()
  const patient = { ...caps, cpuMs: 60_000 }
  const run = await ran(inPage('for (;;);'), { caps: patient }, { signal: stop.signal, onStart: () => stop.abort() })
  assert.equal(run.outcome, 'stopped')
  const late = await ran(inPage('for (;;);'), {}, { signal: AbortSignal.abort() })
  assert.deepEqual([late.outcome, late.use.wallMs], ['stopped', 0])
})

test("an error of the host is the host's, and not an outcome", async () => {
  const pages = {
    list: () => samplePages().list(),
    read: async () => await Promise.reject(new Error('the disk is gone')),
  }
  await assert.rejects(ran(inPage('agent.read(page)'), {}, { pages }), /the disk is gone/)
})
