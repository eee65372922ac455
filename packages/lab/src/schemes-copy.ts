/**
 * The crawler's copy of a site, and what is done with a page that comes in: its digest tells whether it is another one, and
 * only then it is read, for its text and links. So every scheme does that for the same pages, those that did change.
 */
import { hash } from 'node:crypto'
import { decodeText, headerOf, readHtml } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export interface HeldPage {
  readonly body: Uint8Array
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly digest: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** `Use-As-Dictionary`, as the site said it. */
  readonly dictionary?: string | undefined
}

export class SiteCopy {
  readonly pages: Map<string, HeldPage> = new Map()
  /** Pages that came and were other ones than before, or new. */
  #changes = 0
  /** Pages that came. */
  #fetched = 0
  #broken = 0
  #links = 0

  get counts(): CopyCounts {
    return { fetched: this.#fetched, changes: this.#changes, broken: this.#broken, links: this.#links }
  }

  /** The page as it is now, without content coding. */
  take(path: string, body: Uint8Array, headers: HeaderList): void {
    this.#fetched++
    const digest = hash('sha256', body)
    if (this.pages.get(path)?.digest !== digest) {
      this.#changes++
      const type = headerOf(headers, 'content-type')
      this.#links += readHtml(decodeText(body, type).text).links.length
    }
    this.pages.set(path, {
      body,
      digest,
      etag: headerOf(headers, 'etag'),
      lastModified: headerOf(headers, 'last-modified'),
      dictionary: headerOf(headers, 'use-as-dictionary'),
    })
  }

  /** A difference came that is none of what is held. */
  noteBroken(): void {
    this.#broken++
  }

  drop(path: string): void {
    this.pages.delete(path)
  }
}

export interface CopyCounts {
  readonly fetched: number
  readonly changes: number
  readonly broken: number
  readonly links: number
}
