/**
 * Dump plan: which packages of a site's resource dump (ResourceSync 1.1 §12) are worth taking. The list of packages is
 * read, then the manifest of each, where it can be had by itself; a package is taken when the pages in it that are wanted
 * and not held cost more one by one (`choose/delivery-choice.ts`).
 *
 * A dump brings pages in its own order. Where a limit lets in only some of them, the crawl's order decides which, so
 * nothing is taken.
 */
import type { SyncEntry, SyncReference } from '@comity/protocol'
import type { Inquiry } from '../inquiry.ts'
import { chooseFirstCopy } from '../choose/delivery-choice.ts'
import { ownUrl } from '../offer-poll.ts'
import type { Offer } from '../site-offers.ts'

export interface DumpTerms {
  /** Whether a page is wanted: of this site and type, in scope, allowed, and not held. */
  readonly isWanted: (url: string, type: string | undefined) => boolean
  /** Pages that the limits of the crawl leave room for. */
  readonly room: number
  readonly maxPackageBytes: number
}

export interface DumpPackage {
  readonly url: string
  /** As the list says. */
  readonly bytes?: number | undefined
  /** Wanted pages in it, as far as anybody says. */
  readonly pages: number
  /** Those that its manifest names. */
  readonly urls: readonly string[]
}

export interface DumpPlan {
  readonly offer: Offer
  readonly packages: readonly DumpPackage[]
  /** Why nothing, or not all, is taken. */
  readonly problem?: string | undefined
}

/** Lists of packages, and packages, of one site. */
const MAX_LISTS = 20
const MAX_PACKAGES = 1_000
/** Of text, packed: what `documents/packed-zip.ts` of the site makes of it, and about what gzip makes of single pages. */
export const PACKED_SHARE = 0.3

const NOT_WORTH_IT = 'the pages that are wanted cost less one by one'

export function* planDump(parts: { origin: string; offer: Offer } & DumpTerms): Inquiry<DumpPlan> {
  const { offer, room } = parts
  const listed = yield* readPackages(parts, 'resourcedump')
  if (typeof listed === 'string') return { offer, packages: [], problem: listed }
  const packages: DumpPackage[] = []
  let pages = 0
  for (const entry of listed) {
    const chosen = yield* weigh(parts, entry)
    if (chosen === undefined) continue
    pages += chosen.pages
    packages.push(chosen)
    if (pages > room) return { offer, packages: [], problem: 'the limits of the crawl leave no room for all of it' }
  }
  return packages.length > 0 ? { offer, packages } : { offer, packages, problem: NOT_WORTH_IT }
}

/** All packages, by way of indexes; or what is wrong. */
export function* readPackages(
  { origin, offer }: { readonly origin: string; readonly offer: Offer },
  capability: 'resourcedump' | 'changedump',
): Inquiry<SyncReference[] | string> {
  const waiting = [offer.url]
  const seen = new Set<string>()
  const packages: SyncReference[] = []
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (seen.has(url) || seen.size >= MAX_LISTS) continue
    seen.add(url)
    const reply = yield { url, reads: { reader: 'sync' } }
    if (reply.kind !== 'document') return `the list of packages: ${reply.problem}`
    const { entries, summary, isTorn } = reply.read.sync!
    if (summary.capability !== capability) return 'it is no list of packages'
    if (!reply.isWhole || isTorn) return 'the list of packages broke off'
    for (const entry of entries) {
      const own = ownUrl(entry.url, origin)
      if (own === undefined) continue
      if (entry.kind === 'package') packages.push({ ...entry, url: own })
      else if (entry.kind === 'document') waiting.push(own)
    }
    if (packages.length > MAX_PACKAGES) return `it has more than ${MAX_PACKAGES} packages`
  }
  return packages
}

/** Undefined when the package is not worth its bytes. */
function* weigh(
  { origin, isWanted, maxPackageBytes }: { origin: string } & DumpTerms,
  entry: SyncReference,
): Inquiry<DumpPackage | undefined> {
  const { url, bytes } = entry
  if (bytes !== undefined && bytes > maxPackageBytes) return undefined
  const known = yield* contentsOf(origin, entry)
  if (known === undefined) return undefined
  const wanted = known.filter((page) => page.url === undefined || isWanted(page.url, page.type))
  const due = wanted.map((page) => ({ bytes: page.bytes * PACKED_SHARE, chance: 1, hasBase: false }))
  const unpacked = known.reduce((sum, page) => sum + page.bytes, 0)
  const { way } = chooseFirstCopy(due, bytes ?? unpacked * PACKED_SHARE)
  const urls = wanted.flatMap((page) => page.url ?? [])
  return way === 'dump' ? { url, bytes, pages: wanted.length, urls } : undefined
}

interface PackedPage {
  /** Undefined when all that is known is how many there are. */
  readonly url?: string | undefined
  readonly type?: string | undefined
  readonly bytes: number
}

function* contentsOf(origin: string, entry: SyncReference): Inquiry<readonly PackedPage[] | undefined> {
  const manifest = entry.links?.find(({ rel }) => rel === 'contents')?.href
  const own = manifest === undefined ? undefined : ownUrl(manifest, origin)
  if (own === undefined) return countedContents(entry)
  const reply = yield { url: own, reads: { reader: 'sync' } }
  if (reply.kind !== 'document') return countedContents(entry)
  return reply.read.sync!.entries.flatMap(pageIn)
}

function pageIn(entry: SyncEntry): readonly PackedPage[] {
  return entry.kind === 'page' ? [{ url: entry.url, type: entry.type, bytes: entry.bytes ?? TYPICAL_BYTES }] : []
}

/** A page of the Web of 2000 (000 §3.4). */
const TYPICAL_BYTES = 13_000
const MAX_COUNTED = 1_000_000

/** What a list says of a package without naming its pages, as ours does. */
export function countOf({
  extension,
}: SyncReference): { readonly pages: number; readonly unpacked: number } | undefined {
  const [pages, unpacked] = [Number(extension?.['pages']), Number(extension?.['unpacked'])]
  const isFair = Number.isInteger(pages) && pages >= 0 && pages <= MAX_COUNTED && unpacked >= 0
  return isFair ? { pages, unpacked } : undefined
}

function countedContents(entry: SyncReference): readonly PackedPage[] | undefined {
  const count = countOf(entry)
  return count && Array.from({ length: count.pages }, () => ({ bytes: count.unpacked / count.pages }))
}
