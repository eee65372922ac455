/**
 * What each scheme would have saved: for every crawler and for all of them together, beside what the log shows. Of each tier of
 * 002 §6.4.1 the scheme that saves the site the most money is its best.
 */
import type { CrawlerAccount } from './account.ts'
import { moneyOf } from './money.ts'
import type { Money, Prices } from './money.ts'
import { ADVISED_SCHEMES, loggedCost } from './schemes.ts'
import type { AdvisedScheme, SchemeContext, SchemeCost, Tier } from './schemes.ts'

export interface PricedCost extends SchemeCost {
  readonly money: Money
}

export interface SchemeSaving {
  readonly scheme: AdvisedScheme
  readonly cost: PricedCost
}

interface CrawlerSavings {
  readonly account: CrawlerAccount
  readonly logged: PricedCost
  /** In the order of the table. */
  readonly schemes: readonly SchemeSaving[]
}

export interface SiteSavings {
  readonly logged: PricedCost
  readonly schemes: readonly SchemeSaving[]
  readonly crawlers: readonly CrawlerSavings[]
  /** In the order of what they ask for; a tier without a scheme that saves anything has none. */
  readonly tiers: readonly TierAdvice[]
}

export interface TierAdvice {
  readonly tier: Exclude<Tier, 'none'>
  readonly best: SchemeSaving | undefined
}

export const TIERS: readonly Exclude<Tier, 'none'>[] = ['little', 'moderate', 'more']

export function savingsOf(
  accounts: readonly CrawlerAccount[],
  common: Omit<SchemeContext, 'account'>,
  prices: Prices,
): SiteSavings {
  const priced = (cost: SchemeCost): PricedCost => ({ ...cost, money: moneyOf(cost, prices) })
  const crawlers = accounts.map((account): CrawlerSavings => {
    const context = { ...common, account }
    return {
      account,
      logged: priced(loggedCost(context)),
      schemes: ADVISED_SCHEMES.map((scheme) => ({ scheme, cost: priced(scheme.cost(context)) })),
    }
  })
  const total = (costs: readonly SchemeCost[]): PricedCost => priced(added(costs))
  const logged = total(crawlers.map((crawler) => crawler.logged))
  const schemes = ADVISED_SCHEMES.map((scheme, at) => ({
    scheme,
    cost: total(crawlers.map((crawler) => crawler.schemes[at]!.cost)),
  }))
  return { logged, schemes, crawlers, tiers: TIERS.map((tier) => ({ tier, best: bestOf(tier, logged, schemes) })) }
}

export function bestOf(tier: Tier, logged: PricedCost, schemes: readonly SchemeSaving[]): SchemeSaving | undefined {
  return schemes
    .filter(({ scheme, cost }) => scheme.tier === tier && cost.money.site < logged.money.site)
    .toSorted((a, b) => a.cost.money.site - b.cost.money.site)[0]
}

const added = (costs: readonly SchemeCost[]): SchemeCost =>
  costs.reduce(
    (total, { requests, bytes, siteMs, pages }) => ({
      requests: total.requests + requests,
      bytes: total.bytes + bytes,
      siteMs: total.siteMs + siteMs,
      pages: total.pages + pages,
    }),
    { requests: 0, bytes: 0, siteMs: 0, pages: 0 },
  )

/** Of what the log shows; negative when the scheme costs more. */
export const savedShare = (cost: number, logged: number): number => (logged === 0 ? 0 : 1 - cost / logged)
