/**
 * How a crawler comes to know the pages of a site: level by level from the home page, as links lead to them, or all at once
 * from a list (002 §6.5.3). A round is one session of a crawler that works in batches: what it finds in one it fetches in
 * the next.
 */
import type { SitePages } from '../../webs/made-site.ts'
import { reachableFrom } from '../../webs/graph/reach.ts'
import { linksOf } from '../../webs/graph/web-graph.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface Discovery {
  readonly name: string
  readonly pages: number
  /** Pages that links lead to from the home page, itself included. */
  readonly reached: number
  /** Pages found in each round, the home page first. */
  readonly rounds: readonly number[]
  /** Pages known after so many were downloaded, in the order they were found. */
  readonly known: readonly { readonly downloaded: number; readonly known: number }[]
}

/** Points of a curve. */
const POINTS = 100

export function discover(name: string, links: readonly (readonly number[])[], home: number): Discovery {
  const round = new Int32Array(links.length).fill(-1)
  const order = [home]
  round[home] = 0
  const known: { downloaded: number; known: number }[] = [{ downloaded: 0, known: 1 }]
  const step = Math.max(1, Math.ceil(links.length / POINTS))
  for (let at = 0; at < order.length; at++) {
    const page = order[at]!
    for (const target of links[page]!) {
      if (round[target] !== -1) continue
      round[target] = round[page]! + 1
      order.push(target)
    }
    if (at < 10 || (at + 1) % step === 0 || at === order.length - 1)
      known.push({ downloaded: at + 1, known: order.length })
  }
  const rounds: number[] = []
  for (const page of order) rounds[round[page]!] = (rounds[round[page]!] ?? 0) + 1
  return { name, pages: links.length, reached: order.length, rounds, known }
}

/** A made site; its first page is the home page. */
export const discoverPages = ({ name, links }: Required<SitePages>): Discovery => discover(name, links!, 0)

/** Each site of a web by itself, without the links between them, the largest first. */
export function discoverSites(web: WebGraph, nameOf: (site: number) => string): Discovery[] {
  const bySite = Array.from({ length: web.sites }, (): number[] => [])
  for (let page = 0; page < web.pages; page++) bySite[web.siteOf[page]!]!.push(page)
  const place = new Uint32Array(web.pages)
  for (const pages of bySite) for (const [i, page] of pages.entries()) place[page] = i
  return bySite
    .map((pages, site) => ({ pages, site }))
    .toSorted((a, b) => b.pages.length - a.pages.length || a.site - b.site)
    .map(({ pages, site }) => {
      const links = pages.map((page) =>
        Array.from(linksOf(web, page))
          .filter((target) => web.siteOf[target] === site)
          .map((target) => place[target]!),
      )
      return discover(nameOf(site), links, homeOf(links))
    })
}

/** Pages that are tried for a home page: those with most links. */
const TRIED = 8

/** Nobody says which page is a site's home: the one that leads to most is taken, which is kind to links. */
function homeOf(links: readonly (readonly number[])[]): number {
  const starts = new Uint32Array(links.length + 1)
  for (const [page, targets] of links.entries()) starts[page + 1] = starts[page]! + targets.length
  const graph = { starts, targets: Uint32Array.from(links.flat()) }
  const tried = [...links.keys()].toSorted((a, b) => links[b]!.length - links[a]!.length || a - b).slice(0, TRIED)
  const reach = tried.map((page) => reachableFrom(graph, [page]).count)
  return tried[reach.indexOf(Math.max(...reach))]!
}
