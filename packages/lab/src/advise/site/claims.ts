/** What a site's own log says to 001 claim 1 and 002 claim 7. */
import { answerTo, holds, untestedClaim } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import type { SiteSavings } from './savings.ts'
import { savedShare } from './savings.ts'
import type { AdviseSiteSettings } from './settings.ts'
import { crawlerShareOf as share, trafficOfAll } from './traffic.ts'
import type { SharedTraffic, SiteTraffic, Traffic } from './traffic.ts'
import { moneyAnswers } from '../../claims/money-claim.ts'
import { formatNumber } from '../../report/number.ts'
import { percent } from '../../experiments/servers/answer.ts'

/** Fewer hits in a day or an hour say nothing of shares. */
const MIN_HITS = 30
const MIN_DAYS = 2

const below = (all: readonly SharedTraffic[]): number =>
  all.filter((one) => share(one, 'bytes') < share(one, 'requests')).length

/** The paper's own, of a week of one server. */
const PAPER = { requests: 0.273, bytes: 0.209, mostRequests: 0.406, mostBytes: 0.295 }
const NEEDS_DAYS = `It takes a log of ${MIN_DAYS} days or more with ${MIN_HITS} hits each.`

export function trafficShareClaims(
  context: AnswerContext,
  traffic: SiteTraffic,
  shownIn: readonly string[] = ['traffic'],
): ClaimAnswer[] {
  const full = (all: readonly SharedTraffic[]): readonly SharedTraffic[] =>
    all.filter((one) => trafficOfAll(one, 'requests') >= MIN_HITS)
  const [days, hours] = [full(traffic.days), full(traffic.hours)]
  if (days.length < MIN_DAYS) return untestedClaim('001.1', context, NEEDS_DAYS)
  const peak = (key: keyof Traffic): number => days.reduce((most, day) => Math.max(most, share(day, key)), 0)
  const near = (part: string, ours: number, paper: number, words: string): ClaimAnswer =>
    answerTo(part, context, {
      verdict: holds(Math.abs(ours - paper) <= toleranceOf('crawler-share')),
      ours: `${percent(ours)} ${words}`,
      why: 'It is the figure of one server in one week of 2001. Feed readers, previews and tools are told apart from crawlers.',
      shownIn,
    })
  return [
    near('001.1a', share(traffic, 'requests'), PAPER.requests, 'of the hits'),
    near('001.1b', share(traffic, 'bytes'), PAPER.bytes, 'of the bytes'),
    near('001.1c', peak('requests'), PAPER.mostRequests, 'of the hits of a day, at most'),
    near('001.1d', peak('bytes'), PAPER.mostBytes, 'of the bytes of a day, at most'),
    answerTo('001.1e', context, {
      verdict: holds(below(days) === days.length),
      ours: `on ${formatNumber(below(days))} of ${formatNumber(days.length)} days, and in ${formatNumber(below(hours))} of ${formatNumber(hours.length)} hours`,
      why: `The paper's figure is of a week, and we take its points for days; days and hours with fewer than ${MIN_HITS} hits are left out. Crawlers also fetch what is no page now, and one large file makes an hour.`,
      shownIn,
    }),
  ]
}

export function siteMoneyClaims(
  context: AnswerContext,
  savings: SiteSavings,
  settings: AdviseSiteSettings,
): ClaimAnswer[] {
  const { logged, tiers } = savings
  return moneyAnswers({
    context,
    settings,
    tiers: tiers.map(({ tier, best }) => ({
      tier,
      name: best?.scheme.name ?? 'nothing',
      money: best === undefined ? 0 : savedShare(best.cost.money.site, logged.money.site),
      bytes: best === undefined ? 0 : savedShare(best.cost.bytes, logged.bytes),
    })),
    cannot: logged.requests === 0 ? 'No crawler came. It takes a log with crawlers in it.' : undefined,
    shownIn: ['tiers', 'schemes'],
  })
}
