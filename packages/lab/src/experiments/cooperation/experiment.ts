/**
 * Cooperation: the experiment of 002 §6.5. What does it cost a crawler to learn what changed on a site, page by page and by
 * each way the site can help; how does it come to know the site; and when should it ask again?
 *
 *   a site with its documents ──▶ every scheme, first visit and polls ──▶ claims 2 and 4
 *   links of a site           ──▶ rounds until it is known            ──▶ claim 3
 *   when sites change         ──▶ polls by a period or by a limit     ──▶ claim 5
 *
 * The others of the paper's claims are about sending, money and PageRank; each gets its experiment where that is at hand.
 */
import { headClaims, periodClaims, PACKED, PRINTED, sessionClaims, splitClaims, trafficOf } from './claims.ts'
import { untestedClaim } from '../../claims/claim-answer.ts'
import { discoverPages, discoverSites } from './discovery.ts'
import type { Discovery } from './discovery.ts'
import { firstFigure, knownFigure, oneFigure, pollingFigure } from './figures.ts'
import { measureWorkload } from './outcome.ts'
import type { WorkloadOutcome } from './outcome.ts'
import { madeSite } from '../../webs/made-site.ts'
import type { SitePages } from '../../webs/made-site.ts'
import { cooperationSettings } from './settings.ts'
import type { CooperationSettings } from './settings.ts'
import { largestSite, latestPages } from './source.ts'
import type { CooperationSource } from './source.ts'
import { costsTable, gistTable, levelsTable, pollingTable, roundsTable } from './tables.ts'
import { bytesOf, measureSite } from './wire.ts'
import type { SiteCosts } from './wire.ts'
import { historyWorkload, madeWorkloads } from './workloads.ts'
import type { Workload } from './workloads.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'

interface CooperationHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** What one source gives to measure. */
interface Subject {
  readonly id: string
  readonly name: string
  readonly isMade: boolean
  readonly sites: readonly SitePages[]
  readonly found: readonly Discovery[]
  readonly workloads: readonly Workload[]
  readonly notes: readonly string[]
}

/** Throws a RangeError for settings that make no sense, and for sources with too little in them. */
export async function runCooperation(
  source: CooperationSource,
  given: Partial<CooperationSettings> = {},
  { onPart = () => undefined }: CooperationHooks = {},
): Promise<ExperimentResult> {
  const settings = cooperationSettings(given)
  const subject = subjectOf(source, settings)
  const parts = subject.sites.length + subject.workloads.length
  const costs: SiteCosts[] = []
  for (const [done, site] of subject.sites.entries()) {
    onPart(`${site.name}: every scheme`, done, parts)
    costs.push(await measureSite(site, { ...settings, seed: settings.seeds[0]! }))
  }
  const outcomes = subject.workloads.map((workload, done) => {
    onPart(`polling ${workload.name}`, subject.sites.length + done, parts)
    return measureWorkload(workload, settings)
  })
  return resultOf(subject, costs, outcomes, settings)
}

function subjectOf(source: CooperationSource, settings: CooperationSettings): Subject {
  if (source.kind === 'paper') {
    const [seed] = settings.seeds
    const sites = settings.pages.map((pages) => madeSite({ ...settings, pages, seed: seed! }))
    const found = sites.map((site) => discoverPages({ ...site, links: site.links! }))
    const workloads = madeWorkloads(settings)
    return { id: 'cooperation-paper', name: 'the paper', isMade: true, sites, found, workloads, notes: MADE_NOTES }
  }
  const site = source.kind === 'history' ? latestPages(source.history) : largestSite(source.listing)
  if (site === undefined) throw new RangeError('there are not two pages of HTML in it')
  if (source.kind === 'history') {
    const workload = historyWorkload(source.history, settings)
    const { name } = source.history
    if (workload.runs.length === 0)
      throw new RangeError(
        `its history is shorter than the ${settings.pollDays} days of a run, or nothing changes in it`,
      )
    const id = `cooperation-history-${slugOf(name)}`
    return { id, name, isMade: false, sites: [site], found: [], workloads: [workload], notes: HISTORY_NOTES }
  }
  const hosts = [...source.listing.sites.keys()].map((origin) => new URL(origin).hostname)
  const found = discoverSites(source.web, (index) => hosts[index] ?? `site ${index}`)
  const { name } = source.listing
  const id = `cooperation-pages-${slugOf(name)}`
  return { id, name, isMade: false, sites: [site], found, workloads: [], notes: LISTING_NOTES }
}

function resultOf(
  { id, name, isMade, sites, found, notes }: Subject,
  costs: readonly SiteCosts[],
  outcomes: readonly WorkloadOutcome[],
  settings: CooperationSettings,
): ExperimentResult {
  const gist = gistTable(id, costs)
  const shown = found.slice(0, SHOWN_SITES)
  const file = { whole: cost(costs[0]!, PRINTED, 'one'), same: cost(costs[0]!, PACKED, 'nothing') }
  return {
    id,
    name: `Cooperation: ${name}`,
    paper: '002',
    finding: findingOf(costs, outcomes, settings),
    parameters: parametersOf(settings, isMade, outcomes.length > 0),
    seeds: isMade ? settings.seeds : settings.seeds.slice(0, 1),
    webs: sites.map((site) => ({
      name: site.name,
      pages: site.pages.length,
      links: site.links?.reduce((sum, { length }) => sum + length, 0) ?? 0,
      sites: 1,
      about: isMade ? 'folders of 20 pages and 12 folders' : 'what robots.rdf lists of it',
    })),
    figures: [
      firstFigure(id, costs),
      oneFigure(id, costs),
      ...(shown.length > 0 ? [knownFigure(id, shown)] : []),
      ...outcomes.map((outcome) => pollingFigure(id, outcome, settings.periodDays)),
    ],
    tables: [
      gist,
      costsTable(id, costs),
      levelsTable(id, costs),
      ...(found.length > 0 ? [roundsTable(id, found)] : []),
      ...(outcomes.length > 0 ? [pollingTable(id, outcomes, file, settings.periodDays)] : []),
    ],
    toldTable: gist.id,
    claims: [
      ...costs.flatMap((one) => headClaims({ id, web: one.name }, one, isMade)),
      ...shown.flatMap((one) => sessionClaims({ id, web: one.name }, one)),
      ...(shown.length > 0
        ? []
        : untestedClaim(
            '002.3',
            { id, web: name },
            'A history has no links. It takes pages with the links between them.',
          )),
      ...costs.flatMap((one) => splitClaims({ id, web: one.name }, one)),
      ...outcomes.flatMap((outcome) => periodClaims({ id, web: outcome.name }, outcome, settings)),
      ...(outcomes.length > 0
        ? []
        : untestedClaim('002.5', { id, web: name }, 'A list of pages has no changes. It takes a history.')),
    ],
    notes: [...NOTES, ...notes],
  }
}

/** Sites whose lines are drawn and claims answered; the others are in the table. */
const SHOWN_SITES = 5

const cost = (costs: SiteCosts, scheme: string, visit: Parameters<typeof trafficOf>[2]): number =>
  bytesOf(trafficOf(costs, scheme, visit))

function findingOf(
  costs: readonly SiteCosts[],
  outcomes: readonly WorkloadOutcome[],
  { maxOutdated: [limit] }: CooperationSettings,
): string {
  const [first, last] = [costs[0]!, costs.at(-1)!]
  const saved = 1 - cost(first, PRINTED, 'first') / cost(first, 'HEAD on each page', 'first')
  const limited = outcomes.map(({ limits }) => limits.find((one) => one.limit === limit)!.limited.outdated.mean)
  const steady =
    limited.length === 0
      ? ''
      : ` A limit of ${limit} on the probability of being outdated leaves ${percent(Math.min(...limited))}${limited.length > 1 ? ` to ${percent(Math.max(...limited))}` : ''} outdated, whatever the sites.`
  return (
    `robots.rdf saves ${percent(saved)} of HEAD on each of ${first.pages.toLocaleString('en')} pages (the paper: more than 40 %). ` +
    `That one of ${last.pages.toLocaleString('en')} pages changed costs ${formatQuantity(cost(last, PRINTED, 'one'), 'bytes')} by the file as printed and ${formatQuantity(cost(last, 'filter', 'one'), 'bytes')} by a filter.${steady}`
  )
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '') || 'source'

function parametersOf(settings: CooperationSettings, isMade: boolean, isPolled: boolean): Parameter[] {
  const made: Parameter[] = [
    { name: 'pages of the sites', value: settings.pages.join(', ') },
    { name: 'characters of a URL', value: settings.urlChars },
    { name: 'mean page', value: settings.meanBytes, unit: 'bytes' },
    { name: 'few sites', value: settings.fewSites },
    { name: 'days between changes, seldom', value: settings.seldomDays.join(' to ') },
    { name: 'days between changes, often', value: settings.oftenDays.join(' to ') },
    { name: 'many sites', value: settings.manySites },
    { name: 'bars of 000 Figure 2', value: settings.classShares.map(percent).join(', ') },
    { name: 'longest interval', value: settings.longestDays, unit: 'days' },
  ]
  const polled: Parameter[] = [
    { name: 'days polled', value: settings.pollDays },
    { name: 'of these not counted', value: settings.warmUpDays },
    { name: 'limits on the probability of being outdated', value: settings.maxOutdated.join(', ') },
    { name: 'longest period under a limit', value: settings.longestPollDays, unit: 'days' },
    { name: 'fixed period', value: settings.periodDays, unit: 'days' },
  ]
  return [
    ...(isMade ? made : []),
    { name: 'user agent', value: settings.userAgent },
    { name: 'documents are read up to', value: settings.readPages, unit: 'pages' },
    ...(isPolled ? polled : []),
  ]
}

const NOTES: readonly string[] = [
  'Every scheme is served by the package that sites install and read by what crawls, with the fields our crawler sends, one connection each. Bytes are counted as HTTP/1.1 carries them, without sockets; a test holds such counts to what sockets carry. What is below HTTP is not counted: TCP and IP add 40 bytes or more to each packet, and as HEAD takes a packet each way for every page, it is worse than it looks. robots.txt and finding out what a site offers are not counted either.',
  'Bodies of changed pages are left out everywhere. Polls by HEAD and by GET for every page are added up from the sizes of all requests and answers, each of which was sent once.',
  'Figure 6.5 is no valid RDF and the valid form is longer: it repeats the URL as a link and names each item. Packed it does not matter.',
  'The site says of parts of robots.rdf only that they are there, as RSS has no dates for them, so a crawler asks for each if modified.',
]
const MADE_NOTES: readonly string[] = [
  'When to poll is decided by the crawler’s own rule for sites (the limit) and by policies of its frontier, with its estimates of how often a site changes. The sites, their changes and the clock are simulated: a poll takes no time, and all that changed is current again after it. What is outdated is the file: one changed page is enough.',
  'Files change at random (Poisson). The paper does not say how often its site of medical information did.',
]
const HISTORY_NOTES: readonly string[] = [
  'The pages are those that the history ends with. Polled are its years, each as a site of its own; changes come in bursts, which no estimator of a rate knows of.',
]
const LISTING_NOTES: readonly string[] = [
  'Costs are those of the largest site. Which page is the home page of a site is not known: rounds begin at the one that leads to most.',
]
