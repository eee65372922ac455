/**
 * Money, by what there is to spend (002 §6.4.1): some crawlers keep a copy of a site for a year, coming every day, and each scheme
 * costs the site network and processor. Costs are measured; what they come to depends on b, c_n and c_p, and is shown against them.
 */
import type { CrawlerAccount, Fetches } from '../../advise/site/account.ts'
import type { Prices } from '../../advise/site/money.ts'
import { moneyOf, viewsFor } from '../../advise/site/money.ts'
import { savingsOf } from '../../advise/site/savings.ts'
import type { SiteSavings } from '../../advise/site/savings.ts'
import type { BreakEvenSettings } from './settings.ts'
import type { NamedCurve } from './site.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { measureUnits } from '../../cooperating/scheme-units.ts'
import type { SchemeUnits } from '../../cooperating/scheme-units.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import { createRandom, seedOf } from '@comity/testbed'

export interface MoneyOutcome {
  readonly units: SchemeUnits
  readonly prices: Prices
  readonly savings: SiteSavings
  /** Share of the site's cost that schemes save, against the share of c_p in c_n + c_p. */
  readonly byProcessing: readonly NamedCurve[]
  /** Views a year that pay for what crawlers cost, against b. */
  readonly byView: readonly NamedCurve[]
}

const YEAR_DAYS = 365
const CHANGED = 40

export async function measureMoney(settings: BreakEvenSettings): Promise<MoneyOutcome> {
  const { periodPages, meanBytes, seed, editShare } = settings
  const pages = madePages({ pages: periodPages, meanBytes, seed, isEven: true })
  const random = createRandom(seedOf(seed, 'money'))
  const units = await measureUnits(pages, {
    base: SITE_BASE,
    changed: Math.min(CHANGED, periodPages),
    edit: ({ body }) => editedBody(body, editShare, 'place', random),
  })
  const account = yearAccount(settings, units.meanBytes)
  const siteBytes = units.meanBytes * periodPages
  const common = { units, siteBytes, siteText: siteBytes, requestMs: settings.requestMs }
  const accounts = Array.from({ length: settings.crawlers }, () => account)
  const prices: Prices = {
    ...settings,
    pageMs: units.page.siteMs + settings.requestMs,
    exchangeBytes: units.page.heads + units.meanBytes,
  }
  const savings = savingsOf(accounts, common, prices)
  return { units, prices, savings, byProcessing: byProcessing(savings, prices), byView: byView(savings, prices) }
}

/** A crawler that comes every day and asks for all, whatever has changed: what it had to ask for and what not is known. */
export function yearAccount({ periodPages, changesADay }: BreakEvenSettings, pageBytes: number): CrawlerAccount {
  const fetches = (count: number): Fetches => ({
    count,
    bytes: count * pageBytes,
    plain: count * pageBytes,
    text: count * pageBytes,
  })
  // Two changes of one page in a day are one to who comes daily.
  const changedADay = periodPages * (1 - Math.exp(-changesADay / periodPages))
  const changed = changedADay * (YEAR_DAYS - 1)
  const changes = changesADay * YEAR_DAYS
  const asked = periodPages * YEAR_DAYS
  return {
    name: 'a crawler',
    purpose: 'search',
    requests: asked,
    bytes: asked * pageBytes,
    first: fetches(periodPages),
    changed: fetches(changed),
    needless: fetches(asked - periodPages - changed),
    notModified: fetches(0),
    other: fetches(0),
    polls: YEAR_DAYS,
    from: 0,
    until: YEAR_DAYS * 86_400_000,
    told: changes,
    pushed: fetches(changes),
    batched: fetches(changedADay * YEAR_DAYS),
    busy: YEAR_DAYS * (1 - Math.exp(-changesADay)),
  }
}

const STEPS = 20

function byProcessing({ logged, schemes }: SiteSavings, prices: Prices): readonly NamedCurve[] {
  const all = prices.networkUsd + prices.processingUsd
  const shares = Array.from({ length: STEPS + 1 }, (_, at) => at / STEPS)
  // Schemes of the paper's three answers.
  return schemes
    .filter(({ scheme }) => scheme.tier !== 'none')
    .map(({ scheme, cost }) => ({
      name: scheme.name,
      points: shares.map((share) => {
        const priced = { ...prices, networkUsd: all * (1 - share), processingUsd: all * share }
        return [share, 1 - moneyOf(cost, priced).site / moneyOf(logged, priced).site] as const
      }),
    }))
}

/** From what a view just pays for itself to a dollar. */
function byView({ logged, tiers }: SiteSavings, prices: Prices): readonly NamedCurve[] {
  const least = (prices.networkUsd + prices.processingUsd) * 1.5
  const views = Array.from({ length: STEPS + 1 }, (_, at) => least * (Math.max(1, 2 * least) / least) ** (at / STEPS))
  const curve = (name: string, usd: number): NamedCurve => ({
    name,
    points: views.map((viewUsd) => [viewUsd, viewsFor(usd, { ...prices, viewUsd })] as const),
  })
  return [
    curve('no cooperation', logged.money.site),
    ...tiers.flatMap(({ tier, best }) =>
      best === undefined ? [] : [curve(`${tier}: ${best.scheme.name}`, best.cost.money.site)],
    ),
  ]
}
