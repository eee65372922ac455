/**
 * ResourceSync reader: any document of resourcesync.ts, version 1.0 or 1.1, as its bytes come.
 *
 * It is the sitemap reader with an ear for `rs:md` and `rs:ln`, so everything that reads is read: gzip, broken XML,
 * wrong namespaces, plain sitemaps. What is wrong is counted by name and the rest is given out; nothing throws.
 * Of hashes only SHA-256 counts. In 1.0 `lastmod` was the time of the change; it still is where `datetime` is missing.
 */
import type { Instant } from '../instant.ts'
import { SYNC_CONTENTS } from './resourcesync.ts'
import type { SyncCapability, SyncEntry, SyncLink, SyncSpan } from './resourcesync.ts'
import { known, MarkReader } from './resourcesync-marks.ts'
import type { MarkProblem, SyncMd } from './resourcesync-marks.ts'
import { createSitemapReader } from './sitemap.ts'
import type { SitemapLimits, SitemapProblem, SitemapReader } from './sitemap.ts'
import type { SitemapFormat } from './list-formats.ts'
import type { SitemapEntry, SitemapMark } from './sitemap-entry.ts'

export type SyncProblem =
  | SitemapProblem
  | MarkProblem
  /** The document says what it is only after its first entries, which were read without knowing. */
  | 'late-md'
  | 'repeated-md'
  /** An entry of a change list that does not say what changed; given out as a page. */
  | 'missing-change'
  /** A change older than the one before it: whoever reads on from the last one seen may miss it. */
  | 'not-chronological'

export interface SyncSummary extends SyncSpan {
  /** `sitemapindex` for an index of parts. */
  readonly format: SitemapFormat
  /** Missing for a plain sitemap, and for a capability nobody knows. */
  readonly capability?: SyncCapability | undefined
  /** Of the document itself: `up`, `index`, `describedby`. */
  readonly links: readonly SyncLink[]
  /** Entries given out. */
  readonly entries: number
  /** Entries beyond the limit: seen, not given out. */
  readonly dropped: number
  /** It can stand for all pages of its site (`feeds/sitemap.ts`), and is no list of changes. */
  readonly isWhole: boolean
  readonly problems: Readonly<Partial<Record<SyncProblem, number>>>
}

export interface SyncReader {
  write(chunk: Uint8Array): void
  end(): SyncSummary
}

export interface SyncReaderOptions {
  /** Where the document stands; relative URLs are resolved against it. */
  readonly url: string
  readonly onEntry: (entry: SyncEntry) => void
  readonly limits?: Partial<SitemapLimits> | undefined
}

export function createSyncReader(options: SyncReaderOptions): SyncReader {
  return new StreamingSyncReader(options)
}

/** Read a document held in memory. */
export function readSync(
  bytes: Uint8Array,
  url: string,
  limits: Partial<SitemapLimits> = {},
): { readonly entries: readonly SyncEntry[]; readonly summary: SyncSummary } {
  const entries: SyncEntry[] = []
  const reader = createSyncReader({ url, limits, onEntry: (entry) => entries.push(entry) })
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) reader.write(bytes.subarray(at, at + SLICE_BYTES))
  return { summary: reader.end(), entries }
}

class StreamingSyncReader implements SyncReader {
  readonly #sitemap: SitemapReader
  readonly #onEntry: (entry: SyncEntry) => void
  readonly #marks: MarkReader
  readonly #problems = new Map<SyncProblem, number>()
  readonly #links: SyncLink[] = []
  #md: SyncMd | undefined
  #entries = 0
  #lastChange: Instant = -Infinity
  #hasChanges = false

  constructor({ url, onEntry, limits }: SyncReaderOptions) {
    this.#onEntry = onEntry
    this.#marks = new MarkReader(url, (problem) => this.#report(problem))
    this.#sitemap = createSitemapReader({
      url,
      limits,
      onMark: (mark) => this.#documentMark(mark),
      onEntry: (entry) => this.#entry(entry),
    })
  }

  write(chunk: Uint8Array): void {
    this.#sitemap.write(chunk)
  }

  end(): SyncSummary {
    const { problems, format, entries, dropped, isWhole } = this.#sitemap.end()
    const { capability, at, completedAt, from, until } = this.#md ?? {}
    const all: Partial<Record<SyncProblem, number>> = { ...problems }
    // Both sides know bad dates.
    for (const [problem, count] of this.#problems) all[problem] = (all[problem] ?? 0) + count
    const said = known({ capability, at, completedAt, from, until })
    const isOfPages = (capability === undefined || capability === 'resourcelist') && !this.#hasChanges
    return { ...said, format, links: this.#links, entries, dropped, isWhole: isWhole && isOfPages, problems: all }
  }

  #documentMark(mark: SitemapMark): void {
    if (mark.name === 'ln') {
      const link = this.#links.length < MAX_DOCUMENT_LINKS ? this.#marks.link(mark) : this.#report('too-many-marks')
      if (link !== undefined) this.#links.push(link)
    } else if (mark.name !== 'md') this.#marks.root(mark)
    else if (this.#md !== undefined) this.#report('repeated-md')
    else {
      this.#md = this.#marks.md(mark)
      if (this.#entries > 0) this.#report('late-md')
    }
  }

  #entry(entry: SitemapEntry): void {
    this.#entries += 1
    const { md, links } = this.#marksOf(entry.marks ?? [])
    const { capability, change, changedAt, at, completedAt, from, until, ...facts } = md
    const said = { url: entry.loc, modifiedAt: entry.lastmod, ...facts, links }
    const kind = this.#kindOf(entry, md)
    if (kind === 'document') {
      const target = capability ?? this.#impliedCapability(entry)
      this.#onEntry(known({ kind, ...said, capability: target, at, completedAt, from, until }))
    } else if (kind === 'package') this.#onEntry(known({ kind, ...said, at, completedAt, from, until }))
    else if (kind === 'page' || change === undefined) {
      if (kind === 'change') this.#report('missing-change')
      this.#onEntry(known({ kind: 'page', ...said }))
    } else {
      this.#hasChanges = true
      const when = changedAt ?? entry.lastmod
      this.#checkOrder(when)
      this.#onEntry(known({ kind, ...said, change, changedAt: when }))
    }
  }

  #marksOf(marks: readonly SitemapMark[]): { readonly md: SyncMd; readonly links: readonly SyncLink[] | undefined } {
    const [first, ...more] = marks.filter(({ name }) => name === 'md')
    for (const _ of more) this.#report('repeated-md')
    const links = marks.flatMap((mark) => (mark.name === 'ln' ? (this.#marks.link(mark) ?? []) : []))
    return { md: first === undefined ? {} : this.#marks.md(first), links: links.length === 0 ? undefined : links }
  }

  #kindOf({ kind }: SitemapEntry, md: SyncMd): SyncEntry['kind'] {
    if (kind === 'sitemap') return 'document'
    const within = this.#md?.capability
    if (within !== undefined) return ENTRY_KINDS[within]
    if (md.change !== undefined) return 'change'
    return md.capability === undefined ? 'page' : 'document'
  }

  /** The parts of an index are what the index is. */
  #impliedCapability({ kind }: SitemapEntry): SyncCapability | undefined {
    const within = this.#md?.capability
    return kind === 'sitemap' || within === undefined ? within : SYNC_CONTENTS[within]
  }

  #checkOrder(at: Instant | undefined): void {
    if (at === undefined) return
    if (at < this.#lastChange) this.#report('not-chronological')
    this.#lastChange = at
  }

  #report(problem: SyncProblem): undefined {
    this.#problems.set(problem, (this.#problems.get(problem) ?? 0) + 1)
  }
}

/** What the entries of a document are. */
const ENTRY_KINDS: Readonly<Record<SyncCapability, SyncEntry['kind']>> = {
  description: 'document',
  capabilitylist: 'document',
  resourcelist: 'page',
  changelist: 'change',
  resourcedump: 'package',
  changedump: 'package',
  'resourcedump-manifest': 'page',
  'changedump-manifest': 'change',
  'resourcelist-archive': 'document',
  'changelist-archive': 'document',
  'resourcedump-archive': 'document',
  'changedump-archive': 'document',
  'change-notification': 'change',
}

const MAX_DOCUMENT_LINKS = 256
const SLICE_BYTES = 1 << 16
