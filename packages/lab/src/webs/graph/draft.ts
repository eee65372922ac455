/**
 * A web on its way from a file to a `WebGraph`: pages and links as a reader found them. Here pages get their sites and
 * the web its start pages.
 */
import { canonicalUrl, siteOf } from '@comity/protocol'
import { linkTable } from './links.ts'
import type { LinkPairs } from './links.ts'
import { wideStart } from './reach.ts'
import type { TextColumn } from './graph-text.ts'
import type { WebGraph, WebWords } from './web-graph.ts'

export interface WebDraft {
  readonly pages: number
  readonly pairs: LinkPairs
  /** The page that has this number in the file; -1 when none has. */
  pageOf(number: number): number
  /** The number a page has in the file. */
  numberOf(page: number): number
  readonly urls?: TextColumn | undefined
  readonly bytes?: Uint32Array | undefined
}

export interface Sites {
  readonly sites: number
  readonly siteOf: Uint32Array
}

interface FinishedWeb {
  readonly web: WebGraph
  readonly selfLinks: number
  readonly duplicates: number
}

/** Without `sites` they come from the URLs; without URLs all pages are on one. Without `homes` they are guessed. */
export function finishWeb(name: string, draft: WebDraft, sites?: Sites, homes?: readonly number[]): FinishedWeb {
  const { pages, urls, bytes } = draft
  const { starts, targets, selfLinks, duplicates } = linkTable(draft.pairs, pages)
  const urlOf = (page: number): string => urls?.at(page) ?? String(draft.numberOf(page))
  const placed = sites ?? (urls === undefined ? oneSite(pages) : sitesOfUrls(pages, urlOf))
  const web: WebGraph = { name, pages, starts, targets, ...placed, homes: [], bytes, words: urlWords(urlOf) }
  return { web: { ...web, selfLinks, homes: homes ?? homesOf(web, urls !== undefined) }, selfLinks, duplicates }
}

/**
 * Where a crawl may start that was told nothing: at the home pages of its sites, which are known from elsewhere (004
 * §5). Without any, at the page of each site that has most links; and on a single site at a page that reaches much.
 */
export function homesOf(web: WebGraph, hasUrls: boolean): number[] {
  const roots = hasUrls ? rootPages(web.pages, (page) => web.words!.urlOf(page)) : []
  if (roots.length > 0) return roots
  return web.sites > 1 ? hubs(web) : wideStart(web)
}

/** Words of a web of which only addresses are known. */
function urlWords(urlOf: (page: number) => string): WebWords {
  return { urlOf, titleOf: unknown, bodyOf: unknown, anchorOf: unknown }
}
const unknown = (): string => ''

const oneSite = (pages: number): Sites => ({ sites: Math.min(1, pages), siteOf: new Uint32Array(pages) })

/** Sites in the order of their first page: `HTTP://a.example:80` and `http://a.example` are one. */
function sitesOfUrls(pages: number, urlOf: (page: number) => string): Sites {
  const known = new Map<string, string>()
  return sitesOfNames(pages, (page) => {
    const raw = siteOf(urlOf(page))
    const before = known.get(raw)
    if (before !== undefined) return before
    const canonical = canonicalUrl(`${raw}/`)
    // Old webs have ftp: and file: pages, and hosts that are none; they are sites all the same.
    const site = canonical === undefined ? raw.toLowerCase() : siteOf(canonical)
    known.set(raw, site)
    return site
  })
}

/** Pages with the same name are on one site. */
export function sitesOfNames(pages: number, nameOf: (page: number) => string): Sites {
  const numbers = new Map<string, number>()
  const sites = new Uint32Array(pages)
  for (let page = 0; page < pages; page++) {
    const name = nameOf(page)
    let site = numbers.get(name)
    if (site === undefined) numbers.set(name, (site = numbers.size))
    sites[page] = site
  }
  return { sites: numbers.size, siteOf: sites }
}

function rootPages(pages: number, urlOf: (page: number) => string): number[] {
  const roots: number[] = []
  for (let page = 0; page < pages; page++) {
    const url = urlOf(page)
    if (url.length <= siteOf(url).length + 1) roots.push(page)
  }
  return roots
}

/** Of each site the page with most links, the first of equals. */
function hubs({ pages, sites, siteOf: siteOfPage, starts }: WebGraph): number[] {
  const hub = new Int32Array(sites).fill(-1)
  const most = new Int32Array(sites).fill(-1)
  for (let page = 0; page < pages; page++) {
    const site = siteOfPage[page]!
    const links = starts[page + 1]! - starts[page]!
    if (links <= most[site]!) continue
    most[site] = links
    hub[site] = page
  }
  return [...hub]
}
