/**
 * ArchiveHandler: what happens to an answer that somebody else has archived. It becomes a capture with its own date and
 * the source `dump`, stored in our WARC files as a crawled one is, and the newest capture of a page is the page's row.
 *
 * An import asks nobody for anything: what its pages link to is known from then on and waits for nobody. Such a link is
 * infinitely far from every start page, so a later crawl that finds it anywhere asks its own scope.
 */
import { gzipRecord, resourceRecord, responseHead, responseRecord, revisitRecord, siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { encodeLinks } from '@comity/collection'
import type { BodyRow, CaptureRow, Collection, WarcPosition } from '@comity/collection'
import { DONE, FAILED, FORGOTTEN, WAITING, reasonCode } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type {
  ArchivedAnswer,
  ArchivedRevisit,
  SkipReason,
  Ending,
  LinkHandler,
  Outcome,
  Reading,
  Tally,
} from '@comity/ingest'
import { fold, locationOf, isRedirect, meaningOf, outcomeOfStatus } from '@comity/ingest'

export interface ArchiveHandlerParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly links: LinkHandler
  readonly tally: Tally
  readonly forgotten: ReadonlySet<string>
  readonly gzipLevel: number
  /** What WARC files that are begun are named by. */
  readonly now: () => Instant
}

/** As far as the frontier can count. */
export const FARTHEST = 0xffff
const NOT_REACHED = reasonCode('depth')

interface Stored {
  readonly record: WarcPosition
  readonly body: WarcPosition
  readonly newBody?: { readonly digest: string; readonly row: BodyRow } | undefined
}

export class ArchiveHandler {
  readonly #parts: ArchiveHandlerParts
  /** Captures taken in and perhaps not committed, page by instant. */
  readonly #taken = new Map<number, Set<Instant>>()

  constructor(parts: ArchiveHandlerParts) {
    this.#parts = parts
  }

  /** The page that an observation is of, entered when it is new; or why it is not taken in. */
  enter(url: string, at: Instant): number | SkipReason {
    const { frontier, collection, forgotten } = this.#parts
    if (forgotten.has(siteOf(url))) return 'forgotten'
    const known = frontier.findUrl(url)
    if (known === -1) {
      if (!frontier.hasRoomFor(url)) return 'no-room'
      const page = frontier.offer(url, { depth: 0, seed: 0, outside: NOT_REACHED })
      return frontier.pages.stateOf(page) === FORGOTTEN ? 'forgotten' : this.#take(page, at)
    }
    if (frontier.pages.stateOf(known) === FORGOTTEN) return 'forgotten'
    if (this.#taken.get(known)?.has(at)) return 'known'
    for (const { key } of collection.captures(known)) if (key[1] === at) return 'known'
    return this.#take(known, at)
  }

  get taken(): number {
    return this.#taken.size
  }

  /** Everything that was taken in is committed. */
  committed(): void {
    this.#taken.clear()
  }

  answered(page: number, answer: ArchivedAnswer, reading: Reading): Outcome {
    const { collection, frontier, links, tally } = this.#parts
    const { at, status, headers, url } = answer
    const before = collection.page(page)
    const ending = this.#endingOf(page, answer, reading)
    const stored = this.#store(answer, reading)
    const came = {
      kind: 'answer',
      status,
      headers,
      ending,
      reading,
      body: stored.body,
      ...this.#twin(page, reading),
    } as const
    const isOlder = before !== undefined && at < before.visitedAt
    const { row, isContent } = fold(before, { site: frontier.site(siteOf(url)), at, isOlder, came })
    const followed = isContent ? links.follow({ page, depth: FARTHEST - 1 }, reading.links) : undefined
    const { record, body, newBody } = stored
    const capture: CaptureRow = {
      source: 'dump',
      outcome: ending.outcome,
      status,
      digest: reading.digest,
      bytes: reading.bodyBytes,
      record,
      body,
      problem: ending.problem,
    }
    const hadLinks = before !== undefined
    const hasLinks = followed !== undefined && (followed.targets.length > 0 || hadLinks)
    collection.deposit({
      page,
      row,
      at,
      capture,
      links: hasLinks ? encodeLinks(followed.targets, followed.anchors) : undefined,
      newBody,
    })
    tally.totals.links += followed?.targets.length ?? 0
    tally.count(ending.outcome, reading.bodyBytes, before?.body === undefined)
    this.#settle(page, ending.outcome)
    return ending.outcome
  }

  /** What a revisit repeats; undefined when we do not have it. Sees what is committed. */
  originalOf({ url, at, digest, refersTo, isNotModified }: ArchivedRevisit): WarcPosition | undefined {
    const { frontier, collection } = this.#parts
    const page = frontier.findUrl(refersTo?.url ?? url)
    let [exact, latest]: [WarcPosition | undefined, WarcPosition | undefined] = [undefined, undefined]
    for (const { key, value } of page === -1 ? [] : collection.captures(page)) {
      if (value.body === undefined) continue
      if (key[1] === refersTo?.at) exact = value.body
      if (key[1] <= at) latest = value.body
    }
    if (exact !== undefined) return exact
    if (isNotModified) return latest
    const twin = ownDigest(digest)
    return twin === undefined ? undefined : collection.body(twin)
  }

  /** 304: the copy of that day was still good. */
  unchanged(page: number, revisit: ArchivedRevisit, body: WarcPosition): void {
    const { collection, tally, gzipLevel, now } = this.#parts
    const { url, at, recordId, ip, head, refersTo } = revisit
    const before = collection.page(page)
    const digest = before?.digest
    const record = revisitRecord({
      url,
      at,
      profile: 'server-not-modified',
      refersToUri: refersTo?.url ?? url,
      refersToDate: refersTo?.at ?? before?.changedAt ?? at,
      httpHead: head?.bytes ?? responseHead({ status: 304, headers: [] }),
      ...(recordId !== undefined && { recordId }),
      ...(ip !== undefined && { ip }),
      ...(digest !== undefined && { payloadDigest: digest }),
    })
    const position = collection.appendRecord(gzipRecord(record, gzipLevel), now())
    const site = this.#parts.frontier.site(siteOf(url))
    const isOlder = before !== undefined && at < before.visitedAt
    const { row } = fold(before, { site, at, isOlder, came: { kind: 'unchanged', headers: head?.headers ?? [], body } })
    const capture: CaptureRow = {
      source: 'dump',
      outcome: 'not-modified',
      status: 304,
      digest,
      bytes: 0,
      record: position,
      body,
    }
    collection.deposit({ page, row, at, capture })
    tally.count('not-modified', 0, false)
    this.#settle(page, 'not-modified')
  }

  #take(page: number, at: Instant): number {
    const taken = this.#taken.get(page)
    if (taken === undefined) this.#taken.set(page, new Set([at]))
    else taken.add(at)
    return page
  }

  #twin(page: number, { sense }: Reading): { readonly nearDuplicateOf: number | undefined } {
    const { simhash } = sense
    return { nearDuplicateOf: simhash && this.#parts.collection.nearDuplicate(simhash, page) }
  }

  /** The record as it was, with its own date and name. A body that is stored already is referred to. */
  #store(answer: ArchivedAnswer, { digest }: Reading): Stored {
    const { url, at, recordId, ip, httpHead, body, truncated, status, resourceType } = answer
    const { collection, gzipLevel, now } = this.#parts
    const whole = truncated === undefined && body.length > 0 && status === 200
    const twin = whole ? collection.body(digest) : undefined
    const common = { url, at, httpHead, payloadDigest: digest, ...(recordId && { recordId }), ...(ip && { ip }) }
    if (twin !== undefined) {
      const refersTo = { profile: 'identical-payload-digest', refersToUri: twin.url, refersToDate: twin.at } as const
      const record = collection.appendRecord(
        gzipRecord(revisitRecord({ ...common, ...refersTo, resourceType }), gzipLevel),
        now(),
      )
      return { record, body: { file: twin.file, offset: twin.offset, length: twin.length } }
    }
    const cut = truncated === undefined ? {} : { truncated }
    const stored =
      resourceType === undefined
        ? responseRecord({ ...common, body, blockDigest: false, ...cut })
        : resourceRecord({ ...common, type: resourceType, body })
    const record = collection.appendRecord(gzipRecord(stored, gzipLevel), now())
    return { record, body: record, newBody: whole ? { digest, row: { ...record, url, at } } : undefined }
  }

  #endingOf(page: number, { status, headers, truncated, url }: ArchivedAnswer, { problem }: Reading): Ending {
    if (isRedirect(status)) return this.#redirect(page, locationOf(headers, url), url)
    const outcome = outcomeOfStatus(status)
    if (outcome !== 'ok') return { outcome, problem: `status ${status}` }
    if (truncated === 'length') return { outcome: 'too-large', problem: 'the archive has a part of the body only' }
    if (truncated !== undefined) return { outcome: 'truncated', problem: 'the archive has a part of the body only' }
    return problem === undefined ? { outcome } : { outcome: problem.outcome, problem: problem.message }
  }

  #redirect(page: number, redirectTo: string | undefined, url: string): Ending {
    const { frontier } = this.#parts
    if (redirectTo === undefined) return { outcome: 'redirect-nowhere', problem: 'no usable Location' }
    if (redirectTo === url) return { outcome: 'redirect-loop', to: redirectTo }
    if (frontier.findUrl(redirectTo) === -1 && frontier.hasRoomFor(redirectTo)) {
      frontier.offer(redirectTo, { depth: FARTHEST, seed: 0, parent: page, outside: NOT_REACHED })
    }
    return { outcome: 'redirect', to: redirectTo }
  }

  /** A page that a crawl waits for goes on waiting: whoever wants it fetched wants it of today. */
  #settle(page: number, outcome: Outcome): void {
    const { frontier } = this.#parts
    if (frontier.pages.stateOf(page) === WAITING) return
    // Out of the frontier's hands first, which also has the next batch tell of the page. A frontier has no word for a
    // page that came without being asked for, so what it is now is written straight into the table.
    frontier.forget(page)
    frontier.pages.setState(page, meaningOf(outcome).disposition === 'done' ? DONE : FAILED)
    if (frontier.pages.depthOf(page) === FARTHEST) frontier.pages.setDepth(page, 0)
  }
}

/** A digest as we write it: SHA-1 in capitals of base 32. Nothing is stored under any other. */
function ownDigest(claim: string | undefined): string | undefined {
  const value = /^sha-?1:([a-z2-7]{32})$/i.exec(claim ?? '')?.[1]
  return value === undefined ? undefined : `sha1:${value.toUpperCase()}`
}
