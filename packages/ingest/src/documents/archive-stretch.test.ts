/** An archive read in stretches is the archive read at once, and costs no more. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { defaultUrlRules, encodeRecord, gzipRecord, responseHead, responseRecord, WorkBudget } from '@comity/protocol'
import type { WarcRecord } from '@comity/protocol'
import { readStretch } from './archive-stretch.ts'
import type { ArchiveStretch } from './archive-stretch.ts'
import { readingOptions } from '../testing/reading-fixture.ts'
import { ReadingPool } from '../read/pool.ts'

const AT = Date.UTC(2026, 10, 16)
const terms = { at: AT, urlRules: defaultUrlRules, maxRecordBytes: 8 << 20 }

const recordOf = (n: number): WarcRecord =>
  responseRecord({
    url: `https://a.example/${n}`,
    at: AT,
    httpHead: responseHead({ status: 200, headers: [['Content-Type', 'text/html']] }),
    body: randomBytes(1 << 20),
  })
const kinds: [kind: string, written: (record: WarcRecord) => Uint8Array][] = [
  ['packed', (record) => gzipRecord(record, 1)],
  ['plain', (record) => encodeRecord(record)],
]

for (const [kind, written] of kinds) {
  test(`ten large pages, ${kind}, come in three stretches, each once and in order`, async () => {
    const body = Buffer.concat(Array.from({ length: 10 }, (_, n) => written(recordOf(n))))
    await using pool = new ReadingPool(readingOptions, 1, 1 << 20)
    const urls: string[] = []
    let stretches = 0
    let { left: units } = WorkBudget.ofArchive(body.length)
    for (let start: number | undefined = 0; start !== undefined; stretches++) {
      const read: ArchiveStretch | 'too-much-work' = await pool.work('stretch', { body, start, units, ...terms })
      assert.ok(read !== 'too-much-work' && read.units < units)
      urls.push(...read.pages.map(({ url }) => url))
      ;({ next: start, units } = read)
    }
    assert.deepEqual([urls, stretches], [Array.from({ length: 10 }, (_, n) => `https://a.example/${n}`), 3])
  })
}

test('a budget that is spent ends it by name, with what was read until then', () => {
  const body = Buffer.concat(Array.from({ length: 10 }, (_, n) => gzipRecord(recordOf(n), 1)))
  const { pages, problem, next, units } = readStretch({ body, start: 0, units: 9_000, ...terms })
  assert.ok(pages.length > 0 && pages.length < 4 && units < 0)
  assert.equal(next, undefined)
  assert.match(problem ?? '', /^too-much-work/)
})
