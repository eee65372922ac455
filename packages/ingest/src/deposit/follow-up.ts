/**
 * FollowUp: what a page that came means for those that are still to come: where it redirects to, what its links teach, and
 * what becomes of the page itself. That is the one thing that depends on whether anybody asked for it: a crawl did
 * (`CrawlFollowUp`), an import of an archive asks nobody.
 */
import { siteOf } from '@comity/protocol'
import type { HeaderList, UrlRules } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { EXCLUDED, reasonCode, reasonNamed } from '@comity/frontier'
import type { ExclusionReason, Frontier, PageVisit, Scope, Task } from '@comity/frontier'
import type { Ending } from '../fold.ts'
import { locationOf } from '../location.ts'
import { meaningOf } from '../outcome.ts'
import type { Outcome } from '../outcome.ts'

export type PageTask = Extract<Task, { kind: 'page' }>

export interface FollowUp {
  /** The page is elsewhere: the target becomes a page of its own. How that ended. */
  redirect(task: PageTask, headers: HeaderList): Ending
  /** Its content has come. */
  learn(page: number, visit: PageVisit): void
  /** All of it is deposited. */
  settle(page: number, outcome: Outcome, bytes: number): void
}

interface CrawlFollowUpParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly scope: Scope
  readonly options: { readonly urlRules: UrlRules; readonly maxRedirects: number }
  /** A start page redirects: its target takes its place in the scope. */
  readonly onSeedMoved: (url: string) => void
}

/** Of a crawl: pages come from its frontier, and go back to it. */
export class CrawlFollowUp implements FollowUp {
  readonly #parts: CrawlFollowUpParts

  constructor(parts: CrawlFollowUpParts) {
    this.#parts = parts
  }

  learn(page: number, visit: PageVisit): void {
    this.#parts.frontier.visited(page, visit)
  }

  settle(page: number, outcome: Outcome, bytes: number): void {
    this.#parts.frontier.settle(page, meaningOf(outcome).disposition, bytes)
  }

  /** At the same depth, with its own lease, politeness and scope check. */
  redirect(task: PageTask, headers: HeaderList): Ending {
    const { frontier, options } = this.#parts
    const to = locationOf(headers, task.url, options.urlRules)
    if (to === undefined) return { outcome: 'redirect-nowhere', problem: 'no usable Location' }
    const hops = this.#hopsTo(task) + 1
    if (to === task.url || this.#leadsBack(to, task.url)) return { outcome: 'redirect-loop', to }
    if (hops > options.maxRedirects) return { outcome: 'redirect-too-long', to, hops }
    if (task.depth === 0) this.#parts.onSeedMoved(to)
    const excluded = this.#reasonFor(task, to)
    const seed = frontier.pages.seedOf(task.page)
    if (frontier.findUrl(to) === -1 && !frontier.hasRoomFor(to)) return { outcome: 'redirect', to, hops }
    const found = { depth: task.depth, seed, parent: task.page }
    frontier.offer(to, excluded === undefined ? found : { ...found, excluded: reasonCode(excluded) })
    return { outcome: excluded === undefined ? 'redirect' : 'redirect-out-of-scope', to, hops, problem: excluded }
  }

  /** Of a page that is at home in another shard that one judges. */
  #reasonFor(task: PageTask, to: string): ExclusionReason | undefined {
    const { frontier, scope } = this.#parts
    if (frontier.elsewhere?.of(siteOf(to)) !== undefined) return undefined
    return scope(to, { depth: task.depth, listed: task.depth === 0 }) ?? this.#toldReason(task, to)
  }

  /** What its site says to be of no wanted type is not asked for because a page leads there. A start page is meant, wherever it leads. */
  #toldReason({ depth }: PageTask, to: string): 'told-type' | undefined {
    const { frontier } = this.#parts
    const page = depth === 0 ? -1 : frontier.findUrl(to)
    if (page === -1 || frontier.pages.stateOf(page) !== EXCLUDED) return undefined
    return reasonNamed(frontier.pages.exclusionOf(page)) === 'told-type' ? 'told-type' : undefined
  }

  /** Redirects in a row that led to this page, read from the page it was found on. */
  #hopsTo({ page, url }: PageTask): number {
    const { parent } = this.#parts.frontier.textOf(page)
    const from = this.#parts.collection.page(parent)
    return from?.redirectTo === url ? (from.hops ?? 0) : 0
  }

  #leadsBack(from: string, home: string): boolean {
    const { frontier, collection, options } = this.#parts
    for (let url: string | undefined = from, steps = 0; url !== undefined && steps <= options.maxRedirects; steps++) {
      const page = frontier.findUrl(url)
      url = page === -1 ? undefined : collection.page(page)?.redirectTo
      if (url === home) return true
    }
    return false
  }
}
