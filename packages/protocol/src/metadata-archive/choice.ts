/**
 * Archive choice: which archives a crawler needs, by their names alone (000 §3.3).
 *
 * By dates, a crawler reads at most one archive of each type that is mostly irrelevant to it. By numbers, which it can
 * do once it has seen a list of the site, not even that, and neither the site's clock nor its own matters: it keeps the
 * highest number of the list it last read in full as `after`. The archive with that number may have grown since and is
 * asked for again, which costs an answer 304 when it has not.
 *
 * Entries of the archives chosen are compared with what the crawler holds, never filtered by their dates: a page put
 * back from a backup has changed, and has an old date.
 */
import { type MetadataArchiveName, OTHER_GROUP } from './archive-name.ts'
import type { Instant } from '../instant.ts'

export interface ArchiveWish {
  /** Changes at or after this moment, by the site's clock. */
  readonly since?: Instant | undefined
  /** Changes that the archives up to this number did not have. Safer than `since`: no clock is involved. */
  readonly after?: number | undefined
  /** Media types, or families such as `image/*`; absent for all. */
  readonly types?: readonly string[] | undefined
}

/** Those that can matter, oldest first: whoever reads them in this order has the truth about a page last. */
export function metadataArchivesSince<Listed extends { readonly name: MetadataArchiveName }>(
  listed: readonly Listed[],
  wish: ArchiveWish,
): readonly Listed[] {
  const sorted = listed.toSorted((a, b) => a.name.number - b.name.number)
  const ends = endsOf(sorted.map(({ name }) => name))
  // A site whose numbers are lower than they were has begun anew, and nothing we know of it counts.
  const newest = sorted.at(-1)?.name.number ?? 0
  const after = wish.after !== undefined && wish.after <= newest ? wish.after : undefined
  const begunAnew = wish.after !== undefined && after === undefined
  const since = begunAnew ? undefined : wish.since
  return sorted.filter(
    ({ name }) =>
      (since === undefined || (ends.get(name.number) ?? Infinity) >= since) &&
      (after === undefined || name.number >= after) &&
      (wish.types === undefined || name.group === OTHER_GROUP || wish.types.some((type) => covers(type, name.group))),
  )
}

/**
 * Whether a crawler that read up to `after` can go on from there. If not, the site has begun anew, or forgotten deletions
 * since: it reads all archives, and pages that are in none of them are gone.
 */
export function canGoOnFrom(
  list: { readonly archives: readonly { readonly name: MetadataArchiveName }[]; readonly deletionsAfter: number },
  after: number,
): boolean {
  return after >= list.deletionsAfter && list.archives.some(({ name }) => name.number >= after)
}

/** When the last change of each segment was at the latest: an open end is where the next segment begins. */
function endsOf(names: readonly MetadataArchiveName[]): ReadonlyMap<number, Instant> {
  const ends = new Map<number, Instant>()
  let next: MetadataArchiveName | undefined
  for (const [i, name] of names.toReversed().entries()) {
    const later = names[names.length - i]
    if (later !== undefined && later.number !== name.number) next = later
    // To the end of its second, as names have no finer time.
    const end = name.to ?? (next === undefined ? Infinity : Math.max(name.from, next.from) + 999)
    ends.set(name.number, Math.max(ends.get(name.number) ?? 0, end))
  }
  return ends
}

function covers(wanted: string, type: string): boolean {
  const wish = wanted.toLowerCase()
  return wish === type || wish === '*/*' || (wish.endsWith('/*') && type.startsWith(wish.slice(0, -1)))
}
