/** Page description: all that a collection knows about one page, as the model that is sent and drawn. */
import { knownAs } from '@comity/collection'
import type { CaptureRow, Collection } from '@comity/collection'
import { freshnessStory } from '@comity/follow'
import { NO_PARENT } from '@comity/frontier'
import { pageFacts } from '@comity/ingest'
import type { Instant } from '@comity/protocol'
import type { CaptureModel, PageModel, PageRef } from './models.ts'
import type { Standing } from '../ports.ts'

const MAX_LINKS_OUT = 200
const MAX_CAPTURES = 500
/** The anchor of a link is the page's that it stands on, so that page is read; very long lists are not searched. */
const MAX_ANCHOR_LIST = 5_000

export function describePage(
  collection: Collection,
  page: number,
  { depth, state, importance }: Standing,
  linksIn: { readonly from: readonly number[]; readonly more: boolean },
  now: Instant,
): PageModel {
  const { site, parent } = collection.text(page)
  const row = collection.page(page)
  const known = row === undefined ? undefined : knownAs(row)
  const captures = Array.from(collection.captures(page), ({ key: [, at], value }) => ({ ...value, at }))
  const links = collection.links(page)
  const name = nameOf(collection, page)
  const nearDuplicateOf = row?.nearDuplicateOf === undefined ? undefined : nameOf(collection, row.nearDuplicateOf)
  const body = row?.digest === undefined ? undefined : collection.body(row.digest)
  const sameBodyAs = body?.url === name.url ? undefined : body?.url
  const firstSeenAt = captures[0]?.at
  return {
    ...name,
    facts: pageFacts({ url: name.url, row, firstSeenAt, sameBodyAs, nearDuplicateOf: nearDuplicateOf?.url }),
    site: collection.origin(site),
    outcome: known?.outcome ?? state,
    status: known?.status ?? 0,
    lastOutcome: row?.outcome,
    lastStatus: row?.status,
    type: row?.type,
    language: row?.language,
    bytes: row?.bytes ?? 0,
    visits: row?.visits ?? 0,
    changes: row?.changes ?? 0,
    firstSeenAt,
    visitedAt: row?.visitedAt,
    changedAt: row?.changedAt,
    depth,
    importance,
    foundOn: parent === NO_PARENT ? undefined : nameOf(collection, parent),
    redirectTo: row?.redirectTo,
    canonical: row?.canonical,
    nearDuplicateOf,
    noindex: row?.noindex === true,
    noarchive: row?.noarchive === true,
    problem: row?.problem,
    freshness: freshnessStory(collection, page, now),
    captures: captures.slice(-MAX_CAPTURES).map((capture) => describeCapture(capture, row?.isDropped === true)),
    linksOut: links.slice(0, MAX_LINKS_OUT).map(({ to, anchor }) => linkOf(collection, to, anchor)),
    linksIn: linksIn.from.map((from) => linkOf(collection, from, anchorOf(collection, from, page))),
    moreOut: Math.max(0, links.length - MAX_LINKS_OUT),
    moreIn: linksIn.more,
  }
}

/** Number, URL and title; the last two are empty for what was forgotten or not visited. */
export function nameOf(collection: Collection, page: number): PageRef {
  return { key: page, url: collection.url(page) ?? '', title: collection.page(page)?.title ?? '' }
}

function linkOf(collection: Collection, page: number, anchor: string): PageModel['linksOut'][number] {
  return { ...nameOf(collection, page), anchor }
}

function describeCapture(
  { at, source, outcome, status, bytes, digest, body, scheme, why }: CaptureRow & { readonly at: number },
  isDropped: boolean,
): CaptureModel {
  return { at, source, outcome, status, bytes, digest, hasBody: body !== undefined && !isDropped, scheme, why }
}

function anchorOf(collection: Collection, from: number, to: number): string {
  const links = collection.links(from)
  return links.slice(0, MAX_ANCHOR_LIST).find((link) => link.to === to && link.anchor !== '')?.anchor ?? ''
}
