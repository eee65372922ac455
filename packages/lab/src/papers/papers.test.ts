import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PAPER_CLAIMS } from '../claims/claim-list.ts'
import { reportFiles } from '../report/files.ts'
import type { ExperimentResult } from '../report/model.ts'
import { KeptResults } from './kept-result.ts'
import type { PaperRun } from './paper-plan.ts'
import { PAPER_EXPERIMENTS, paperRuns } from './paper-plan.ts'
import { runPapers } from './papers.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-papers-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const result: ExperimentResult = {
  id: 'a',
  name: 'a',
  paper: '003',
  finding: '',
  parameters: [],
  seeds: [],
  webs: [],
  figures: [
    {
      id: 'f',
      kind: 'lines',
      title: 'f',
      caption: '',
      x: { label: 'x' },
      y: { label: 'y' },
      series: [
        {
          name: 's',
          points: [
            { x: 0, y: NaN },
            { x: 1, y: 2, high: Infinity },
            { x: 2, y: 3 },
          ],
        },
      ],
    },
  ],
  tables: [],
  claims: [
    {
      paper: '003',
      number: 3,
      part: '003.3a',
      claim: 'PageRank leads',
      web: 'w',
      verdict: 'holds',
      ours: '',
      why: '',
      shownIn: ['f'],
    },
  ],
  notes: [],
}

/** Runs that count how often they are run. */
function counted(
  names: readonly string[],
  run: (name: string) => ExperimentResult,
): { runs: PaperRun[]; ran: string[] } {
  const ran: string[] = []
  const runs = names.map((name): PaperRun => ({
    experiment: {
      name,
      summary: '',
      defaults: { size: 1 },
      webs: [],
      open: (web) => {
        ran.push(name)
        return Promise.resolve({ name: web, run: () => run(name) })
      },
    },
    web: 'made',
    settings: {},
  }))
  return { runs, ran }
}

const named = (name: string): ExperimentResult => ({
  ...result,
  id: name,
  figures: [{ ...result.figures[0]!, id: `${name}-f` }],
  claims: [],
})

test('a run that was stopped goes on with what is not finished, and the page is the same', async () => {
  const dir = join(folder, 'stopped')
  const stopped = counted(['a', 'b'], (name) => {
    if (name === 'b') throw new Error('stopped')
    return named(name)
  })
  await assert.rejects(runPapers(stopped.runs, dir), /stopped/)
  const [again, third] = [counted(['a', 'b'], named), counted(['a', 'b'], named)]
  const second = await runPapers(again.runs, dir)
  assert.deepEqual([again.ran, second.kept], [['b'], 1])
  const last = await runPapers(third.runs, dir)
  assert.deepEqual([third.ran, last.kept], [[], 2])
  assert.deepEqual(
    [...reportFiles(last.results, { allClaims: true })],
    [...reportFiles(second.results, { allClaims: true })],
  )
})

test('points that are not finite are kept as they are', async () => {
  const dir = join(folder, 'odd')
  const { runs } = counted(['a'], () => result)
  const { results } = await runPapers(runs, dir)
  assert.deepEqual(results, [result])
})

test('other settings, and a file that is damaged, are run anew', async () => {
  const dir = join(folder, 'anew')
  const { runs, ran } = counted(['a'], () => result)
  await runPapers(runs, dir)
  await runPapers([{ ...runs[0]!, settings: { size: 2 } }], dir)
  assert.equal(ran.length, 2)
  for (const name of readdirSync(dir)) writeFileSync(join(dir, name), '{"format": "comity-lab-ke')
  const { results } = await runPapers(runs, dir)
  assert.deepEqual([ran.length, results.length], [3, 1])
})

test('what other code of the lab made is not taken for its own', () => {
  const dir = join(folder, 'code')
  const [run] = counted(['a'], () => result).runs
  new KeptResults(dir, 'before').keep(run!, result)
  assert.deepEqual(new KeptResults(dir, 'before').find(run!), result)
  assert.equal(new KeptResults(dir, 'after').find(run!), undefined)
})

test('what cannot be run is named, and the others are run', async () => {
  const { runs } = counted(['a', 'b'], (name) => {
    if (name === 'a') throw new RangeError('it has no links')
    return result
  })
  const { results, leftOut } = await runPapers(runs, join(folder, 'left'))
  assert.deepEqual([results.length, leftOut], [1, ['a on made: it has no links']])
})

test('the page has all 53 claims with all their parts, each with its words, and links that lead somewhere', () => {
  const page = reportFiles([result], { allClaims: true }).get('report.html')!
  assert.equal(PAPER_CLAIMS.length, 53)
  for (const { id, parts } of PAPER_CLAIMS) {
    assert.ok(page.includes(`<tbody id="claim-${id.replace('.', '-')}">`), id)
    for (const part of parts) assert.ok(page.includes(`id="claim-${part.id.replace('.', '-')}"`), part.id)
  }
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const lost = [...page.matchAll(/href="#([^"]+)"/g)].flatMap(([, id]) => (anchors.has(id) ? [] : [id]))
  assert.deepEqual(lost, [])
})

const pages = (full: boolean): unknown => paperRuns({ full, names: ['ordering'], webs: ['w'] })[0]!.settings['starts']

test('every experiment of the plan can be chosen by itself, with 8 start pages or with 30', () => {
  for (const name of PAPER_EXPERIMENTS)
    assert.ok(paperRuns({ names: [name], webs: ['w'] }).every((run) => run.experiment.name === name))
  assert.deepEqual([pages(false), pages(true)], [8, 30])
})

test('a log counts once, whoever reads it', async () => {
  const path = join(folder, 'access.log')
  const line = '192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET /robots.txt HTTP/1.1" 200 512 "-" "Googlebot/2.1"\n'
  writeFileSync(path, line.repeat(3))
  const { results } = await runPapers(paperRuns({ names: ['crawler-share'], webs: [path] }), join(folder, 'log'))
  assert.deepEqual([...new Set(results[0]!.claims.map(({ paper }) => paper))], ['001'])
})
