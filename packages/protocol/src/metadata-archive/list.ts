/**
 * Archive list: where a site's metadata archives are. The paper lists them in robots.txt (000 §3.3):
 *
 *   Metadata: https://example.org/metadata/20261114T160130Z-.0064.other.gz
 *
 * RFC 9309 §2.2.4 allows such records, and 250 of them are a twentieth of the size every crawler must read. But then
 * robots.txt changes with each new segment, and all of it has to be read again. So a record may also name a list, and a
 * list another one:
 *
 *   robots.txt   Metadata: https://example.org/metadata/archives.txt     never changes
 *   archives.txt            20261114T160130Z-.0064.other.gz              open and loose archives, newest first:
 *                           20261113T081500Z-.0063.other.gz              changes with every 32nd page
 *                           archives.0055.5f0c2a91.txt                   the closed ones up to number 55;
 *                                                                        another list has another name
 *
 * Whoever has read number 55 already needs no more than `archives.txt` and the open archive to follow the site.
 */
import { createHash } from 'node:crypto'
import { type MetadataArchiveName, formatMetadataArchiveName, parseMetadataArchiveName } from './archive-name.ts'
import type { ArchivePlan } from './plan.ts'

export interface MetadataArchiveLists {
  /** For `archives.txt`, or whatever name robots.txt gives it. */
  readonly head: string
  /** Stands beside it; absent while nothing is closed. */
  readonly closed?: { readonly name: string; readonly text: string }
}

export function writeArchiveLists(plan: ArchivePlan): MetadataArchiveLists {
  const names = plan.archives.map(({ name }) => name).toReversed()
  const loose = names.filter((name) => name.to === undefined).map(formatMetadataArchiveName)
  const closed = names.filter((name) => name.to !== undefined)
  const deletions = plan.deletionsAfter > 0 ? [`${DELETIONS_AFTER}: ${plan.deletionsAfter}`] : []
  if (closed.length === 0) return { head: textOf([...deletions, ...loose]) }
  const text = textOf(closed.map(formatMetadataArchiveName))
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const highest = closed.reduce((most, { number }) => Math.max(most, number), 0)
  const name = `archives.${String(highest).padStart(4, '0')}.${digest}.txt`
  return { head: textOf([...deletions, ...loose, name]), closed: { name, text } }
}

/** As the paper has it: every archive in robots.txt, or the one list. Lines for anywhere in the file. */
export function metadataRecords(urls: Iterable<string>): string {
  return [...urls].map((url) => `Metadata: ${url}\n`).join('')
}

export interface ListedArchive {
  /** Absolute, http or https. */
  readonly url: string
  readonly name: MetadataArchiveName
}

export interface MetadataArchiveList {
  readonly archives: readonly ListedArchive[]
  /** More lists. `upTo` is the highest number in one, where its name tells. */
  readonly lists: readonly { readonly url: string; readonly upTo?: number }[]
  /** Of deletions up to this number some were forgotten: who has not read so far must read all, and miss what is not there. */
  readonly deletionsAfter: number
  /** Lines that are nothing we know, or beyond the limit. */
  readonly ignoredLines: number
}

/** More than any plan has; a list of a million lines is no list. */
export const MAX_LISTED = 10_000
const MAX_LINE_CHARS = 2_048
const DELETIONS_AFTER = 'Deletions-After'

/** A list as it was fetched from `url`. Never throws. */
export function readArchiveList(text: string, url: string): MetadataArchiveList {
  return listOf(text.slice(0, MAX_LISTED * 256).split(/[\r\n]+/), url)
}

/** What robots.txt names, `robots.metadata`; the same as a list. */
export function archivesOfRobots(metadata: readonly string[], robotsUrl: string): MetadataArchiveList {
  return listOf(metadata, robotsUrl)
}

function listOf(lines: readonly string[], base: string): MetadataArchiveList {
  const archives: ListedArchive[] = []
  const lists: { url: string; upTo?: number }[] = []
  let deletionsAfter = 0
  let ignoredLines = 0
  for (const raw of lines) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const deletions = /^deletions-after:\s?(\d{1,12})$/i.exec(line)?.[1]
    const url = urlOf(line, base)
    if (deletions !== undefined) deletionsAfter = Math.max(deletionsAfter, Number(deletions))
    else if (url === undefined || archives.length + lists.length >= MAX_LISTED) ignoredLines += 1
    else {
      const name = parseMetadataArchiveName(url)
      if (name !== undefined) archives.push({ url, name })
      else lists.push(withHighest(url))
    }
  }
  return { archives, lists, deletionsAfter, ignoredLines }
}

function urlOf(reference: string, base: string): string | undefined {
  const url = reference.length > MAX_LINE_CHARS ? null : URL.parse(reference, base)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined
}

function withHighest(url: string): { url: string; upTo?: number } {
  const upTo = /\/archives\.(\d{1,12})\.[0-9a-f]+\.txt$/.exec(url)?.[1]
  return upTo === undefined ? { url } : { url, upTo: Number(upTo) }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
