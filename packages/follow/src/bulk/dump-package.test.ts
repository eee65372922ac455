import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeSyncDocument } from '@comity/protocol'
import { isOutdated, readDumpPackage, dumpLimits } from './dump-package.ts'
import type { DumpEnd, DumpLimits } from './dump-package.ts'
import type { DumpedPage } from '@comity/ingest'
import { packageOf as packed } from '../testing/package-fixture.ts'
import type { PackedFile } from '../testing/package-fixture.ts'

const ORIGIN = 'https://a.example'

const packageOf = (entries: readonly PackedFile[], manifest?: string): Uint8Array => packed(ORIGIN, entries, manifest)

async function readAll(bytes: Uint8Array, limits?: DumpLimits): Promise<{ pages: DumpedPage[]; end: DumpEnd }> {
  const pages: DumpedPage[] = []
  const reading = readDumpPackage(bytes, `${ORIGIN}/dump.zip`, () => true, limits)
  let step = await reading.next()
  for (; step.done !== true; step = await reading.next()) pages.push(step.value)
  return { pages, end: step.value }
}

const page = (n: number, text = `page ${n}`): PackedFile => ({ path: `/${n}`, body: Buffer.from(text) })

test('what is packed is read, with what its manifest says', async () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(bodies, async (list) => {
      const { pages, end } = await readAll(packageOf(list.map((body, n) => ({ path: `/${n}`, body }))))
      assert.deepEqual(
        pages.map(({ url, body }) => [url, Buffer.from(body)]),
        list.map((body, n) => [`${ORIGIN}/${n}`, Buffer.from(body)]),
      )
      assert.deepEqual(end, { pages: list.length, faults: 0, problem: undefined })
    }),
    { numRuns: 30 },
  )
})

test('a page with a wrong digest is left out, and many of them end it', async () => {
  const wrong = (n: number): PackedFile => ({ ...page(n), digest: `sha-256:${'0'.repeat(64)}` })
  const one = await readAll(packageOf([page(0), wrong(1), page(2)]))
  assert.deepEqual([one.pages.length, one.end.faults, one.end.problem], [2, 1, undefined])
  const many = await readAll(packageOf([...Array.from({ length: 30 }, (_, n) => wrong(n)), page(30)]))
  assert.equal(many.pages.length, 0)
  assert.match(many.end.problem ?? '', /not what its manifest says/)
})

test('a page beyond the limits stays packed', async () => {
  const limits = { ...dumpLimits, maxPageBytes: 100, maxUnpackedBytes: 150 }
  const large = await readAll(packageOf([page(0, 'x'.repeat(101)), page(1)]), limits)
  assert.deepEqual([large.pages.length, large.end.faults], [1, 1])
  const much = await readAll(packageOf([page(0, 'x'.repeat(100)), page(1, 'y'.repeat(100))]), limits)
  assert.equal(much.pages.length, 1)
  assert.match(much.end.problem ?? '', /unpacks to more/)
  const many = await readAll(packageOf([page(0), page(1)]), { ...limits, maxEntries: 2 })
  assert.match(many.end.problem ?? '', /3 entries/)
})

test('of a manifest of changes those pages are read that are there: not the deleted ones, nor those without a path', async () => {
  const digest = `sha-256:${hash('sha256', 'page 0')}`
  const manifest = writeSyncDocument({ capability: 'changedump-manifest', from: 0 }, [
    { url: `${ORIGIN}/0`, change: 'updated', changedAt: 1, digest, path: '/r/0' },
    { url: `${ORIGIN}/1`, change: 'deleted', changedAt: 2, path: '/r/1' },
    { url: `${ORIGIN}/2`, change: 'created', changedAt: 3 },
  ])
  const { pages, end } = await readAll(packageOf([page(0), page(1), page(2)], manifest))
  assert.deepEqual(
    pages.map(({ url }) => url),
    [`${ORIGIN}/0`],
  )
  assert.deepEqual([end.faults, end.problem], [0, undefined])
})

test('a package without a whole manifest is not read', async () => {
  for (const manifest of ['', '<urlset', 'no list']) {
    const { pages, end } = await readAll(packageOf([page(0)], manifest))
    assert.equal(pages.length, 0)
    assert.ok(end.problem !== undefined)
  }
})

test('no damage makes it throw, hang, or give a page that its digest does not fit', async () => {
  const whole = packageOf([page(0), page(1, 'x'.repeat(500)), page(2)])
  const good = new Set([0, 1, 2].map((n) => (n === 1 ? 'x'.repeat(500) : `page ${n}`)))
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(whole.length), async (bytes, cut) => {
      const spoilt = Uint8Array.from(whole)
      for (const [at, value] of bytes) spoilt[at] = value
      const { pages } = await readAll(bytes.length % 2 === 0 ? spoilt.subarray(0, cut) : spoilt)
      for (const { body } of pages) assert.ok(good.has(Buffer.from(body).toString()))
    }),
    { numRuns: 200 },
  )
})

const HELD = { lastModified: 'Wed, 18 Nov 2026 21:25:18 GMT' }
const at = (second: number, ms = 0): number => Date.UTC(2026, 10, 18, 21, 25, second, ms)
type Dated = readonly [
  sentence: string,
  entry: Parameters<typeof isOutdated>[0],
  held: Parameters<typeof isOutdated>[1],
  is: boolean,
]
const datedCases: readonly Dated[] = [
  ['a version with an earlier date than the one that is held is outdated', { modifiedAt: at(16, 657) }, HELD, true],
  ['one of the same second is not', { modifiedAt: at(18, 999) }, HELD, false],
  ['a later one is not', { modifiedAt: at(19) }, HELD, false],
  [
    'one that had changed before our copy was served is outdated',
    { changedAt: at(19, 242) },
    { servedAt: at(20) },
    true,
  ],
  ['also where only the date of the page is known', { modifiedAt: at(19, 242) }, { servedAt: at(20) }, true],
  [
    'one that changed within the second in which our copy was served is not',
    { changedAt: at(20, 1) },
    { servedAt: at(20) },
    false,
  ],
  [
    'one that changed later is not, though its file is older',
    { changedAt: at(30), modifiedAt: at(1) },
    { servedAt: at(20) },
    false,
  ],
  ['one without a date is not', {}, HELD, false],
  ['nothing is, where nothing is held', { modifiedAt: at(1) }, undefined, false],
]
for (const [sentence, entry, held, is] of datedCases) test(sentence, () => assert.equal(isOutdated(entry, held), is))
