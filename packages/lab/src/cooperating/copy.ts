/**
 * The crawler's copy of a site, and what is done with a page that comes in: its digest tells whether it is another one, and
 * only then it is read, for its text and links. So every scheme does that for the same pages, those that did change. Of each
 * page there is a row as a collection would have it, so that whatever decides on pages decides on these.
 */
import { hash } from 'node:crypto'
import type { PageRow } from '@comity/collection'
import { HeldVersion } from '@comity/follow'
import type { HeldOptions } from '@comity/follow'
import { decodeText, headerOf, readHtml } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'

interface HeldPage {
  readonly body: Uint8Array
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly digest: string
  readonly row: PageRow
}

/** What became of a page: its digest, undefined when it is gone. */
export type CopyNews = readonly (readonly [path: string, digest: string | undefined])[]

const MAX_PAGE_BYTES = 2 ** 26

export class SiteCopy {
  readonly pages: Map<string, HeldPage> = new Map()
  readonly #isRead: boolean
  /** Pages that came and were other ones than before, or new. */
  #changes = 0
  /** Pages that came. */
  #fetched = 0
  #broken = 0
  #links = 0
  #news = new Map<string, string | undefined>()

  /** `isRead`: where only bytes are counted, reading pages is most of the work, and can be left out. */
  constructor({ isRead = true }: { readonly isRead?: boolean } = {}) {
    this.#isRead = isRead
  }

  get counts(): CopyCounts {
    return { fetched: this.#fetched, changes: this.#changes, broken: this.#broken, links: this.#links }
  }

  /** What is held of a page, put to use as the crawler does. */
  version(url: string, path: string, differences: HeldOptions['differences']): HeldVersion | undefined {
    const held = this.pages.get(path)
    if (held === undefined) return undefined
    return new HeldVersion(url, held.row, () => held.body, { differences, maxBytes: MAX_PAGE_BYTES })
  }

  /** The page as it is now, without content coding; `at` is by the site's clock. */
  take(path: string, body: Uint8Array, headers: HeaderList, at: Instant = 0): void {
    this.#fetched++
    const digest = hash('sha256', body)
    const held = this.pages.get(path)
    const isSame = held?.digest === digest
    if (!isSame) {
      this.#changes++
      if (this.#isRead) this.#links += readHtml(decodeText(body, headerOf(headers, 'content-type')).text).links.length
      this.#news.set(path, digest)
    }
    // The same bytes need not be held twice.
    this.hold(path, isSame ? held.body : body, headers, at, digest)
  }

  /** The page is held from the beginning. */
  hold(path: string, body: Uint8Array, headers: HeaderList, at: Instant, digest: string = hash('sha256', body)): void {
    const row = rowOf(digest, body.length, at)
    const field = (name: string): string | undefined => headerOf(headers, name)
    const validators = { etag: field('etag'), lastModified: field('last-modified') }
    this.pages.set(path, { body, digest, row: { ...row, ...validators, dictionary: field('use-as-dictionary') } })
  }

  /** Of its version no more is known than what is said of it; that is held from now on. */
  note(path: string, digest: string | undefined, at: Instant): void {
    const hex = digest?.replace(/^sha-256:/, '') ?? ''
    this.pages.set(path, { body: NOTHING, digest: hex, row: rowOf(hex, 0, at) })
  }

  /** Somebody else has read the page where it is; so many links came of it. */
  takeRead(path: string, digest: string, links: number): void {
    this.#fetched++
    if (this.pages.get(path)?.digest !== digest) {
      this.#changes++
      this.#links += links
      this.#news.set(path, digest)
    }
    this.holdWords(path, digest)
  }

  /** Of the page its words are held, and nothing else. */
  holdWords(path: string, digest: string): void {
    this.pages.set(path, { body: NOTHING, digest, row: { ...rowOf(digest, 0, 0), body: undefined } })
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
/** Where the page would stand in an archive. */
const PLACE = { file: 0, offset: 0, length: 0 }
const KEY_BYTES = 16

function rowOf(digest: string, bytes: number, at: Instant): PageRow {
  const key = digest === '' ? undefined : Uint8Array.from(Buffer.from(digest, 'hex').subarray(0, KEY_BYTES))
  const counts = { site: 0, visits: 1, changes: 0, bytes, timings: {} }
  return { outcome: 'ok', status: 200, visitedAt: at, servedAt: at, contentKey: key, body: PLACE, ...counts }
}

interface CopyCounts {
  readonly fetched: number
  readonly changes: number
  readonly broken: number
  readonly links: number
}
