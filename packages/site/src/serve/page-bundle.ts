/**
 * Page bundle: many pages as one answer, a WARC stream with a closing at its end (`bulk/batch-answer.ts` of the protocol).
 * Each page is one record: 200 with all of it, 226 with a difference where that is shorter, 410 when it is gone.
 */
import { setImmediate } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import { CLIENT_SHARE, ClientPlaces, deltaAnswer, WARC_TYPE, writeBatchPage, writeClosing } from '@comity/protocol'
import type { BatchPage, Closing, HeaderList, Instant } from '@comity/protocol'
import { chooseCoding, encodeStream, STREAM_CODINGS } from '../documents/document-coding.ts'
import type { JournaledPage } from '../journal/journal.ts'
import type { PageBodies } from './page-bodies.ts'
import { pageEtag } from '../page-etag.ts'
import { pageFields } from '../documents/page-record.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { SiteSetting } from '../site-options.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

/** One page of an answer, as the caller wants it told. */
export type BundledPage =
  | { readonly page: JournaledPage; readonly base?: string | undefined }
  /** No longer there. */
  | { readonly gone: string }

export class PageBundles {
  readonly #view: PublicView
  readonly #bodies: PageBodies

  constructor(view: PublicView, bodies: PageBodies) {
    this.#view = view
    this.#bodies = bodies
  }

  /** A page's record; undefined when its body cannot be had. `base` is the digest of what the asker holds. */
  async record(told: BundledPage, at: Instant, isCoded: boolean): Promise<Uint8Array | undefined> {
    const page = await this.page(told, isCoded)
    return page === undefined ? undefined : writeBatchPage(page, at)
  }

  /** The same as an answer, before it is written. */
  async page(told: BundledPage, isCoded: boolean): Promise<BatchPage | undefined> {
    if ('gone' in told) return { url: this.#view.url(told.gone), status: 410, headers: [], body: EMPTY }
    const { page, base } = told
    const body = await this.#bodies.of(page)
    if (body === undefined) return undefined
    const url = this.#view.url(page.path)
    const difference = base === undefined ? undefined : this.#difference(page, body, base, isCoded)
    if (difference !== undefined) return { url, ...difference }
    const headers: HeaderList = [...pageFields(page), ['Content-Length', String(body.length)]]
    return { url, status: 200, headers, body }
  }

  #difference(
    page: JournaledPage,
    body: Uint8Array,
    base: string,
    isCoded: boolean,
  ): Omit<BatchPage, 'url'> | undefined {
    const earlier = this.#view.journal.version(base)
    if (earlier === undefined) return undefined
    const etag = pageEtag({ digest: base })
    // Within a packed stream the page itself would be packed too, and a difference hardly more.
    const otherwiseBytes = isCoded ? deflateRawSync(body, { level: 1 }).length : body.length
    const answer = deltaAnswer({ bases: [etag], mayGzip: false }, { etag: pageEtag(page), body }, () => earlier, {
      otherwiseBytes,
    })
    if (answer === undefined) return undefined
    const replaced = new Set(answer.headers.map(([name]) => name))
    const headers = [...pageFields(page).filter(([name]) => !replaced.has(name)), ...answer.headers]
    return {
      status: answer.status,
      headers: [...headers, ['Content-Length', String(answer.body.length)]],
      body: answer.body,
    }
  }
}

const EMPTY = new Uint8Array(0)

/** Streams at one time; no client has all of them. */
export class StreamLimit {
  readonly #places: ClientPlaces

  constructor({ limits, onRefused }: Pick<SiteSetting, 'limits' | 'onRefused'>) {
    this.#places = new ClientPlaces({
      most: limits.streams,
      share: CLIENT_SHARE,
      onRefused: () => onRefused?.('too-many-streams'),
    })
  }

  admits({ client }: SiteRequest): boolean {
    return this.#places.admits(client)
  }

  /** The same chunks, counted as one stream from the first that is asked for until the last or until nobody asks. */
  async *through({ client }: SiteRequest, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const leave = this.#places.keep(client)
    try {
      for await (const chunk of chunks) {
        // Others are waiting: making pages never leaves the processor by itself while bodies come from memory.
        await setImmediate()
        yield chunk
      }
    } finally {
      leave()
    }
  }
}

/** Records and then the closing, packed as a whole: pages of one site resemble each other. */
export function streamAnswer(
  request: SiteRequest,
  records: (isCoded: boolean) => AsyncGenerator<Uint8Array, Closing>,
  gate: StreamLimit,
  place: { readonly url: string; readonly at: Instant },
  fields: HeaderList,
): SiteAnswer {
  const coding = chooseCoding(request.headers, STREAM_CODINGS)
  const all = async function* (): AsyncGenerator<Uint8Array> {
    const closing = yield* records(coding !== undefined)
    yield writeClosing(closing, place.url, place.at)
  }
  const headers: HeaderList = [
    ['Content-Type', WARC_TYPE],
    ...(coding === undefined ? [] : ([['Content-Encoding', coding]] as const)),
    ['Vary', 'Accept-Encoding'],
    ['Cache-Control', 'no-store'],
    ...fields,
  ]
  return { status: 200, headers, body: encodeStream(gate.through(request, all()), coding) }
}
