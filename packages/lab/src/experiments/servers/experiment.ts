/**
 * Servers: the experiment of 000. What does a crawler waste that nobody tells what has changed, and what would metadata
 * save? First in the paper's own form, then without its assumptions, then on a real site's history, log and pages.
 *
 *   scenarios ──▶ runs by seed ──▶ both crawlers at each bandwidth ──▶ Figures 2, 3, 6
 *   pages     ──▶ archives as sites publish them                   ──▶ claims 1 to 6
 *   log       ──▶ who crawls, which files                          ──▶ Figures 4, 5
 */
import type { ClaimAnswer } from '../../claims/claim.ts'
import type { History } from '../../webs/history-file.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { answerTo, holds, untested, untestedClaim } from '../../claims/claim-answer.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { percent } from './answer.ts'
import { classFigure, freshnessFigure, gainFigure, needlessFigure, savedFigure } from './figures.ts'
import { changeClaims, freshnessClaims } from './freshness-claims.ts'
import { madeListing } from './listing.ts'
import type { Listing } from './listing.ts'
import type { LogFacts } from './log-facts.ts'
import { HTML, IMAGES, logMix, mediaCrawls, OTHER, OTHER_SHARE, paperMix } from './media.ts'
import { measureMetadata } from './metadata.ts'
import { metadataClaims, metadataTable } from './metadata-claims.ts'
import { measureScenario } from './scenario.ts'
import type { Scenario, ScenarioOutcome } from './scenario.ts'
import { FIGURE_6, freeScenarios, historyScenario, paperScenarios } from './scenarios.ts'
import { serversSettings } from './settings.ts'
import type { ServersSettings } from './settings.ts'
import type { ServersSource } from './source.ts'
import { mediaTable, perfectTable } from './tables.ts'
import { mediaClaims, mixFigure, notModifiedClaim, trafficClaim, trafficFigure } from './traffic.ts'

interface ServersHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** Throws a RangeError for settings that make no sense. */
export function runServers(
  source: ServersSource,
  given: Partial<ServersSettings> = {},
  { onPart = () => undefined }: ServersHooks = {},
): ExperimentResult {
  const settings = serversSettings(given)
  if (source.kind === 'history') return runHistory(source.history, settings, onPart)
  if (source.kind === 'listing') return runListing(source.listing, settings, onPart)
  if (source.kind === 'log') return runLog(source.log, settings)
  return runPaper(settings, onPart)
}

type OnPart = NonNullable<ServersHooks['onPart']>

const measureAll = (scenarios: readonly Scenario[], settings: ServersSettings, onPart: OnPart): ScenarioOutcome[] =>
  scenarios.map((scenario, done) => {
    onPart(scenario.name, done, scenarios.length)
    return measureScenario(scenario, settings)
  })

function runPaper(settings: ServersSettings, onPart: OnPart): ExperimentResult {
  const id = 'servers-paper'
  const outcomes = measureAll([...paperScenarios(settings), ...freeScenarios(settings)], settings, onPart)
  const changing = outcomes.slice(0, 3)
  const mix = paperMix(settings)
  const crawls = mediaCrawls(mix, settings)
  const metadata = measureMetadata(madeListing(settings.seeds[0]!, MADE_PAGES, settings.meanBytes))
  const perfect = perfectTable(id, outcomes, settings.deltaShare)
  const needsLog = (part: string, what: string): ClaimAnswer =>
    untested(part, { id, web: 'paper' }, `It takes an access log: name ${what} with --web.`)
  return {
    id,
    name: 'Servers that help: the paper',
    paper: '000',
    finding: findingOf(outcomes.find(({ name }) => name === FIGURE_6)!),
    parameters: parametersOf(settings, 'made'),
    seeds: settings.seeds,
    webs: outcomes.map(({ name, pages, about }) => shapeOf(name, pages.mean, settings.sites, about)),
    figures: [
      classFigure(id, changing),
      needlessFigure(id, changing),
      mixFigure(id, mix),
      ...outcomes.map((outcome) => freshnessFigure(id, outcome)),
      gainFigure(id, outcomes),
      savedFigure(id, outcomes),
    ],
    tables: [perfect, mediaTable(id, mix.name, crawls), metadataTable(id, metadata)],
    toldTable: perfect.id,
    claims: [
      ...metadataClaims({ id, web: metadata.name }, metadata, true),
      ...changing.flatMap((outcome) => changeClaims({ id, web: outcome.name }, outcome, true)),
      needsLog('000.10a', 'one'),
      ...mediaClaims({ id, web: mix.name }, crawls, true),
      needsLog('000.12a', 'those of several servers'),
      ...outcomes.flatMap((outcome) => freshnessClaims({ id, web: outcome.name }, outcome, true)),
    ],
    notes: PAPER_NOTES,
  }
}

/** 000 §3.3: a large site. */
const MADE_PAGES = 100_000

function runHistory(history: History, settings: ServersSettings, onPart: OnPart): ExperimentResult {
  const id = `servers-history-${slugOf(history.name)}`
  const scenario = historyScenario(history, settings)
  if (scenario.runs()[Symbol.iterator]().next().done === true)
    throw new RangeError(`its history is shorter than the ${settings.days} days of a run, or has no page all that time`)
  const outcomes = measureAll([scenario], settings, onPart)
  const [outcome] = outcomes
  const perfect = perfectTable(id, outcomes, settings.deltaShare)
  const context = { id, web: history.name }
  return {
    id,
    name: `Servers that help: ${history.name}`,
    paper: '000',
    finding: findingOf(outcome!),
    parameters: parametersOf(settings, 'history'),
    seeds: [],
    webs: [shapeOf(history.name, outcome!.pages.mean, 1, `${formatNumber(history.events)} changes; ${outcome!.about}`)],
    figures: [
      classFigure(id, outcomes),
      needlessFigure(id, outcomes),
      freshnessFigure(id, outcome!),
      gainFigure(id, outcomes),
      savedFigure(id, outcomes),
    ],
    tables: [perfect],
    toldTable: perfect.id,
    claims: [...changeClaims(context, outcome!, false), ...freshnessClaims(context, outcome!, false)],
    notes: HISTORY_NOTES,
  }
}

function runLog(log: LogFacts, settings: ServersSettings): ExperimentResult {
  const id = `servers-log-${slugOf(log.name)}`
  const mix = logMix(log)
  const crawls = mediaCrawls(mix, settings)
  const context = { id, web: log.name }
  const total = mix.groups.reduce((sum, { files }) => sum + files, 0)
  const other = mix.groups.find(({ type }) => type === OTHER)?.files ?? 0
  const types = new Set(mix.groups.map(({ type }) => type))
  return {
    id,
    name: `Servers that help: ${log.name}`,
    paper: '000',
    finding:
      `${log.crawlers.withNotModified} of ${log.crawlers.addresses} addresses that asked for robots.txt ever got a 304. ` +
      `Who wants the images and finds them through HTML asks ${percent(crawls[0]!.needlessRequests)} of the time for something else.`,
    parameters: parametersOf(settings, 'log'),
    seeds: [],
    webs: [shapeOf(log.name, total, 1, `${formatNumber(log.requests)} requests in ${log.days} days`)],
    figures: [mixFigure(id, mix), trafficFigure(id, log)],
    tables: [mediaTable(id, mix.name, crawls)],
    claims: [
      answerTo('000.5b', context, {
        verdict: holds(Math.abs(other / total - OTHER_SHARE) <= toleranceOf('other-share')),
        ours: `types under 5 % of the files are ${percent(other / total)} together`,
        why: 'Files that somebody asked for and got, by their endings.',
        shownIn: ['fig4'],
      }),
      notModifiedClaim(context, log),
      ...(types.has(HTML) && types.has(IMAGES)
        ? mediaClaims(context, crawls, false)
        : untestedClaim('000.11', context, 'There are not both pages and images. It takes a log with both.')),
      trafficClaim(context, log),
    ],
    notes: ['As in the paper, what a site has is what somebody asked for and got: what nobody asked for is not seen.'],
  }
}

function runListing(listing: Listing, settings: ServersSettings, onPart: OnPart): ExperimentResult {
  const id = `servers-pages-${slugOf(listing.name)}`
  const pages = [...listing.sites.values()].flat()
  const bytes = pages.map((page) => page.bytes ?? 0).filter((size) => size > 0)
  const outcomes = measureAll(freeScenarios(settings, { name: listing.name, bytes }), settings, onPart)
  const [outcome] = outcomes
  const metadata = measureMetadata(listing)
  const perfect = perfectTable(id, outcomes, settings.deltaShare)
  return {
    id,
    name: `Servers that help: ${listing.name}`,
    paper: '000',
    finding: `A page's metadata is ${formatNumber(metadata.packedBytes / metadata.pages)} bytes here, packed. ${findingOf(outcome!)}`,
    parameters: parametersOf(settings, 'made'),
    seeds: settings.seeds,
    webs: [shapeOf(listing.name, pages.length, listing.sites.size, 'paths, sizes and dates; no changes')],
    figures: [freshnessFigure(id, outcome!), gainFigure(id, outcomes), savedFigure(id, outcomes)],
    tables: [metadataTable(id, metadata), perfect],
    toldTable: `${id}-metadata`,
    claims: [
      ...metadataClaims({ id, web: listing.name }, metadata, false),
      ...freshnessClaims({ id, web: outcome!.name }, outcome!, true),
    ],
    notes: ['Sizes are drawn from those of the pages; how often pages change is made, as in the paper.'],
  }
}

function findingOf({ name, perfect: { conventional, ways } }: ScenarioOutcome): string {
  const { metadata, differences } = ways[0]!
  return (
    `With metadata every page is fresh at ${percent(metadata.mean / conventional.mean)} of the conventional bandwidth ` +
    `(${name}; the paper has about a fifth), with differences at ${percent(differences.mean / conventional.mean)}.`
  )
}

const shapeOf = (name: string, pages: number, sites: number, about: string): ExperimentResult['webs'][number] => ({
  name,
  pages: Math.round(pages),
  links: 0,
  sites,
  about,
})

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '') || 'source'

/** Every setting by its name in the report; those that say nothing of the source are left out. */
function parametersOf(settings: ServersSettings, of: 'made' | 'history' | 'log'): Parameter[] {
  const archives: Parameter[] = [
    { name: 'entry, compressed', value: settings.entryBytes, unit: 'bytes' },
    { name: 'entries of a segment', value: settings.segmentEntries },
  ]
  if (of === 'log') return archives
  const runs: Parameter[] = [
    { name: 'days', value: settings.days },
    { name: 'levels of bandwidth', value: settings.levels },
    ...archives,
    { name: 'difference, of the size of its page', value: settings.deltaShare, unit: 'share' },
  ]
  if (of === 'history') return [{ name: 'stretches', value: settings.seeds.length }, ...runs]
  return [
    { name: 'pages', value: settings.pages },
    { name: 'sites', value: settings.sites },
    ...runs,
    { name: 'bars of Figure 2, assumed but for the first', value: settings.classShares.map(percent).join(', ') },
    { name: 'longest interval with Poisson changes', value: settings.longestDays, unit: 'days' },
    { name: 'pages that change on a day, as Figures 3 and 6 imply', value: settings.changedADay, unit: 'share' },
    { name: 'Poisson changes a day of daily pages', value: settings.dailyRate },
    { name: 'metadata of a day, in pages', value: settings.metadataPages.join(', ') },
    { name: 'mean page', value: settings.meanBytes, unit: 'bytes' },
  ]
}

const PAPER_NOTES: readonly string[] = [
  'Of Figure 2 the text has the first bar, 23 %, and that the last is above 30 %. We assume 15, 16, 15 and 31 % for the others, and intervals spread evenly over each bar on a logarithmic scale; `classShares` changes them.',
  'With these bars 31 % of the pages change on a day: the 23 % that always do, and the others now and then. Figure 3 (77 % needless at daily visits) and Figure 6 (the gain shrinks past 0.22) both say that 22 or 23 % of the pages they were drawn from do. So the three figures are not of the same pages; §6 took 10,000 from four sites. We run both.',
  'The order of a day: pages change, metadata is published, pages are downloaded. Conventional crawlers are perfect only when they download everything every day, as long as some pages change daily.',
  'The paper lets metadata cost 8 pages a day. Two files of 42 KB and pages of 13 KB make 6.5 from one site and 26 from four. It matters little: see the table.',
  'Archives by size: of each site the newest segments with what changed that day, at 22 bytes an entry, whole.',
  'The share of a page that its difference takes is set, not measured here.',
]

const HISTORY_NOTES: readonly string[] = [
  'Stretches lie evenly over the history. Taken are pages that were there from the first to the last day of one; sizes are those of the first day. Intervals are over stretches, which differ by more than chance.',
  'Between two days nothing is seen: several changes of a day are one, as in the paper.',
]
