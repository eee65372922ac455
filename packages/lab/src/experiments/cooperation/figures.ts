/** Plots of the experiment of 002: bytes by scheme, how a site becomes known, and how much is outdated by polls. */
import { pollingFigureId } from './claims.ts'
import type { Discovery } from './discovery.ts'
import type { MeanPolling, WorkloadOutcome } from './outcome.ts'
import { bytesOf } from './wire.ts'
import type { SiteCosts, VisitKind } from './wire.ts'
import type { Figure, Point } from '../../report/model.ts'

export const firstFigure = (id: string, sites: readonly SiteCosts[]): Figure =>
  bytesFigure(`${id}-first`, sites, 'first', {
    title: 'To learn of every page and its last change',
    caption:
      'Bytes of HTTP, both ways, of a first visit. HEAD has to know the addresses already; all others tell them.',
  })

export const oneFigure = (id: string, sites: readonly SiteCosts[]): Figure =>
  bytesFigure(`${id}-one`, sites, 'one', {
    title: 'To learn that one page changed',
    caption: 'Bytes of HTTP, both ways, of a poll after one page somewhere on the site has changed.',
  })

function bytesFigure(
  id: string,
  sites: readonly SiteCosts[],
  visit: VisitKind,
  words: { readonly title: string; readonly caption: string },
): Figure {
  const schemes = sites[0]!.schemes.filter(({ scheme }) => scheme !== PART_ONLY || visit !== 'first')
  return {
    id,
    kind: 'bars',
    ...words,
    paperRef: '002 §6.5.3',
    x: { label: 'Scheme', categories: schemes.map(({ scheme }) => scheme) },
    y: { label: 'Bytes', unit: 'bytes', scale: 'log' },
    series: sites.map(({ name, schemes: costs }) => ({
      name,
      points: schemes.map(({ scheme }, x) => ({
        x,
        y: bytesOf(costs.find((one) => one.scheme === scheme)!.visits[visit]),
      })),
    })),
  }
}

/** It does not tell of every page, so a first visit is no match. */
const PART_ONLY = 'robots.rdf, top only'

export function knownFigure(id: string, found: readonly Discovery[]): Figure {
  return {
    id: `${id}-known`,
    kind: 'lines',
    title: 'How a site becomes known',
    paperRef: '002 §6.5.3',
    caption:
      'Pages known, of all there are, against pages downloaded in the order links lead to them. With a list all are known before the first; where a line ends below, links lead no further.',
    x: { label: 'Downloaded', unit: 'share', domain: [0, 1] },
    y: { label: 'Known', unit: 'share', domain: [0, 1.05] },
    series: found.map(({ name, pages, known }) => ({
      name,
      points: known.map(({ downloaded, known: count }) => ({ x: downloaded / pages, y: count / pages })),
    })),
    references: [{ name: 'from a list', atY: 1 }],
  }
}

/** Above the highest line. */
const ROOM = 1.1

export function pollingFigure(
  id: string,
  { name, about, limits, optimal, period }: WorkloadOutcome,
  periodDays: number,
): Figure {
  const shown = [...limits.flatMap(({ limited, fixed }) => [limited, fixed]), ...optimal]
  const highest = Math.max(...shown.map(({ outdated }) => outdated.high), 0.05)
  return {
    id: `${id}-${pollingFigureId(name)}`,
    kind: 'lines',
    title: `Outdated by polls: ${name}`,
    paperRef: '002 §6.5.3',
    caption:
      `${about} The share of the time that the copy of a site's file is outdated, against polls of it. ` +
      `Marks are limits P on the probability, from the left: ${limits
        .map(({ limit }) => limit)
        .toReversed()
        .join(', ')}.`,
    x: { label: 'Polls a site and day', scale: 'log' },
    y: { label: 'Outdated', unit: 'share', domain: [0, highest * ROOM] },
    series: [
      { name: 'fixed period', points: lineOf(limits.map(({ fixed }) => fixed)) },
      { name: 'limit on P', points: lineOf(limits.map(({ limited }) => limited)) },
      { name: 'limits', points: lineOf(limits.map(({ limited }) => limited)), style: 'dots' },
      { name: 'optimal', points: lineOf(optimal.filter(({ polls }) => polls > 0)), dashed: true },
    ],
    references: [{ name: `every ${periodDays === 1 ? 'day' : `${periodDays} days`}`, atX: period.polls }],
  }
}

const pointOf = ({ polls, outdated }: MeanPolling): Point => ({
  x: polls,
  y: outdated.mean,
  low: outdated.low,
  high: outdated.high,
})

const lineOf = (all: readonly MeanPolling[]): Point[] => all.map(pointOf).toSorted((a, b) => a.x - b.x)
