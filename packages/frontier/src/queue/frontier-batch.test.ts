import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrontierError } from '../errors.ts'
import { applyPageLog, encodePageLog, readPageLog } from './frontier-batch.ts'
import { DONE, FORGOTTEN, LEASED, EXCLUDED, PageTable, WAITING } from './page-table.ts'

const emptyTable = (): PageTable => new PageTable(() => 0.3)

/** Everything the page log is to bring back. */
const rowsOf = (table: PageTable): number[][] =>
  Array.from({ length: table.count }, (_, page) => [
    table.siteOf(page),
    table.keyHighOf(page),
    table.keyLowOf(page),
    table.seedOf(page),
    table.depthOf(page),
    table.stateOf(page),
    table.triesOf(page),
  ])

const u32 = fc.nat(0xffffffff)
const storable = fc.constantFrom(WAITING, DONE, EXCLUDED, FORGOTTEN)
const page = fc.record({
  site: u32,
  high: u32,
  low: u32,
  seed: u32,
  depth: fc.nat(0xffff),
  state: storable,
  tries: fc.nat(255),
})
const change = fc.record({ page: fc.nat(99), depth: fc.nat(0xffff), state: storable, tries: fc.nat(255) })
const batches = fc.array(
  fc.record({ pages: fc.array(page, { maxLength: 20 }), changes: fc.array(change, { maxLength: 20 }) }),
)

test('the batches of a table, applied in order, make the same table', () => {
  fc.assert(
    fc.property(batches, (all) => {
      const [table, copy] = [emptyTable(), emptyTable()]
      for (const { pages, changes } of all) {
        const from = table.count
        const changed = changes.filter((each) => each.page < from)
        for (const p of pages) table.add(p.site, p.high, p.low, p.seed, p.depth, p.state, p.tries)
        for (const c of changed) {
          table.setDepth(c.page, c.depth)
          table.setState(c.page, c.state)
          table.setTries(c.page, c.tries)
        }
        const ids = changed.map((each) => each.page)
        assert.equal(applyPageLog(copy, encodePageLog(table, from, table.count, ids)), ids.length)
        assert.deepEqual(rowsOf(copy), rowsOf(table))
      }
    }),
  )
})

test('a leased page comes back waiting: a lease does not outlive its process', () => {
  const [table, copy] = [emptyTable(), emptyTable()]
  table.add(0, 1, 2, 0, 3, LEASED)
  applyPageLog(copy, encodePageLog(table, 0, 1, []))
  assert.equal(copy.stateOf(0), WAITING)
})

test('what a record says is read as it was meant, entry by entry', () => {
  const table = emptyTable()
  for (let n = 0; n < 3; n++) table.add(n + 5, n * 7, n * 11, n, n + 1, WAITING)
  table.setState(0, FORGOTTEN)
  const told: number[][] = []
  const tell = (...said: number[]): void => void told.push(said)
  assert.equal(readPageLog(encodePageLog(table, 1, 3, [0]), { begins: tell, added: tell, changed: tell }), 1)
  assert.deepEqual(told, [[1], [1, 6, 7, 11, 1, 2, WAITING, 0], [2, 7, 14, 22, 2, 3, WAITING, 0], [0, 1, FORGOTTEN, 0]])
})

function sample(): Uint8Array {
  const table = emptyTable()
  for (let n = 0; n < 3; n++) table.add(0, n, n, 0, 0, WAITING)
  return encodePageLog(table, 0, 3, [1])
}

const damages: [sentence: string, damage: (bytes: Uint8Array) => Uint8Array][] = [
  ['an empty record', () => new Uint8Array(0)],
  ['a record shorter than its header', (bytes) => bytes.subarray(0, 15)],
  ['a record cut short', (bytes) => bytes.subarray(0, -1)],
  ['a record with something behind it', (bytes) => new Uint8Array([...bytes, 0])],
  ['another version', (bytes) => bytes.with(0, 2)],
  ['more pages than bytes', (bytes) => bytes.with(11, 255)],
  ['a record that does not follow the one before', (bytes) => bytes.with(4, 1)],
  ['a change to a page that does not exist', (bytes) => bytes.with(bytes.length - 8, 9)],
  ['a state that does not exist', (bytes) => bytes.with(bytes.length - 2, 6)],
  ['a lease, which is never written', (bytes) => bytes.with(bytes.length - 2, LEASED)],
]
for (const [sentence, damage] of damages) {
  test(`a journal with ${sentence} is refused with a reason`, () => {
    assert.throws(() => applyPageLog(emptyTable(), damage(sample())), {
      name: 'FrontierError',
      code: 'JOURNAL_UNREADABLE',
    })
  })
}

test('any bytes are either read or refused with a FrontierError', () => {
  const flips = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 })
  const damaged = flips.map((list) => list.reduce((bytes, [at, to]) => bytes.with(at % bytes.length, to), sample()))
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 80 })), (bytes) => {
      try {
        applyPageLog(emptyTable(), bytes)
      } catch (error) {
        assert.ok(error instanceof FrontierError, String(error))
      }
    }),
    { numRuns: 500 },
  )
})
