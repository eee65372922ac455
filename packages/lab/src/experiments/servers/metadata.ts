/** What the metadata of sites weighs, written with the archives that sites publish (000 §3): claims 1 to 6. */
import {
  metadataArchivesSince,
  archiveText,
  OTHER_GROUP,
  planMetadataArchives,
  writeMetadataArchive,
} from '@comity/protocol'
import type { Instant, PageEntry } from '@comity/protocol'
import { gzipSync } from 'node:zlib'
import type { Listing } from './listing.ts'

export interface MetadataFacts {
  readonly name: string
  readonly pages: number
  readonly sites: number
  readonly contentBytes: number
  readonly plainBytes: number
  readonly packedBytes: number
  readonly archives: number
  readonly largestArchive: number
  /** Sites whose metadata in one file is no larger than 100 KB, and sites of 5,000 pages or fewer. */
  readonly inOneFile: number
  readonly smallSites: number
  /** Of every crawl that asks for what changed since some date: the most archives of one type with older entries. */
  readonly mostIrrelevant: { readonly archives: number; readonly bytes: number; readonly asked: number }
  /** Of all pages, those in archives called "other". */
  readonly inOther: number
  /** Processor time to pack a full segment, no longer than this; of the steps of `roundedUp`. */
  readonly packsInMs: number
}

const ONE_FILE = 100_000
const SMALL_SITE = 5_000
/** Which of a site's pages, by their dates, a crawler has seen already. */
const SEEN: readonly number[] = [0.1, 0.5, 0.9, 0.99]

export function measureMetadata({ name, sites }: Listing): MetadataFacts {
  const all = [...sites].map(([site, pages]) => measureSite(site, pages))
  const sum = (value: (one: SiteFacts) => number): number => all.reduce((total, one) => total + value(one), 0)
  const most = (value: (one: SiteFacts) => number): number => all.reduce((high, one) => Math.max(high, value(one)), 0)
  return {
    name,
    pages: sum(({ pages }) => pages),
    sites: all.length,
    contentBytes: sum(({ contentBytes }) => contentBytes),
    plainBytes: sum(({ plainBytes }) => plainBytes),
    packedBytes: sum(({ packedBytes }) => packedBytes),
    archives: sum(({ archives }) => archives),
    largestArchive: most(({ largestArchive }) => largestArchive),
    inOneFile: all.filter(({ oneFile }) => oneFile <= ONE_FILE).length,
    smallSites: all.filter(({ pages }) => pages <= SMALL_SITE).length,
    mostIrrelevant: {
      archives: most(({ irrelevant }) => irrelevant.archives),
      bytes: most(({ irrelevant }) => irrelevant.bytes),
      asked: all.length * SEEN.length,
    },
    inOther: sum(({ inOther }) => inOther) / sum(({ pages }) => pages),
    packsInMs: packingTime(largestOf(sites)),
  }
}

/** Entries of a full segment (000 §3.3). */
const SEGMENT = 2_000
const TIMES = 9

const largestOf = (sites: Listing['sites']): readonly PageEntry[] =>
  [...sites.values()].reduce((most, pages) => (pages.length > most.length ? pages : most))

/** The median of some times, after one that warms up; enough entries are made by repeating those there are. */
function packingTime(entries: readonly PageEntry[]): number {
  const full = Array.from({ length: SEGMENT }, (_, n) => entries[n % entries.length]!)
  const text = archiveText(full, { site: new URL(full[0]!.url).origin, group: 'text/html' })
  const times = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage()
    gzipSync(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return roundedUp(times.slice(1).toSorted((a, b) => a - b)[TIMES >> 1]!)
}

/** To a power of ten: what a clock tells twice alike. */
const roundedUp = (value: number): number => 10 ** Math.ceil(Math.log10(Math.max(value, 1e-3)))

interface SiteFacts {
  readonly pages: number
  readonly contentBytes: number
  readonly plainBytes: number
  readonly packedBytes: number
  readonly archives: number
  readonly largestArchive: number
  readonly oneFile: number
  readonly irrelevant: { readonly archives: number; readonly bytes: number }
  readonly inOther: number
}

function measureSite(site: string, pages: readonly PageEntry[]): SiteFacts {
  const changedAt = pages.map(({ modifiedAt }) => modifiedAt ?? 0).toSorted((a, b) => a - b)
  // The open archive of what changes from now on is empty yet, and left out.
  const plan = planMetadataArchives(pages, changedAt.at(-1)! + 1_000).archives.filter(
    ({ entries }) => entries.length > 0,
  )
  const written = plan.map(({ name, entries }) => {
    const options = { site, group: name.group }
    return {
      name,
      entries,
      text: archiveText(entries, options).length,
      bytes: writeMetadataArchive(entries, options).length,
    }
  })
  const irrelevant = SEEN.map((share) => {
    const since = changedAt[Math.floor(share * (changedAt.length - 1))]!
    return irrelevantFor(since, metadataArchivesSince(written, { since }))
  })
  return {
    pages: pages.length,
    contentBytes: pages.reduce((total, { bytes = 0 }) => total + bytes, 0),
    plainBytes: written.reduce((total, { text }) => total + text, 0),
    packedBytes: written.reduce((total, { bytes }) => total + bytes, 0),
    archives: written.length,
    largestArchive: written.reduce((high, { bytes }) => Math.max(high, bytes), 0),
    oneFile: writeMetadataArchive(pages, { site, group: 'text/html' }).length,
    irrelevant: {
      archives: Math.max(...irrelevant.map(({ archives }) => archives)),
      bytes: Math.max(...irrelevant.map(({ bytes }) => bytes)),
    },
    inOther: plan
      .filter(({ name }) => name.group === OTHER_GROUP)
      .reduce((total, { entries }) => total + entries.length, 0),
  }
}

/** The most archives of one type, and their bytes, that hold anything older than asked for. */
function irrelevantFor(
  since: Instant,
  chosen: readonly { name: { group: string }; entries: readonly PageEntry[]; bytes: number }[],
): { archives: number; bytes: number } {
  const older = chosen.filter(({ entries }) => entries.some(({ modifiedAt = 0 }) => modifiedAt < since))
  const groups = [...Map.groupBy(older, ({ name }) => name.group).values()]
  return {
    archives: Math.max(0, ...groups.map((group) => group.length)),
    bytes: Math.max(0, ...groups.map((group) => group.reduce((sum, { bytes }) => sum + bytes, 0))),
  }
}
