/**
 * TopicJudge: which of the pages that wait look as if they were on the topic (003 §7). A page does when a link to it or
 * its URL mentions a word of the query (Figure 4), or when it is near a page that turned out to be hot (Figure 5).
 *
 * As in the paper a URL is judged once, by what is known when it is first found. With `promote` it is judged again
 * whenever something new is learnt, and never taken back.
 */
import { grown } from '../queue/grown.ts'
import { LinkGraph } from './link-graph.ts'
import type { OrderSettings, PageVisit, RankedWeb } from './order.ts'
import { mentionsTopic } from './similarity.ts'

const UNJUDGED = 0
const COLD = 1
const HOT = 2
/** No hot page within reach. */
const FAR = 255

export class TopicJudge {
  readonly #web: RankedWeb
  readonly #query: readonly string[]
  readonly #reach: number
  readonly #promote: boolean
  readonly #graph = new LinkGraph()
  #verdicts = new Uint8Array(1_024)
  /** Links from the nearest page that turned out to be hot. */
  #distances = new Uint8Array(1_024).fill(FAR)

  constructor(web: RankedWeb, { topic = [], nearHot = 3, promote = false }: OrderSettings) {
    this.#web = web
    this.#query = topic.map((word) => word.toLowerCase())
    this.#reach = Math.min(nearHot, FAR)
    this.#promote = promote
  }

  isHot(page: number): boolean {
    const verdict = this.#verdicts[page] ?? UNJUDGED
    // Nobody linked to it: a start page, or listed by its site.
    return verdict === UNJUDGED ? mentionsTopic(this.#web.urlOf(page), this.#query) : verdict === HOT
  }

  visited(page: number, visit: PageVisit): void {
    const { links, isHot } = visit
    this.#grow()
    this.#graph.set(page, links)
    if (isHot) this.#comeNear(page, 0)
    else if (this.#distances[page]! + 1 < this.#reach) this.#approach(page)
    for (let i = 0; i < links.length; i++) {
      const to = links[i]!
      // A start page was in the queue before anybody linked to it.
      const isNew = this.#verdicts[to] === UNJUDGED && this.#web.depthOf(to) > 0
      if (!isNew && !(this.#promote && this.#web.isWaiting(to))) continue
      const named = mentionsTopic(visit.anchorOf(i), this.#query) || mentionsTopic(this.#web.urlOf(to), this.#query)
      this.#judge(to, named || this.#distances[to]! < this.#reach)
    }
  }

  #judge(page: number, hot: boolean): void {
    const before = this.#verdicts[page]!
    this.#verdicts[page] = hot || before === HOT ? HOT : COLD
    if (this.#verdicts[page] !== before) this.#web.moved(page)
  }

  /** The page is so near to a hot one, and what it links to one step further; only as far as it matters. */
  #comeNear(page: number, distance: number): void {
    if (distance >= this.#distances[page]! || distance >= this.#reach) return
    this.#distances[page] = distance
    if (this.#promote && distance > 0 && this.#web.isWaiting(page)) this.#judge(page, true)
    this.#approach(page)
  }

  #approach(page: number): void {
    const next = this.#distances[page]! + 1
    for (const to of this.#graph.linksOf(page)) this.#comeNear(to, next)
  }

  #grow(): void {
    this.#verdicts = grown(this.#verdicts, this.#web.count)
    this.#distances = grown(this.#distances, this.#web.count, FAR)
  }
}
