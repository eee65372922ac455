/** Report files: the report on disk. One page to read, one CSV for each figure and table, one JSON with everything. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { figureCsv, tableCsv } from './csv.ts'
import type { ExperimentResult } from './model.ts'
import { claimsIn, renderReport } from './page.ts'
import type { ReportScope } from './page.ts'
import { sample } from './sample.ts'

// 25 times what is plotted: enough to draw any stretch of a curve anew, and still some hundred kilobytes a series.
const maxStoredPoints = 10_000

/** Writes report.html, report.json and data/*.csv below `dir`, and gives their paths. Older files of these names go. */
export async function writeReport(
  dir: string,
  results: readonly ExperimentResult[],
  scope: ReportScope = {},
): Promise<string[]> {
  // Rendered before anything is touched: a result that no report can be made of leaves the old report alone.
  const files = reportFiles(results, scope)
  await mkdir(join(dir, 'data'), { recursive: true })
  const paths: string[] = []
  for (const [name, text] of files) {
    const path = join(dir, name)
    await writeFile(path, text)
    paths.push(path)
  }
  return paths
}

/** Names below the folder of the report, and what is in them. */
export function reportFiles(
  results: readonly ExperimentResult[],
  scope: ReportScope = {},
): ReadonlyMap<string, string> {
  const files = new Map([['report.html', renderReport(results, scope)]])
  files.set('report.json', reportJson(results, scope))
  for (const { figures, tables } of results) {
    for (const figure of figures) files.set(`data/${figure.id}.csv`, figureCsv(figure))
    for (const table of tables) files.set(`data/${table.id}.csv`, tableCsv(table))
  }
  return files
}

/** Numbers that are not finite become null, as JSON has no word for them. */
function reportJson(results: readonly ExperimentResult[], { allClaims = false }: ReportScope): string {
  const experiments = results.map((result) => ({ ...result, figures: result.figures.map(storedFigure) }))
  const claims = allClaims ? { claims: claimsIn(results, true) } : {}
  return `${JSON.stringify({ format: 'comity-lab-report', version: 1, experiments, ...claims })}\n`
}

type StoredFigure = ExperimentResult['figures'][number]

const storedFigure = (figure: StoredFigure): StoredFigure => ({
  ...figure,
  series: figure.series.map((series) => ({ ...series, points: sample(series.points, maxStoredPoints) })),
})
