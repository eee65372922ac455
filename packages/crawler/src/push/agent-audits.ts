/**
 * AgentAudits: of the pages that a site's agent spoke of, some are looked at by our own run of the same program; that it says
 * the same is counted like a page that was sent and is what the site serves (`choose/push-record.ts` of follow).
 *
 *   claim ──some──▶ held as it was said, fetched by us ──▶ the program runs ──▶ agrees, or not
 *                       └─ not so: fetched, whole ──▶ still the page that was spoken of? ──▶ the same
 *
 * A page that is another one proves nothing here: whether it was ever there is asked by `push/push-checks.ts`. One program runs
 * at a time, in a process of its own; what does not fit in line is not looked at.
 */
import type { Instant } from '@comity/protocol'
import { storedContent } from '@comity/collection'
import type { Collection, PageRow } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { AgentClaims, AgentPort } from './agent-port.ts'
import { isDigestOf } from '@comity/ingest'
import type { CooperationStore } from '@comity/follow'
import { NEW_PUSH_RECORD, checkedPush, isToBeChecked } from '@comity/follow'

interface AgentAuditsParts {
  readonly agents: AgentPort
  readonly frontier: Pick<Frontier, 'revisit'>
  readonly collection: Pick<Collection, 'page' | 'captures' | 'readMessage'>
  readonly store: CooperationStore
  /** There is something to commit. */
  readonly onLearnt: () => void
  readonly dayMs: number
  readonly now: () => Instant
  readonly random: () => number
}

interface Audit {
  readonly news: AgentClaims
  /** As the site spells it. */
  readonly url: string
  readonly digest: string
  readonly since: Instant
}

const MOST_WAITING = 100
/** A page that was not fetched by then is let go. */
const PATIENCE_MS = 600_000

export class AgentAudits {
  readonly #parts: AgentAuditsParts
  /** By page. */
  readonly #waiting = new Map<number, Audit>()
  readonly #stop = new AbortController()
  #isBusy = false

  constructor(parts: AgentAuditsParts) {
    this.#parts = parts
  }

  /** Something was said of a page; perhaps it is looked into. */
  said(page: number, site: number, news: AgentClaims, claim: { readonly url: string; readonly digest: string }): void {
    const { store, now, random, frontier } = this.#parts
    if (!news.isPerPage || (this.#waiting.size >= MOST_WAITING && !this.#waiting.has(page))) return
    // One that waits already is compared with what was said last.
    const isChosen = isToBeChecked(store.of(site).pushes ?? NEW_PUSH_RECORD, now(), random)
    if (!isChosen && !this.#waiting.has(page)) return
    const { url, digest } = claim
    this.#waiting.set(page, { news, url, digest, since: now() })
    if (!this.#isReady(page)) frontier.revisit(page)
  }

  /** A condition would ask the site whether it lied. */
  mustBeWhole(page: number): boolean {
    return this.#waiting.has(page)
  }

  /** What was fetched is there to be read: the program may be run, if it is not running. */
  step(): void {
    if (this.#isBusy || this.#stop.signal.aborted) return
    const ready = this.#nextReady()
    if (ready === undefined) return
    this.#isBusy = true
    void this.#audit(ready).finally(() => {
      this.#isBusy = false
      this.step()
    })
  }

  end(): void {
    this.#stop.abort()
    this.#waiting.clear()
  }

  #nextReady(): { readonly audit: Audit; readonly row: PageRow } | undefined {
    const { collection, now } = this.#parts
    for (const [page, audit] of this.#waiting) {
      if (this.#isReady(page)) {
        this.#waiting.delete(page)
        return { audit, row: collection.page(page)! }
      }
      const isOver = now() > audit.since + PATIENCE_MS
      if (isOver) this.#waiting.delete(page)
    }
    return undefined
  }

  /** We hold the page that was spoken of, and fetched it ourselves. */
  #isReady(page: number): boolean {
    const { collection } = this.#parts
    const row = collection.page(page)
    if (row?.body === undefined || row.status >= 400) return false
    if (isDigestOf(this.#waiting.get(page)?.digest, row.contentKey) !== true) return false
    // What is not in the archive yet, nobody can tell by whom it came; and what was confirmed came before.
    let [source, at]: [string | undefined, Instant] = [undefined, 0]
    for (const { key, value } of collection.captures(page)) {
      at = key[1]
      if (value.status !== 304) ({ source } = value)
    }
    return source === 'crawl' && at >= row.visitedAt
  }

  async #audit({ audit, row }: { readonly audit: Audit; readonly row: PageRow }): Promise<void> {
    const { agents, collection, store, onLearnt, now, dayMs } = this.#parts
    const { news, url } = audit
    const content = storedContent(collection as Collection, row.body!)
    if (content.kind !== 'ok') return
    const type = (content.type ?? '').split(';', 1)[0]!.trim().toLowerCase()
    const isSame = await agents.audit(news, { url, type, body: content.bytes }, this.#stop.signal)
    if (isSame === undefined || this.#stop.signal.aborted) return
    const record = store.of(row.site).pushes ?? NEW_PUSH_RECORD
    store.note(row.site, { pushes: checkedPush(record, isSame ? 'same' : 'different', now(), dayMs) })
    onLearnt()
  }
}
