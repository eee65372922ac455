/**
 * Page content: scheme 9, "send changed pages" (002 §6.3): the complete text of each new or updated page, and which are gone;
 * or scheme 8, differences, where `baseOf` names the version that a page is told from (`difference-content.ts`).
 */
import { WARC_TYPE } from '@comity/protocol'
import { heldAfter, untold } from './held-page.ts'
import type { HeldBy, HeldPage } from './held-page.ts'
import type { Change } from '../journal/journal.ts'
import { pushedWarc } from './pushed-warc.ts'
import type { WarcParts } from './pushed-warc.ts'
import type { ContentMaker, PushContent, Subscriber } from '../hub/subscriber.ts'

export class PageContent implements ContentMaker {
  readonly #parts: WarcParts
  readonly #heldBy: HeldBy
  readonly #baseOf: (held: HeldPage | undefined) => string | undefined

  constructor(parts: WarcParts, heldBy: HeldBy, baseOf: (held: HeldPage | undefined) => string | undefined) {
    this.#parts = parts
    this.#heldBy = heldBy
    this.#baseOf = baseOf
  }

  async make(changes: readonly Change[], { id, by }: Subscriber): Promise<PushContent | undefined> {
    const { view } = this.#parts
    const heldOf = (path: string): HeldPage | undefined => this.#heldBy(id, path)
    const news = untold(changes, { view, heldOf })
    if (news.length === 0) return undefined
    const { body, pages } = await pushedWarc(this.#parts, news, by === 'push', ({ path }) => this.#baseOf(heldOf(path)))
    return { type: WARC_TYPE, body, headers: [], holds: heldAfter(pages, { view, heldOf }) }
  }
}
