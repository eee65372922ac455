/**
 * Generated web: a web made from a seed, as large as the crawls of the papers and shaped like them.
 *
 *   sites ──▶ trees inside them ──▶ backlinks each page should get ──▶ who gives them ──▶ WebGraph
 *
 * Site sizes, backlinks and page sizes follow power laws; most links stay inside a site; parts form a bow tie; texts
 * are made when asked for, never stored. `webs/generated/fit.ts` shows how close it comes to 003 §6 and 004 §4.
 * 3.5 million pages on 50,000 sites take about ten seconds and half a gigabyte.
 */
import { wantedBacklinks } from './backlinks.ts'
import { bindSites } from './bonds.ts'
import { drawLinks } from './links.ts'
import { pageSizes } from './page-sizes.ts'
import { generatedSettings } from './settings.ts'
import type { GeneratedWebSettings } from './settings.ts'
import { planSites, webParts } from './sites.ts'
import type { WebPart } from './sites.ts'
import { createWords } from './generated-words.ts'
import { growTrees } from './trees.ts'
import type { WebGraph, WebWords } from '../graph/web-graph.ts'

export interface GeneratedWeb extends WebGraph {
  readonly settings: GeneratedWebSettings
  /** Site s holds the pages pageStarts[s] … pageStarts[s + 1] - 1; the first of them is its home page. */
  readonly pageStarts: Uint32Array
  /** Clicks from the home page along the tree of the site; a link from elsewhere may be a shorter way. */
  readonly levels: Uint8Array
  /** The topic of each page, a place in `generatedTopics`. A page is on its topic under both readings of 003 §7. */
  readonly topics: Uint8Array
  readonly bytes: Uint32Array
  readonly latencyMs: Float32Array
  readonly bandwidth: Float32Array
  readonly words: WebWords
  /** The density of site sizes falls with size to this power. */
  readonly siteExponent: number
  partOf(page: number): WebPart
}

/** Whether it was made, and so fitted to what the papers say of theirs: then their figures come out by construction. */
export const isFittedWeb = (web: WebGraph): web is GeneratedWeb => 'settings' in web && 'partOf' in web

type GeneratedWebStage = 'sites' | 'links' | 'sizes'

/** Throws a LabError for settings that cannot be met. `onProgress` is told pages done in a stage. */
export function generateWeb(
  given: Partial<GeneratedWebSettings> = {},
  onProgress: (stage: GeneratedWebStage, done: number, of: number) => void = () => {},
): GeneratedWeb {
  const settings = generatedSettings(given)
  const { pages, seed } = settings
  onProgress('sites', 0, pages)
  const sites = planSites(settings)
  const trees = growTrees(seed, pages, sites)
  const wanted = wantedBacklinks(seed, sites, trees)
  const bonds = bindSites(settings, sites, wanted)
  const links = drawLinks({ settings, sites, trees, wanted, bonds }, (done) => onProgress('links', done, pages))
  onProgress('sizes', 0, pages)
  const bytes = pageSizes(seed, pages, settings.meanBytes)
  onProgress('sizes', pages, pages)
  const starts = settings.bowTie ? [bonds.startSite] : sites.parts.keys()
  const { pageStarts, siteOf, latencyMs, bandwidth } = sites
  return {
    name: `generated, seed ${seed}${settings.bowTie ? '' : ', no bow tie'}`,
    settings,
    pages,
    ...links,
    sites: settings.sites,
    siteOf,
    pageStarts,
    homes: Array.from(starts, (site) => pageStarts[site]!),
    levels: trees.levels,
    topics: trees.topics,
    bytes,
    latencyMs,
    bandwidth,
    words: createWords(seed, { pageStarts, siteOf, trees, targets: links.targets }),
    siteExponent: sites.exponent,
    partOf: (page) => webParts[sites.parts[siteOf[page]!]!]!,
  }
}
