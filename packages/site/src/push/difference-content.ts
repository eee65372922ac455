/**
 * Difference content: scheme 8, "send differences of content" (002 §6.3): what changed in a page since the version that the
 * subscriber is known to hold (226 with a VCDIFF, RFC 3229). The whole page is sent when no such version is known or kept,
 * when the difference is not shorter, and after every fifty differences of a page, as CTM sends a complete base: an error
 * that crept in somewhere then ends there.
 */
import { WARC_TYPE } from '@comity/protocol'
import { heldAfter, untold } from './held-page.ts'
import type { HeldBy, HeldPage } from './held-page.ts'
import type { Change } from '../journal/journal.ts'
import { pushedWarc } from './pushed-warc.ts'
import type { WarcParts } from './pushed-warc.ts'
import type { ContentMaker, PushContent, Subscriber } from '../hub/subscriber.ts'

/** "In CTM, every 50 relative deltas, a complete base set is sent" (002 §6.3). */
export const DELTAS_PER_BASE = 50

export class DifferenceContent implements ContentMaker {
  readonly #parts: WarcParts
  readonly #heldBy: HeldBy

  constructor(parts: WarcParts, heldBy: HeldBy) {
    this.#parts = parts
    this.#heldBy = heldBy
  }

  async make(changes: readonly Change[], { id, by }: Subscriber): Promise<PushContent | undefined> {
    const { view } = this.#parts
    const heldOf = (path: string): HeldPage | undefined => this.#heldBy(id, path)
    const news = untold(changes, { view, heldOf })
    if (news.length === 0) return undefined
    const { body, pages } = await pushedWarc(this.#parts, news, by === 'push', ({ path }) => baseOf(heldOf(path)))
    return { type: WARC_TYPE, body, headers: [], holds: heldAfter(pages, { view, heldOf }) }
  }
}

/** The digest of what a difference may be from; undefined when the page is to be sent whole. */
export function baseOf(held: HeldPage | undefined): string | undefined {
  return held !== undefined && held.deltas < DELTAS_PER_BASE ? held.digest : undefined
}
