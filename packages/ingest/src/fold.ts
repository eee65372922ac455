/**
 * Fold: what was known of a page and one more capture of it make what is known now. Pure, and the only maker of a page's row,
 * however the capture came.
 *
 *   row before + capture + what its body says ──▶ row after · is it the page's content now? · has that changed?
 */
import { headerOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { isGoneOrMoved, stillKnownAs } from '@comity/collection'
import type { AllFields, PageRow, Timings, WarcPosition } from '@comity/collection'
import { isSameKey } from './content-key.ts'
import type { Outcome } from './outcome.ts'
import { servedAtOf } from './push-verdict.ts'
import type { Reading } from './read/reading.ts'

/** How a capture ended, with what is known about it. */
export interface Ending {
  readonly outcome: Outcome
  readonly problem?: string | undefined
  /** Where a redirect leads, and how many there were in a row. */
  readonly to?: string | undefined
  readonly hops?: number | undefined
}

/** One observation of a page. */
export interface Observed {
  readonly site: number
  readonly at: Instant
  /** By the site's clock, as of when it was sent; when not given, the answer's own `Date`. */
  readonly servedAt?: Instant | undefined
  readonly timings?: Timings | undefined
  /** Made before the newest that is known, as an archive may hold them. */
  readonly isOlder?: boolean | undefined
  readonly came: Came
}

type Came =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: HeaderList
      readonly ending: Ending
      readonly reading: Pick<Reading, 'digest' | 'contentKey' | 'bodyBytes' | 'sense'>
      /** Where it is stored. */
      readonly body: WarcPosition | undefined
      readonly nearDuplicateOf?: number | undefined
    }
  /** Our copy is still good: an answer of the page's own said so, or somebody did for many pages at once. */
  | { readonly kind: 'unchanged'; readonly headers?: HeaderList | undefined; readonly body?: WarcPosition | undefined }
  | { readonly kind: 'failed'; readonly ending: Ending }

type Answer = Extract<Came, { kind: 'answer' }>

export interface Folded {
  readonly row: PageRow
  /** Body and links are the page's own from now on. */
  readonly isContent: boolean
  readonly isChanged: boolean
}

const NOTHING_KNOWN = { bytes: 0, visits: 0, changes: 0, timings: {} }

export function fold(before: PageRow | undefined, capture: Observed): Folded {
  const { came } = capture
  if (came.kind === 'answer') return foldAnswer(before, capture, came)
  const row = came.kind === 'failed' ? afterFailure(before, capture, came.ending) : confirmed(before, capture, came)
  return { row, isContent: false, isChanged: false }
}

function foldAnswer(before: PageRow | undefined, capture: Observed, came: Answer): Folded {
  const isWhole = came.ending.outcome === 'ok'
  if (before !== undefined && capture.isOlder === true) {
    // It says nothing about the page of today, unless nobody has seen that whole since.
    const isContent = isWhole && before.body === undefined
    const visits = before.visits + 1
    if (!isContent) return { row: { ...before, visits }, isContent, isChanged: false }
    const told = stillKnownAs(before) ?? { outcome: came.ending.outcome, status: came.status }
    return { row: { ...before, told, visits, body: came.body }, isContent, isChanged: false }
  }
  const { digest, contentKey } = came.reading
  const isChanged = before?.digest !== digest && !isSameKey(before?.contentKey, contentKey)
  const fresh = { ...factsOf(before, capture, came), ...contentOf(came), ...historyOf(before, capture, isChanged) }
  const body = isWhole ? came.body : before?.body
  const isSilent = !isWhole && before?.body !== undefined && !isGoneOrMoved(fresh)
  // What an answer in trouble carries says nothing of the page: all that is known of the copy that is held stays.
  const row = isSilent
    ? { ...before, ...factsOf(before, capture, came), told: stillKnownAs(before), timings: fresh.timings }
    : { ...fresh, body }
  return { row, isContent: isWhole, isChanged: before !== undefined && isChanged && !isSilent }
}

type Facts = 'site' | 'outcome' | 'problem' | 'status' | 'visitedAt' | 'visits'
type History = 'servedAt' | 'changedAt' | 'changes' | 'timings'

/** What holds of every visit, also of one that brought nothing. */
function factsOf(
  before: PageRow | undefined,
  { site, at }: Observed,
  { ending, status }: Pick<Answer, 'ending' | 'status'>,
): AllFields<Pick<PageRow, Facts>> {
  const { outcome, problem } = ending
  return { site, outcome, problem, status, visitedAt: at, visits: (before?.visits ?? 0) + 1 }
}

function historyOf(
  before: PageRow | undefined,
  { at, servedAt, timings = {}, came }: Observed,
  isChanged: boolean,
): AllFields<Pick<PageRow, History>> {
  const headers = came.kind === 'answer' ? came.headers : []
  return {
    servedAt: servedAt ?? servedAtOf(headerOf(headers, 'date')),
    changedAt: isChanged ? at : before?.changedAt,
    changes: (before?.changes ?? 0) + (before !== undefined && isChanged ? 1 : 0),
    timings,
  }
}

function contentOf({
  headers,
  ending,
  reading,
  nearDuplicateOf,
}: Answer): AllFields<Omit<PageRow, Facts | History | 'told' | 'body' | 'isDropped'>> {
  const { sense, digest, contentKey, bodyBytes } = reading
  const isWhole = ending.outcome === 'ok'
  return {
    digest,
    contentKey,
    bytes: bodyBytes,
    type: headerOf(headers, 'content-type')?.slice(0, 200),
    charset: sense.charset,
    language: sense.language?.slice(0, 40),
    title: sense.title,
    ...validators(headers),
    dictionary: headerOf(headers, 'use-as-dictionary')?.slice(0, 1_000),
    redirectTo: ending.to,
    hops: ending.hops,
    canonical: sense.canonical,
    noindex: sense.noindex || undefined,
    noarchive: sense.noarchive || undefined,
    nofollow: sense.nofollow || undefined,
    needsScripts: (isWhole && sense.needsScripts) || undefined,
    simhash: isWhole ? sense.simhash : undefined,
    similarity: isWhole ? sense.similarity : undefined,
    isHot: (isWhole && sense.isHot) || undefined,
    nearDuplicateOf: isWhole ? nearDuplicateOf : undefined,
  }
}

function afterFailure(before: PageRow | undefined, capture: Observed, ending: Ending): PageRow {
  const facts = factsOf(before, capture, { ending, status: 0 })
  return before === undefined ? { ...NOTHING_KNOWN, ...facts } : { ...before, ...facts, told: stillKnownAs(before) }
}

function confirmed(
  before: PageRow | undefined,
  capture: Observed,
  { headers, body }: Extract<Came, { kind: 'unchanged' }>,
): PageRow {
  const { at, servedAt, timings, isOlder } = capture
  // A confirmation for many pages has no status of its own.
  const status = headers === undefined ? (before?.status ?? 304) : 304
  const facts = factsOf(before, capture, { ending: { outcome: 'not-modified' }, status })
  if (before === undefined) return { ...NOTHING_KNOWN, ...facts, body }
  if (isOlder === true) return { ...before, visits: facts.visits }
  return {
    ...before,
    ...facts,
    told: stillKnownAs(before),
    visitedAt: at,
    servedAt: servedAt ?? servedAtOf(headerOf(headers ?? [], 'date')),
    ...validators(headers ?? [], before),
    timings: timings ?? before.timings,
  }
}

function validators(headers: HeaderList, before?: PageRow): AllFields<Pick<PageRow, 'etag' | 'lastModified'>> {
  return {
    etag: headerOf(headers, 'etag')?.slice(0, 1_000) ?? before?.etag,
    lastModified: headerOf(headers, 'last-modified')?.slice(0, 100) ?? before?.lastModified,
  }
}
