/** Figures of the contest of freshness policies. */
import type { WebOutcome } from './contest.ts'
import type { FreshnessWeb } from './web.ts'
import type { TrustLine } from './trust.ts'
import type { Figure, Point } from '../../report/model.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

const pointAt = (x: number, { mean, low, high }: Interval): Point => ({ x, y: mean, low, high })

/** The last policies of the table make the most of signals; first in a figure they get the colours that differ most. */
const drawnOrder = (runs: WebOutcome['runs']): string[] => [...runs.keys()].toReversed()
/** More bars in a group cannot be told apart. */
const MOST_BARS = 5

/** A share is within 0 and 1, whatever Student says. */
const sharePoint = (x: number, { mean, low, high }: Interval): Point => ({
  x,
  y: mean,
  low: Math.max(0, low),
  high: Math.min(1, high),
})

export function barsFigure(id: string, { name, about, runs, budget }: WebOutcome): Figure {
  const policies = [...runs.keys()]
  return {
    id: `${id}-bars-${name}`,
    kind: 'bars',
    title: `Freshness by policy: ${name}`,
    caption: `${about} Weighted by importance, at ${budget} visits a page and day; mean over the seeds with its 95 % interval. Webs of different seeds differ more than policies on one web: see the differences.`,
    x: { label: 'Policy', categories: policies },
    y: { label: 'Fresh', unit: 'share', domain: [0, 1] },
    series: [
      {
        name: 'weighted freshness',
        points: policies.map((policy, x) =>
          sharePoint(x, intervalOf(runs.get(policy)!.map(({ freshness }) => freshness))),
        ),
      },
    ],
  }
}

export function curveFigure(id: string, { name, about, curve, runs }: WebOutcome): Figure {
  return {
    id: `${id}-curve-${name}`,
    kind: 'lines',
    title: `Freshness against budget: ${name}`,
    caption: `${about} Weighted by importance; the band is the 95 % interval of the mean.`,
    x: { label: 'Visits a page and day', scale: 'log' },
    y: { label: 'Fresh', unit: 'share' },
    series: drawnOrder(runs).map((policy) => ({
      name: policy,
      points: curve.map(({ budget, freshness }) => sharePoint(budget, freshness.get(policy)!)),
    })),
  }
}

export function trustFigure(id: string, lines: readonly TrustLine[]): Figure {
  return {
    id: `${id}-trust`,
    kind: 'lines',
    title: 'What a signal is believed, by kind of site',
    caption:
      'Chance that a signal is given to be right, for a page that changes as often as the mean; 0 while a channel is in quarantine. Mean over sites and seeds, with the 95 % interval over seeds. Dashed: how many really are right.',
    x: { label: 'Day' },
    y: { label: 'Believed', unit: 'share', domain: [0, 1] },
    series: lines.flatMap(({ kind, precision, days }) => [
      { name: kind, points: days.map((interval, day) => sharePoint(day + 1, interval)) },
      {
        name: `${kind}, really`,
        dashed: true,
        points: [
          { x: 1, y: precision },
          { x: days.length, y: precision },
        ],
      },
    ]),
  }
}

export function sharesFigure(id: string, { name, webs, runs }: WebOutcome): Figure {
  const kinds = [...new Set(webs.flatMap((web) => web.kinds))]
  const pageShares = kinds.map((kind) => intervalOf(webs.map((web) => pageShare(web, kind))))
  return {
    id: `${id}-shares`,
    kind: 'bars',
    title: `Who gets the visits: ${name}`,
    caption:
      'Change in the share of visits against the share of pages, by kind of site: below 0 a kind gets fewer visits than an equal part. Mean over the seeds with its 95 % interval.',
    x: { label: 'Sites', categories: kinds },
    y: { label: 'Share of visits less share of pages', unit: 'share' },
    series: drawnOrder(runs)
      .slice(0, MOST_BARS)
      .map((policy) => ({
        name: policy,
        points: kinds.map((kind, x) => {
          const gaps = runs.get(policy)!.map(({ siteRequests, requests }, i) => {
            const visits = siteRequests.reduce(
              (sum, count, site) => sum + (webs[i]!.kinds[site] === kind ? count : 0),
              0,
            )
            return requests === 0 ? 0 : visits / requests - pageShares[x]!.mean
          })
          return pointAt(x, intervalOf(gaps))
        }),
      })),
  }
}

const pageShare = ({ siteOf, kinds }: FreshnessWeb, kind: string): number =>
  siteOf.reduce((sum, site) => sum + (kinds[site] === kind ? 1 : 0), 0) / siteOf.length
