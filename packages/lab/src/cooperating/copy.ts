/**
 * The crawler's copy of a site, and what is done with a page that comes in: its digest tells whether it is another one, and
 * only then it is read, for its text and links. So every scheme does that for the same pages, those that did change.
 */
import { hash } from 'node:crypto'
import { decodeText, headerOf, readHtml } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'

export interface HeldPage {
  readonly body: Uint8Array
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly digest: string
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** `Use-As-Dictionary`, as the site said it. */
  readonly dictionary?: string | undefined
  /** By the site's clock: the page was this then. */
  readonly asOf?: Instant | undefined
}

/** What became of a page: its digest, undefined when it is gone. */
export type CopyNews = readonly (readonly [path: string, digest: string | undefined])[]

export class SiteCopy {
  readonly pages: Map<string, HeldPage> = new Map()
  /** Pages that came and were other ones than before, or new. */
  #changes = 0
  /** Pages that came. */
  #fetched = 0
  #broken = 0
  #links = 0
  #news = new Map<string, string | undefined>()

  get counts(): CopyCounts {
    return { fetched: this.#fetched, changes: this.#changes, broken: this.#broken, links: this.#links }
  }

  /** The page as it is now, without content coding. */
  take(path: string, body: Uint8Array, headers: HeaderList, asOf?: Instant): void {
    this.#fetched++
    const digest = hash('sha256', body)
    const held = this.pages.get(path)
    const isSame = held?.digest === digest
    if (!isSame) {
      this.#changes++
      const type = headerOf(headers, 'content-type')
      this.#links += readHtml(decodeText(body, type).text).links.length
      this.#news.set(path, digest)
    }
    this.pages.set(path, {
      // The same bytes need not be held twice.
      body: isSame ? held.body : body,
      digest,
      etag: headerOf(headers, 'etag'),
      lastModified: headerOf(headers, 'last-modified'),
      dictionary: headerOf(headers, 'use-as-dictionary'),
      asOf,
    })
  }

  /** The page is held from the beginning. */
  hold(path: string, page: HeldPage): void {
    this.pages.set(path, page)
  }

  /** Somebody else has read the page where it is; so many links came of it. */
  takeRead(path: string, digest: string, links: number): void {
    this.#fetched++
    if (this.pages.get(path)?.digest !== digest) {
      this.#changes++
      this.#links += links
      this.#news.set(path, digest)
    }
    this.pages.set(path, { body: NOTHING, digest })
  }

  /** A difference came that is none of what is held. */
  noteBroken(): void {
    this.#broken++
  }

  drop(path: string): void {
    if (this.pages.delete(path)) this.#news.set(path, undefined)
  }

  /** What has changed here since this was asked last. */
  takeNews(): CopyNews {
    const news = [...this.#news]
    this.#news = new Map()
    return news
  }
}

const NOTHING = new Uint8Array(0)

export interface CopyCounts {
  readonly fetched: number
  readonly changes: number
  readonly broken: number
  readonly links: number
}
