/**
 * Agent content: scheme 12, "remote agents" (002 §6.3): what the agents that were let in here had to say, and the pages they
 * asked to be sent. An agent is run by somebody else (`AgentOutbox`); here its results become what waits for subscribers.
 *
 *   result ──▶ pages it wishes for, some at a time, as pages or differences ──▶ the result itself, as its lines ──▶ taken
 *
 * Pages go first: who has them when the result comes need not ask for them. Nothing leaves that is not public at this
 * moment: of a page that has become private since the agent ran, its lines are left out.
 */
import { WARC_TYPE } from '@comity/protocol'
import { baseOf } from './difference-content.ts'
import { heldAfter } from './held-page.ts'
import type { HeldBy, HeldPage } from './held-page.ts'
import { asChange } from './delivery-plan.ts'
import type { Change } from '../journal/journal.ts'
import { pushedWarc } from './pushed-warc.ts'
import type { WarcParts } from './pushed-warc.ts'
import type { ContentMaker, WaitingContent, PushContent, Subscriber } from '../hub/subscriber.ts'
import { TOPIC_TYPES } from '../documents/topic-documents.ts'
import { digestOf } from '../journal/version-store.ts'

/** What agents have to say, until each subscriber that it is for has it. */
export interface AgentOutbox {
  /** Cheap: it is asked several times a second. */
  isWaiting(subscriber: Subscriber): boolean
  /** The oldest that waits for a subscriber, the same until it is taken. */
  next(subscriber: Subscriber): Promise<AgentOutboxItem | undefined>
  /** Durable when it resolves. */
  taken(subscriber: Subscriber, item: AgentOutboxItem): Promise<void>
}

/** One result: what one run of one agent emitted. */
export interface AgentOutboxItem {
  readonly id: string
  /** Its first line, with the line's end. */
  readonly head: string
  readonly records: readonly AgentRecordLine[]
  /** The agent had nothing to remember when it ran, and so tells of all pages: whoever lacks some asks for them. */
  readonly isOfAll: boolean
}

export interface AgentRecordLine {
  readonly url: string
  /** The agent asks for this page to be sent. */
  readonly wish?: 'page' | 'difference' | undefined
  /** With its end. */
  readonly line: string
}

/** Pages of one delivery, and the sum of their sizes. */
const MOST_PAGES = 500
const MOST_BYTES = 8 << 20
/** Lines of one delivery, in characters: a result that is longer goes as several, each with its head and its end. */
const MOST_CHARS = 4 << 20

/** How far an item was sent: wishes and lines that are dealt with. */
interface Progress {
  readonly item: string
  readonly wishes: number
  readonly lines: number
}

export class AgentContent implements ContentMaker {
  readonly #parts: WarcParts
  readonly #heldBy: HeldBy
  readonly #results: AgentOutbox
  /** By subscriber. After a restart it begins anew, which costs something and spoils nothing. */
  readonly #progress = new Map<string, Progress>()

  constructor(parts: WarcParts, heldBy: HeldBy, results: AgentOutbox) {
    this.#parts = parts
    this.#heldBy = heldBy
    this.#results = results
  }

  isWaiting(subscriber: Subscriber): boolean {
    return this.#results.isWaiting(subscriber)
  }

  async make(_changes: readonly Change[], subscriber: Subscriber): Promise<PushContent | undefined> {
    const item = await this.#results.next(subscriber)
    if (item === undefined) return undefined
    const records = item.records.filter(({ url }) => this.#pathOf(url) !== undefined)
    const before = this.#progress.get(subscriber.id)
    const progress = before?.item === item.id ? before : { item: item.id, wishes: 0, lines: 0 }
    const pages = item.isOfAll ? undefined : await this.#wished(progress, records, subscriber)
    return pages ?? (await this.#lines(item, progress, records, subscriber))
  }

  /** The next of the pages that the agent asked for and the subscriber lacks; undefined when there are no more. */
  async #wished(
    progress: Progress,
    records: readonly AgentRecordLine[],
    subscriber: Subscriber,
  ): Promise<PushContent | undefined> {
    const { id } = subscriber
    const wishes = records.filter(({ wish }) => wish !== undefined)
    for (let from = progress.wishes; from < wishes.length;) {
      const { pages, upTo } = this.#some(wishes, from)
      const news = pages.filter((page) => this.#lacks(id, page))
      const done = async (): Promise<void> => {
        this.#progress.set(id, { ...progress, wishes: upTo })
        await Promise.resolve()
      }
      if (news.length > 0) return await this.#pages(news, wishes, subscriber, done)
      from = upTo
    }
    return undefined
  }

  /** An agent may ask for the same at every run. The result names each page's digest, so nothing else has to be sent. */
  #lacks(id: string, { path, digest, masked }: Change): boolean {
    return this.#parts.view.isPublic(path) && (masked === true || this.#heldBy(id, path)?.digest !== digest)
  }

  async #pages(
    news: readonly Change[],
    wishes: readonly AgentRecordLine[],
    { id, by }: Subscriber,
    done: WaitingContent['done'],
  ): Promise<PushContent> {
    const heldOf = (path: string): HeldPage | undefined => this.#heldBy(id, path)
    const whole = new Set(wishes.filter(({ wish }) => wish === 'page').map(({ url }) => this.#pathOf(url)))
    const base = ({ path }: Change): string | undefined => (whole.has(path) ? undefined : baseOf(heldOf(path)))
    const { body, pages } = await pushedWarc(this.#parts, news, by === 'push', base)
    const waiting = { name: this.#name(body), pages: news, done }
    return { type: WARC_TYPE, body, headers: [], holds: heldAfter(pages, { view: this.#parts.view, heldOf }), waiting }
  }

  /** From the wish with this number on, as many as go together. */
  #some(
    wishes: readonly AgentRecordLine[],
    from: number,
  ): { readonly pages: readonly Change[]; readonly upTo: number } {
    const { view } = this.#parts
    const pages = new Map<string, Change>()
    let bytes = 0
    for (const [i, { url }] of wishes.slice(from).entries()) {
      const page = view.page(this.#pathOf(url) ?? '')
      if (page === undefined || pages.has(page.path)) continue
      bytes += page.bytes
      if (pages.size > 0 && (pages.size >= MOST_PAGES || bytes > MOST_BYTES))
        return { pages: [...pages.values()], upTo: from + i }
      pages.set(page.path, asChange(page, view))
    }
    return { pages: [...pages.values()], upTo: wishes.length }
  }

  /** The result itself, or the next part of it. One of which nothing may be told is taken without being sent. */
  async #lines(
    item: AgentOutboxItem,
    progress: Progress,
    records: readonly AgentRecordLine[],
    subscriber: Subscriber,
  ): Promise<PushContent | undefined> {
    let [upTo, chars] = [progress.lines, 0]
    for (; upTo < records.length; upTo++) {
      chars += records[upTo]!.line.length
      if (upTo > progress.lines && chars > MOST_CHARS) break
    }
    const done = async (): Promise<void> => {
      // Wishes are dealt with when lines are sent.
      this.#progress.set(subscriber.id, { ...progress, wishes: Infinity, lines: upTo })
      if (upTo < records.length) return
      await this.#results.taken(subscriber, item)
      this.#progress.delete(subscriber.id)
    }
    const part = records.slice(progress.lines, upTo)
    if (part.length === 0) {
      await done()
      return undefined
    }
    const end = `${JSON.stringify({ end: 'done', records: part.length })}\n`
    const body = Buffer.from([item.head, ...part.map(({ line }) => line), end].join(''))
    return { type: TOPIC_TYPES.agent, body, headers: [], waiting: { name: this.#name(body), pages: [], done } }
  }

  /** The path of what may be told of. */
  #pathOf(url: string): string | undefined {
    const { view } = this.#parts
    const path = view.pathOf(url)
    return path !== undefined && view.isPublic(path) ? path : undefined
  }

  /** Among dead letters it stands under its topic. */
  #name(body: Uint8Array): Change {
    const { view, now } = this.#parts
    const state = { path: view.paths.topics.agent, digest: digestOf(body), bytes: body.length, type: TOPIC_TYPES.agent }
    return { ...state, modifiedAt: now(), number: view.journal.last, change: 'updated', at: now() }
  }
}
