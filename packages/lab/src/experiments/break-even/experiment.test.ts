// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deltaCurves } from './delta.ts'
import { breakEvenPart, runBreakEven } from './experiment.ts'
import { listCosts, pagesToHold } from './lists.ts'
import { yearAccount } from './money.ts'
import { pushCurves } from './push.ts'
import { breakEvenDefaults } from './settings.ts'
import type { BreakEvenSettings } from './settings.ts'
import { siteCurves } from './site.ts'
import { crossingText } from '../../crossing.ts'
import { reportFiles } from '../../report/files.ts'

const small: Partial<BreakEvenSettings> = {
  sitePages: [10, 40],
  meanBytes: 3_000,
  pageSizes: [1_000, 8_000],
  sizePages: 10,
  changedShares: [0.1, 0.5, 1],
  editShares: [0.02, 0.2, 1],
  deltaPages: 2,
  listPages: [10, 100],
  pushChanges: [1, 5, 20],
  pushPages: 30,
  periodHours: [120, 24, 1],
  periodPages: 10,
  periodDays: 10,
  crawlers: 2,
}
const settings = { ...breakEvenDefaults, ...small }

test('the entire site is cheaper than pages one by one from some share on, and not than differences', async () => {
  const { curves, crossings } = await siteCurves({ ...settings, pages: 40 })
  const one = crossings.get('list, then GET')!
  assert.ok(one.kind === 'at' && one.x > 0.1 && one.x < 0.9, crossingText(one))
  const packed = crossings.get('list, then GET, gzip')!
  assert.ok(packed.kind !== 'at' || packed.x > one.x)
  assert.equal(crossings.get('filter, differences')!.kind, 'always')
  for (const { name, points } of curves.slice(1))
    for (const [at, [, y]] of points.entries()) assert.ok(at === 0 || y >= points[at - 1]![1], name)
})

test('a difference grows with what changes, and beats the page where little does', async () => {
  for (const manner of ['place', 'scattered'] as const) {
    const { curves } = await deltaCurves({ ...settings, pageBytes: 8_000, manner })
    const bytes = (name: string): readonly number[] =>
      curves.find((curve) => curve.name === name)!.points.map(([, y]) => y)
    const [few, some, all] = bytes('difference, vcdiff')
    assert.ok(few! < some! && some! < all!)
    assert.ok(few! < bytes('page, gzip')[0]!)
    assert.ok(Math.abs(bytes('page')[0]! - bytes('page')[2]!) < 0.2 * bytes('page')[0]!)
  }
})

test('a list of changes pays from a few pages on, whatever the size of the site; a whole list from more', async () => {
  const [few, many] = [await listCosts(10, 1), await listCosts(200, 1)]
  assert.ok(pagesToHold(few, 'change list') < 10 && pagesToHold(many, 'change list') < 10)
  assert.ok(pagesToHold(many, 'sitemap') > 2 * pagesToHold(few, 'sitemap'))
  assert.ok(pagesToHold(many, 'robots.rdf') < 200)
})

test('push is cheaper where a period has few changes, polling where it has many', async () => {
  const { crossings, curves } = await pushCurves(settings)
  const found = crossings.find(({ push, poll }) => push === 'notice, then GET' && poll === 'change list, then GET')!
  assert.ok(found.crossing.kind === 'at' && found.crossing.x < 5, crossingText(found.crossing))
  const each = crossings.find(({ push, poll }) => push === 'differences, sent' && poll === 'GET if modified on each')!
  assert.equal(each.crossing.kind, 'always')
  assert.ok(curves.every(({ points }) => points[0]![0] < 0.1 && points.at(-1)![0] === 20))
})

test('a crawler of a year asks for every page every day, and what changed of it adds up', () => {
  const { first, changed, needless, requests, pushed, batched } = yearAccount({ ...settings, changesADay: 1 }, 1_000)
  assert.equal(requests, 3_650)
  assert.ok(Math.abs(first.count + changed.count + needless.count - requests) < 1e-6)
  assert.equal(pushed.count, 365)
  assert.ok(batched.count < pushed.count)
})

test('curves and periods give the same report each time', async () => {
  for (const part of ['curves', 'period'] as const) {
    const [one, other] = [await runBreakEven(part, small), await runBreakEven(part, small)]
    assert.deepEqual(one, other)
    assert.equal(one.varies, undefined)
    assert.ok(reportFiles([one]).has('report.html'))
    assert.doesNotMatch(JSON.stringify(one.finding), /NaN|undefined|∞/)
  }
})

test('polling tends to push in freshness and passes it in cost (claim 6)', async () => {
  const { claims } = await runBreakEven('period', { ...small, periodHours: [120, 24, 1, 1 / 60] })
  assert.deepEqual(
    claims.map(({ part, verdict }) => [part, verdict]),
    ['002.6a', '002.6b', '002.6a', '002.6b'].map((part) => [part, 'holds']),
  )
})

test('money is told by tier, and the report says that it varies (claim 7)', async () => {
  const result = await runBreakEven('money', small)
  assert.equal(result.varies, true)
  assert.equal(result.claims[0]!.number, 7)
  assert.match(result.finding, /little: Only if modified saves .*moderate: .*more: /)
  for (const row of result.tables[0]!.rows)
    for (const cell of row) assert.ok(typeof cell !== 'number' || Number.isFinite(cell))
  assert.ok(reportFiles([result]).has('report.html'))
})

test('there is no other part', () => assert.throws(() => breakEvenPart('generated'), /curves, period, money/))
