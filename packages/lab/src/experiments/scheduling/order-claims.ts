/** Claims 3, 4 and 5 of 004: which order brings PageRank first, with one robot and with many. */
import { formatQuantity } from '../../report/number.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { answersOf, untestable } from './answer.ts'
import type { SchedulingContext } from './answer.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { area, distance, leadsUntil, mean, rankAtShare } from './statistics.ts'
import type { Curve } from '../../simulate/record.ts'

/** Less PageRank than this is no lead. */
const MARGIN = 0.001
/** Fewer sites give an order of sites nothing to order. */
const MIN_SITES = 10

const share = (value: number): string => formatQuantity(value, 'share')

export function aloneAnswers(context: SchedulingContext, outcome: SchedulingOutcome): ClaimAnswer[] {
  const few = tooFewSites('004.3', context, outcome)
  if (few !== undefined) return few
  const curves = curvesOf(outcome, outcome.settings.robots[0]!)
  const [length, depth] = [curves.get('length'), curves.get('depth')]
  const [batches, partials] = [named(curves, 'batch'), named(curves, 'partial')]
  const random = outcome.atRandom.length === 0 ? undefined : mean(outcome.atRandom.map(area))
  if (!length || !depth || batches.length === 0 || partials.length === 0 || random === undefined)
    return untestable(
      '004.3',
      context,
      'some of the orders were not run',
      'It takes length, depth, batch, partial and random.',
    )
  const [batch, partial] = [mean(batches.map(area)), mean(partials.map(area))]
  const best = Math.max(area(depth), ...[...batches, ...partials].map(area))
  const isBest = area(length) > best
  const small = toleranceOf('small-lead')
  return answersOf(
    context,
    {
      why: 'Areas under the line of PageRank over pages; batch and partial are means over their sizes.',
      shownIn: ['fig5', 'orders'],
    },
    [
      {
        part: '004.3a',
        found: isBest,
        ours: `length ${share(area(length))}, depth ${share(area(depth))}, batch ${share(batch)}, partial ${share(partial)}`,
        ...(isBest
          ? {}
          : { why: 'Length looks at no link, so it cannot tell the few pages that hold most of PageRank.' }),
      },
      {
        part: '004.3b',
        found: Math.abs(batch - area(depth)) <= small,
        ours: `depth ${share(area(depth))}, batch ${share(batch)}`,
      },
      { part: '004.3c', found: batch > area(depth), ours: `depth ${share(area(depth))}, batch ${share(batch)}` },
      {
        part: '004.3d',
        found: Math.abs(partial - random) <= small,
        ours: `partial ${share(partial)}, random ${share(random)}`,
      },
    ],
  )
}

export function optimalAnswers(context: SchedulingContext, outcome: SchedulingOutcome): ClaimAnswer[] {
  const few = tooFewSites('004.4', context, outcome)
  if (few !== undefined) return few
  const curves = curvesOf(outcome, outcome.settings.robots[0]!)
  const optimal = curves.get('optimal')
  const others = [...curves].filter(([name]) => name !== 'optimal' && name !== 'perfect')
  if (optimal === undefined || others.length === 0)
    return untestable(
      '004.4',
      context,
      'optimal was not run, or nothing beside it',
      'It takes optimal and another order.',
    )
  const until = leadsUntil(
    optimal,
    others.map(([, curve]) => curve),
    MARGIN,
  )
  const isOvertaken = until < 1
  const at = isOvertaken ? until : 0.9
  const [next] = others.toSorted(([, a], [, b]) => rankAtShare(b, at) - rankAtShare(a, at))
  const rival = `${next![0]} ${share(rankAtShare(next![1], at))} against ${share(rankAtShare(optimal, at))}`
  const ours = isOvertaken
    ? `leads up to ${share(until)} of the pages, then ${rival}`
    : `leads to the end; at 90 %: ${rival}`
  return answersOf(
    context,
    {
      why:
        `A lead of less than ${share(MARGIN)} is none. Among the pages it knows Optimal takes the best one whose ` +
        `site has rested, so it falls behind only where its sites run out, or where what it left was the way to something better.`,
      shownIn: ['fig5', 'fig5-time'],
    },
    [
      { part: '004.4a', found: until > FIRST, ours, why: `First is the first ${share(FIRST)} of the pages.` },
      { part: '004.4b', found: isOvertaken && until >= toleranceOf('overtaken-from'), ours },
    ],
  )
}

const FIRST = 0.25

export function stableAnswers(context: SchedulingContext, outcome: SchedulingOutcome): ClaimAnswer[] {
  const few = tooFewSites('004.5', context, outcome)
  if (few !== undefined) return few
  const { robots } = outcome.settings
  const [first, ...more] = robots
  const moves = (order: string): number[] | undefined => {
    const base = curvesOf(outcome, first!).get(order)
    const others = more.map((count) => curvesOf(outcome, count).get(order))
    if (base === undefined || others.length === 0 || others.includes(undefined)) return undefined
    return others.map((curve) => distance(base, curve!))
  }
  const [length, depth] = [moves('length'), moves('depth')]
  if (length === undefined || depth === undefined)
    return untestable(
      '004.5',
      context,
      'length and depth were not both run with several numbers of robots',
      'It takes both.',
    )
  const areasOf = (order: string): number[] => robots.map((count) => area(curvesOf(outcome, count).get(order)!))
  const depthAreas = areasOf('depth')
  return answersOf(
    context,
    {
      why: `Areas for r = ${robots.join(', ')}: length ${areasOf('length').map(share).join(', ')}; depth ${depthAreas.map(share).join(', ')}.`,
      shownIn: ['fig6', ...more.map((count) => `fig6-${count}`)],
    },
    [
      {
        part: '004.5a',
        found: Math.max(...length) < Math.max(...depth),
        ours: `mean distance from the line of r = ${first}, for r = ${more.join(', ')}: length ${length.map(share).join(', ')}; depth ${depth.map(share).join(', ')}`,
        why: 'The paper does not say how it measures stability; we take the distance between the lines.',
      },
      {
        part: '004.5b',
        found: depthAreas.at(-1)! > depthAreas[0]!,
        ours: `area under the line of depth ${depthAreas.map(share).join(', ')}`,
      },
    ],
  )
}

export function tooFewSites(
  claim: string,
  context: SchedulingContext,
  { web }: SchedulingOutcome,
): ClaimAnswer[] | undefined {
  if (web.sites >= MIN_SITES) return undefined
  return untestable(
    claim,
    context,
    `this web has ${web.sites} sites`,
    `With fewer than ${MIN_SITES} there is nothing to schedule. It takes more.`,
  )
}

function curvesOf({ crawls }: SchedulingOutcome, robots: number): Map<string, Curve> {
  return new Map([...crawls.get(robots)!].map(([name, { curve }]) => [name, curve]))
}

const named = (curves: ReadonlyMap<string, Curve>, kind: string): Curve[] =>
  [...curves].filter(([name]) => name === kind || name.startsWith(`${kind}:`)).map(([, curve]) => curve)
