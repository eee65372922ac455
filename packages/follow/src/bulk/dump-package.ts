/**
 * Dump package: the pages in one ZIP of a resource dump or a change dump, each checked against what the manifest says of it
 * (ResourceSync 1.1 §12.2, §14.2). A stranger's file: every size is capped before anything is unpacked, an entry that holds other bytes than it
 * should is left out, and a package with many of those is read no further.
 */
import { SYNC_MANIFEST, TOO_MUCH_WORK, checkDigest, writeHttpDate } from '@comity/protocol'
import type { ByteSource, HeaderList, Instant, SyncChange, SyncEntry, SyncPage, ZipEntry } from '@comity/protocol'
import { ownDocuments, zipDirectory, inMemory, unpackEntry } from '@comity/ingest'
import type { Documents, DumpedPage } from '@comity/ingest'

/** One answer's worth, in memory. Larger packages stay where they are. */
export const MAX_PACKAGE_BYTES: number = 64 << 20

/** What a manifest says of a page that is in the package. */
export type PackedEntry = SyncPage | SyncChange

export interface DumpEnd {
  readonly pages: number
  /** Entries that were left out: missing, damaged, too large, or not what their digest says. */
  readonly faults: number
  /** Why it was not read to its end; undefined when it was. */
  readonly problem?: string | undefined
}

export interface DumpLimits {
  readonly maxEntries: number
  /** Of one page, unpacked. */
  readonly maxPageBytes: number
  /** Of all pages of a package, unpacked. */
  readonly maxUnpackedBytes: number
}

export const dumpLimits: DumpLimits = { maxEntries: 100_000, maxPageBytes: 20 << 20, maxUnpackedBytes: 512 << 20 }

const MAX_MANIFEST_BYTES = 64 << 20
/** What stands before the bytes of an entry: 30 octets, a name and a field of 16 bits' length each. */
const MAX_LOCAL_HEAD = 30 + 2 * 0xffff
const MAX_DIRECTORY_BYTES = 32 << 20
/** Entries in one package that may be wrong before it is not worth reading. */
const MAX_FAULTS = 10
const SECOND_MS = 1_000

/**
 * Only what is wanted is unpacked: `isWanted` is asked for each page first. `leftOut` hears of what the manifest tells of and
 * the package does not show: pages that are gone, that have to be asked for, or whose content is not what it should be.
 */
export async function* readDumpPackage(
  bytes: Uint8Array,
  url: string,
  isWanted: (page: PackedEntry) => boolean,
  limits: DumpLimits = dumpLimits,
  leftOut: (page: PackedEntry) => void = () => undefined,
  documents: Documents = ownDocuments,
): AsyncGenerator<DumpedPage, DumpEnd> {
  let [pages, faults, unpacked] = [0, 0, 0]
  const end = (problem?: string): DumpEnd => ({ pages, faults, problem })
  const source = inMemory(bytes)
  const { maxEntries, maxPageBytes, maxUnpackedBytes } = limits
  const directory = await zipDirectory(source, { maxEntries, maxDirectoryBytes: MAX_DIRECTORY_BYTES }, documents)
  if (typeof directory === 'string') return end(directory)
  const manifest = await readManifest(source, directory.find(SYNC_MANIFEST), url, documents)
  if (typeof manifest === 'string') return end(manifest)
  for (const page of manifest) {
    if (!isPacked(page)) {
      leftOut(page)
      continue
    }
    if (!isWanted(page)) continue
    const entry = directory.find((page.path ?? '').replace(/^\//, ''))
    const isFair = entry !== undefined && entry.bytes <= maxPageBytes && (page.bytes ?? entry.bytes) === entry.bytes
    if (isFair && unpacked + entry.bytes > maxUnpackedBytes)
      return end(`it unpacks to more than ${maxUnpackedBytes} bytes`)
    unpacked += isFair ? entry.bytes : 0
    const body = isFair ? await unpackEntry(source, entry) : undefined
    // A claim in another algorithm says nothing; the ZIP's own sum has been checked.
    if (body === undefined || checkDigest(page.digest ?? '', body) === 'differs') {
      leftOut(page)
      if (++faults >= MAX_FAULTS) return end(`${faults} of its pages are not what its manifest says`)
      continue
    }
    pages++
    const changedAt = page.kind === 'change' ? page.changedAt : undefined
    const { url: address, type, modifiedAt } = page
    yield { url: address, type, modifiedAt, changedAt, body, packedBytes: entry!.packedBytes }
  }
  return end()
}

/** As if the page had been asked for by itself: what the manifest says of it is the head, where it has none of its own. */
export function dumpedHeaders({ headers, body, type, modifiedAt }: DumpedPage): HeaderList {
  if (headers !== undefined) return headers
  return [
    ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ['Content-Length', String(body.length)],
    ...(modifiedAt === undefined ? [] : [['Last-Modified', writeHttpDate(modifiedAt)] as const]),
  ]
}

async function readManifest(
  source: ByteSource,
  zipped: ZipEntry | undefined,
  url: string,
  documents: Documents,
): Promise<PackedEntry[] | string> {
  if (zipped === undefined) return `it has no ${SYNC_MANIFEST}`
  if (zipped.bytes > MAX_MANIFEST_BYTES) return 'its manifest is too large'
  const body = await source.read(zipped.offset, MAX_LOCAL_HEAD + zipped.packedBytes)
  const manifest = await documents.work('manifest', { body, entry: { ...zipped, offset: 0 }, url })
  if (manifest === TOO_MUCH_WORK) return TOO_MUCH_WORK
  if (manifest === 'damaged') return 'its manifest is damaged'
  const { entries, summary, isTorn } = manifest
  if (summary.format !== 'urlset' || isTorn) return 'its manifest is none, or broke off'
  return entries.filter((entry) => entry.kind === 'page' || entry.kind === 'change')
}

/**
 * Held already in this version or a newer one, by the site's own dates: our copy has a later date, or was served after this had
 * changed. A signal that comes late can make the older one look like news, and a dump is never newer than the page. Dates of HTTP are
 * of whole seconds: of what changed within the second in which our copy was served nobody can tell, and it is believed.
 */
export function isOutdated(
  entry: Pick<SyncPage, 'modifiedAt'> & { readonly changedAt?: Instant | undefined },
  held: { readonly lastModified?: string | undefined; readonly servedAt?: Instant | undefined } | undefined,
): boolean {
  const { modifiedAt, changedAt = modifiedAt } = entry
  const heldAt = Date.parse(held?.lastModified ?? '')
  const isServedSince = changedAt !== undefined && changedAt < (held?.servedAt ?? -Infinity)
  return isServedSince || (modifiedAt !== undefined && Math.floor(modifiedAt / SECOND_MS) * SECOND_MS < heldAt)
}

/** A page that was deleted has nothing to show, and one without a path has to be asked for. */
export function isPacked(entry: SyncEntry): entry is PackedEntry {
  const isPage = entry.kind === 'page' || (entry.kind === 'change' && entry.change !== 'deleted')
  return isPage && entry.path !== undefined
}
