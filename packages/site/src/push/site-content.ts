/**
 * Site content: scheme 11, "send entire site" (002 §6.3: "when the site is publicly available for the first time, or if there
 * is a major modification"): all pages, by path, as resource dumps (ResourceSync §12), ZIP files that each fit one upload.
 * The same pages give the same bytes, so an upload that was cut can go on after a restart (`deliver/upload.ts`).
 */
import { pushedDump } from '../serve/batch-content.ts'
import type { Change } from '../journal/journal.ts'
import type { PageBodies } from '../serve/page-bodies.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { ContentMaker, PushContent } from '../hub/subscriber.ts'
import { syncHead } from '../documents/sync-head.ts'

export class SiteContent implements ContentMaker {
  readonly #view: PublicView
  readonly #bodies: PageBodies

  constructor(view: PublicView, bodies: PageBodies) {
    this.#view = view
    this.#bodies = bodies
  }

  async make(changes: readonly Change[]): Promise<PushContent | undefined> {
    // A dump says what is there; what is gone is told by changes.
    const told = changes.filter((page) => page.change !== 'deleted' && this.#view.isPublic(page.path))
    if (told.length === 0) return undefined
    const at = Math.max(...told.map(({ modifiedAt }) => modifiedAt))
    const head = { ...syncHead(this.#view, 'resourcedump-manifest')(), at }
    return await pushedDump(this.#bodies, told, head, (page) => this.#view.entry(page))
  }
}
