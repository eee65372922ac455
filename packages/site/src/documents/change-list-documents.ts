/**
 * Change list: what was created, updated and deleted, oldest first. `changelist.xml` is an index once there is more than
 * the open part. Whoever polls asks only for the open part, until that says when it ended and which part is next.
 */
import { writeSyncDocument } from '@comity/protocol'
import type { Instant, SyncLink, SyncSpan } from '@comity/protocol'
import { changePartName, changeParts, namedChangePart } from './change-parts.ts'
import type { ChangePart } from './change-parts.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import { SYNC_TYPE, syncHead } from './sync-head.ts'

/** When the changes of a part were: from its first to the first of the next. */
export function spanOfPart(view: PublicView, { after, upTo, isOpen }: ChangePart): SyncSpan {
  const { journal } = view
  const atOf = (number: number): Instant | undefined => journal.changesAfter(number, 1)?.[0]?.at
  const from = atOf(after) ?? view.lastChangeAt
  return isOpen ? { from } : { from, until: atOf(upTo) ?? view.lastChangeAt }
}

/** When a part became what it is. */
export function partModifiedAt(view: PublicView, { after, upTo }: ChangePart): Instant {
  return view.journal.changesAfter(Math.max(after, upTo - 1), 1)?.[0]?.at ?? view.lastChangeAt
}

export class ChangeLists implements DocumentSource {
  readonly #view: PublicView
  readonly #topicLinks: readonly SyncLink[]

  /** `topicLinks`: where the list can be subscribed to (`documents/topic-hubs.ts`). Its parts are no topics. */
  constructor(view: PublicView, topicLinks: readonly SyncLink[] = []) {
    this.#view = view
    this.#topicLinks = topicLinks
  }

  *documents(): Iterable<SiteDocument> {
    const parts = this.#parts()
    yield this.#first(parts)
    if (parts.length > 1) for (const part of parts) yield this.#part(part, parts)
  }

  find(path: string): SiteDocument | undefined {
    const { paths, journal } = this.#view
    if (path === paths.changeList) return this.#first(this.#parts())
    const name = paths.partName(path, paths.changeList)
    const part = name === undefined ? undefined : namedChangePart(name, journal.since, journal.last)
    return part === undefined ? undefined : this.#part(part, this.#parts())
  }

  #parts(): readonly ChangePart[] {
    return changeParts(this.#view.toldSince, this.#view.journal.last)
  }

  #first(parts: readonly ChangePart[]): SiteDocument {
    const { paths, epoch } = this.#view
    const [only] = parts
    if (parts.length === 1) return { ...this.#part(only!, parts, false), path: paths.changeList }
    return {
      path: paths.changeList,
      scheme: 'resourcesync',
      type: SYNC_TYPE,
      version: `${epoch} ${parts.map(changePartName).join(' ')}`,
      // The list of parts changes when one is opened.
      modifiedAt: spanOfPart(this.#view, parts.at(-1)!).from!,
      pages: 0,
      make: () => Buffer.from(this.#index(parts)),
    }
  }

  #index(parts: readonly ChangePart[]): string {
    const { from } = spanOfPart(this.#view, parts[0]!)
    const listed = parts.map((part) => ({ url: this.#url(part), ...spanOfPart(this.#view, part) }))
    const { links = [], ...rest } = syncHead(this.#view, 'changelist')()
    const head = { ...rest, links: [...links, ...this.#topicLinks], from }
    return writeSyncDocument(head, listed, { isIndex: true })
  }

  #part(part: ChangePart, listed: readonly ChangePart[], isPart = true): SiteDocument {
    const { paths, epoch } = this.#view
    const next = part.isOpen ? undefined : nextOf(part, listed)
    return {
      path: paths.part(paths.changeList, changePartName(part)),
      scheme: 'resourcesync',
      type: SYNC_TYPE,
      version: `${epoch} ${part.after} ${part.upTo} ${next === undefined ? '' : changePartName(next)}`,
      modifiedAt: partModifiedAt(this.#view, part),
      pages: part.upTo - part.after,
      make: () => Buffer.from(this.#text(part, next, isPart ? paths.changeList : undefined)),
    }
  }

  #text(part: ChangePart, next: ChangePart | undefined, index: string | undefined): string {
    const changes = this.#view.changesAfter(part.after, part.upTo - part.after) ?? []
    const { links: up = [], ...rest } = syncHead(this.#view, 'changelist')(index)
    const links = index === undefined ? [...up, ...this.#topicLinks] : up
    const all = next === undefined ? links : [...links, { rel: 'next', href: this.#url(next) }]
    const head = { ...rest, links: all, ...spanOfPart(this.#view, part) }
    return writeSyncDocument(
      head,
      changes.map((change) => this.#view.change(change)),
    )
  }

  #url(part: ChangePart): string {
    return this.#view.url(this.#view.paths.part(this.#view.paths.changeList, changePartName(part)))
  }
}

/** The listed part that goes on where this one ends: as a file no other is there. One that is listed no more knows the smallest by its name. */
function nextOf({ upTo }: ChangePart, listed: readonly ChangePart[]): ChangePart {
  return listed.find(({ after }) => after === upTo) ?? { after: upTo, upTo, isOpen: true }
}
