// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { runCooperation } from './experiment.ts'
import { cooperationSettings } from './settings.ts'
import type { CooperationSettings } from './settings.ts'
import { openCooperationSource } from './source.ts'
import { checkResults } from '../../report/check.ts'
import type { ExperimentResult } from '../../report/model.ts'
import { renderReport } from '../../report/page.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-cooperation-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const quick: Partial<CooperationSettings> = {
  pages: [60, 2_000],
  seeds: [1],
  manySites: 10,
  pollDays: 120,
  warmUpDays: 20,
  maxOutdated: [0.2, 0.5],
}
const numbersOf = ({ claims }: ExperimentResult): number[] =>
  [...new Set(claims.map(({ number }) => number))].toSorted((a, b) => a - b)

test('the paper is a report: claims 2 to 5 answered, figures drawn', async () => {
  const parts: string[] = []
  const result = await runCooperation({ kind: 'paper' }, quick, {
    onPart: (what, done, of) => parts.push(`${done + 1}/${of} ${what}`),
  })
  checkResults([result])
  assert.deepEqual(numbersOf(result), [2, 3, 4, 5])
  assert.equal(parts[0], '1/5 made, 60 pages: every scheme')
  const verdicts = new Map(result.claims.map(({ part, web, verdict }) => [`${part} ${web}`, verdict]))
  assert.equal(verdicts.get('002.2c made, 60 pages'), 'holds')
  for (const { ours, why } of result.claims) assert.doesNotMatch(`${ours} ${why}`, /NaN|undefined|∞/)
  assert.equal(verdicts.get('002.4b made, 60 pages'), 'cannot be tested here')
  assert.equal(verdicts.get('002.4b made, 2,000 pages'), 'holds')
  assert.equal(verdicts.get('002.5b few sites, seldom'), 'holds')
})

test('the same seeds give the same report, byte for byte', async () => {
  assert.equal(await smallReport(), await smallReport())
})

const smallReport = async (): Promise<string> =>
  renderReport([await runCooperation({ kind: 'paper' }, { ...quick, pages: [60] })])

// oxfmt-ignore
const bad: [given: object, message: RegExp][] = [
  [{ pages: [] },                     /pages are ; give 1 to 10 numbers/],
  [{ pages: [1] },                    /pages are 1; give/],
  [{ pages: [9, 9] },                 /give each number once/],
  [{ seeds: [] },                     /seeds/],
  [{ maxOutdated: [1] },              /maxOutdated is 1; give/],
  [{ seldomDays: [5, 1] },            /every 5 to 1 days/],
  [{ classShares: [1] },              /classShares are 1; give 5/],
  [{ pollDays: 50, warmUpDays: 50 },  /50 days are too few/],
  [{ pollDays: 50.5 },                /pollDays is 50\.5; give a whole number/],
  [{ userAgent: 'a\r\nb' },           /userAgent/],
  [{ speed: 1 },                      /no setting speed; it has pages/],
]
for (const [given, message] of bad) {
  test(`settings ${JSON.stringify(given)} are refused`, () => {
    assert.throws(
      () => cooperationSettings(given),
      (error) => error instanceof RangeError && message.test(error.message),
    )
  })
}

test('a history and a folder of pages are measured too, and say what they cannot tell', async () => {
  const days = Array.from({ length: 500 }, (_, day) => `${day * 86_400}\t${day === 0 ? 'A' : 'M'}\ta.html\tx\t100\n`)
  const path = join(folder, 'site.tsv')
  writeFileSync(path, `epoch\tstatus\tpath\tblob\tbytes\n0\tA\tb/c.html\tx\t100\n${days.join('')}`)
  mkdirSync(join(folder, 'manuals'))
  const pages = ['x', 'y', 'sub/z'].map((name, id) => `${id}\thttp://a.test/doc/${name}.html\t500\t1000\n`)
  writeFileSync(join(folder, 'manuals', 'pages.tsv'), `id\turl\tbytes\tmtime\n${pages.join('')}`)
  writeFileSync(join(folder, 'manuals', 'edges.tsv'), '0\t1\n')
  const results = [
    await runCooperation(await openCooperationSource(path), quick),
    await runCooperation(await openCooperationSource(join(folder, 'manuals')), quick),
  ]
  checkResults(results)
  const untested = results.map(({ claims }) =>
    claims.flatMap(({ verdict, part }) => (verdict === 'cannot be tested here' ? [part] : [])),
  )
  assert.deepEqual(untested, [
    ['002.3a', '002.3b', '002.4a', '002.4b'],
    ['002.4a', '002.4b', '002.5a', '002.5b'],
  ])
  assert.match(results[1]!.claims.find(({ part }) => part === '002.3b')!.ours, /lead to 2 of 3 pages/)
})

test('what it cannot run on is refused with what it can', async () => {
  const log = join(folder, 'site.log')
  writeFileSync(log, '::1 - - [17/May/2015:10:05:03 +0000] "GET /a.html HTTP/1.0" 200 5\n')
  await assert.rejects(openCooperationSource(log), /It is an access log\. `cooperation` runs on/)
  await assert.rejects(openCooperationSource(join(folder, 'none')), /There is no such file/)
  const short = join(folder, 'short.tsv')
  writeFileSync(short, 'epoch\tstatus\tpath\tblob\tbytes\n0\tA\ta.html\tx\t100\n86400\tA\tb.html\tx\t100\n')
  await assert.rejects(runCooperation(await openCooperationSource(short), quick), /shorter than the 120 days/)
})

test('on the pages and the years of a real site the claims that can be tested hold, but for what HEAD takes', async (t) => {
  const path = sharedData('histories/openbsd-www.tsv.xz')
  if (path === undefined) return missing(t, 'histories/openbsd-www.tsv.xz')
  const { claims } = await runCooperation(await openCooperationSource(path), { ...quick, maxOutdated: [0.2] })
  assert.deepEqual(
    claims.map(({ part, verdict }) => [part, verdict]),
    [
      ['002.2a', 'does not hold here'],
      ['002.2b', 'holds'],
      ['002.2c', 'holds'],
      ['002.2d', 'holds'],
      ['002.3a', 'cannot be tested here'],
      ['002.3b', 'cannot be tested here'],
      ['002.4a', 'holds'],
      ['002.4b', 'holds'],
      ['002.5a', 'holds'],
      ['002.5b', 'holds'],
    ],
  )
})
