/** What `comity crawl --estimate` tells: pages and bytes by type, what has changed, and what asking has cost. */
import type { CheckEstimate, HeldEstimate, SiteEstimate, TypeEstimate } from '@comity/crawler'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

/** Types shown before the rest is only counted. */
const MAX_TYPES_SHOWN = 20

export function estimateReport(estimate: CheckEstimate, paint: Paint): string[] {
  const { sites, asked } = estimate
  const lines = sites.flatMap((site) => ['', ...siteLines(site, paint)])
  const all = sites.length > 1 ? ['', paint('bold', 'All sites'), ...typeLines(estimate.types, estimate)] : []
  return [
    ...lines,
    ...all,
    '',
    `Asked: ${counted(asked.requests, 'request')}, ${formatBytes(asked.bytes)}. No page was fetched.`,
  ]
}

function siteLines(site: SiteEstimate, paint: Paint): string[] {
  const { origin, listing, isWhole, types, held, problem, asked } = site
  const cost = `${counted(asked.requests, 'request')}, ${formatBytes(asked.bytes)}`
  if (listing === undefined) {
    return [
      paint('bold', visible(origin)),
      `  ${paint('yellow', 'nothing to estimate from')}: ${visible(problem ?? 'it tells nothing of itself')} (${cost})`,
      ...adviceLines(site),
    ]
  }
  const kind = isWhole ? `by its ${listing}` : `by its ${listing}, which names only what changed`
  return [
    `${paint('bold', visible(origin))}  ${kind} (${cost})`,
    ...typeLines(types, site),
    ...(held === undefined ? [] : [`  ${heldSentence(held)}`]),
    ...(problem === undefined ? [] : [`  ${paint('yellow', visible(problem))}`]),
  ]
}

function adviceLines({ offers }: SiteEstimate): string[] {
  if (offers.length > 0) return [`  It offers ${offers.join(', ')}: comity check says what is wrong with them.`]
  return ['  A sitemap in robots.txt would tell the pages; comity publish makes lists with types and sizes.']
}

function typeLines(types: readonly TypeEstimate[], all: Omit<TypeEstimate, 'type'>): string[] {
  const rows = types.slice(0, MAX_TYPES_SHOWN).map((one) => rowOf(visible(one.type), one))
  const rest = types.length - rows.length
  const more = rest > 0 ? [[`… and ${formatCount(rest)} more types`, '', '', '']] : []
  return textTable([...rows, ...more, rowOf('all', all)], ['left', 'right', 'right', 'left'])
}

function rowOf(name: string, { pages, bytes, unknownSize }: Omit<TypeEstimate, 'type'>): string[] {
  const isNone = pages > 0 && unknownSize === pages
  const share = Math.max(1, Math.round((unknownSize / Math.max(1, pages)) * 100))
  const unknown = unknownSize === 0 ? '' : isNone ? 'sizes are not told' : `${share} % without a size`
  return [name, formatCount(pages), isNone ? '?' : formatBytes(bytes), unknown]
}

export function heldSentence({ held, unchanged, changed, unsure, fresh, gone }: HeldEstimate): string {
  const parts = [
    `${formatCount(changed)} changed`,
    `${formatCount(unchanged)} as they were`,
    ...(unsure > 0 ? [`${formatCount(unsure)} without a date`] : []),
    ...(gone === undefined ? [] : [`${formatCount(gone)} gone`]),
  ]
  return `Of ${counted(held, 'page')} held: ${parts.join(', ')}; ${formatCount(fresh)} new.`
}
