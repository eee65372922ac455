/**
 * Broken links: those on the pages of a collection that lead to what was visited and is not there, or to a place in a page that the page
 * does not have. What nobody visited is not judged, and is counted. Every stored page is read once for its links, and once more when others
 * lead to places in it.
 */
import { knownAs, knownPages, storedContent } from '@comity/collection'
import { OUTCOMES } from '@comity/ingest'
import { canonicalUrl, decodeText, hasAnchor, mediaKindOf, readAnchors, readHtml, tableOf } from '@comity/protocol'
import type { Anchors, HtmlLinkKind } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import type { CollectionView } from '../collection/collection-view.ts'

interface BrokenLink {
  readonly from: string
  readonly to: string
  readonly anchor: string
  readonly problem: string
}

export interface BrokenLinks {
  readonly pages: number
  readonly links: number
  /** Links to what was not visited, so that nobody knows. */
  readonly unknown: number
  readonly brokenCount: number
  /** The first of them. */
  readonly broken: readonly BrokenLink[]
}

/** What people follow; pictures and scripts are visited only by crawls that ask for them. */
const FOLLOWED: ReadonlySet<HtmlLinkKind> = new Set(['page', 'frame', 'image', 'style', 'script', 'media', 'alternate'])
const MOST_HOPS = 10
const MOST_REMEMBERED = 1_000

export function findBrokenLinks(view: CollectionView, most: number): BrokenLinks {
  const { collection } = view
  const judge = new LinkJudge(view)
  const broken: BrokenLink[] = []
  let [pages, links, unknown, brokenCount] = [0, 0, 0, 0]
  for (const { url, row } of knownPages(collection)) {
    const html = row === undefined ? undefined : htmlOf(view, row, url)
    if (html === undefined) continue
    pages++
    const page = readHtml(html)
    const base = URL.parse(page.base ?? '', url)?.href ?? url
    for (const { href, kind, anchor } of page.links) {
      const target = FOLLOWED.has(kind) ? URL.parse(href, base) : null
      if (target === null || !/^https?:$/.test(target.protocol)) continue
      links++
      const problem = judge.problemOf(target)
      if (problem === 'unknown') unknown++
      else if (problem !== undefined && ++brokenCount <= most)
        broken.push({ from: url, to: target.href, anchor, problem })
    }
  }
  return { pages, links, unknown, brokenCount, broken }
}

const meanings = tableOf<(typeof OUTCOMES)[keyof typeof OUTCOMES]>(OUTCOMES)

/** Remembers the anchors of the pages that links led to last. */
class LinkJudge {
  readonly #view: CollectionView
  readonly #anchors = new Map<number, Anchors | undefined>()

  constructor(view: CollectionView) {
    this.#view = view
  }

  /** Undefined for a good link; `unknown` where nobody was. */
  problemOf(target: URL): string | undefined {
    const { collection } = this.#view
    let url: string | undefined = target.href
    for (let hop = 0; hop <= MOST_HOPS; hop++) {
      const page = this.#find(url)
      const row = page === -1 ? undefined : collection.page(page)
      if (row === undefined) return 'unknown'
      const { outcome, status } = knownAs(row)
      if (outcome === 'redirect' && row.redirectTo !== undefined) url = row.redirectTo
      else if (meanings.get(outcome)?.isError === false) return this.#placeProblem(page, row, target)
      else if (meanings.get(outcome)?.disposition === 'retry') return 'unknown'
      else return status >= 400 ? `answers ${status}` : (meanings.get(outcome)?.sentence ?? outcome)
    }
    return 'leads on and on'
  }

  #find(url: string): number {
    const { collection, frontier } = this.#view
    const known = canonicalUrl(url, undefined, collection.urlRules())
    return known === undefined ? -1 : frontier.findUrl(known)
  }

  #placeProblem(page: number, row: PageRow, { hash }: URL): string | undefined {
    if (hash.length < 2) return undefined
    const anchors = this.#anchorsOf(page, row)
    return anchors === undefined || hasAnchor(anchors, hash.slice(1)) ? undefined : `has no place called ${hash}`
  }

  #anchorsOf(page: number, row: PageRow): Anchors | undefined {
    if (this.#anchors.has(page)) return this.#anchors.get(page)
    const html = htmlOf(this.#view, row, this.#view.urlOf(page))
    const anchors = html === undefined ? undefined : readAnchors(html)
    if (this.#anchors.size >= MOST_REMEMBERED) this.#anchors.delete(this.#anchors.keys().next().value!)
    this.#anchors.set(page, anchors)
    return anchors
  }
}

/** Undefined for what is no page, or cannot be read. */
function htmlOf({ collection }: CollectionView, { body }: PageRow, url: string): string | undefined {
  const content = body === undefined ? undefined : storedContent(collection, body)
  if (content?.kind !== 'ok' || mediaKindOf(content.type, url) !== 'page') return undefined
  return decodeText(content.bytes, content.type).text
}
