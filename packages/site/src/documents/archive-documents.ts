/**
 * Metadata archives: the plan of `metadata-archive/plan.ts`, kept in step with the journal. One change rewrites one small file; the
 * others keep their names, bytes and tags, also over a restart when there is a place to keep them.
 *
 * Without such a place, or with one that belongs to another journal, the plan is made anew. Its numbers are then above
 * all that were ever given out, and it says that deletions before it are not in it, so whoever followed the old one reads
 * the new one whole (`canGoOnFrom`).
 */
import {
  archivePlanDefaults,
  changeArchives,
  formatMetadataArchiveName,
  parseMetadataArchiveName,
  planMetadataArchives,
  readMetadataArchive,
  writeMetadataArchive,
  writeArchiveLists,
} from '@comity/protocol'
import type { ArchivePlan, ChangeEntry, Instant, PageEntry, PlannedArchive } from '@comity/protocol'
import { hash } from 'node:crypto'
import type { Change } from '../journal/journal.ts'
import { JournalFollower } from '../journal/follower.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import type { SiteSetting } from '../site-options.ts'

/** What is written beside the archives so that they can be gone on with. */
interface KeptPlan {
  /** Of the journal they are made of (`PublicView.edition`); this name is on disk. */
  readonly feed: string
  /** Number of the last change that is in them. */
  readonly number: number
  readonly deletionsAfter: number
  readonly names: readonly string[]
}

const PLAN_FILE = 'plan.json'
/**
 * A plan that is begun anew at a later change has higher numbers than any before it: five million pages make 2,500
 * segments, and then it takes 32 changes for one more.
 */
const NUMBERS_A_CHANGE = 4_096
/** Whoever polls gets the whole open archive for one new line: sixteen keep that and the list under 2 KB, heads and all. */
const LOOSE = { looseEntries: 16, maxLoose: 40, keepLoose: 16 }
/** Deletions are told for as long as the journal itself remembers them by default. */
const FORGET_GONE_MS = 365 * 86_400_000

export class ArchiveDocuments implements DocumentSource {
  readonly #view: PublicView
  readonly #setting: SiteSetting
  readonly #follower: JournalFollower
  #plan: ArchivePlan = { archives: [], deletionsAfter: 0 }
  #pending: ChangeEntry[] = []
  #documents: Map<string, SiteDocument> = new Map()
  #isFirst = true

  constructor(view: PublicView, setting: SiteSetting) {
    this.#view = view
    this.#setting = setting
    this.#follower = new JournalFollower(view, this)
  }

  documents(): Iterable<SiteDocument> {
    this.#catchUp()
    return this.#documents.values()
  }

  find(path: string): SiteDocument | undefined {
    if (!path.startsWith(this.#view.paths.archives)) return undefined
    this.#catchUp()
    return this.#documents.get(path)
  }

  #catchUp(): void {
    if (this.#isFirst) this.#restore()
    this.#isFirst = false
    this.#follower.catchUp()
    if (this.#pending.length === 0) return
    const changes = this.#pending
    this.#pending = []
    // A site that is new, or was turned over, is put in order as a whole: by last change, as the paper has it.
    if (changes.length > archivePlanDefaults.segmentEntries && changes.length > this.#view.journal.pageCount / 2)
      return this.reset()
    const forgetGoneBefore = this.#setting.now() - FORGET_GONE_MS
    this.#take(changeArchives(this.#plan, changes, { ...LOOSE, forgetGoneBefore }).plan)
  }

  apply(change: Change): void {
    const { digest: _, ...entry } = this.#view.change(change)
    this.#pending.push(entry)
  }

  reset(): void {
    this.#pending = []
    const { journal, lastChangeAt } = this.#view
    const firstNumber = Math.max(this.#highest() + 1, journal.last * NUMBERS_A_CHANGE + 1)
    const plan = planMetadataArchives(listedPages(this.#view), lastChangeAt, { firstNumber })
    this.#take({ ...plan, deletionsAfter: plan.archives.at(-1)!.name.number })
  }

  /** The highest number of the plan there is, or of the one that was kept. */
  #highest(): number {
    const kept = this.#keptPlan()?.names ?? []
    const numbers = [
      ...kept.map((name) => parseMetadataArchiveName(name)?.number ?? 0),
      ...this.#plan.archives.map(({ name }) => name.number),
    ]
    return numbers.reduce((most, number) => Math.max(most, number), 0)
  }

  /** The plan from here on: its documents, and what is kept of them. */
  #take(plan: ArchivePlan): void {
    const before = new Map(
      this.#plan.archives.map((archive) => [formatMetadataArchiveName(archive.name), archive.entries]),
    )
    const at = this.#view.lastChangeAt
    const documents = new Map<string, SiteDocument>()
    const add = (document: SiteDocument): void => void documents.set(document.path, document)
    for (const archive of plan.archives) {
      const name = formatMetadataArchiveName(archive.name)
      const known = this.#documents.get(`${this.#view.paths.archives}${name}`)
      if (known !== undefined && before.get(name) === archive.entries) add(known)
      else add(this.#archive(name, archive, at))
    }
    const { head, closed } = writeArchiveLists(plan)
    add(this.#list(this.#view.paths.archiveList, head, at))
    if (closed !== undefined) add(this.#list(`${this.#view.paths.archives}${closed.name}`, closed.text, at))
    this.#plan = plan
    this.#documents = documents
    this.#keep(before)
  }

  #archive(file: string, { name, entries }: PlannedArchive, at: Instant): SiteDocument {
    const make = (): Uint8Array => writeMetadataArchive(entries, { site: this.#setting.origin, group: name.group })
    return {
      path: `${this.#view.paths.archives}${file}`,
      scheme: 'archives',
      // Not application/x-gzip with a coding: it is a gzip file, and to be stored as one.
      type: 'application/gzip',
      version: `${this.#view.epoch} ${this.#follower.number}`,
      modifiedAt: at,
      pages: entries.length,
      isPacked: true,
      isFinal: name.to !== undefined,
      make,
    }
  }

  /** A list that says what it said keeps its date. */
  #list(path: string, text: string, at: Instant): SiteDocument {
    const version = hash('sha256', text)
    const before = this.#documents.get(path)
    if (before?.version === version) return before
    const make = (): Uint8Array => Buffer.from(text)
    return { path, scheme: 'archives', type: 'text/plain; charset=utf-8', version, modifiedAt: at, pages: 0, make }
  }

  #keep(before: ReadonlyMap<string, unknown>): void {
    const { kept } = this.#setting
    if (kept === undefined) return
    const names = this.#plan.archives.map(({ name }) => formatMetadataArchiveName(name))
    for (const [i, { name, entries }] of this.#plan.archives.entries()) {
      if (before.get(names[i]!) !== entries)
        kept.write(names[i]!, writeMetadataArchive(entries, { site: this.#setting.origin, group: name.group }))
    }
    const { deletionsAfter } = this.#plan
    const plan: KeptPlan = { feed: this.#view.edition, number: this.#follower.number, deletionsAfter, names }
    const dropped = this.#keptPlan()?.names ?? []
    kept.write(PLAN_FILE, Buffer.from(JSON.stringify(plan)))
    for (const name of dropped) if (!names.includes(name)) kept.remove(name)
  }

  #keptPlan(): KeptPlan | undefined {
    const bytes = this.#setting.kept?.read(PLAN_FILE)
    if (bytes === undefined) return undefined
    try {
      const plan = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<KeptPlan> | null
      const { feed, number, deletionsAfter, names } = plan ?? {}
      if (typeof feed !== 'string' || typeof number !== 'number' || typeof deletionsAfter !== 'number') return undefined
      return Array.isArray(names) ? { feed, number, deletionsAfter, names: names.map(String) } : undefined
    } catch {
      // Somebody has edited it; archives are made anew.
      return undefined
    }
  }

  /** Go on with what was kept, if it is all there and of this journal. */
  #restore(): void {
    const { kept, origin } = this.#setting
    const plan = this.#keptPlan()
    const { journal, edition } = this.#view
    if (kept === undefined || plan?.feed !== edition || journal.changesAfter(plan.number, 0) === undefined) return
    const archives: PlannedArchive[] = []
    for (const file of plan.names) {
      const name = parseMetadataArchiveName(file)
      const bytes = name === undefined ? undefined : kept.read(file)
      const read = bytes === undefined ? undefined : readMetadataArchive(bytes, { site: origin, name })
      if (name === undefined || read === undefined || !read.complete || Object.keys(read.problems).length > 0) return
      archives.push({ name, entries: read.entries })
    }
    if (archives.length === 0) return
    this.#plan = { archives, deletionsAfter: plan.deletionsAfter }
    this.#follower.startAt(plan.number)
    this.#take(this.#plan)
  }
}

/** Without digests, which archives do not tell: they take more room than all the rest. */
function* listedPages(view: PublicView): Generator<PageEntry> {
  for (const { path, modifiedAt, bytes, type } of view.pages()) yield { url: view.url(path), modifiedAt, bytes, type }
}
