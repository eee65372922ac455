/**
 * Changes service: the filtering interface (`bulk/change-query.ts` of the protocol has its form). An answer is a piece of the
 * way from the asker's token to now; its own token says how far it came.
 *
 *   no token          all pages by path, then the changes since that began
 *   edition.number    the changes after that number
 *   not ours, or      410: begin anew. So does a journal that was begun anew, and rules that changed: pages that came
 *   too old           into view or left it then are in no change.
 */
import {
  CHANGES_TYPE,
  changeLine,
  changesEndLine,
  isAskedFor,
  QUERY_TYPE,
  readChangeParameters,
  readChangeQuery,
} from '@comity/protocol'
import type { ChangeQuery, Closing, HeaderList, ReadQuery } from '@comity/protocol'
import { busyAnswer } from './batch-service.ts'
import { walkChanges, walkPages } from '../journal/change-walk.ts'
import type { ReportedChange, WalkLimits } from '../journal/change-walk.ts'
import { chooseCoding, encodeHard, STREAM_CODINGS } from '../documents/document-coding.ts'
import { PageBundles, streamAnswer } from './page-bundle.ts'
import type { BundledPage, StreamLimit } from './page-bundle.ts'
import type { PageBodies } from './page-bodies.ts'
import type { PreviousChanges } from '../journal/previous-changes.ts'
import type { PublicView } from '../privacy/public-view.ts'
import { isAnswer, methodAnswer, serviceBody, serviceFields } from '../service-request.ts'
import type { ServiceForm } from '../service-request.ts'
import type { SiteSetting } from '../site-options.ts'
import { NO_BODY, sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'
import { readToken, writeToken } from '../sync-token.ts'
import type { Tally } from '../tally.ts'

/** A piece of the way. */
interface Step {
  readonly told: readonly ReportedChange[]
  readonly token: string
  readonly more: boolean
}

/** A question is a short text; lists in it have 50 members at most. */
const MAX_QUERY_BYTES = 1 << 18
/** As of a document: less is not worth a coding. */
const MIN_CODED_BYTES = 200

export class ChangesService {
  readonly #view: PublicView
  readonly #setting: SiteSetting
  readonly #bundles: PageBundles
  readonly #previous: PreviousChanges
  readonly #gate: StreamLimit
  readonly #form: ServiceForm = {
    type: QUERY_TYPE,
    methods: ['GET', 'HEAD', 'QUERY', 'POST', 'OPTIONS'],
    maxBytes: MAX_QUERY_BYTES,
  }

  constructor(
    view: PublicView,
    setting: SiteSetting,
    bodies: PageBodies,
    previous: PreviousChanges,
    gate: StreamLimit,
  ) {
    this.#view = view
    this.#setting = setting
    this.#bundles = new PageBundles(view, bodies)
    this.#previous = previous
    this.#gate = gate
  }

  async answer(request: SiteRequest, tally: Tally): Promise<SiteAnswer> {
    const other = methodAnswer(request, this.#form)
    if (other !== undefined) return other
    const read = await this.#query(request)
    if ('status' in read) return read
    if ('problem' in read)
      return sentenceAnswer(422, `The question cannot be answered: ${read.problem}.`, serviceFields(this.#form))
    const { query } = read
    if (query.fields !== 'meta' && !this.#gate.admits(request)) return busyAnswer()
    const step = this.#step(query)
    if (step === undefined)
      return sentenceAnswer(
        410,
        'That token is too old or not from here: ask again without "since".',
        serviceFields(this.#form),
      )
    return query.fields === 'meta' ? await this.#meta(request, step, tally) : this.#pages(request, query, step, tally)
  }

  async #query(request: SiteRequest): Promise<ReadQuery | SiteAnswer> {
    if (request.method === 'GET' || request.method === 'HEAD') {
      const mark = request.path.indexOf('?')
      return readChangeParameters(new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1)))
    }
    const body = await serviceBody(request, this.#form)
    return isAnswer(body) ? body : readChangeQuery(Buffer.from(body).toString('utf8'))
  }

  /** Undefined when the way from the token to now is not known. */
  #step(query: ChangeQuery): Step | undefined {
    const { edition, journal } = this.#view
    const token = query.since === undefined ? { edition, number: journal.last, after: '' } : readToken(query.since)
    if (token === undefined || token.edition !== edition || journal.changesAfter(token.number, 0) === undefined)
      return undefined
    const limits = this.#limits(query)
    const { number, after } = token
    if (after !== undefined) {
      const walk = walkPages(this.#view, query, after, limits)
      const more = walk.after !== undefined || number < journal.last
      return { told: walk.told, token: writeToken({ edition, number, after: walk.after }), more }
    }
    const walk = walkChanges(this.#view, this.#previous, query, number, limits)
    if (walk === undefined) return undefined
    return { told: walk.told, token: writeToken({ edition, number: walk.number }), more: walk.number < journal.last }
  }

  #limits({ limit, fields }: ChangeQuery): WalkLimits {
    const { changePages, changesLookedAt, answerBytes } = this.#setting.limits
    const pages = Math.min(changePages, Math.max(1, limit ?? changePages))
    return { pages, bytes: fields === 'meta' ? Infinity : answerBytes, lookedAt: changesLookedAt }
  }

  async #meta(request: SiteRequest, { told, token, more }: Step, tally: Tally): Promise<SiteAnswer> {
    tally.addMany(told.length)
    const lines = told.map(({ kind, page, at }) =>
      changeLine(
        kind === 'deleted'
          ? { url: this.#view.url(page.path), change: kind, changedAt: at }
          : { ...this.#view.entry(page), change: kind, changedAt: at },
      ),
    )
    const text = Buffer.from(`${lines.join('')}${changesEndLine({ token, more })}`)
    const coding = text.length < MIN_CODED_BYTES ? undefined : chooseCoding(request.headers, STREAM_CODINGS)
    const body = coding === undefined ? text : await encodeHard(text, coding)
    const headers: HeaderList = [
      ['Content-Type', CHANGES_TYPE],
      ...(coding === undefined ? [] : ([['Content-Encoding', coding]] as const)),
      ['Content-Length', String(body.length)],
      ['Vary', 'Accept-Encoding'],
      ['Cache-Control', 'no-cache'],
    ]
    return { status: 200, headers, body: request.method === 'HEAD' ? NO_BODY : body }
  }

  #pages(request: SiteRequest, query: ChangeQuery, step: Step, tally: Tally): SiteAnswer {
    const place = { url: this.#view.url(this.#view.paths.changes), at: this.#setting.now() }
    const answer = streamAnswer(request, (isCoded) => this.#records(query, step, isCoded, tally), this.#gate, place, [])
    return request.method === 'HEAD' ? { ...answer, body: NO_BODY } : answer
  }

  async *#records(query: ChangeQuery, step: Step, isCoded: boolean, tally: Tally): AsyncGenerator<Uint8Array, Closing> {
    const refused: string[] = []
    let sent = 0
    for (const one of step.told) {
      const told = this.#bundled(query, one)
      if (told === undefined) continue
      tally.add(told)
      const record = await this.#bundles.record(told, this.#setting.now(), isCoded)
      if (record === undefined) refused.push(this.#view.url(one.page.path))
      else {
        sent++
        yield record
      }
    }
    return { sent, unchanged: 0, rest: [], refused, token: step.token, more: step.more }
  }

  /** The page as it is by now; what it was a moment ago is nobody's wish, and is often no longer to be had. */
  #bundled(query: ChangeQuery, { kind, page, before }: ReportedChange): BundledPage | undefined {
    const now = this.#view.page(page.path)
    if (kind === 'deleted' || now === undefined) return { gone: page.path }
    // It has left what the asker wants since; the change that did it is told next.
    if (!isAskedFor(query, now)) return undefined
    const base = query.fields === 'difference' && before?.masked !== true ? before?.digest : undefined
    return { page: now, base }
  }
}
