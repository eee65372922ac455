/**
 * Public pages: all that a site would give to anybody, for whoever looks at the whole of it in one go, such as an agent of
 * a search engine. What is private is not there (`privacy/public-view.ts`), and bytes are given out only while they are what the
 * journal knows of (`serve/page-bodies.ts`).
 */
import type { Instant } from '@comity/protocol'
import type { JournaledPage } from '../journal/journal.ts'
import { PageBodies } from './page-bodies.ts'
import { PublicView } from '../privacy/public-view.ts'
import { siteSetting } from '../site-options.ts'
import type { SiteOptions } from '../site-options.ts'

export interface PublicPage {
  readonly url: string
  readonly type: string
  readonly bytes: number
  /** `sha-256:` and 64 hexadecimal digits. */
  readonly digest: string
  readonly modifiedAt: Instant
}

export class PublicPages {
  readonly #view: PublicView
  readonly #bodies: PageBodies

  constructor(site: SiteOptions) {
    const setting = siteSetting(site)
    this.#view = new PublicView(setting)
    this.#bodies = new PageBodies(setting)
  }

  /** Another text whenever there may be other pages, or other content. */
  mark(): string {
    this.#view.refresh()
    return `${this.#view.edition} ${this.#view.journal.last}`
  }

  /** Without those whose digest nobody could check. */
  *list(): Iterable<PublicPage> {
    this.#view.refresh()
    for (const page of this.#view.pages()) {
      const { path, type, bytes, digest, modifiedAt } = page
      if (this.#bodies.canBundle(page)) yield { url: this.#view.url(path), type, bytes, digest, modifiedAt }
    }
  }

  /** The body of a listed page; undefined when it is another by now, or private. */
  async read({ url, digest }: PublicPage): Promise<Uint8Array | undefined> {
    const page: JournaledPage | undefined = this.#view.page(this.#view.pathOf(url) ?? '')
    return page?.digest === digest ? await this.#bodies.of(page) : undefined
  }
}
