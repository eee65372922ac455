/**
 * Generated fit: how near a generated web comes to what the papers measured, as a table of targets and what was
 * obtained. Figures of 003 are for the pages that a crawl reaches from the start pages; the others for the whole web.
 */
import { partShares, webParts } from './sites.ts'
import type { GeneratedWeb } from './web.ts'
import { fitPowerLaw } from '../graph/power-law.ts'
import { reachableFrom } from '../graph/reach.ts'

interface FitRow {
  readonly figure: string
  /** Where the target comes from. */
  readonly source: string
  readonly target: number
  readonly obtained: number
  /** The fit is good between these. */
  readonly least: number
  readonly most: number
}

export const isFitted = ({ obtained, least, most }: FitRow): boolean => obtained >= least && obtained <= most

export function fitOf(web: GeneratedWeb): FitRow[] {
  const { reached, count } = reachableFrom(web, web.homes)
  const backlinks = new Uint32Array(web.pages)
  for (const target of web.targets) backlinks[target]! += 1
  const shareOf = (isMeant: (backlinks: number) => boolean): number => {
    let found = 0
    for (const [page, number] of backlinks.entries()) if (reached[page] === 1 && isMeant(number)) found += 1
    return found / count
  }
  return [
    row(
      'pages with at least 3 backlinks',
      '003 §6',
      0.47,
      0.02,
      shareOf((number) => number >= 3),
    ),
    row(
      'pages with at least 10 backlinks',
      '003 §6',
      0.1,
      0.01,
      shareOf((number) => number >= 10),
    ),
    row(
      'pages with at least 100 backlinks',
      '003 §6',
      0.008,
      0.002,
      shareOf((number) => number >= 100),
    ),
    {
      ...row(
        'pages with 1 backlink',
        '003 §7: over a third',
        1 / 3,
        0,
        shareOf((number) => number === 1),
      ),
      most: 0.45,
    },
    ...exponentRow('exponent of backlinks', 'Broder et al. 2000', 2.1, backlinks),
    ...siteRows(web),
    ...linkRows(web),
    ...partRows(web),
    row(
      'mean bytes of a page',
      'as asked (13 KB in 000 §3.4)',
      web.settings.meanBytes,
      0.1 * web.settings.meanBytes,
      mean(web.bytes),
    ),
  ]
}

function siteRows({ pageStarts, sites, pages, settings, siteExponent }: GeneratedWeb): FitRow[] {
  const sizes = Uint32Array.from({ length: sites }, (_, site) => pageStarts[site + 1]! - pageStarts[site]!)
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  return [
    row('mean pages of a site', '004 §4', 70, 5, pages / sites),
    { ...row('pages of the largest site', '004 §4: at most', settings.maxSitePages, 0, largest), least: 1 },
    // The target is the exponent that these sites and pages ask for; the fit knows nothing of the largest size allowed.
    ...exponentRow('exponent of site sizes', '004 Figure 3: a power law', siteExponent, sizes),
  ]
}

/** Nothing for a web too small to tell. */
function exponentRow(figure: string, source: string, target: number, values: Uint32Array): FitRow[] {
  const law = fitPowerLaw(values)
  return law === undefined ? [] : [row(figure, source, target, 0.15, law.exponent)]
}

function linkRows({ starts, targets, siteOf, pages }: GeneratedWeb): FitRow[] {
  let inside = 0
  for (let page = 0; page < pages; page += 1) {
    for (let link = starts[page]!; link < starts[page + 1]!; link += 1) {
      if (siteOf[targets[link]!] === siteOf[page]) inside += 1
    }
  }
  return [
    row('links that stay inside their site', 'our choice', 0.85, 0.1, inside / targets.length),
    row('links of a page', 'our choice', 9, 2, targets.length / pages),
  ]
}

function partRows(web: GeneratedWeb): FitRow[] {
  const { pages } = web
  if (!web.settings.bowTie) return []
  const counts = new Map(webParts.map((part) => [part, 0]))
  for (let page = 0; page < pages; page += 1) {
    const part = web.partOf(page)
    counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return webParts.map((part) =>
    row(`pages in ${part}`, 'Broder et al. 2000', partShares[part], 0.02, (counts.get(part) ?? 0) / pages),
  )
}

const row = (figure: string, source: string, target: number, tolerance: number, obtained: number): FitRow => ({
  figure,
  source,
  target,
  obtained,
  least: target - tolerance,
  most: target + tolerance,
})

function mean(values: Uint32Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
