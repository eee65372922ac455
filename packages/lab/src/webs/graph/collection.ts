/**
 * A web out of a collection: what a crawl of ours found, to try on it what another order would have done. Links, sizes
 * and words are the real ones, and each site is as slow as it was.
 *
 * A redirect counts as a link to where it leads. What was only heard of, and never visited, is left out unless asked
 * for: nobody knows its links.
 */
import { Collection, knownPages, storedContent } from '@comity/collection'
import type { KnownPage, PageRow } from '@comity/collection'
import { decodeText, readHtml } from '@comity/protocol'
import { homesOf, sitesOfNames } from './draft.ts'
import { TextColumn } from './graph-text.ts'
import type { WebGraph } from './web-graph.ts'

interface CollectionWebOptions {
  /** Pages that were never visited as well. */
  readonly known?: boolean | undefined
  /** Read the text of every page from the archives; without, `bodyOf` is empty. */
  readonly bodies?: boolean | undefined
  readonly name?: string | undefined
}

const MAX_BYTES = 0xffffffff

/** Throws a `CollectionError` when there is no collection at `dir`. It may be one that is being written. */
export async function webOfCollection(dir: string, options: CollectionWebOptions = {}): Promise<WebGraph> {
  await using collection = Collection.openReadOnly(dir)
  const known: KnownPage[] = []
  for (const page of knownPages(collection)) if (options.known === true || page.row !== undefined) known.push(page)
  const pageOf = new Map(known.map(({ page }, index) => [page, index]))
  const { starts, targets, anchors } = linksIn(collection, known, pageOf)
  const bodies = new TextColumn()
  if (options.bodies === true) for (const { row } of known) bodies.push(bodyText(collection, row))
  const sites = sitesOfNames(known.length, (page) => String(known[page]!.site))
  const web: WebGraph = {
    name: options.name ?? dir,
    pages: known.length,
    starts,
    targets,
    ...sites,
    homes: known.flatMap(({ parent }, page) => (parent === undefined ? [page] : [])),
    bytes: Uint32Array.from(known, ({ row }) => Math.min(MAX_BYTES, row?.bytes ?? 0)),
    ...speedsOf(known, sites.siteOf, sites.sites),
    words: {
      urlOf: (page) => known[page]?.url ?? '',
      titleOf: (page) => known[page]?.row?.title ?? '',
      bodyOf: (page) => bodies.at(page),
      anchorOf: (link) => anchors.at(link),
    },
  }
  // The seeds may all have been forgotten since, or not visited yet.
  return web.homes.length > 0 ? web : { ...web, homes: homesOf(web, true) }
}

interface NamedLinks {
  readonly starts: Uint32Array
  readonly targets: Uint32Array
  readonly anchors: TextColumn
}

function linksIn(collection: Collection, known: readonly KnownPage[], pageOf: ReadonlyMap<number, number>): NamedLinks {
  const byUrl = new Map<string, number>()
  if (known.some(({ row }) => row?.redirectTo !== undefined)) known.forEach(({ url }, page) => byUrl.set(url, page))
  const starts = new Uint32Array(known.length + 1)
  const targets: number[] = []
  const anchors = new TextColumn()
  for (const [page, { page: id, row }] of known.entries()) {
    const named = new Map<number, string>()
    const redirect = row?.redirectTo === undefined ? undefined : byUrl.get(row.redirectTo)
    if (redirect !== undefined) named.set(redirect, '')
    for (const { to, anchor } of row === undefined ? [] : collection.links(id)) {
      const target = pageOf.get(to)
      if (target !== undefined) named.set(target, join(named.get(target), anchor))
    }
    named.delete(page)
    for (const [target, anchor] of named) {
      targets.push(target)
      anchors.push(anchor)
    }
    starts[page + 1] = targets.length
  }
  return { starts, targets: Uint32Array.from(targets), anchors }
}

/** A page that is linked twice is called by both names. */
const join = (before: string | undefined, anchor: string): string =>
  before === undefined || before === '' ? anchor : `${before} ${anchor}`.trimEnd()

function bodyText(collection: Collection, row: PageRow | undefined): string {
  if (row?.body === undefined || row.type?.includes('html') === false) return ''
  const content = storedContent(collection, row.body)
  return content.kind === 'ok' ? readHtml(decodeText(content.bytes, content.type).text).text : ''
}

interface Speeds {
  readonly latencyMs?: Float32Array
  readonly bandwidth?: Float32Array
}

/** The median wait of a site's pages, and all its bytes by all the time they took. */
function speedsOf(known: readonly KnownPage[], siteOf: Uint32Array, sites: number): Speeds {
  const waits = Array.from({ length: sites }, (): number[] => [])
  const bytes = new Float64Array(sites)
  const seconds = new Float64Array(sites)
  for (const [page, { row }] of known.entries()) {
    const site = siteOf[page]!
    const { firstByteMs, transferMs } = row?.timings ?? {}
    if (firstByteMs !== undefined) waits[site]!.push(firstByteMs)
    // A body that came with its head took no time we could measure, and says nothing about the rest.
    if (transferMs === undefined || transferMs <= 0) continue
    bytes[site]! += row!.bytes
    seconds[site]! += transferMs / 1_000
  }
  const latencyMs = allSites(waits.map(median))
  const bandwidth = allSites(Array.from(bytes, (sum, site) => (sum > 0 ? sum / seconds[site]! : undefined)))
  return { ...(latencyMs && { latencyMs }), ...(bandwidth && { bandwidth }) }
}

/** Sites that never answered are taken for middling ones; undefined when none did. */
function allSites(values: readonly (number | undefined)[]): Float32Array | undefined {
  const middling = median(values.filter((value) => value !== undefined))
  return middling === undefined ? undefined : Float32Array.from(values, (value) => value ?? middling)
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 1]
}
