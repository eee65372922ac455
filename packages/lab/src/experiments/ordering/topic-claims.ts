/** The claims of 003 §7, about topic crawls, answered from the curves, part by part. */
import { answerTo, holds, untestedClaim } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { areaOf, at, percent, points } from './claims.ts'
import type { ClaimContext } from './claims.ts'
import { orderTitle } from './figures.ts'
import { FIGURE_4, FIGURE_5 } from './topics.ts'
import type { TopicResults, TopicRun } from './topics.ts'

/** Mean height of pages drawn at random. */
const RANDOM = 0.5
const PAPER_ORDERS = ['topic:fifo', 'topic:pagerank', 'topic:backlink'] as const

export function topicClaims(
  context: ClaimContext,
  first: TopicResults | undefined,
  second: TopicResults | undefined,
  whyNot: string,
): ClaimAnswer[] {
  if (first === undefined) return ['003.6', '003.7', '003.8'].flatMap((claim) => untestedClaim(claim, context, whyNot))
  return [...basic(context, first), ...nearHotPages(context, first), ...linked(context, first, second)]
}

function basic(context: ClaimContext, results: TopicResults): ClaimAnswer[] {
  const all = areasOf(results, FIGURE_4)
  const [fifo, rank, backlink] = all as [number, number, number]
  const least = RANDOM + toleranceOf('like-random')
  const why = `Random has ${percent(RANDOM)}. All crawlers take a URL that names the topic at once, so they differ in how soon they come upon such URLs. ${promoted(results, FIGURE_4)}.`
  const shownIn = ['graph-7', 'topic-1']
  return [
    answerTo('003.6a', context, {
      verdict: holds(rank < least && backlink < least),
      ours: `mean height ${named(all)}`,
      why,
      shownIn,
    }),
    answerTo('003.6b', context, {
      verdict: holds(fifo >= least && fifo > Math.max(rank, backlink)),
      ours: `mean height ${named(all)}`,
      why,
      shownIn,
    }),
  ]
}

const lead = ([fifo, ...others]: readonly number[]): number => fifo! - Math.max(...others)

function nearHotPages(context: ClaimContext, results: TopicResults): ClaimAnswer[] {
  const [before, after] = [areasOf(results, FIGURE_4), areasOf(results, FIGURE_5)]
  const once = results.hotOnce / results.hot
  const shownIn = ['graph-8', 'topic-1']
  const ours = `mean height ${named(after)}, before ${named(before)}`
  return [
    answerTo('003.7a', context, {
      verdict: holds(after.every((area, n) => area > before[n]!)),
      ours,
      why: `Distance is below 3, as in Figure 5; the prose says within 3. ${promoted(results, FIGURE_5)}.`,
      shownIn,
    }),
    answerTo('003.7b', context, {
      verdict: holds(Math.abs(lead(after)) < Math.abs(lead(before))),
      ours: `breadth-first less the better of the others: ${points(lead(before))} before, ${points(lead(after))} after`,
      why: 'By mean height.',
      shownIn,
    }),
    answerTo('003.7c', context, {
      verdict: holds(lead(after) > 0),
      ours,
      why: 'By mean height.',
      shownIn,
    }),
    answerTo('003.7d', context, {
      verdict: holds(once > 1 / 3),
      ours: `${percent(once)} of the hot pages have one backlink`,
      why: 'Links of the part that the start page leads to.',
      shownIn,
    }),
  ]
}

const [MANY, SOME, MORE] = [0.8, 0.4, 0.6]

const foundAt = (results: TopicResults, share: number): number[] =>
  ['topic:pagerank', 'topic:fifo'].map((order) => at(share, runOf(results, order, FIGURE_5).linked))

const text = (found: readonly number[]): string => `PageRank ${percent(found[0]!)}, breadth-first ${percent(found[1]!)}`

const about = ({ word, hotLinked, leastLinks }: TopicResults): string =>
  `“${word}”, ${hotLinked} pages with ${leastLinks} backlinks or more.`

const isSame = (one: readonly number[], other: readonly number[], least: number): boolean =>
  one.every((share, n) => share > least === other[n]! > least)

function linked(context: ClaimContext, first: TopicResults, second: TopicResults | undefined): ClaimAnswer[] {
  const [early, late] = [foundAt(first, SOME), foundAt(first, MORE)]
  const answers = [
    answerTo('003.8a', context, {
      verdict: holds(early.every((share) => share > MANY)),
      ours: `after 40 % ${text(early)}`,
      why: about(first),
      shownIn: ['graph-9'],
    }),
    answerTo('003.8b', context, {
      verdict: holds(late.every((share) => share >= toleranceOf('most-found'))),
      ours: `after 60 % ${text(late)}`,
      why: about(first),
      shownIn: ['graph-9'],
    }),
  ]
  if (second === undefined)
    return [
      ...answers,
      answerTo('003.8c', context, {
        verdict: 'cannot be tested here',
        ours: '',
        why: 'The second word has too few pages here. It takes a web that has more, or another word (topics).',
        shownIn: [],
      }),
    ]
  const [again, later] = [foundAt(second, SOME), foundAt(second, MORE)]
  return [
    ...answers,
    answerTo('003.8c', context, {
      verdict: holds(isSame(early, again, MANY) && isSame(late, later, toleranceOf('most-found'))),
      ours: `after 40 % ${text(again)}, after 60 % ${text(later)}`,
      why: `${about(second)} Alike when both words pass, or both fail, what is asked for.`,
      shownIn: ['graph-10'],
    }),
  ]
}

function runOf({ runs }: TopicResults, order: string, nearHot: number, promote = false): TopicRun {
  return runs.find((run) => run.order === order && run.nearHot === nearHot && run.promote === promote)!
}

const areasOf = (results: TopicResults, nearHot: number, promote = false): number[] =>
  PAPER_ORDERS.map((order) => areaOf(runOf(results, order, nearHot, promote).onTopic))

const named = (areas: readonly number[]): string =>
  PAPER_ORDERS.map((order, n) => `${orderTitle(order)} ${percent(areas[n]!)}`).join(', ')

/** What it changes that a URL moves to the hot queue later, which the paper's crawlers do not allow. */
const promoted = (results: TopicResults, nearHot: number): string =>
  `${named(areasOf(results, nearHot, true))} when URLs may move up later`
