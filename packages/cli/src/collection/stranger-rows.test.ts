/**
 * A collection of somebody else whose rows are not such as we write: whatever a row or a field of it is, every command that
 * reads a collection ends, with what it could read or with a name for what is wrong, and never with a fault of ours.
 */
import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Collection, encodeReading, factKind } from '@comity/collection'
import { openState } from '@comity/collection/testing'
import type { CooperationRow } from '@comity/follow'
import { encodeRevisitRecord, policyNamed, RevisitQueue } from '@comity/frontier'
import { amount } from '@comity/protocol/testing'
import { FACT_READERS } from './collection-facts.ts'
import { openServer } from './collection-server.ts'
import { restoredFrontier } from './collection-view.ts'
import { crawlSample } from '../testing/search-fixture.ts'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const LIMIT = { timeout: 600_000 }
const [AT, DAY] = [Date.UTC(2026, 10, 15, 12), 86_400_000]
const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const base = folder.at('base')
let origin = ''

before(async () => {
  origin = await crawlSample(base)
  await keepFresh()
})

/** What a watch and a gateway leave, too. */
async function keepFresh(): Promise<void> {
  const queue = new RevisitQueue({ policy: policyNamed('value'), budget: { requestsPerSecond: 5 }, random: () => 0.5 })
  queue.added(1, { site: 0, visitedAt: AT - 9 * DAY }, AT)
  queue.signalled(1, { url: `${origin}/otter`, change: 'updated', channel: 'filter' }, AT - 8 * DAY)
  queue.visited(1, { at: AT - 7 * DAY, changed: true, bytes: 900 })
  queue.visited(1, { at: AT - 2 * DAY, changed: false, bytes: 300 })
  const state = openState(base)
  await state.freshness.put(1, Buffer.from(encodeRevisitRecord(queue.recordOf(1)!)))
  await state.cooperation.put(0, { ...COOPERATION, trust: queue.trustOf(0)!.state() } satisfies CooperationRow)
  const hours = [{ hour: Math.floor(AT / 3_600_000), people: 2, robots: 1 }]
  await state.reading.put(1, Buffer.from(encodeReading({ asOf: AT, lastAt: AT, people: 2, robots: 1, hours })))
  for (const [name, value] of Object.entries(FACTS)) await state.meta.put(name, value)
  await state.root.close()
}

const OFFER = { url: 'http://127.0.0.1/changes', checkedAt: AT, news: 2, failures: 0, restsUntil: 0 }
const COOPERATION: CooperationRow = {
  offers: {
    lookedAt: AT,
    lookAgainAt: AT + DAY,
    toldAt: AT,
    push: { hub: 'http://127.0.0.1/push/hub', topics: { pages: 'http://127.0.0.1/push/pages' } },
    offers: [{ ...OFFER, kind: 'filter', also: ['http://127.0.0.1/x'], bytes: 5, requests: 1, problem: 'status 500' }],
    marks: { 'http://127.0.0.1/changes': { hash: 'abc', etag: '"x"', parts: ['x'] } },
    named: { 'http://127.0.0.1/sitemap.xml': { 'http://127.0.0.1/sitemap.xml': Buffer.of(1, 2) } },
    pace: { looks: 3, withNews: 1, ms: DAY },
  },
  capabilityLists: ['http://127.0.0.1/capabilities'],
  order: [1, 0],
  differences: { count: 2, problem: 'too-large', at: AT },
  worth: { worth: 4, at: AT },
  pushes: {
    taken: 3,
    checked: 3,
    different: 2,
    recentlyChecked: 0,
    recentlyDifferent: 0,
    strikes: 1,
    restsUntil: AT + 400 * DAY,
    agreed: 0,
  },
  calls: {
    subscription: { scheme: 'pages', state: 'active', leaseUntil: AT + 400 * DAY, reason: 'none' },
    outcomes: { applied: 3 },
    schemes: { pages: 4 },
    bytes: 9_000,
    lastAt: AT,
    door: 'websub',
    proof: 'subscription',
    refused: { forged: 1 },
  },
}
const FACTS = {
  watch: {
    at: AT,
    price: 0.01,
    bytesPerSecond: Infinity,
    sample: {
      policy: 'value',
      requestsPerSecond: 5,
      dayMs: DAY,
      pages: 6,
      freshness: 0.8,
      ageSeconds: 9,
      requests: 20,
      bytes: 9_000,
      needless: 3,
      schemes: { whole: { requests: 3, bytes: 900, changed: 1, unchanged: 2 } },
      signals: { filter: { news: 2, known: 1 } },
    },
  },
  reading: { version: 1, at: AT, halfLifeMs: 30 * DAY, hours: [{ hour: 490_000, people: 2, robots: 1 }] },
  gateways: {
    'gate-1': {
      runs: [{ run: 'r1', upTo: 3, above: [5], lastAt: AT }],
      batches: 3,
      repeated: 0,
      lastAt: AT,
      passedAt: AT,
      bytes: 900,
      pages: 5,
      htmlBytes: 9_000,
      skipped: { private: 2 },
      outcomes: { applied: 3 },
      people: 3,
      robots: 1,
      avoidedRequests: 4,
      avoidedBytes: 900,
    },
  },
  forgettings: [{ at: AT, pages: 1, sites: 0 }],
  forgottenSites: ['http://gone.example'],
  moved: ['http://127.0.0.1/moved'],
}

/** Instead of a row, or of a field of one. */
const ODD: readonly unknown[] = [null, 5, 'x', [], {}, -1, 1e300, NaN, [[null]], { x: [null] }, true, undefined]
const ODD_BYTES = (bytes: Buffer): readonly Buffer[] => [
  Buffer.alloc(0),
  Buffer.of(1),
  Buffer.alloc(64, 0xff),
  Buffer.alloc(64),
  bytes.subarray(0, -1),
  Buffer.concat([bytes, bytes]),
  Buffer.from(bytes.map((byte) => byte ^ 0x55)),
]

interface Change {
  readonly what: string
  readonly table: string
  readonly key: unknown
  readonly value: unknown
}

type Table = { getRange(range: object): Iterable<Row>; put(key: unknown, value: unknown): Promise<boolean> }
type Row = { readonly key: unknown; readonly value: unknown }

const tablesOf = (state: object): [string, Table][] =>
  Object.entries(state as Record<string, Table>).filter(([name]) => name !== 'root')

/** Of the first rows of each table, and of every fact: each odd value in the place of it, and of each of its fields. */
async function everyChange(): Promise<Change[]> {
  const state = openState(base)
  const changes: Change[] = []
  for (const [table, rows] of tablesOf(state)) {
    for (const { key, value } of rows.getRange({ limit: table === 'meta' ? 100 : 1 })) {
      const name = `${table} ${String(key)}`
      const odd = Buffer.isBuffer(value) ? oddBytes(name, value) : oddValues(name, value)
      for (const [what, other] of odd) changes.push({ what, table, key, value: other })
    }
  }
  await state.root.close()
  return changes
}

const oddBytes = (name: string, bytes: Buffer): [string, Buffer][] =>
  ODD_BYTES(bytes).map((odd, i) => [`${name}: bytes ${i}`, odd])

function oddValues(name: string, value: unknown): [string, unknown][] {
  const here = ODD.filter((odd) => odd !== undefined || name.includes('.')).map((odd): [string, unknown] => [
    `${name}: ${typeof odd === 'number' ? odd : JSON.stringify(odd)}`,
    odd,
  ])
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return here
  const inside = Object.entries(value).flatMap(([field, part]) =>
    oddValues(`${name}.${field}`, part).map(([what, odd]): [string, unknown] => [what, withField(value, field, odd)]),
  )
  return [...here, ...inside]
}

const withField = (value: object, field: string, part: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one: unknown, i) => (String(i) === field ? part : one))
    : { ...value, [field]: part }

async function put(dir: string, { table, key, value }: Change): Promise<void> {
  const state = openState(dir)
  await tablesOf(state)
    .find(([name]) => name === table)![1]
    .put(key, value)
  await state.root.close()
}

const READING = (dir: string): readonly (readonly string[])[] => [
  ['inspect', dir],
  ['inspect', dir, '--json'],
  ['inspect', dir, `${origin}/`],
  ['inspect', dir, `${origin}/otter`, '--json'],
  ['search', dir, 'salmon'],
  ['export', dir, '--jsonl', `${dir}.jsonl`],
  ['export', dir, '--graph', `${dir}.graph`],
  ['export', dir, '--wacz', `${dir}.wacz`],
  ['letters', dir],
  ['forget', dir, `${origin}/otter`, '--dry-run'],
]
/** They change it, and so come last. */
const WRITING = (dir: string): readonly (readonly string[])[] => [
  ['index', dir],
  ['forget', dir, `${origin}/otter`],
  ['import', `${dir}.wacz`, '--into', dir],
]
// oxfmt-ignore
const ROUTES = (): readonly string[] => [
  '', 'search?q=salmon', 'live', 'freshness', 'calls', 'reading', 'sites', `site?origin=${origin}`, 'graph', 'metrics', 'readyz',
  `page?url=${origin}/`, `page?url=${origin}/otter`, `page/view?url=${origin}/otter`,
  'api/v1/statistics', 'api/v1/sites', `api/v1/page?url=${origin}/otter`,
]

async function problemsOf(change: Change): Promise<string[]> {
  const dir = folder.at('changed')
  rmSync(dir, { recursive: true, force: true })
  cpSync(base, dir, { recursive: true })
  await put(dir, change)
  const problems: string[] = []
  const run = async (args: readonly string[]): Promise<void> => {
    const { code, stderr } = await comityHere(args)
    const isNamed = (code === 0 || code === 1) && !/should not have happened|\n {4}at /.test(stderr)
    if (!isNamed) problems.push(`${change.what}: ${args[0]}: ${code}: ${faultIn(stderr)}`)
  }
  for (const args of READING(dir)) await run(args)
  problems.push(...(await served(dir)).map((problem) => `${change.what}: serve: ${problem}`))
  for (const args of WRITING(dir)) await run(args)
  return problems
}

async function served(dir: string): Promise<string[]> {
  const problems: string[] = []
  const onError = (error: unknown): void => {
    if (!isNamed(error)) problems.push(faultIn(error instanceof Error ? error.stack! : String(error)))
  }
  try {
    await using server = await openServer({ dir, host: '127.0.0.1', port: 0, onError })
    for (const route of ROUTES()) await (await fetch(server.url + route)).arrayBuffer()
  } catch (error) {
    onError(error)
  }
  return problems
}

/** Also by a thread, from where names of errors do not come along. */
const isNamed = (error: unknown): boolean =>
  error instanceof Error && /^(?:Collection|Index|Frontier|Crawl|Repository)Error\b/.test(error.stack ?? '')

/** What it was, and where in our code. */
function faultIn(text: string): string {
  const lines = text.split('\n')
  const what = lines.find((line) => /Error/.test(line)) ?? lines[0]
  return `${what} ${/\(?file:[^)]*packages\/([^)]*)/.exec(text)?.[1] ?? ''}`
}

test('whatever a row or a field of one is, commands end with what they read or with a name', LIMIT, async (t) => {
  const all = await everyChange()
  // All of them take half an hour: `npm run torture:faults` takes every eleventh.
  const step = amount(797, 11)
  const chosen = all.filter((_, i) => i % step === 0)
  t.diagnostic(`${chosen.length} of ${all.length} changes`)
  const problems: string[] = []
  for (const change of chosen) problems.push(...(await problemsOf(change)))
  assert.deepEqual(problems, [])
})

const PACKAGES = join(import.meta.dirname, '../../..')
/** Without them it is not opened: that ends with their names. */
const NEEDED = new Set(['warc', 'closed', 'urlRules', 'openings', 'taken'])

async function collectionWith(dir: string, wrong: readonly string[]): Promise<void> {
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  for (const name of wrong)
    collection.putFact(
      factKind<unknown>(name, () => true),
      new Map([['constructor', 5]]),
    )
  await collection.commit(restoredFrontier(collection, AT, true).drain())
}

test('every fact that a package keeps has a reader here', () => {
  const sources = globSync('*/src/**/*.ts', { cwd: PACKAGES }).filter((path) => !/\.test\.ts$|\/testing\//u.test(path))
  const kept = sources.flatMap((path) =>
    [...readFileSync(join(PACKAGES, path), 'utf8').matchAll(/\bfactKind\(\s*'(\w+)'/gu)].map(([, name]) => name!),
  )
  assert.deepEqual([...FACT_READERS.keys()].toSorted(), kept.toSorted())
})

test('facts that are wrong are counted and named, and inspect tells all the rest', async () => {
  const wrong = [...FACT_READERS.keys()].filter((name) => !NEEDED.has(name))
  await collectionWith(folder.at('wrong'), wrong)
  const ended = await comityHere(['inspect', folder.at('wrong'), '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const told = lastJson(ended)
  assert.deepEqual(told['wrongFacts'], { count: wrong.length, names: wrong })
  assert.deepEqual([told['pages'], told['seeds'], told['freshness']], [0, [], undefined])
  const words = await comityHere(['inspect', folder.at('wrong')])
  assert.match(words.stdout, new RegExp(`Facts that nobody can read[^]*${wrong.length}[^]*seeds[^]*reading`, 'u'))
})

test('of a collection as comity writes it none is wrong', async () => {
  await collectionWith(folder.at('right'), [])
  const told = lastJson(await comityHere(['inspect', folder.at('right'), '--json']))
  assert.deepEqual(told['wrongFacts'], { count: 0, names: [] })
  assert.doesNotMatch((await comityHere(['inspect', folder.at('right')])).stdout, /nobody can read/u)
})
