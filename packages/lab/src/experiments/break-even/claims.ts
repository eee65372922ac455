/** What the break-even experiments say to 002 claims 6 and 7. */
import { ownValue } from '@comity/protocol'
import { savedShare } from '../../advise/site/savings.ts'
import type { MoneyOutcome } from './money.ts'
import type { PeriodCurves } from './period.ts'
import type { BreakEvenSettings } from './settings.ts'
import { freshText } from './tables.ts'
import { answerTo, holds } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { crossingOf } from '../../crossing.ts'
import type { Crossing } from '../../crossing.ts'
import { moneyAnswers } from '../../claims/money-claim.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'

const POLL = 'change list, then GET'
const PUSH = 'notice, then GET'

/** Up to which period, from the shortest on, polling is dearer than push; as a crossing over rising periods. */
function dearerUpTo({ periods, push }: PeriodCurves, poll: string, pushed: string): Crossing {
  const rising = periods.toReversed()
  const told = rising.map(({ hours }) => [hours, ownValue(push.bytes, pushed)!] as const)
  return crossingOf(
    told,
    rising.map(({ hours, bytes }) => [hours, ownValue(bytes, poll)!] as const),
  )
}

export function periodClaims(id: string, all: readonly PeriodCurves[]): ClaimAnswer[] {
  return all.flatMap((curves) => {
    const { periods, push, process } = curves
    const [longest, shortest] = [periods[0]!, periods.at(-1)!]
    const gap = push.freshness - shortest.freshness
    const rises = periods.every(({ bytes }, at) => at === 0 || bytes[POLL]! >= periods[at - 1]!.bytes[POLL]!)
    const crossing = dearerUpTo(curves, POLL, PUSH)
    const where =
      crossing.kind === 'at'
        ? `cheaper than polls of less than ${formatQuantity(crossing.x * 3_600, 's')}`
        : `${crossing.kind} cheaper than polls`
    const times = shortest.bytes[POLL]! / push.bytes[PUSH]!
    const context = { id, web: `changes ${process}` }
    const shownIn = ['periods', ...['stale', 'cost'].map((part) => `${part}-${process.replaceAll(' ', '-')}`)]
    return [
      answerTo('002.6a', context, {
        verdict: holds(gap >= 0 && gap <= toleranceOf('equally-fresh')),
        ours: `fresh every ${formatQuantity(longest.hours * 3_600, 's')}: ${freshText(longest.freshness)}, every ${formatQuantity(shortest.hours * 3_600, 's')}: ${freshText(shortest.freshness)}, push: ${freshText(push.freshness)}`,
        why: 'The shortest period beside push, on copies that are kept by both.',
        shownIn,
      }),
      answerTo('002.6b', context, {
        verdict: holds(rises),
        ours: `a change list costs ${formatQuantity(longest.bytes[POLL]!, 'bytes')} a day at the longest period and ${formatQuantity(shortest.bytes[POLL]!, 'bytes')} at the shortest, notices ${formatQuantity(push.bytes[PUSH]!, 'bytes')}`,
        why: `Bytes must not fall as periods do. They are alike in freshness only: the cost of polling does not tend to that of push but passes it, ${formatNumber(Math.round(times))} times as much at the shortest period here. Push is ${where}.`,
        shownIn,
      }),
    ]
  })
}

export function moneyClaims(id: string, { savings }: MoneyOutcome, settings: BreakEvenSettings): ClaimAnswer[] {
  const { logged, tiers } = savings
  return moneyAnswers({
    context: { id, web: `made, ${formatNumber(settings.periodPages)} pages` },
    settings,
    tiers: tiers.map(({ tier, best }) => ({
      tier,
      name: best?.scheme.name ?? 'nothing',
      money: best === undefined ? 0 : savedShare(best.cost.money.site, logged.money.site),
      bytes: best === undefined ? 0 : savedShare(best.cost.bytes, logged.bytes),
    })),
    shownIn: ['schemes', 'cost', 'processing', 'views'],
  })
}
