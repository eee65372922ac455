import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { writeReport } from './files.ts'
import type { ExperimentResult } from './model.ts'

const axis = { label: 'x' }
const points = Array.from({ length: 30_000 }, (_, x) => ({ x, y: x === 777 ? NaN : x * x }))
const result: ExperimentResult = {
  id: 'e',
  name: 'Experiment',
  paper: '003',
  finding: 'It ran.',
  parameters: [{ name: 'G', value: 100 }],
  seeds: [1],
  webs: [{ name: 'w', pages: 1, links: 0, sites: 1 }],
  figures: [{ id: 'f', kind: 'lines', title: 'F', caption: '', x: axis, y: axis, series: [{ name: 's', points }] }],
  tables: [{ id: 't', title: 'T', columns: [axis], rows: [[1]] }],
  claims: [],
  notes: [],
}

test('a report is a page, a JSON and a CSV for each figure and table', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'comity-report-'))
  try {
    const paths = await writeReport(dir, [result])
    const names = paths.map((path) => relative(dir, path))
    assert.deepEqual(names, ['report.html', 'report.json', join('data', 'f.csv'), join('data', 't.csv')])
    const stored: unknown = JSON.parse(await readFile(join(dir, 'report.json'), 'utf8'))
    const { experiments } = stored as { experiments: ExperimentResult[] }
    assert.equal(experiments[0]?.name, 'Experiment')
    assert.ok(experiments[0]?.figures[0]!.series[0]!.points.length <= 10_000)
    assert.equal((await readFile(join(dir, 'data', 'f.csv'), 'utf8')).split('\r\n').length, 402, 'a head, 400 points')
    assert.deepEqual(await writeReport(dir, [result]), paths, 'a second report replaces the first')
  } finally {
    await rm(dir, { recursive: true })
  }
})
