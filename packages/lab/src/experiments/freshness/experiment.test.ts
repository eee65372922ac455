// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { standingOf } from './contest.ts'
import type { Standing } from './contest.ts'
import { runFreshnessContest } from './experiment.ts'
import { runFreshness } from './run.ts'
import { freshnessSettings } from './settings.ts'
import type { FreshnessSettings } from './settings.ts'
import { openFreshnessSource } from './source.ts'
import { madeWeb } from './web.ts'
import { checkResults } from '../../report/check.ts'
import { renderReport } from '../../report/page.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-freshness-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const quick: Partial<FreshnessSettings> = {
  policies: ['uniform', 'trusting', 'value'],
  seeds: [1, 2],
  curveSeeds: 1,
  budgets: [0.05, 0.1],
  sites: 4,
  pagesPerSite: 15,
  days: 60,
  warmUpDays: 20,
}

test('the contest is a report, with a verdict for each web, and the same for the same seeds', () => {
  const parts: string[] = []
  const run = (): ReturnType<typeof runFreshnessContest> =>
    runFreshnessContest({ kind: 'made' }, quick, {
      onPart: (what, done, of) => parts.push(`${done + 1}/${of} ${what}`),
    })
  const result = run()
  checkResults([result])
  assert.equal(parts[0], '1/18 uniform on honest, 0.1 visits a page and day')
  assert.equal(parts.at(-1), '18/18 value on mixed, 0.05 visits a page and day')
  assert.match(result.finding, /^Of 10 comparisons by weighted freshness value is better in \d/)
  for (const web of ['honest', 'stale', 'lying', 'silent', 'mixed'])
    assert.ok(result.notes.some((note) => note.startsWith(`${web}: by weighted freshness value `)))
  const [standings] = result.tables
  assert.deepEqual(standings!.rows[1]!.slice(4, 5), ['the same visits'])
  assert.equal(renderReport([run()]), renderReport([result]))
})

test('on a web of sites of all kinds value beats trusting by far, and both keep to budget and politeness', () => {
  const settings = freshnessSettings({ seeds: [1] })
  const web = madeWeb('mixed', 1, settings)
  const of = (policy: string): ReturnType<typeof runFreshness> =>
    runFreshness(web, { ...settings, policy, budget: 0.1, seed: 1 })
  const [value, trusting, uniform] = [of('value'), of('trusting'), of('uniform')]
  assert.ok(value.freshness > trusting.freshness + 0.1, `${value.freshness} against ${trusting.freshness}`)
  assert.ok(value.freshness > uniform.freshness + 0.05, `${value.freshness} against ${uniform.freshness}`)
  const most = 0.1 * web.siteOf.length * (settings.days - settings.warmUpDays)
  for (const { requests } of [value, trusting, uniform]) assert.ok(requests <= most + 1, `${requests} of ${most}`)
})

test('a site that rests for six hours has at most four visits a day', () => {
  const settings = freshnessSettings({ sites: 2, pagesPerSite: 100, days: 30, warmUpDays: 0 })
  const { siteRequests } = runFreshness(madeWeb('honest', 1, settings), {
    ...settings,
    restMinutes: 360,
    policy: 'value',
    seed: 1,
  })
  for (const requests of siteRequests) assert.ok(requests > 100 && requests <= 30 * 4 + 1, `${requests} visits`)
})

// oxfmt-ignore
const standings: [gaps: number[], expected: Standing][] = [
  [[0.1, 0.12, 0.09],   'better'],
  [[-0.1, -0.12, -0.1], 'worse'],
  [[0.1, -0.12, 0.05],  'no difference'],
  [[0, 0, 0],           'no difference'],
  [[0.1],               'no difference'],
]
for (const [gaps, expected] of standings) {
  test(`differences of ${gaps.join(', ')} are: ${expected}`, () => assert.equal(standingOf(gaps), expected))
}

// oxfmt-ignore
const bad: [given: object, message: RegExp][] = [
  [{ sites: 0 },                       /sites is 0; give 1 to/],
  [{ days: 1.5 },                      /days is 1\.5; give a whole number/],
  [{ warmUpDays: 200 },                /warmUpDays is 200; give less than 110/],
  [{ policies: ['value'] },            /give the champion, value, and another/],
  [{ policies: ['optimal', 'luck'] },  /there is no policy "luck"/],
  [{ policies: ['value', 'optimal', 'value'] }, /names one twice/],
  [{ champion: 'nobody' },             /there is no policy "nobody"/],
  [{ budgets: [0] },                   /a budget is 0/],
  [{ webs: ['honest', 'honest'] },     /each once/],
  [{ historyWebs: ['vain'] },          /webs are vain; give some of mixed/],
  [{ seeds: [] },                      /seeds/],
  [{ speed: 1 },                       /no setting speed; it has champion/],
]
for (const [given, message] of bad) {
  test(`settings ${JSON.stringify(given)} are refused`, () => {
    assert.throws(
      () => freshnessSettings(given),
      (error) => error instanceof RangeError && message.test(error.message),
    )
  })
}

test('links beside a history count, what cannot be read is refused', async () => {
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const path = write('a.tsv', 'epoch\tstatus\tpath\tblob\tbytes\n0\tA\tx.html\tq\t9\n0\tA\tdocs/y.html\tq\t9\n')
  const bare = await openFreshnessSource(path)
  assert.ok(bare.kind === 'history' && bare.links.size === 0)
  write('a-HEAD-pages.tsv', '0\thttps://a.test/x.html\t9\n1\thttps://a.test/docs/y.html\t9\n')
  write('a-HEAD-edges.tsv', '0\t1\n1\t0\n1\t1\n0\t7\n')
  const linked = await openFreshnessSource(path)
  assert.ok(linked.kind === 'history')
  assert.deepEqual(
    [...linked.links],
    [
      ['docs/y.html', 1],
      ['x.html', 1],
    ],
  )
  await assert.rejects(openFreshnessSource(join(folder, 'none')), /There is no such file/)
  assert.throws(() => runFreshnessContest(linked), /shorter than the 270 days of a run: it has 0;/)
})

test('on the real history, with sites of all kinds, value is fresher than without signals and than trusting', async (t) => {
  const path = sharedData('histories/openbsd-www.tsv.xz')
  if (path === undefined) return missing(t, 'histories/openbsd-www.tsv.xz')
  const source = await openFreshnessSource(path)
  const settings = {
    ...quick,
    policies: ['optimal', 'trusting', 'value'],
    seeds: [1, 2, 3],
    curveSeeds: 0,
    warmUpDays: 40,
  }
  const result = runFreshnessContest(source, { ...settings, historyWebs: ['mixed'] })
  checkResults([result])
  for (const row of result.tables[0]!.rows) assert.match(String(row[1]), /\+\d+\.\d \([23]–[01]\)$/, String(row[0]))
})
