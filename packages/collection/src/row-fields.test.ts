/**
 * Each field of a row, also one that may be absent: it is written and read back, and what is none of its kind is refused. The samples
 * have every field, or the compiler asks for it; a field that `row-shape.ts` does not look at fails here by its name.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROW_SHAPES } from './rows/row-shape.ts'
import type { AllFields, BodyRow, CaptureRow, PageRow, RobotsRow } from './rows/rows.ts'
import { closeState, openState } from './rows/state.ts'
import type { State } from './rows/state.ts'

const AT = Date.UTC(2026, 10, 1)
const place = { file: 0, offset: 7, length: 9 }

const page: AllFields<PageRow> = {
  site: 3,
  outcome: 'timeout-headers',
  status: 0,
  told: { outcome: 'ok', status: 200 },
  visitedAt: AT,
  servedAt: AT - 1,
  changedAt: AT - 2,
  visits: 5,
  changes: 2,
  digest: 'sha256:AAAA',
  contentKey: new Uint8Array(16).fill(7),
  bytes: 900,
  type: 'text/html',
  charset: 'utf-8',
  language: 'en',
  title: 'Home',
  etag: '"1"',
  lastModified: 'Sun, 01 Nov 2026 00:00:00 GMT',
  dictionary: 'match="/*"',
  redirectTo: 'https://a.example/b',
  hops: 1,
  canonical: 'https://a.example/',
  noindex: true,
  noarchive: true,
  nofollow: true,
  needsScripts: true,
  simhash: [1, 2],
  similarity: 0.5,
  isHot: true,
  nearDuplicateOf: 8,
  timings: { connectMs: 1, firstByteMs: 2, transferMs: 3 },
  problem: 'it took too long',
  isDropped: true,
  body: place,
}
const capture: AllFields<CaptureRow> = {
  source: 'crawl',
  scheme: 'difference',
  outcome: 'ok',
  status: 226,
  digest: 'sha256:AAAA',
  bytes: 900,
  record: place,
  body: place,
  problem: 'none',
  why: 'it was told',
}
const robots: AllFields<RobotsRow> = {
  fetchedAt: AT,
  expiresAt: AT + 1,
  status: 200,
  verdict: 'rules',
  body: Buffer.from('User-agent: *'),
}
const body: AllFields<BodyRow> = { ...place, url: 'https://a.example/', at: AT }

type Row = Readonly<Record<string, unknown>>
const samples: [table: 'pages' | 'captures' | 'robots' | 'bodies', row: Row][] = [
  ['pages', page],
  ['captures', capture],
  ['robots', robots],
  ['bodies', body],
]

/** None of them is of any field. */
const NEVER = [Symbol.iterator, () => 1, new Map()]

for (const [table, row] of samples)
  test(`${table}: a field of another kind is refused, whichever it is, and one of its kind is not`, () => {
    const isOne = ROW_SHAPES.get(table)!
    assert.ok(isOne(row))
    for (const field of Object.keys(row)) {
      assert.notEqual(row[field], undefined, `${field} has no sample`)
      for (const never of NEVER) assert.equal(isOne({ ...row, [field]: never }), false, `${field} is not looked at`)
    }
  })

/** Bytes come back as a view of their own kind. */
const plain = (row: object): Row =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, value instanceof Uint8Array ? [...value] : (value as unknown)]),
  )

interface AnyTable {
  put(key: unknown, row: Row): Promise<boolean>
  get(key: unknown): object
}

test('every field of every row is read back as it was written', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-rows-'))
  t.after(() => rmSync(dir, { recursive: true }))
  mkdirSync(join(dir, 'state'))
  const keys = { pages: 1, captures: [1, AT], robots: 1, bodies: 'sha256:AAAA' }
  const table = (state: State, name: keyof typeof keys): AnyTable => state[name] as unknown as AnyTable
  {
    const state = openState(dir)
    for (const [name, row] of samples) await table(state, name).put(keys[name], row)
    await closeState(state)
  }
  const state = openState(dir)
  for (const [name, row] of samples) assert.deepEqual(plain(table(state, name).get(keys[name])), plain(row))
  await closeState(state)
})
