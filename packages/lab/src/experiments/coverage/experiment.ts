/**
 * Coverage (001 §II, claim 3): what a crawl can find of a web, and what gateways see of it when people read it.
 *
 *   web ──▶ core, IN, OUT, tendrils, disconnected ──▶ what is reached from the best start pages
 *       └─▶ readers by Zipf's law ──▶ what has passed a gateway after so many days
 */
import { answerTo, untestedClaim } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { crawlReaches } from './crawl.ts'
import { PARTS, partsOf } from '../../webs/parts.ts'
import { coveredTable, partsFigure, seenFigure, hiddenFigure } from './figures.ts'
import type { Coverage } from './figures.ts'
import { readersOf, seenAfter } from './readers.ts'
import { coverageSettings } from './settings.ts'
import type { CoverageSettings } from './settings.ts'
import { webShapeOf } from '../../report/model.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

interface CoverageHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** Throws a RangeError for settings that make no sense. */
export function runCoverage(
  web: WebGraph,
  given: Partial<CoverageSettings> = {},
  { onPart = () => undefined }: CoverageHooks = {},
): ExperimentResult {
  const settings = coverageSettings(given)
  onPart('the parts of the web', 0, 3)
  const parts = partsOf(web)
  onPart('crawls', 1, 3)
  const crawls = crawlReaches(web, parts, settings.seedCounts)
  onPart('readers', 2, 3)
  const { days, toldDays } = settings
  const coverage: Coverage = { parts, crawls, readers: readersOf(web, settings), days, toldDays }
  const id = `coverage-${slugOf(web.name)}`
  const told = coveredTable(id, coverage)
  return {
    id,
    name: `What is seen of a web: ${web.name}`,
    paper: '001',
    finding: findingOf(coverage),
    parameters: parametersOf(settings),
    seeds: [settings.seed],
    webs: [webShapeOf(web)],
    figures: [
      partsFigure(id, coverage),
      seenFigure(id, coverage),
      ...(hasHidden(parts) ? [hiddenFigure(id, coverage)] : []),
    ],
    tables: [told],
    toldTable: told.id,
    claims: hiddenClaims(id, web.name, coverage),
    notes: NOTES,
  }
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '') || 'web'

const isHidden =
  (parts: Uint8Array) =>
  (page: number): boolean => {
    const part = PARTS[parts[page]!]!
    return part !== 'core' && part !== 'out'
  }

const hasHidden = (parts: Uint8Array): boolean => parts.some((_, page) => isHidden(parts)(page))

/** Too few hidden pages to speak of are what a graph of a crawl has: it was found by following links. */
const MIN_HIDDEN_SHARE = 0.01

function hiddenClaims(id: string, web: string, { parts, crawls, readers, toldDays }: Coverage): ClaimAnswer[] {
  const hidden = parts.reduce((sum, _, page) => sum + (isHidden(parts)(page) ? 1 : 0), 0)
  const share = hidden / parts.length
  const context = { id, web }
  if (share < MIN_HIDDEN_SHARE)
    return untestedClaim(
      '001.3',
      context,
      `Graphs of crawls lack most of what crawls cannot find. It takes one with ${percent(MIN_HIDDEN_SHARE)} of its pages or more outside of core and OUT.`,
      `${percent(share)} of the pages are in neither`,
    )
  const seen = readers.map((one) => ({ name: one.name, seen: seenAfter(one, toldDays, isHidden(parts)) }))
  const core = crawls.find(({ name }) => name === 'from the core')
  const found = core?.reached.reduce((sum, is, page) => sum + (is === 1 && isHidden(parts)(page) ? 1 : 0), 0) ?? 0
  const isSeen = seen.slice(0, 2).every((one) => one.seen > toleranceOf('hidden-seen'))
  const shownIn = ['parts', ...(hidden > 0 ? ['hidden'] : [])]
  return [
    answerTo('001.3a', context, {
      verdict: found === 0 ? 'holds by construction' : 'does not hold here',
      ours: `${percent(share)} of the pages are in neither; a crawl from the core finds ${formatNumber(found)} of these ${formatNumber(hidden)}`,
      why: 'It follows from what the parts are: core and OUT are what links lead to from the core. The count checks our crawl.',
      shownIn,
    }),
    answerTo('001.3b', context, {
      verdict: isSeen ? 'holds by construction' : 'does not hold here',
      ours: `gateways see of them in ${formatNumber(toldDays)} days: ${seen.map((one) => `${one.name} ${percent(one.seen)}`).join(', ')}`,
      why: 'Readers are made, and how much they read is a setting: with more views all pages are seen, with fewer hardly any. It takes the log of a gateway to say more.',
      shownIn,
    }),
  ]
}

function findingOf({ parts, crawls, readers, toldDays }: Coverage): string {
  const reached = (name: string): string => {
    const crawl = crawls.find((one) => one.name === name)
    return crawl === undefined ? '–' : percent(crawl.reached.reduce((sum, is) => sum + is, 0) / parts.length)
  }
  const seen = (counts: (page: number) => boolean): string =>
    [...new Set(readers.slice(0, 2).map((one) => percent(seenAfter(one, toldDays, counts))))].join(' or ')
  const hidden = hasHidden(parts)
    ? `, and of those that a crawl from the core never finds ${seen(isHidden(parts))}, by whether readers follow links`
    : ''
  return (
    `A crawl from the core finds ${reached('from the core')} of the pages, one from the best page ${reached('from the best page')}; ` +
    `gateways see ${seen(() => true)} in ${formatNumber(toldDays)} days${hidden}.`
  )
}

const parametersOf = (settings: CoverageSettings): Parameter[] => [
  { name: 'start pages of crawls', value: settings.seedCounts.join(', ') },
  { name: 'exponent of Zipf’s law', value: settings.zipf },
  { name: 'views a day, over pages', value: settings.viewsPerPage },
  { name: 'sites behind active gateways, where not all are', value: settings.activeShare, unit: 'share' },
]

const NOTES: readonly string[] = [
  'The largest set of pages that reach each other is the core, however small it is. A graph that was gathered by a crawl lacks what the crawl did not find, and links from outside of it are not known: its IN, tendrils and disconnected pages are what lay around its start pages.',
  'A crawl finds all that links lead to, in no time and at no cost. Gateways need readers: how much is read is a setting, and with ten times the views it takes a tenth of the time.',
  'Pages that nobody reads are not seen, and pages that nobody links to are read here as often as others where readers do not follow links.',
]
