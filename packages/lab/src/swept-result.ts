/** One of several runs that differ in what a sweep set: its ids and names say so, so that all fit into one report. */
import type { ExperimentResult } from './report/model.ts'

export function resultNamed(result: ExperimentResult, swept: string): ExperimentResult {
  const slug = swept
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const idOf = (id: string): string => `${id}-${slug}`
  return {
    ...result,
    id: idOf(result.id),
    name: `${result.name}, ${swept}`,
    figures: result.figures.map((figure) => ({ ...figure, id: idOf(figure.id) })),
    tables: result.tables.map((table) => ({ ...table, id: idOf(table.id) })),
    ...(result.toldTable === undefined ? {} : { toldTable: idOf(result.toldTable) }),
    claims: result.claims.map((claim) => ({
      ...claim,
      web: [claim.web, swept].filter((part) => part !== undefined).join(', '),
      shownIn: claim.shownIn.map(idOf),
    })),
  }
}
