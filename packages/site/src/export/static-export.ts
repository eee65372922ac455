/**
 * Static export: every document of a site as a file, for a server that is there already. The home of an export is the
 * document root itself, or another folder that the server is told of (`adapters/server-snippets.ts`).
 *
 *   publication ──▶ made anew where it differs ──▶ staged, beside it a packed copy ──▶ visible in one go, lists last
 *
 * Batch and filter answer questions, hub and event stream answer at all, so they are no files: an export does not offer them. Nothing that somebody else
 * wrote is overwritten or removed, except that lines are added to robots.txt (`export/robots.ts`).
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hash } from 'node:crypto'
import { codeOf } from '@comity/disk'
import { encodeHard } from '../documents/document-coding.ts'
import type { DocumentPaths } from '../document-paths.ts'
import { exportUnwritable, SiteError } from '../errors.ts'
import { PageBodies } from '../serve/page-bodies.ts'
import { Publication } from '../documents/publication.ts'
import { PublicView } from '../privacy/public-view.ts'
import { readContent } from '../documents/site-document.ts'
import type { Content, SiteDocument } from '../documents/site-document.ts'
import { SCHEMES, siteSetting } from '../site-options.ts'
import type { SiteScheme, SiteOptions, SiteSetting } from '../site-options.ts'
import { goneFiles, hasPackedCopy, planFiles } from './export-plan.ts'
import type { PlannedFile } from './export-plan.ts'
import { ExportFolder } from './folder.ts'
import { rankIn } from './paths.ts'
import { addedLines, withOwnBlock, ownRobots } from './robots.ts'

/** What can be a file. */
const EXPORTED_SCHEMES: ReadonlySet<SiteScheme> = new Set(SCHEMES).difference(
  new Set<SiteScheme>(['batch', 'changes', 'push', 'events', 'keys']),
)
/** A web archive is as large as the dump and holds the same pages: as a file it is there for whoever names it. */
export const FILE_SCHEMES: readonly SiteScheme[] = SCHEMES.filter(
  (scheme) => EXPORTED_SCHEMES.has(scheme) && scheme !== 'wacz',
)

export interface ExportPlace {
  /** The folder of files, made when it is not there. */
  readonly into: string
  /** Where the owner's robots.txt is; nowhere unless given. May be the same folder. */
  readonly docroot?: string | undefined
}

export interface ExportSummary {
  /** Paths from the host's root on, packed copies among them. */
  readonly written: readonly string[]
  readonly removed: readonly string[]
  /** Somebody else's file stands there: it was left alone, and ours is not there. */
  readonly foreign: readonly string[]
  readonly files: number
  /** Of all files together, packed copies apart. */
  readonly bytes: number
  readonly packedBytes: number
}

/** One more whenever the same journal makes other files. */
const FORMAT = 2
/** Changes told of in files are as many as a quarter of the pages, or so many: who missed more reads the list of all pages sooner. */
const MIN_TOLD = 256

export class StaticExport {
  readonly #place: ExportPlace
  readonly #options: SiteOptions
  readonly #setting: SiteSetting
  readonly #view: PublicView
  readonly #publication: Publication
  /** Versions that were written in this process and need not be made again. */
  readonly #known = new Map<string, string>()
  #own: Uint8Array = Buffer.alloc(0)
  /** Number of the newest change when files were first written. */
  #begins = 0

  /** `options.robots` is not looked at: the owner's text is read from the document root for every run. */
  constructor(options: SiteOptions, place: ExportPlace) {
    const schemes = (options.schemes ?? FILE_SCHEMES).filter((scheme) => EXPORTED_SCHEMES.has(scheme))
    this.#place = place
    this.#options = options
    // Whoever exports decides how often; robots.rdf is not to be a minute behind the rest.
    const limits = { ...options.limits, relistMs: 0 }
    const robots = (): string => Buffer.from(this.#own).toString('utf8')
    this.#setting = { ...siteSetting({ ...options, schemes, limits, robots }), toldSince: () => this.#toldSince() }
    this.#view = new PublicView(this.#setting)
    this.#publication = new Publication(this.#view, this.#setting, new PageBodies(this.#setting))
  }

  /** What crawlers are to be told in robots.txt, for an owner who wants to add it by hand. */
  async robotsLines(): Promise<string> {
    const { offered } = this.#setting
    if (!offered.has('robots'))
      return await new StaticExport({ ...this.#options, schemes: [...offered, 'robots'] }, this.#place).robotsLines()
    await this.#readOwnRobots()
    const { content } = await this.#publication.store.made(this.#publication.find('/robots.txt')!)
    return addedLines(Buffer.from(content as Uint8Array).toString('utf8'), this.#view.robots)
  }

  /** Brings the folder in line with the journal. When it throws, nothing that was visible has changed, or all is whole. */
  async run(): Promise<ExportSummary> {
    await this.#readOwnRobots()
    const folder = await ExportFolder.open(this.#place.into)
    this.#begins = folder.beginsAt(this.#setting.journal)
    const run = new ExportRun(folder, this.#publication, this.#known, this.#robotsFile())
    try {
      const { paths } = this.#view
      return (await run.runUnlessDone(paths, this.#state())) ?? (await run.run(paths, this.#state()))
    } catch (cause) {
      // Whatever was half done is made again by the next run.
      this.#known.clear()
      throw cause instanceof SiteError || codeOf(cause) === undefined
        ? cause
        : exportUnwritable(this.#place.into, cause)
    }
  }

  /** What a run would do now, by path. Nothing is written. */
  async plan(): Promise<readonly PlannedFile[]> {
    await this.#readOwnRobots()
    const folder = await ExportFolder.look(this.#place.into)
    this.#begins = folder.beginsAt(this.#setting.journal)
    const { robots } = this.#view.paths
    const documents = [...this.#publication.documents()]
    const planned = await planFiles(
      folder,
      documents.filter(({ path }) => path !== robots),
      this.#publication,
    )
    const wanted = new Set(planned.map(({ path }) => path))
    const own = documents.find(({ path }) => path === robots)
    if (own !== undefined) planned.push(await this.#plannedRobots(own, folder))
    const { isShared } = this.#robotsFile()
    if (own !== undefined && !isShared) wanted.add(robots)
    return [...planned, ...goneFiles(folder, wanted)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  async #plannedRobots(document: SiteDocument, folder: ExportFolder): Promise<PlannedFile> {
    const { bytes } = await robotsOf(document, this.#publication, this.#own)
    const { path, scheme } = document
    const before = await readIfThere(join(folder.dir, path))
    const isForeign = !this.#robotsFile().isShared && (await folder.standing(path)) === 'foreign'
    const changed = before.length === 0 ? 'new' : Buffer.compare(before, bytes) === 0 ? 'same' : 'changed'
    return { path, scheme, bytes: bytes.length, change: isForeign ? 'foreign' : changed }
  }

  /** Everything that documents are made of: equal states, equal files, also in another process. */
  #state(): string {
    const { journal, base, offered, limits, robotsRdf, dictionary } = this.#setting
    const rdf = Object.entries(robotsRdf ?? {}).map(([name, value]) => [name, String(value)])
    const made = [
      FORMAT,
      this.#view.edition,
      journal.last,
      journal.since,
      this.#begins,
      base,
      [...offered],
      limits,
      rdf,
      dictionary ?? '',
    ]
    return hash('sha256', JSON.stringify([...made, hash('sha256', this.#own)]))
  }

  /** A first publication is no news to anybody: whoever comes finds all pages in the list of all pages. */
  #toldSince(): number {
    const { last, pageCount } = this.#setting.journal
    return Math.max(this.#begins, last - Math.max(MIN_TOLD, Math.floor(pageCount / 4)))
  }

  async #readOwnRobots(): Promise<void> {
    const { docroot } = this.#place
    this.#own = docroot === undefined ? Buffer.alloc(0) : ownRobots(await readIfThere(join(docroot, 'robots.txt')))
    this.#view.refresh()
  }

  #robotsFile(): RobotsFile {
    const { docroot, into } = this.#place
    return { own: this.#own, isShared: docroot !== undefined && resolve(docroot) === resolve(into) }
  }
}

interface RobotsFile {
  readonly own: Uint8Array
  /** It is the owner's own file that gets our lines, not a copy. */
  readonly isShared: boolean
}

class ExportRun {
  readonly #folder: ExportFolder
  readonly #publication: Publication
  readonly #known: Map<string, string>
  readonly #robots: RobotsFile
  readonly #wanted = new Set<string>()
  readonly #written: string[] = []
  readonly #foreign: string[] = []
  #bytes = 0
  #packedBytes = 0

  constructor(folder: ExportFolder, publication: Publication, known: Map<string, string>, robots: RobotsFile) {
    this.#folder = folder
    this.#publication = publication
    this.#known = known
    this.#robots = robots
  }

  /** Most runs of a day find nothing to do, and should not take a minute to see it. */
  async runUnlessDone(paths: DocumentPaths, state: string): Promise<ExportSummary | undefined> {
    if (this.#folder.state !== state || !(await this.#folder.isIntact())) return undefined
    const robots = this.#publication.find(paths.robots)
    if (robots !== undefined && this.#robots.isShared) {
      await this.#robotsTxt(robots)
      if (this.#written.length > 0) {
        this.#folder.unstage(paths.robots)
        return undefined
      }
    }
    for (const path of this.#folder.paths()) this.#count(path)
    await this.#folder.close()
    return this.#summary([])
  }

  async run(paths: DocumentPaths, state: string): Promise<ExportSummary> {
    this.#written.length = 0
    for (const document of this.#publication.documents()) {
      if (document.path === paths.robots) await this.#robotsTxt(document)
      else await this.#document(document)
    }
    // With a file of somebody else's in the way it is not done, and has to be looked at again.
    const removed = await this.#folder.commit(this.#wanted, rankIn(paths), this.#foreign.length === 0 ? state : '')
    return this.#summary(removed)
  }

  #summary(removed: readonly string[]): ExportSummary {
    const [written, foreign, files] = [this.#written, this.#foreign, this.#wanted.size]
    return { written, removed, foreign, files, bytes: this.#bytes, packedBytes: this.#packedBytes }
  }

  async #document(document: SiteDocument): Promise<void> {
    const { path, version, modifiedAt } = document
    const packed = `${path}.gz`
    if (this.#known.get(path) === version && (await this.#isIntact(path)) && (await this.#isIntact(packed, true))) {
      this.#count(path)
      if (this.#folder.own(packed) !== undefined) this.#count(packed)
      return
    }
    const { content, name } = await this.#publication.store.made(document)
    await this.#file(path, name, () => readContent(content, 0, lengthOf(content)), modifiedAt)
    if (hasPackedCopy(document, content)) {
      const pack = async function* (): AsyncGenerator<Uint8Array> {
        yield await encodeHard(content, 'gzip')
      }
      await this.#file(packed, `${name}-gzip`, pack, modifiedAt)
    }
    this.#known.set(path, version)
  }

  async #robotsTxt(document: SiteDocument): Promise<void> {
    const { own, isShared } = this.#robots
    const { bytes, name } = await robotsOf(document, this.#publication, own)
    const { path, modifiedAt } = document
    if (!isShared) return await this.#file(path, name, () => [bytes], modifiedAt)
    // The owner's file: it is written when other lines are due, and never counts as ours to remove.
    const now = await readIfThere(join(this.#folder.dir, path))
    if (Buffer.compare(now, bytes) === 0) return
    await this.#folder.stage(path, name, [bytes], modifiedAt, true)
    this.#written.push(path)
  }

  async #file(
    path: string,
    name: string,
    chunks: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    modifiedAt: number,
  ): Promise<void> {
    const standing = await this.#folder.standing(path)
    if (standing !== 'intact' || this.#folder.own(path)?.name !== name) {
      await this.#folder.stage(path, name, chunks(), modifiedAt)
      if (standing !== 'foreign') this.#written.push(path)
      else if (!(await this.#folder.adopt(path))) {
        this.#folder.unstage(path)
        this.#foreign.push(path)
        return
      }
    }
    this.#count(path)
  }

  #count(path: string): void {
    this.#wanted.add(path)
    const bytes = this.#folder.lengthOf(path)
    const plain = path.slice(0, -'.gz'.length)
    const isCopy = path.endsWith('.gz') && (this.#wanted.has(plain) || this.#folder.own(plain) !== undefined)
    if (isCopy) this.#packedBytes += bytes
    else this.#bytes += bytes
  }

  async #isIntact(path: string, mayBeAbsent = false): Promise<boolean> {
    if (mayBeAbsent && this.#folder.own(path) === undefined) return true
    return (await this.#folder.standing(path)) === 'intact'
  }
}

/** The owner's text with our lines at its end. */
async function robotsOf(
  document: SiteDocument,
  { store }: Publication,
  own: Uint8Array,
): Promise<{ readonly bytes: Uint8Array; readonly name: string }> {
  const { content } = await store.made(document)
  const lines = addedLines(Buffer.from(content as Uint8Array).toString('utf8'), Buffer.from(own).toString('utf8'))
  const bytes = withOwnBlock(own, lines)
  return { bytes, name: hash('sha256', bytes).slice(0, 32) }
}

const lengthOf = (content: Content): number => (content instanceof Uint8Array ? content.length : content.bytes)

async function readIfThere(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
