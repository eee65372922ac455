/** What a site's own log says to 001 claim 1 and 002 claim 7. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import type { SiteSavings } from './savings.ts'
import { savedShare } from './savings.ts'
import type { AdviseSiteSettings } from './settings.ts'
import { crawlerShareOf as share, trafficOfAll } from './traffic.ts'
import type { SharedTraffic, SiteTraffic, Traffic } from './traffic.ts'
import { moneyAnswer } from '../../claims/money-claim.ts'
import { formatNumber } from '../../report/number.ts'
import { holds, percent } from '../../experiments/servers/answer.ts'

/** Fewer hits in a day or an hour say nothing of shares. */
const MIN_HITS = 30
const MIN_DAYS = 2

const below = (all: readonly SharedTraffic[]): number =>
  all.filter((one) => share(one, 'bytes') < share(one, 'requests')).length

export function trafficShareClaim(id: string, web: string, traffic: SiteTraffic): ClaimAnswer {
  const [hits, bytes] = [share(traffic, 'requests'), share(traffic, 'bytes')]
  const full = (all: readonly SharedTraffic[]): readonly SharedTraffic[] =>
    all.filter((one) => trafficOfAll(one, 'requests') >= MIN_HITS)
  const [days, hours] = [full(traffic.days), full(traffic.hours)]
  const peak = (key: keyof Traffic): number => days.reduce((most, day) => Math.max(most, share(day, key)), 0)
  return {
    paper: '001',
    number: 1,
    claim:
      'Crawlers make 27.3 % of the hits and 20.9 % of the bytes in a week, at peaks 40.6 % and 29.5 %; their share of bytes is always below that of hits.',
    web,
    verdict: days.length < MIN_DAYS ? 'cannot be tested' : holds(bytes < hits && below(days) === days.length),
    ours:
      `${percent(hits)} of the hits, ${percent(bytes)} of the bytes; on a day up to ${percent(peak('requests'))} and ${percent(peak('bytes'))}; ` +
      `the share of bytes is below that of hits on ${formatNumber(below(days))} of ${formatNumber(days.length)} days and in ${formatNumber(below(hours))} of ${formatNumber(hours.length)} hours`,
    why: `Held when the share of bytes is below that of hits in all and on every day; how large the shares are is each site's own. The paper's figure is of a week, and we take its points for days; days and hours with fewer than ${MIN_HITS} hits are left out. Crawlers also fetch what is no page now, and one large file makes an hour.`,
    shownIn: [`${id}-traffic`],
  }
}

export function siteMoneyClaim(
  id: string,
  web: string,
  savings: SiteSavings,
  settings: AdviseSiteSettings,
): ClaimAnswer {
  const { logged, tiers } = savings
  return moneyAnswer({
    web,
    settings,
    tiers: tiers.map(({ tier, best }) => ({
      tier,
      name: best?.scheme.name ?? 'nothing',
      money: best === undefined ? 0 : savedShare(best.cost.money.site, logged.money.site),
      bytes: best === undefined ? 0 : savedShare(best.cost.bytes, logged.bytes),
    })),
    cannot: logged.requests === 0 ? 'No crawler came.' : undefined,
    shownIn: [`${id}-tiers`, `${id}-schemes`],
  })
}
