/**
 * Page content: scheme 9, "send changed pages" (002 §6.3): the complete text of each new or updated page, and which are gone.
 * What a subscriber is known to hold already, by its digest, is not sent again.
 */
import { WARC_TYPE } from '@comity/protocol'
import type { Change } from './journal.ts'
import type { PublicView } from './public-view.ts'
import { pushedWarc } from './pushed-warc.ts'
import type { WarcParts } from './pushed-warc.ts'
import type { ContentMaker, HeldPage, PushContent, Subscriber } from './subscriber.ts'

/** What a subscriber is known to hold of a page. */
export type HeldBy = (id: string, path: string) => HeldPage | undefined

export class PageContent implements ContentMaker {
  readonly #parts: WarcParts
  readonly #heldBy: HeldBy

  constructor(parts: WarcParts, heldBy: HeldBy) {
    this.#parts = parts
    this.#heldBy = heldBy
  }

  async make(changes: readonly Change[], { id, by }: Subscriber): Promise<PushContent | undefined> {
    const news = newsOf(changes, this.#parts.view, (path) => this.#heldBy(id, path))
    if (news.length === 0) return undefined
    const { body, pages } = await pushedWarc(this.#parts, news, by === 'push')
    const holds = pages.map(({ change, status }) => ({
      path: change.path,
      digest: status === 200 ? change.digest : undefined,
      deltas: 0,
    }))
    return { type: WARC_TYPE, body, headers: [], holds }
  }
}

/** Those of some changes that may be told and are news to whoever holds these versions. */
export function newsOf(
  changes: readonly Change[],
  view: PublicView,
  heldOf: (path: string) => HeldPage | undefined,
): readonly Change[] {
  return changes.filter(({ path, change, digest, masked }) => {
    if (!view.isPublic(path)) return false
    return change === 'deleted' || masked === true || heldOf(path)?.digest !== digest
  })
}
