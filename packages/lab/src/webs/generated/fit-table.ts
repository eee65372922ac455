/** How well a generated web is fitted, as a table for the report of any experiment that ran on one. */
import { fitOf, isFitted } from './fit.ts'
import { isFittedWeb } from './web.ts'
import type { GeneratedWeb } from './web.ts'
import type { ExperimentResult, Table } from '../../report/model.ts'
import type { WebGraph } from '../graph/web-graph.ts'

/** The result with a table of the fit, when its web is a generated one. */
export function withFit(result: ExperimentResult, web: WebGraph): ExperimentResult {
  return isFittedWeb(web) ? { ...result, tables: [...result.tables, fitTable(`${result.id}-fit`, web)] } : result
}

function fitTable(id: string, web: GeneratedWeb): Table {
  return {
    id,
    title: 'How the generated web is fitted',
    caption:
      'What the papers say of their webs, and what this one came to. Shares are of the pages that a crawl reaches.',
    columns: [
      { label: 'figure' },
      { label: 'source' },
      { label: 'target' },
      { label: 'obtained' },
      { label: 'fitted' },
    ],
    rows: fitOf(web).map((row) => [row.figure, row.source, row.target, row.obtained, isFitted(row) ? 'yes' : 'no']),
  }
}
