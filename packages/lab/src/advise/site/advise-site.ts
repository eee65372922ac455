/**
 * Advice for a site: which of the twelve schemes of cooperation would have saved how much, by the site's own access log.
 *
 *   log ──▶ who is a crawler ──▶ what each fetched first, again, and for nothing ─┐
 *   document root, journal ──▶ sizes, times, versions ──▶ units of each scheme ───┴─▶ costs ──▶ money ──▶ tiers (002 §6.4.1)
 *
 * The log is read twice, request by request; what is remembered of it is bounded. Units are measured by serving the site's own
 * pages with the code that would serve them. What is assumed is said.
 */
import { basename } from 'node:path'
import type { Instant, LoggedRequest } from '@comity/protocol'
import { AccountCount } from './account.ts'
import type { SiteAccounts } from './account.ts'
import { siteMoneyClaims, trafficShareClaims } from './claims.ts'
import { moneyFigure, needlessFigure, schemeFigure, trafficFigure } from './figures.ts'
import { readSite } from './knowledge.ts'
import type { SiteKnowledge } from './knowledge.ts'
import { orderedLogs, readLogs } from './log.ts'
import type { LogReading } from './log.ts'
import type { Prices } from './money.ts'
import { savingsOf } from './savings.ts'
import type { SiteSavings } from './savings.ts'
import { adviseSiteSettings } from './settings.ts'
import type { AdviseSiteSettings } from './settings.ts'
import { crawlerTable, formTable, schemeTable, tierTable, unitTable } from './tables.ts'
import { unitsFor } from './units.ts'
import { trafficOfAll } from './traffic.ts'
import { VisitorCount } from './visitors.ts'
import { adviceLines, assumptions, daysOf, logSentence, tierSentence } from './advise-site-words.ts'
import type { AdviceFindings } from './advise-site-words.ts'
import { webUnreadable } from '../../lab-error.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import type { SchemeUnits } from '../../cooperating/scheme-units.ts'

export interface SiteToAdvise {
  /** Access logs, in any order. */
  readonly logs: readonly string[]
  readonly docroot?: string | undefined
  /** Absolute URL of the home page. */
  readonly base?: string | undefined
  /** Where `comity publish` remembers what changed; beside the document root unless given. */
  readonly journal?: string | undefined
  readonly now: Instant
}

export interface SiteAdvice {
  /** For a terminal. */
  readonly lines: readonly string[]
  readonly result: ExperimentResult
  readonly facts: SiteAdviceFacts
}

/** The same for programs. */
export interface SiteAdviceFacts {
  readonly log: LogReading
  readonly settings: AdviseSiteSettings
  readonly accounts: SiteAccounts
  readonly savings: SiteSavings
  readonly units: SchemeUnits
  readonly measuredOn: string
  readonly assumptions: readonly string[]
}

interface AdviseSiteHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

const NO_BASE = 'https://www.example.org/'
const PARTS = 4
const YEAR_DAYS = 365

/** Throws a LabError for logs that are none, a SiteError for a root that cannot be read, a RangeError for bad settings. */
export async function adviseSite(
  { logs, docroot, base, journal, now }: SiteToAdvise,
  given: Partial<AdviseSiteSettings> = {},
  { onPart = () => undefined }: AdviseSiteHooks = {},
): Promise<SiteAdvice> {
  const settings = adviseSiteSettings(given)
  if (docroot !== undefined && base === undefined)
    throw new RangeError('a document root needs the address of its home page: name it with --base')
  const files = await orderedLogs(logs)
  onPart('who comes', 0, PARTS)
  const visitors = new VisitorCount(settings)
  const isOurs = ownRequests(base)
  await readLogs(files, (request) => isOurs(request) && visitors.note(request))
  onPart('the document root', 1, PARTS)
  const site = docroot === undefined ? undefined : await readSite({ docroot, base: base!, journal, now })
  onPart('what they fetched', 2, PARTS)
  const store = new AccountCount(visitors, site, settings)
  const reading = await readLogs(files, (request) => isOurs(request) && store.note(request))
  const accounts = store.accounts()
  if (trafficOfAll(accounts.traffic, 'requests') === 0)
    throw webUnreadable(logs.join(', '), `No request in it is for ${base ?? 'this site'}.`)
  onPart('what schemes cost', 3, PARTS)
  const { units, measuredOn, assumed } = await unitsFor(site, accounts, base ?? NO_BASE, settings)
  const prices = pricesOf(accounts, units, settings)
  const whole = { siteBytes: site?.bytes ?? accounts.pageBytes, siteText: site?.text ?? accounts.textBytes }
  const savings = savingsOf(accounts.crawlers, { units, ...whole, requestMs: settings.requestMs }, prices)
  const perYear = YEAR_DAYS / daysOf(reading)
  const found: AdviceFindings = { reading, accounts, savings, prices, perYear, measuredOn, assumed }
  return {
    lines: adviceLines(found),
    result: resultOf(nameOf(logs), found, units, settings, site),
    facts: { log: reading, settings, accounts, savings, units, measuredOn, assumptions: assumptions(found) },
  }
}

/** Of a log of several hosts, those to this one. */
function ownRequests(base: string | undefined): (request: LoggedRequest) => boolean {
  if (base === undefined) return () => true
  const { hostname } = new URL(base)
  return ({ host }) => host === undefined || host.replace(/:\d+$/, '').toLowerCase() === hostname
}

function pricesOf({ crawlers }: SiteAccounts, units: SchemeUnits, settings: AdviseSiteSettings): Prices {
  const fetches = crawlers.flatMap(({ first, changed, needless }) => [first, changed, needless])
  const count = fetches.reduce((sum, one) => sum + one.count, 0)
  const bytes = fetches.reduce((sum, one) => sum + one.bytes, 0)
  return {
    ...settings,
    pageMs: units.page.siteMs + settings.requestMs,
    exchangeBytes: units.page.heads + (count === 0 ? units.meanBytes : bytes / count),
  }
}

const nameOf = (logs: readonly string[]): string =>
  logs.length === 1 ? basename(logs[0]!) : `${basename(logs[0]!)} and ${logs.length - 1} more`

function resultOf(
  name: string,
  found: AdviceFindings,
  units: SchemeUnits,
  settings: AdviseSiteSettings,
  site: SiteKnowledge | undefined,
): ExperimentResult {
  const id = 'advise-site'
  const { accounts, savings, prices, perYear, measuredOn } = found
  const tiers = tierTable(id, savings, perYear)
  return {
    id,
    name: `Advice for a site: ${name}`,
    paper: '002',
    varies: true,
    finding: [logSentence(found), ...savings.tiers.map((tier) => tierSentence(tier, found))].join(' '),
    parameters: Object.entries(settings).map(([key, value]): Parameter => ({ name: key, value })),
    seeds: [settings.seed],
    webs: [
      {
        name,
        pages: site?.pages ?? accounts.pages,
        links: 0,
        sites: 1,
        about: site?.notes.join(' ') ?? 'pages that somebody got',
      },
    ],
    figures: [
      schemeFigure(id, savings),
      moneyFigure(id, savings, perYear),
      ...(accounts.crawlers.length === 0 ? [] : [needlessFigure(id, accounts.crawlers)]),
      trafficFigure(id, accounts.traffic),
    ],
    tables: [
      tiers,
      schemeTable(id, savings, prices, perYear),
      crawlerTable(id, accounts, savings),
      formTable(id),
      unitTable(id, units, measuredOn),
    ],
    toldTable: tiers.id,
    claims: [
      ...trafficShareClaims({ id, web: name }, accounts.traffic),
      ...siteMoneyClaims({ id, web: name }, savings, settings),
    ],
    notes: [...assumptions(found), ...NOTES],
  }
}

const NOTES: readonly string[] = [
  'What is made once for all crawlers, such as lists and dumps, is counted for each of them.',
  'A remote agent may leave out changes that do not matter to its search engine; here it leaves out none, and its own processor time at the site is not counted.',
  'People are everybody whom neither name nor behaviour shows to be a program; some crawlers pass for people and are counted as such.',
]
