/**
 * Event stream service: changes as they happen, for crawlers that cannot be called (server-sent events).
 *
 *   GET {root}push/events?types=text/html&prefixes=/docs/     Last-Event-ID: edition.number, or ?since= the first time
 *
 *   event: start    where the stream begins
 *   event: change   one page that changed, as a line of the filter (`bulk/change-query.ts`); the last of several that were told
 *                   together has the id, so whoever was cut off between them is told all of them again
 *   event: reset    the way from the last id to here is no longer known, or other rules hold: look at all pages once (the
 *                   filter without `since`), and go on from the id of this event
 *   : still here    every fifteen seconds
 *
 *   410 when Last-Event-ID is too old or not ours: as `reset`, but before anything was sent · 503 when too many listen
 *
 * Nothing is kept for anybody: each listener is a number in the journal, and is told what comes after it when it has taken
 * what came before. Who does not read loses its place to others after a while, and goes on when it comes again.
 */
import {
  changeLine,
  CLIENT_SHARE,
  EVENT_STREAM_TYPE,
  headerOf,
  readChangeParameters,
  writeEvent,
  writeEventComment,
} from '@comity/protocol'
import type { ChangeQuery, HeaderList } from '@comity/protocol'
import { walkChanges } from '../journal/change-walk.ts'
import type { ReportedChange } from '../journal/change-walk.ts'
import { Listeners } from '../journal/listeners.ts'
import type { Listener } from '../journal/listeners.ts'
import type { PreviousChanges } from '../journal/previous-changes.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { SiteSetting } from '../site-options.ts'
import { NO_BODY, sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'
import { readToken, writeToken } from '../sync-token.ts'
import type { SyncToken } from '../sync-token.ts'
import type { Tally } from '../tally.ts'

/** Told at a time; the next ones wait in the journal until these are taken. */
const CHUNK = { pages: 100, bytes: Infinity, lookedAt: 1_000 }
/** How soon to come again when the connection is lost. */
const RETRY_MS = 2_000
const METHODS = ['GET', 'HEAD', 'OPTIONS'] as const

export class EventStreamService implements Disposable {
  readonly #view: PublicView
  readonly #previous: PreviousChanges
  readonly #listeners: Listeners

  constructor(view: PublicView, setting: SiteSetting, previous: PreviousChanges) {
    this.#view = view
    this.#previous = previous
    this.#listeners = new Listeners({
      most: setting.limits.eventStreams,
      share: CLIENT_SHARE,
      onRefused: () => setting.onRefused?.('too-many-listeners'),
      maxMs: setting.limits.eventStreamMs,
      now: setting.now,
      mark: () => view.journal.last,
    })
  }

  answer(request: SiteRequest, tally: Tally): SiteAnswer {
    const { method } = request
    if (method === 'OPTIONS') return { status: 204, headers: ALLOW, body: NO_BODY }
    if (method !== 'GET' && method !== 'HEAD') return sentenceAnswer(405, 'Use GET here.', ALLOW)
    const mark = request.path.indexOf('?')
    const read = readChangeParameters(new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1)))
    if ('problem' in read) return sentenceAnswer(422, `The stream cannot be filtered so: ${read.problem}.`)
    const from = this.#from(headerOf(request.headers, 'last-event-id') ?? read.query.since)
    if (from === 'unknown')
      return sentenceAnswer(410, 'That id is too old or not from here: look at all pages once, and listen without it.')
    if (method === 'HEAD') return { status: 200, headers: STREAM, body: NO_BODY }
    if (!this.#listeners.admits(request.client))
      return sentenceAnswer(503, 'As many listen as may, or as many from there: come again later.', [
        ['Retry-After', '60'],
      ])
    return { status: 200, headers: STREAM, body: this.#stream(read.query, from, request.client, tally) }
  }

  /** Look for changes now; otherwise it is done four times a second while somebody listens. */
  wake(): void {
    this.#listeners.tick()
  }

  /** Ends all streams: who listened comes again. */
  [Symbol.dispose](): void {
    this.#listeners[Symbol.dispose]()
  }

  #from(id: string | undefined): SyncToken | undefined | 'unknown' {
    if (id === undefined || id === '') return undefined
    const token = readToken(id)
    const { edition, journal } = this.#view
    if (token === undefined || token.edition !== edition || token.after !== undefined) return 'unknown'
    return journal.changesAfter(token.number, 0) === undefined ? 'unknown' : token
  }

  async *#stream(
    query: ChangeQuery,
    from: SyncToken | undefined,
    client: string | undefined,
    tally: Tally,
  ): AsyncGenerator<Uint8Array> {
    using listener = this.#listeners.enter(client)
    // Several may have been let in before the first of them began.
    if (listener === undefined) return
    let at = from ?? this.#now()
    yield Buffer.from(writeEvent({ id: writeToken(at), event: 'start', data: '{}', retryMs: RETRY_MS }))
    while (!listener.isOver) {
      const step = this.#next(query, at)
      at = step?.at ?? at
      tally.addMany(step?.told ?? 0)
      if (step !== undefined) yield Buffer.from(step.text)
      // Behind a full piece more may wait already.
      else yield* this.#rest(listener, at.number)
    }
  }

  async *#rest(listener: Listener, number: number): AsyncGenerator<Uint8Array> {
    if ((await listener.turn(number)) === 'heartbeat') yield Buffer.from(writeEventComment('still here'))
  }

  /** What is to be told now, and how far one is then; undefined when there is nothing. */
  #next(
    query: ChangeQuery,
    at: SyncToken,
  ): { readonly text: string; readonly at: SyncToken; readonly told: number } | undefined {
    // Robots.txt may have changed while nobody asked for anything.
    this.#view.refresh()
    const walk =
      at.edition === this.#view.edition ? walkChanges(this.#view, this.#previous, query, at.number, CHUNK) : undefined
    if (walk === undefined) {
      const now = this.#now()
      return { text: writeEvent({ id: writeToken(now), event: 'reset', data: '{}' }), at: now, told: 0 }
    }
    if (walk.number === at.number) return undefined
    const next = { edition: at.edition, number: walk.number }
    const id = writeToken(next)
    const events = walk.told.map((told, i) =>
      writeEvent({ event: 'change', data: this.#line(told), id: i === walk.told.length - 1 ? id : undefined }),
    )
    // What changed is not for this listener: its id moves on all the same.
    return { text: events.length === 0 ? `id: ${id}\n\n` : events.join(''), at: next, told: events.length }
  }

  #line({ kind, page, at }: ReportedChange): string {
    const changed = { change: kind, changedAt: at }
    const entry = kind === 'deleted' ? { url: this.#view.url(page.path) } : this.#view.entry(page)
    return changeLine({ ...entry, ...changed }).trimEnd()
  }

  #now(): SyncToken {
    return { edition: this.#view.edition, number: this.#view.journal.last }
  }
}

const ALLOW: HeaderList = [['Allow', METHODS.join(', ')]]
const STREAM: HeaderList = [
  ['Content-Type', EVENT_STREAM_TYPE],
  ['Cache-Control', 'no-store'],
  // nginx would gather what is meant to go out at once.
  ['X-Accel-Buffering', 'no'],
]
