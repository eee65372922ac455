/**
 * The crawls of 003 §7, about a topic: pages are hot that have a word in their title, or ten times in their body.
 *
 * Figure 4 puts URLs first whose anchor or address has the word (`nearHot` 0); Figure 5 also those near a page that
 * turned out to be hot (`nearHot` 3). Within the two queues the order is one of those of §6. "Breadth-first" is here the
 * order in which pages are found, as the paper says ("FIFO nature"), which with two queues is not the order by clicks
 * from the start page: that one is drawn beside it. `promote` lets a URL change queues later, which the paper does not.
 */
import { overShare, spreadOf } from '../../simulate/crawl-model-curves.ts'
import type { ShareCurve, Spread } from '../../simulate/crawl-model-curves.ts'
import { hotCount, thresholdCurve } from '../../simulate/crawl-models.ts'
import { importanceOfWeb } from '../../webs/importance-of-web.ts'
import { visitsOf } from './crawl.ts'
import type { CrawlPart } from './crawl.ts'
import { LEAST_HOT } from './targets.ts'

interface TopicVariant {
  readonly order: string
  readonly nearHot: number
  readonly promote: boolean
}

const TOPIC_ORDERS: readonly string[] = ['topic:fifo', 'topic:pagerank', 'topic:backlink', 'topic:depth']
/** `nearHot` of the two crawlers. */
export const FIGURE_4 = 0
export const FIGURE_5 = 3
/** Graphs 9 and 10: on topic, and this many backlinks. */
export const LINKED = 5

export interface TopicRun extends TopicVariant {
  /** P_ST for pages on the topic; and for those that many link to as well. */
  readonly onTopic: Spread
  readonly linked: Spread
}

export interface TopicResults {
  readonly word: string
  readonly runs: readonly TopicRun[]
  /** Of the first part: hot pages, those of them with one backlink, and those with `leastLinks` or more. */
  readonly hot: number
  readonly hotOnce: number
  readonly hotLinked: number
  readonly leastLinks: number
  readonly parts: number
}

interface TopicPlan {
  readonly word: string
  readonly seed: number
  readonly variants: readonly TopicVariant[]
  readonly onCrawl: (what: string) => void
}

/** Every crawl that Graphs 7 to 9 need, and the same with promotion. */
export const firstVariants: readonly TopicVariant[] = [
  ...[FIGURE_4, FIGURE_5].flatMap((nearHot) =>
    [false, true].flatMap((promote) => TOPIC_ORDERS.map((order) => ({ order, nearHot, promote }))),
  ),
  { order: 'random', nearHot: FIGURE_4, promote: false },
]
/** Those of Graph 10. */
export const secondVariants: readonly TopicVariant[] = [
  ...TOPIC_ORDERS.map((order) => ({ order, nearHot: FIGURE_5, promote: false })),
  { order: 'random', nearHot: FIGURE_4, promote: false },
]

/** `hot` has 1 for each hot page of the whole web. Undefined when the first part has too few of them to tell. */
export function crawlTopic(parts: readonly CrawlPart[], hot: Uint8Array, plan: TopicPlan): TopicResults | undefined {
  const topics = parts.map((part) => topicPart(part, hot))
  const [first] = topics
  if (first === undefined || hotCount(first.onTopic, 1) < LEAST_HOT) return undefined
  const { leastLinks } = first
  const runs = plan.variants.map((variant) => {
    const curves = topics.map((topic) => curvesOf(topic, variant, leastLinks, plan))
    return {
      ...variant,
      onTopic: spreadOf(curves.map((c) => c.onTopic)),
      linked: spreadOf(curves.map((c) => c.linked)),
    }
  })
  return {
    word: plan.word,
    runs,
    hot: hotCount(first.onTopic, 1),
    hotOnce: first.onTopic.filter((worth, page) => worth === 1 && first.backlinks[page] === 1).length,
    hotLinked: hotCount(linkedWorth(first, leastLinks), 1),
    leastLinks,
    parts: parts.length,
  }
}

interface TopicPart {
  readonly part: CrawlPart
  readonly onTopic: Float64Array
  readonly backlinks: Float64Array
  readonly leastLinks: number
}

function topicPart(part: CrawlPart, hot: Uint8Array): TopicPart {
  const onTopic = Float64Array.from(part.pages, (page) => hot[page]!)
  const backlinks = importanceOfWeb(part.web, 'backlink')
  const enough = (least: number): boolean => hotCount(linkedWorth({ onTopic, backlinks }, least), 1) >= LEAST_HOT
  let leastLinks = LINKED
  while (leastLinks > 1 && !enough(leastLinks)) leastLinks--
  return { part, onTopic, backlinks, leastLinks }
}

const linkedWorth = ({ onTopic, backlinks }: Pick<TopicPart, 'onTopic' | 'backlinks'>, least: number): Float64Array =>
  onTopic.map((worth, page) => (backlinks[page]! >= least ? worth : 0))

function curvesOf(
  topic: TopicPart,
  { order, nearHot, promote }: TopicVariant,
  leastLinks: number,
  { word, seed, onCrawl }: TopicPlan,
): { readonly onTopic: ShareCurve; readonly linked: ShareCurve } {
  onCrawl(`${order}, ${word}, ${topic.part.web.pages} pages`)
  const hot = Uint8Array.from(topic.onTopic)
  const importance = { topic: [word], nearHot, promote }
  const visits = visitsOf(topic.part, { order, seed, hot, importance })
  return {
    onTopic: overShare(thresholdCurve(visits, topic.onTopic, 1)),
    linked: overShare(thresholdCurve(visits, linkedWorth(topic, leastLinks), 1)),
  }
}
