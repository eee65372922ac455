import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AgentStore, MemoryPages, pagesDigest, readResult, resultPath } from '@comity/agent'
import type { AgentPages } from '@comity/agent'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Subscriber } from '@comity/site'
import { AgentOutboxFile } from './outbox.ts'
import { placeAgent } from './placement.ts'
import { AgentRounds } from './rounds.ts'
import { HourlyHits } from './hourly-hits.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const AT = Date.UTC(2026, 10, 15)
const EVERY = 60_000
const HOME = 'https://a.example/'

const program = (body: string, reads = "['pages']"): string =>
  `export const manifest = { name: 'sample', version: '1.0.0', about: 'A sample.', perPage: true, emits: ['meta'], reads: ${reads} }
export function onPage(page, agent) { ${body} }`

const NEWS = `if (agent.previous(page) === page.digest) return
  agent.remember(page, page.digest)
  agent.emit({ kind: 'meta', url: page.url })`

class Rig {
  readonly store: AgentStore
  readonly outbox: AgentOutboxFile
  readonly rounds: AgentRounds
  readonly told: string[] = []
  readonly subscribers: Subscriber[] = []
  pages: MemoryPages = new MemoryPages().add(HOME, 'one')
  now = AT

  private constructor(dir: string, log?: () => Promise<ReadonlyMap<string, number> | undefined>) {
    this.store = new AgentStore(dir)
    const tell = (sentence: string): void => void this.told.push(sentence)
    const subscribers = { all: () => this.subscribers }
    this.outbox = new AgentOutboxFile({ store: this.store, subscribers, file: join(dir, 'told.json'), tell })
    const pages: AgentPages & { mark(): string } = {
      list: () => this.pages.list(),
      read: async (page) => await this.pages.read(page),
      mark: () => pagesDigest([...this.pages.list()]),
    }
    this.rounds = new AgentRounds({
      pages,
      everyMs: EVERY,
      log,
      now: () => this.now,
      tell,
      store: this.store,
      outbox: this.outbox,
    })
  }

  static async make(source: string, log?: () => Promise<ReadonlyMap<string, number> | undefined>): Promise<Rig> {
    const dir = folder.at(`rounds-${++made}`)
    const places = { agents: dir, bundles: `${dir}-bundles`, engine: 'https://engine.example/' }
    await placeAgent({ source, ...places, at: AT })
    return new Rig(dir, log)
  }

  listen(id: string): void {
    this.subscribers.push({ id, scheme: 'agent', by: 'push', address: `https://engine.example/${id}`, begins: 0 })
  }

  /** Of a run, what it said of which pages. */
  urls(run: number): string[] {
    const read = readResult(readFileSync(resultPath(this.store.dir, 'sample', run), 'utf8'))
    assert.ok(read.kind === 'result')
    return read.result.records.map(({ record }) => record.url)
  }
}

let made = 0

test('an agent runs when somebody listens and pages are other ones, and no more often than it may', async () => {
  const rig = await Rig.make(program(NEWS))
  assert.equal(await rig.rounds.round(), 0, 'nobody listens')
  rig.listen('one')
  assert.equal(await rig.rounds.round(), 1)
  assert.deepEqual(rig.urls(1), [HOME])
  rig.now += EVERY
  assert.equal(await rig.rounds.round(), 0, 'nothing has changed')
  rig.pages = new MemoryPages().add(HOME, 'one').add(`${HOME}b`, 'two')
  assert.equal(await rig.rounds.round(), 1)
  assert.deepEqual(rig.urls(2), [`${HOME}b`])
  rig.pages = new MemoryPages().add(HOME, 'three').add(`${HOME}b`, 'two')
  rig.now += EVERY - 1
  assert.equal(await rig.rounds.round(), 0, 'too soon')
  rig.now += 1
  assert.equal(await rig.rounds.round(), 1)
  assert.deepEqual(rig.urls(3), [HOME])
})

test('who is new is told of all pages, at once', async () => {
  const rig = await Rig.make(program(NEWS))
  rig.listen('one')
  await rig.rounds.round()
  rig.listen('two')
  assert.equal(await rig.rounds.round(), 1)
  assert.deepEqual(rig.urls(2), [HOME])
  const letter = await rig.outbox.next(rig.subscribers[1]!)
  assert.deepEqual([letter?.id, letter?.isOfAll], ['sample 2', true])
})

test('an agent whose results nobody takes is not run on and on', async () => {
  const rig = await Rig.make(program(NEWS))
  rig.listen('one')
  let runs = 0
  for (let version = 0; version < 12; version++) {
    rig.pages = new MemoryPages().add(HOME, `version ${version}`)
    runs += await rig.rounds.round()
    rig.now += EVERY
  }
  assert.equal(runs, 8)
  assert.deepEqual(rig.told, [])
})

test('an agent that fails rests for longer each time, is withdrawn, and its owner is told once', async () => {
  const rig = await Rig.make(program('throw new Error("no")'))
  rig.listen('one')
  const at: number[] = []
  for (let minutes = 0; minutes < 30; minutes++) {
    if ((await rig.rounds.round()) > 0) at.push(minutes)
    rig.now += EVERY
  }
  assert.deepEqual(at, [0, 2, 6])
  assert.equal(rig.told.length, 2)
  assert.match(rig.told[0]!, /came to nothing: threw/)
  assert.match(rig.told[1]!, /withdrawn: 3 runs failed in a row/)
})

test('readers are counted for an agent that may know them, and for no other', async () => {
  const file = folder.at('access.log')
  const line = '1.2.3.4 - - [15/Nov/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "Mozilla/5.0"\n'
  writeFileSync(file, line.repeat(3))
  const told: string[] = []
  const hits = new HourlyHits(file, HOME, (sentence) => told.push(sentence))
  const source = program(
    `const log = agent.log(); agent.emit({ kind: 'meta', url: page.url, hits: log === null ? -1 : log[page.url] })`,
    "['pages', 'log']",
  )
  const rig = await Rig.make(source, async () => await hits.read(AT))
  rig.listen('one')
  await rig.rounds.round()
  const hitsIn = (run: number): unknown =>
    JSON.parse(readFileSync(resultPath(rig.store.dir, 'sample', run), 'utf8').split('\n')[1]!).record.hits
  assert.equal(hitsIn(1), -1)
  rig.store.changeAgent('sample', (agent) => ({ ...agent, mayReadLog: true }))
  rig.pages = new MemoryPages().add(HOME, 'another')
  rig.now += EVERY
  await rig.rounds.round()
  assert.equal(hitsIn(2), 3)
  writeFileSync(file, line.repeat(9))
  assert.equal((await hits.read(AT + 3_599_999))?.get(HOME), 3, 'within the hour it is not read again')
  assert.equal((await hits.read(AT + 3_600_000))?.get(HOME), 9)
  const none = new HourlyHits(folder.at('none.log'), HOME, (sentence) => told.push(sentence))
  assert.equal(await none.read(AT), undefined)
  assert.match(told[0]!, /The access log cannot be read/)
})
