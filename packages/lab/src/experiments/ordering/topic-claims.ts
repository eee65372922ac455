/** The claims of 003 §7, about topic crawls, answered from the curves. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import { answerTo, areaOf, at, holds, percent, points, untested } from './claims.ts'
import type { ClaimContext } from './claims.ts'
import { orderTitle } from './figures.ts'
import { FIGURE_4, FIGURE_5 } from './topics.ts'
import type { TopicResults, TopicRun } from './topics.ts'

/** Mean height of pages drawn at random; this much more is better than that. */
const [RANDOM, BETTER] = [0.5, 0.05]
const PAPER_ORDERS = ['topic:fifo', 'topic:pagerank', 'topic:backlink'] as const

export function topicClaims(
  context: ClaimContext,
  first: TopicResults | undefined,
  second: TopicResults | undefined,
  whyNot: string,
): ClaimAnswer[] {
  if (first === undefined) return [6, 7, 8].map((number) => untested(number, context, whyNot))
  return [basic(context, first), nearHotPages(context, first), linked(context, first, second)]
}

function basic(context: ClaimContext, results: TopicResults): ClaimAnswer {
  const [fifo, rank, backlink] = areasOf(results, FIGURE_4)
  const isNoBetter = (area: number): boolean => area < RANDOM + BETTER
  const isGood = fifo! >= RANDOM + BETTER && fifo! > rank! && fifo! > backlink!
  return answerTo(6, context, {
    verdict: holds(isNoBetter(rank!) && isNoBetter(backlink!) && isGood),
    ours: `mean height ${named([fifo!, rank!, backlink!])}; ${promoted(results, FIGURE_4)}`,
    why:
      `Random has 50 %; better than random is ${points(BETTER)} more. All crawlers take a URL that names the topic at once, ` +
      `so they differ in how soon they come upon such URLs.`,
    shownIn: ['graph-7', 'topic-1'],
  })
}

function nearHotPages(context: ClaimContext, results: TopicResults): ClaimAnswer {
  const before = areasOf(results, FIGURE_4)
  const after = areasOf(results, FIGURE_5)
  const once = results.hotOnce / results.hot
  const helpsAll = after.every((area, n) => area > before[n]!)
  const leads = after[0]! >= Math.max(after[1]!, after[2]!)
  return answerTo(7, context, {
    verdict: holds(helpsAll && leads && once > 1 / 3),
    ours: `mean height ${named(after)}, before ${named(before)}; ${percent(once)} of hot pages have one backlink; ${promoted(results, FIGURE_5)}`,
    why:
      `${helpsAll ? 'It helps all' : 'It does not help all'}; breadth-first ${leads ? 'leads' : 'does not lead'}. ` +
      `Distance is below 3, as in Figure 5; the prose says within 3.`,
    shownIn: ['graph-8', 'topic-1'],
  })
}

/** After 40 % of the crawl; and "most" by 60 %. */
const [MANY, MOST] = [0.8, 0.9]

function linked(context: ClaimContext, first: TopicResults, second: TopicResults | undefined): ClaimAnswer {
  const all = [first, ...(second === undefined ? [] : [second])]
  const found = all.map((results) =>
    ['topic:pagerank', 'topic:fifo'].map((order) => {
      const run = runOf(results, order, FIGURE_5)
      return { order, early: at(0.4, run.linked), late: at(0.6, run.linked) }
    }),
  )
  const text = all.map(({ word, hotLinked, leastLinks }, n) => {
    const orders = found[n]!.map(
      ({ order, early, late }) => `${orderTitle(order)} ${percent(early)} and ${percent(late)}`,
    )
    return `"${word}" (${hotLinked} pages with ${leastLinks} backlinks): ${orders.join(', ')}`
  })
  return answerTo(8, context, {
    verdict: holds(found.flat().every(({ early, late }) => early > MANY && late > MOST)),
    ours: `found after 40 and 60 % of the crawl: ${text.join('; ')}`,
    why:
      `Asked for: more than ${percent(MANY)} after 40 % and ${percent(MOST)} after 60 %, for ` +
      (second === undefined ? `the first word; the second has too few pages here.` : `both words.`),
    shownIn: ['graph-9', ...(second === undefined ? [] : ['graph-10'])],
  })
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
