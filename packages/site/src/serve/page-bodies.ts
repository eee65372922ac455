/**
 * Page bodies: the bytes of a page as the journal knows it. They come from its versions, or are read from the site; what
 * is read and is not what the journal says is not given out: the page has changed and nobody has looked yet whether its
 * new content may be public.
 */
import type { JournaledPage } from '../journal/journal.ts'
import type { SiteSetting } from '../site-options.ts'
import { digestOf } from '../journal/version-store.ts'

export class PageBodies {
  readonly #setting: SiteSetting

  constructor(setting: SiteSetting) {
    this.#setting = setting
  }

  /** Is it one that can be bundled at all? A masked digest can be checked by nobody. */
  canBundle({ masked, bytes }: JournaledPage): boolean {
    return masked !== true && bytes <= this.#setting.limits.pageBytes
  }

  async of(page: JournaledPage): Promise<Uint8Array | undefined> {
    if (!this.canBundle(page)) return undefined
    const kept = this.#setting.journal.version(page.digest)
    if (kept !== undefined) return kept
    const read = await this.#read(page.path)
    return read !== undefined && read.length === page.bytes && digestOf(read) === page.digest ? read : undefined
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#setting.read(path)
    } catch {
      // A file that went away meanwhile is told as such by the next scan; here it only is not to be had.
      return undefined
    }
  }
}
