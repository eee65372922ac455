/** Part of a web: the pages that are kept, the links among them, and all that is known of both, numbered anew. */
import type { WebGraph, WebWords } from './web-graph.ts'

const GONE = 0xffffffff

/** Pages with `keep[page]` not 0, in their order; sites that lose all their pages go, too. */
export function subWeb(web: WebGraph, keep: Uint8Array): WebGraph {
  const { newOf: pageOf, oldOf: pages } = renumbered(web.pages, (page) => keep[page] !== 0 && keep[page] !== undefined)
  const isUsed = new Uint8Array(web.sites)
  for (const page of pages) isUsed[web.siteOf[page]!] = 1
  const { newOf: siteOf, oldOf: sites } = renumbered(web.sites, (site) => isUsed[site] === 1)
  const { starts, targets, oldLinks } = keptLinks(web, pages, pageOf)
  return {
    name: web.name,
    pages: pages.length,
    starts,
    targets,
    sites: sites.length,
    siteOf: pages.map((page) => siteOf[web.siteOf[page]!]!),
    homes: web.homes.filter((page) => pageOf[page] !== GONE).map((page) => pageOf[page]!),
    bytes: web.bytes && pages.map((page) => web.bytes![page]!),
    latencyMs: web.latencyMs && Float32Array.from(sites, (site) => web.latencyMs![site]!),
    bandwidth: web.bandwidth && Float32Array.from(sites, (site) => web.bandwidth![site]!),
    words: web.words && wordsOf(web.words, pages, oldLinks),
  }
}

interface Renumbering {
  /** GONE for what is not kept. */
  readonly newOf: Uint32Array
  readonly oldOf: Uint32Array
}

function renumbered(count: number, isKept: (old: number) => boolean): Renumbering {
  const newOf = new Uint32Array(count).fill(GONE)
  const oldOf = new Uint32Array(count)
  let kept = 0
  for (let old = 0; old < count; old++) {
    if (!isKept(old)) continue
    newOf[old] = kept
    oldOf[kept++] = old
  }
  return { newOf, oldOf: oldOf.slice(0, kept) }
}

interface KeptLinks {
  readonly starts: Uint32Array
  readonly targets: Uint32Array
  /** Where each link stood in the whole web. */
  readonly oldLinks: Uint32Array
}

function keptLinks(web: WebGraph, pages: Uint32Array, newOf: Uint32Array): KeptLinks {
  const starts = new Uint32Array(pages.length + 1)
  const oldLinks = new Uint32Array(web.targets.length)
  let kept = 0
  for (const [page, old] of pages.entries()) {
    for (let link = web.starts[old]!; link < web.starts[old + 1]!; link++) {
      if (newOf[web.targets[link]!] !== GONE) oldLinks[kept++] = link
    }
    starts[page + 1] = kept
  }
  const links = oldLinks.slice(0, kept)
  return { starts, targets: links.map((link) => newOf[web.targets[link]!]!), oldLinks: links }
}

function wordsOf(words: WebWords, pages: Uint32Array, links: Uint32Array): WebWords {
  return {
    urlOf: (page) => words.urlOf(pages[page]!),
    titleOf: (page) => words.titleOf(pages[page]!),
    bodyOf: (page) => words.bodyOf(pages[page]!),
    anchorOf: (link) => words.anchorOf(links[link]!),
  }
}
