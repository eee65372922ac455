/**
 * Advice: how a collection would have been crawled best. Its pages, links, sizes and speeds are crawled again in the
 * simulator, with every order a crawl can use, then with other w, k and r; what brings the important pages soonest is
 * recommended.
 *
 *   collection ──▶ its web and what the crawl did ──▶ replays: orders, then k, then r, then w ──▶ words, a plot, a table
 *
 * Important is what has a high PageRank among all that came, as far as it brought a page. w is never shortened: it is
 * the site's wish that we guess at, not ours.
 */
import { basename, resolve } from 'node:path'
import { politeDefaults } from '@comity/frontier'
import { adviceFigure, adviceTable } from './figure.ts'
import { findings, waysInto } from './findings.ts'
import { historyOf } from './history.ts'
import type { CrawlHistory } from './history.ts'
import type { CrawlChoice } from './replay.ts'
import { adviseSettings } from './settings.ts'
import type { AdviseHooks, AdviseSettings } from './settings.ts'
import { adviceNotes, adviceSentences, tinySentences } from './advise-words.ts'
import { webOfCollection } from '../webs/graph/collection.ts'
import { webShapeOf } from '../report/model.ts'
import type { ExperimentResult } from '../report/model.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

export interface Advice {
  /** Plain words, with numbers. */
  readonly sentences: readonly string[]
  readonly settings: CrawlChoice
  /** The same for a report, with one figure and one table. */
  readonly result: ExperimentResult
}

/** Throws a `CollectionError` when there is no collection at `dir`, and a RangeError for settings that make no sense. */
export async function advise(
  dir: string,
  given: Partial<AdviseSettings> = {},
  hooks: AdviseHooks = {},
): Promise<Advice> {
  const settings = adviseSettings(given)
  const web = await webOfCollection(dir, { name: basename(resolve(dir)) })
  const history = await historyOf(dir, web)
  const choice = choiceOf(settings, web, history)
  // Nothing to put in order.
  if (web.pages < 2) return adviceOf(tinySentences(web), choice, { web, settings, figures: [], tables: [], notes: [] })
  const { homes, unlinked } = waysInto(web)
  const found = await findings({ web, homes, settings, choice, history, hooks })
  return adviceOf(adviceSentences(found), found.advised.choice, {
    web,
    settings,
    figures: [adviceFigure(found)],
    tables: [adviceTable(found)],
    notes: adviceNotes(found, settings, history, unlinked),
  })
}

/** What the crawl had, as far as it was told or can be seen. */
function choiceOf(settings: AdviseSettings, web: WebGraph, { paceMs = 0 }: CrawlHistory): CrawlChoice {
  const seen = paceMs > 0 ? Math.min(paceMs, politeDefaults.delayMs) : politeDefaults.delayMs
  return {
    order: settings.order,
    waitMs: settings.waitMs ?? Math.round(seen),
    pagesPerConnection: settings.pagesPerConnection,
    // A site has one visitor at a time, so more than sites are never at work.
    robots: Math.max(1, Math.min(settings.robots, web.sites)),
  }
}

interface ReportParts extends Pick<ExperimentResult, 'figures' | 'tables' | 'notes'> {
  readonly web: WebGraph
  readonly settings: AdviseSettings
}

function adviceOf(sentences: readonly string[], choice: CrawlChoice, parts: ReportParts): Advice {
  const { web, settings, figures, tables, notes } = parts
  const result: ExperimentResult = {
    id: 'advice',
    name: `Advice for ${web.name}`,
    paper: '004',
    finding: sentences.slice(0, 2).join(' '),
    parameters: [
      { name: 'order', value: choice.order },
      { name: 'rest between connections w', value: choice.waitMs / 1_000, unit: 's' },
      { name: 'pages a connection k', value: choice.pagesPerConnection },
      { name: 'visits at once r', value: choice.robots },
      { name: 'link, bytes a second', value: settings.bandwidth },
    ],
    seeds: [settings.seed],
    webs: [webShapeOf(web, 'what the crawl brought')],
    figures,
    tables,
    claims: [],
    notes: [...sentences.slice(2), ...notes],
  }
  return { sentences, settings: choice, result }
}
