/** Claims 3, 4 and 5 of 004: which order brings PageRank first, with one robot and with many. */
import { formatQuantity } from '../../report/number.ts'
import { untestable, verdictOf } from './answer.ts'
import type { Finding } from './answer.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { area, distance, leadsUntil, mean, rankAtShare } from './statistics.ts'
import type { Curve } from '../../simulate/record.ts'

/** Areas that differ by less look alike in a plot. */
const ALIKE = 0.03
/** Less PageRank than this is no lead. */
const MARGIN = 0.001
/** "past 75 %", with some room below it. */
const OVERTAKEN_FROM = 0.65
/** Fewer sites give an order of sites nothing to order. */
const MIN_SITES = 10

const share = (value: number): string => formatQuantity(value, 'share')

export function aloneFinding(id: string, outcome: SchedulingOutcome): Finding {
  const few = tooFewSites(outcome)
  if (few !== undefined) return few
  const curves = curvesOf(outcome, outcome.settings.robots[0]!)
  const [length, depth] = [curves.get('length'), curves.get('depth')]
  const [batches, partials] = [named(curves, 'batch'), named(curves, 'partial')]
  const random = outcome.atRandom.length === 0 ? undefined : mean(outcome.atRandom.map(area))
  if (!length || !depth || batches.length === 0 || partials.length === 0 || random === undefined) {
    return untestable('some of the orders were not run', 'It takes length, depth, batch, partial and random.')
  }
  const [batch, partial] = [mean(batches.map(area)), mean(partials.map(area))]
  const best = Math.max(area(depth), ...[...batches, ...partials].map(area))
  const { verdict, failed } = verdictOf([
    ['Length is not the best', area(length) > best],
    ['Batch is not a little better than Depth', batch >= area(depth) && batch - area(depth) <= ALIKE],
    ['Partial is far from random', Math.abs(partial - random) <= ALIKE],
  ])
  return {
    verdict,
    ours:
      `area under the line: length ${share(area(length))}, depth ${share(area(depth))}, batch ${share(batch)}, ` +
      `partial ${share(partial)}, random ${share(random)}`,
    why:
      `${failed} Alike is a difference of at most ${share(ALIKE)}; batch and partial are means over their sizes.` +
      (area(length) > best
        ? ''
        : ' Length looks at no link, so it cannot tell the few pages that hold most of PageRank.'),
    shownIn: [`${id}-fig5`, `${id}-orders`],
  }
}

export function optimalFinding(id: string, outcome: SchedulingOutcome): Finding {
  const few = tooFewSites(outcome)
  if (few !== undefined) return few
  const curves = curvesOf(outcome, outcome.settings.robots[0]!)
  const optimal = curves.get('optimal')
  const others = [...curves].filter(([name]) => name !== 'optimal' && name !== 'perfect')
  if (optimal === undefined || others.length === 0) {
    return untestable('optimal was not run, or nothing beside it', 'It takes optimal and another order.')
  }
  const until = leadsUntil(
    optimal,
    others.map(([, curve]) => curve),
    MARGIN,
  )
  const isOvertaken = until < 1
  const at = isOvertaken ? until : 0.9
  const [next] = others.toSorted(([, a], [, b]) => rankAtShare(b, at) - rankAtShare(a, at))
  const rival = `${next![0]} ${share(rankAtShare(next![1], at))} against ${share(rankAtShare(optimal, at))}`
  const { verdict, failed } = verdictOf([
    [`it is overtaken at ${share(until)} already`, until >= OVERTAKEN_FROM],
    ['it is never overtaken', isOvertaken],
  ])
  return {
    verdict,
    ours: isOvertaken
      ? `leads up to ${share(until)} of the pages, then ${rival}`
      : `leads to the end; at 90 %: ${rival}`,
    why:
      `${failed} A lead of less than ${share(MARGIN)} is none. Among the pages it knows Optimal takes the best one whose ` +
      `site has rested, so it falls behind only where its sites run out, or where what it left was the way to something better.`,
    shownIn: [`${id}-fig5`, `${id}-fig5-time`],
  }
}

export function stableFinding(id: string, outcome: SchedulingOutcome): Finding {
  const few = tooFewSites(outcome)
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
  if (length === undefined || depth === undefined) {
    return untestable('length and depth were not both run with several numbers of robots', 'It takes both.')
  }
  const depthAreas = robots.map((count) => area(curvesOf(outcome, count).get('depth')!))
  const lengthAreas = robots.map((count) => area(curvesOf(outcome, count).get('length')!))
  const { verdict, failed } = verdictOf([
    ['Length moves more than Depth', Math.max(...length) < Math.max(...depth)],
    ['Depth does not improve with robots', depthAreas.at(-1)! > depthAreas[0]!],
  ])
  return {
    verdict,
    ours:
      `mean distance from the line of r = ${first}, for r = ${more.join(', ')}: length ${length.map(share).join(', ')}; ` +
      `depth ${depth.map(share).join(', ')}. Areas for r = ${robots.join(', ')}: length ${lengthAreas.map(share).join(', ')}; ` +
      `depth ${depthAreas.map(share).join(', ')}`,
    why: `${failed} The paper does not say how it measures stability; we take the distance between the lines.`,
    shownIn: [`${id}-fig6`, ...more.map((count) => `${id}-fig6-${count}`)],
  }
}

export function tooFewSites({ web }: SchedulingOutcome): Finding | undefined {
  if (web.sites >= MIN_SITES) return undefined
  return untestable(`this web has ${web.sites} sites`, `With fewer than ${MIN_SITES} there is nothing to schedule.`)
}

function curvesOf({ crawls }: SchedulingOutcome, robots: number): Map<string, Curve> {
  return new Map([...crawls.get(robots)!].map(([name, { curve }]) => [name, curve]))
}

const named = (curves: ReadonlyMap<string, Curve>, kind: string): Curve[] =>
  [...curves].filter(([name]) => name === kind || name.startsWith(`${kind}:`)).map(([, curve]) => curve)
