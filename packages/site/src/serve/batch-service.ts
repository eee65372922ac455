/**
 * Batch service: many pages in one request (`bulk/batch.ts` of the protocol has its form). Only pages that are public and in
 * the journal are given out, whatever else the site has; what the asker holds already is left out.
 */
import { BATCH_TYPE, batchLimits, matchesWeakly, readBatch } from '@comity/protocol'
import type { BatchLine, Closing } from '@comity/protocol'
import type { JournaledPage } from '../journal/journal.ts'
import { PageBundles, streamAnswer } from './page-bundle.ts'
import type { BundledPage, StreamLimit } from './page-bundle.ts'
import type { PageBodies } from './page-bodies.ts'
import { pageEtag } from '../page-etag.ts'
import type { PreviousChanges } from '../journal/previous-changes.ts'
import type { PublicView } from '../privacy/public-view.ts'
import { isAnswer, methodAnswer, serviceBody, serviceFields } from '../service-request.ts'
import type { ServiceForm } from '../service-request.ts'
import type { SiteSetting } from '../site-options.ts'
import { sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'
import { writeToken } from '../sync-token.ts'
import type { Tally, Unchanged } from '../tally.ts'

export class BatchService {
  readonly #view: PublicView
  readonly #setting: SiteSetting
  readonly #bundles: PageBundles
  readonly #previous: PreviousChanges
  readonly #gate: StreamLimit
  readonly #form: ServiceForm
  #gone: { readonly number: number; readonly paths: ReadonlySet<string> } | undefined

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
    this.#form = { type: BATCH_TYPE, methods: ['QUERY', 'POST', 'OPTIONS'], maxBytes: setting.limits.requestBytes }
  }

  async answer(request: SiteRequest, tally: Tally): Promise<SiteAnswer> {
    const other = methodAnswer(request, this.#form)
    if (other !== undefined) return other
    if (!this.#gate.admits(request)) return busyAnswer()
    const body = await serviceBody(request, this.#form)
    if (isAnswer(body)) return body
    const { lines, cut } = readBatch(body, { ...batchLimits, maxLines: this.#setting.limits.batchPages })
    const fields = serviceFields(this.#form)
    if (cut > 0)
      return sentenceAnswer(413, `A request may have ${this.#setting.limits.batchPages} lines: ask in several.`, fields)
    if (lines.length === 0)
      return sentenceAnswer(422, 'No line of the body is a page: send {"url":"…"} on each.', fields)
    const unique = [...new Map(lines.map((line) => [line.url, line])).values()]
    const place = { url: this.#view.url(this.#view.paths.batch), at: this.#setting.now() }
    return streamAnswer(request, (isCoded) => this.#records(unique, isCoded, tally), this.#gate, place, fields)
  }

  async *#records(lines: readonly BatchLine[], isCoded: boolean, tally: Tally): AsyncGenerator<Uint8Array, Closing> {
    const { edition, journal } = this.#view
    // Told now, before any page: what changes while the answer is made is told again by whoever follows from here.
    const token = writeToken({ edition, number: journal.last })
    const refused: string[] = []
    let [sent, unchanged, bytes] = [0, 0, 0]
    for (const [i, line] of lines.entries()) {
      const told = this.#told(line)
      tally.add(told)
      if (told === 'refused') refused.push(line.url)
      else if ('unchanged' in told) unchanged++
      else {
        if (sent > 0 && bytes + sizeOf(told) > this.#setting.limits.answerBytes)
          return { sent, unchanged, refused, rest: lines.slice(i).map(({ url }) => url), token }
        const record = await this.#bundles.record(told, this.#setting.now(), isCoded)
        if (record === undefined) refused.push(line.url)
        else {
          sent++
          // By what was worked on, not by what came of it: ten thousand short differences take as long as whole pages.
          bytes += sizeOf(told)
          yield record
        }
      }
    }
    return { sent, unchanged, refused, rest: [], token }
  }

  #told(line: BatchLine): BundledPage | Unchanged | 'refused' {
    const path = this.#view.pathOf(line.url)
    if (path === undefined || !this.#view.isPublic(path)) return 'refused'
    const page = this.#view.page(path)
    if (page === undefined) return this.#wasThere(path) ? { gone: path } : 'refused'
    if (isHeld(line, page)) return { unchanged: page }
    return { page, base: line.delta === true ? this.#baseOf(line, path) : undefined }
  }

  #baseOf({ etag, digest }: BatchLine, path: string): string | undefined {
    if (digest !== undefined) return DIGEST.test(digest) ? digest : undefined
    return etag === undefined ? undefined : this.#previous.digestOf(path, etag)
  }

  #wasThere(path: string): boolean {
    const { journal } = this.#view
    if (this.#gone?.number !== journal.last) {
      this.#gone = { number: journal.last, paths: new Set([...journal.tombstones()].map((change) => change.path)) }
    }
    return this.#gone.paths.has(path)
  }
}

function isHeld({ etag, digest }: BatchLine, page: JournaledPage): boolean {
  if (digest !== undefined && page.masked !== true && digest === page.digest) return true
  return etag !== undefined && matchesWeakly(etag, pageEtag(page))
}

const DIGEST = /^sha-256:[0-9a-f]{64}$/

const sizeOf = (told: BundledPage): number => ('gone' in told ? 0 : told.page.bytes)

export const busyAnswer = (): SiteAnswer =>
  sentenceAnswer(503, 'Several answers of this kind are being made: ask again in a few seconds.', [
    ['Retry-After', '5'],
  ])
