/** Advice in plain words: what to change, what it would bring, and what stands in the way. */
import { WORTH_A_CHANGE, WORTH_LOAD, isPolite } from './findings.ts'
import type { AdviceFindings } from './findings.ts'
import { PAUSE_MS } from './history.ts'
import type { CrawlHistory } from './history.ts'
import { MOST } from './replay.ts'
import type { CrawlChoice, Replay } from './replay.ts'
import type { AdviseSettings } from './settings.ts'
import { formatNumber, formatQuantity } from '../report/number.ts'
import { valueAt } from '../experiments/scheduling/statistics.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

/** There is nothing to choose from. */
export function tinySentences({ name, pages }: WebGraph): string[] {
  if (pages === 0) return [`Nothing of ${name} has been visited yet, so there is nothing to learn from it.`]
  return [
    `Only one page of ${name} has been visited: no order, and no number of visits at once, could have brought it sooner.`,
  ]
}

export function adviceSentences(found: AdviceFindings): string[] {
  return [
    realSentence(found),
    adviceSentence(found),
    orderSentence(found),
    connectionSentence(found),
    robotSentence(found),
    waitSentence(found),
    limitSentence(found),
    backlinkSentence(found),
  ]
}

const time = (ms: number): string => formatQuantity(ms / 1_000, 's')
/** None at all is for one's own server. */
const rest = (ms: number): string => (ms === 0 ? 'no rest' : time(ms))
const share = (part: number): string => formatQuantity(part, 'share')
const many = (count: number, one: string, more = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : more}`
const half = (replay: Replay): string => time(replay.ranks.halfMs)

function realSentence({ web, real }: AdviceFindings): string {
  const all = `${many(web.pages, 'page')} on ${many(web.sites, 'site')}`
  const end = real.timeMs.at(-1)!
  if (end === 0) return `${all} are in this collection; it does not say how long they took to come.`
  const halfway = valueAt(real, 'rank', 0.5, 'timeMs')
  return `${all} came within ${time(end)}, and half of their importance, by PageRank, within the first ${time(halfway)}.`
}

function adviceSentence({ base, advised }: AdviceFindings): string {
  const gain = 1 - advised.ranks.meanMs / base.ranks.meanMs
  if (!(gain > WORTH_A_CHANGE)) {
    const kept = base.choice.robots === advised.choice.robots ? '' : `, and ${flagsOf(advised.choice)} is enough`
    return `Replayed with ${flagsOf(base.choice)}, half of it is there after ${half(base)}; no other order, and no more load, would bring it clearly sooner${kept}.`
  }
  return (
    `With ${flagsOf(advised.choice)} half of the importance would have been there after ${half(advised)} instead of ${half(base)}, ` +
    `and ${share(MOST)} after ${time(advised.ranks.mostMs)} instead of ${time(base.ranks.mostMs)} (both replayed; before: ${flagsOf(base.choice)}).`
  )
}

const flagsOf = ({ order, pagesPerConnection, robots }: CrawlChoice): string =>
  `--order ${/^[\w:.-]+$/.test(order) ? order : `"${order}"`} --pages-per-connection ${pagesPerConnection} --parallel ${robots}`

function orderSentence({ web, base, ordered, optimal, orders }: AdviceFindings): string {
  const describe = (replay: Replay): string =>
    `${replay.choice.order} has half of the importance after ${half(replay)} and ${share(replay.ranks.halfPages / web.pages)} of the pages`
  const bound = `an order that knew all pages beforehand would need ${half(optimal)}`
  if (ordered !== base) return `By the order alone: ${describe(ordered)}, ${describe(base)}; ${bound}.`
  const worst = orders.reduce((a, b) => (b.ranks.meanMs > a.ranks.meanMs ? b : a))
  const apart = worst === base ? '' : `; the last of ${orders.length}, ${worst.choice.order}, needs ${half(worst)}`
  return `Of the orders none is clearly better than the one it had: ${describe(base)}${apart}; ${bound}.`
}

/** `9 min with 1, 5 min with 2` */
const listed = (
  replays: readonly Replay[],
  valueOf: (choice: CrawlChoice) => string,
  column: 'halfMs' | 'mostMs' = 'halfMs',
): string => replays.map(({ ranks, choice }) => `${time(ranks[column])} with ${valueOf(choice)}`).join(', ')

function connectionSentence({ base, connections, advised }: AdviceFindings): string {
  const chosen = advised.choice.pagesPerConnection
  const list = listed(connections, ({ pagesPerConnection }) => formatNumber(pagesPerConnection))
  const next = connections.find(({ choice }) => choice.pagesPerConnection > chosen)
  return `Pages a connection: half after ${list}; ${verdict()}.`

  function verdict(): string {
    if (next === undefined) return 'the more the sooner'
    if (isPolite(next.choice, base.choice))
      return `more than ${formatNumber(chosen)} bring less than ${share(WORTH_LOAD)}`
    return `more than ${formatNumber(chosen)} would leave a site no rest to speak of`
  }
}

function robotSentence({ web, robots, advised }: AdviceFindings): string {
  const chosen = advised.choice.robots
  if (web.sites === 1) return 'More than 1 visit at once brings nothing: there is only 1 site, and it gets one visitor.'
  const list = listed(robots, (choice) => formatNumber(choice.robots))
  if (chosen === web.sites)
    return `Visits at once: half after ${list}; more than ${formatNumber(chosen)} bring nothing: there are only ${many(web.sites, 'site')}.`
  if (advised === robots.at(-1)) return `Visits at once: half after ${list}; the more the sooner.`
  return `Visits at once: half after ${list}; more than ${formatNumber(chosen)} bring less than ${share(WORTH_LOAD)}.`
}

function waitSentence({ waits, advised }: AdviceFindings): string {
  const others = waits.filter(({ choice }) => choice.waitMs !== advised.choice.waitMs)
  // Half is often there before any site has rested.
  const list = listed([advised, ...others], ({ waitMs }) => rest(waitMs), 'mostMs')
  return `How long a site rests between two connections is for its owner to say, so --delay stays as it was; ${share(MOST)} would be there after ${list}.`
}

function limitSentence({ advised }: AdviceFindings): string {
  const { lost, bytes } = advised.result
  const all = lost.politeness + lost.slowSites + lost.fewSites
  const used = bytes / (bytes + all)
  if (!(all > 0) || used > 0.5)
    return `What limits such a crawl is the link: ${share(used)} of it would be used all the time.`
  const [[what, part]] = (
    [
      ['politeness: sites that rest between visits', lost.politeness],
      ['slow sites: visits wait for their answers', lost.slowSites],
      ['too few sites: nothing is left to be visited meanwhile', lost.fewSites],
    ] as const
  ).toSorted((a, b) => b[1] - a[1]) as [readonly [string, number], ...unknown[]]
  return `What limits such a crawl is ${what} (${share(part / all)} of the bandwidth it does not use).`
}

function backlinkSentence({ base, ordered, orders }: AdviceFindings): string {
  const best = orders.reduce((a, b) => (b.backlinks.meanMs < a.backlinks.meanMs ? b : a))
  const isClear = best.backlinks.meanMs < base.backlinks.meanMs * (1 - WORTH_A_CHANGE)
  const { order } = isClear ? best.choice : base.choice
  if (order === ordered.choice.order)
    return `Measured by backlinks, not PageRank, ${order} is the order to take as well.`
  return `Measured by backlinks, not PageRank, ${order} would be the order to take.`
}

/** What a reader must know to believe it. `unlinked`: pages that no link of what came leads to. */
export function adviceNotes(
  { web, base }: AdviceFindings,
  { waitMs, bandwidth }: AdviseSettings,
  { pauses, hasContent }: CrawlHistory,
  unlinked: number,
): string[] {
  const empty = web.pages - hasContent.reduce((sum, has) => sum + has, 0)
  const notes = [
    `Replays use the frontier of the live crawler on what this crawl brought, with the speed of each site and a link of ${formatQuantity(bandwidth, 'bytes')} a second. They ask for no robots.txt, nothing fails, and no site asks for a longer rest; so they are faster than the crawl itself, and are compared with each other.`,
  ]
  if (waitMs === undefined)
    notes.push(
      `The crawl is replayed with ${time(base.choice.waitMs)} between connections to a site: as its visits followed each other, and the polite rest at most.`,
    )
  if (empty > 0)
    notes.push(
      `${many(empty, 'address', 'addresses')} brought no page (redirects, errors) and count for no importance.`,
    )
  if (unlinked > 0)
    notes.push(`As no link of a page that came leads there, ${many(unlinked, 'page')} counted as known from the start.`)
  if (pauses > 0)
    notes.push(`Of the crawl as it was, ${many(pauses, 'pause')} of more than ${time(PAUSE_MS)} left out.`)
  return notes
}
