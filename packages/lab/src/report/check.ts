/**
 * Report check: what must hold before anything is written. Ids become file names and anchors, so they are plain and
 * unique; claims point at figures that exist; sizes are what a page can carry.
 */
import { verdicts } from '../claims/claim.ts'
import type { ExperimentResult, Figure, Table } from './model.ts'

/** An experiment handed over something no report can be made of: a bug in the experiment. */
export class ReportError extends Error {
  override readonly name: string = 'ReportError'
}

const idPattern = /^[a-z0-9][a-z0-9-]{0,79}$/
// More series than this cannot be told apart by anyone; more rows belong in the JSON of an experiment, not on a page.
const maxSeries = 24
const maxGroups = 100
const maxRows = 5_000

export function checkResults(results: readonly ExperimentResult[]): void {
  const seen = new Set<string>()
  for (const result of results) {
    checkId(result.id, seen)
    for (const figure of result.figures) checkFigure(figure, seen)
    for (const table of result.tables) checkTable(table, seen)
  }
  for (const result of results) checkClaims(result, seen)
}

function checkId(id: string, seen: Set<string>): void {
  if (!idPattern.test(id)) {
    throw new ReportError(`id ${JSON.stringify(id)}: use 1 to 80 small letters, digits and hyphens`)
  }
  if (seen.has(id)) {
    throw new ReportError(`id "${id}" is used twice in the report; add the experiment or the web to its name`)
  }
  seen.add(id)
}

function checkFigure(figure: Figure, seen: Set<string>): void {
  checkId(figure.id, seen)
  if (figure.series.length > maxSeries) {
    throw new ReportError(
      `figure "${figure.id}" has ${figure.series.length} series; split it, ${maxSeries} is the most`,
    )
  }
  const names = new Set(figure.series.map(({ name }) => name))
  if (names.size !== figure.series.length) {
    throw new ReportError(`figure "${figure.id}" has two series of one name; a reader could not tell them apart`)
  }
  if (figure.kind === 'bars' && !figure.series.every(({ points }) => points.every(({ x }) => isGroup(x)))) {
    throw new ReportError(
      `figure "${figure.id}": the x of a bar is the number of its group, from 0 to ${maxGroups - 1}`,
    )
  }
  for (const { domain, scale } of [figure.x, figure.y]) {
    if (domain === undefined) continue
    const [low, high] = domain
    const isUsable = low < high && Math.abs(low) < 1e100 && Math.abs(high) < 1e100 && (scale !== 'log' || low > 1e-100)
    if (!isUsable) {
      throw new ReportError(`figure "${figure.id}" has the domain ${low} to ${high}, which no axis can show`)
    }
  }
}

const isGroup = (x: number): boolean => Number.isInteger(x) && x >= 0 && x < maxGroups

function checkTable(table: Table, seen: Set<string>): void {
  checkId(table.id, seen)
  if (table.rows.length > maxRows) {
    throw new ReportError(`table "${table.id}" has ${table.rows.length} rows; sum it up, ${maxRows} is the most`)
  }
  const odd = table.rows.findIndex((row) => row.length !== table.columns.length)
  if (odd === -1) return
  throw new ReportError(
    `table "${table.id}", row ${odd + 1}: ${table.rows[odd]?.length} cells under ${table.columns.length} columns`,
  )
}

function checkClaims(result: ExperimentResult, ids: ReadonlySet<string>): void {
  for (const { part, verdict, shownIn } of result.claims) {
    const claim = `claim ${part} of "${result.id}"`
    if (!verdicts.includes(verdict)) throw new ReportError(`${claim} has the verdict ${JSON.stringify(verdict)}`)
    const missing = shownIn.find((id) => !ids.has(id))
    if (missing !== undefined) throw new ReportError(`${claim} points at "${missing}", which is not in the report`)
  }
}
