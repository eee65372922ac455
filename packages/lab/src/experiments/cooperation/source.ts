/**
 * What the experiment of 002 runs on: `paper`, which needs no files, the history of a site, or a folder with the pages of
 * sites and the links between them.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SitePage, SitePages } from '../../webs/made-site.ts'
import type { History } from '../../webs/history-file.ts'
import { webUnreadable } from '../../lab-error.ts'
import { openWeb } from '../../webs/open-web.ts'
import type { Listing } from '../servers/listing.ts'
import { openServersSource, PAPER, usualSources } from '../servers/source.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export type CooperationSource =
  | { readonly kind: 'paper' }
  | { readonly kind: 'history'; readonly history: History }
  | { readonly kind: 'listing'; readonly listing: Listing; readonly web: WebGraph }

/** As the experiment of 000, but for access logs. */
export const usualCooperation = (): string[] => usualSources().filter((name) => !name.startsWith('logs/'))

export async function openCooperationSource(name: string): Promise<CooperationSource> {
  if (name === PAPER) return { kind: 'paper' }
  const source = await openServersSource(name)
  if (source.kind === 'log')
    throw webUnreadable(
      name,
      'It is an access log. `cooperation` runs on `paper`, the history of a site, or a folder with pages.tsv and edges.tsv.',
    )
  if (source.kind !== 'listing') return source
  const folder = existsSync(name) ? name : join(process.env['COMITY_SHARED'] ?? '', 'data', name)
  return { ...source, web: await openWeb(folder) }
}

/** What robots.rdf lists by default (002 §6.5.1). */
const LISTED = '.htm'

/** The largest site of a listing, with what robots.rdf lists of it. */
export function largestSite({ sites }: Listing): SitePages | undefined {
  const [largest] = [...sites].toSorted(([, a], [, b]) => b.length - a.length)
  const pages = (largest?.[1] ?? []).flatMap(({ url, bytes = 0, modifiedAt = 0 }) =>
    url.includes(LISTED) ? [{ url, bytes, modifiedAt }] : [],
  )
  if (pages.length < 2) return undefined
  return { name: new URL(largest![0]).hostname, base: commonFolder(pages), pages }
}

/** The site as its history leaves it. */
export function latestPages({ name, pages }: History): SitePages | undefined {
  const base = 'https://www.example.org/'
  const there = pages.flatMap(({ path, events }): SitePage[] => {
    const { at, change, bytes } = events.at(-1)!
    const url = URL.parse(path, base)?.href ?? ''
    return change === 'deleted' || !url.includes(LISTED) ? [] : [{ url, bytes, modifiedAt: at }]
  })
  return there.length < 2 ? undefined : { name, base, pages: there }
}

/** The folder that all pages are in, at whatever depth. */
function commonFolder(pages: readonly SitePage[]): string {
  let folder = pages[0]!.url.replace(/[^/]*$/, '')
  const { origin } = new URL(folder)
  for (const { url } of pages)
    while (!url.startsWith(folder) && folder.length > origin.length + 1) folder = folder.replace(/[^/]*\/$/, '')
  return folder
}
