/**
 * Docroot scanner: brings a journal in line with a document root, the whole of it or what somebody touched.
 *
 * A file whose time and size are those of its page in the journal is not opened, so a scan of a root that did not change
 * only asks for each file's times. All others are read, and their digests decide. What the journal cannot tell the scanner
 * remembers itself, for as long as it lives. The rules, robots.txt among them, are read anew for each scan, and a page that
 * they no longer let out is withdrawn.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import { codeOf } from '@comity/disk'
import { docrootOptions } from './docroot-options.ts'
import type { DocrootOptions, DocrootScanWorld } from './docroot-options.ts'
import { DocrootScan } from './docroot-scan.ts'
import type { Remembered, DocrootScanSummary } from './docroot-scan.ts'
import { folderOf, nameOf, toOctets, urlPathOf } from './docroot-path.ts'
import { isHidden, kindAt, walkDocroot } from './docroot-walk.ts'
import type { FoundFile } from './docroot-walk.ts'
import { docrootEmpty, docrootUnreadable } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import { publicRules } from '../privacy/public-rules.ts'
import type { PublicRules } from '../privacy/public-rules.ts'

/** A file that is still being written after so many looks waits for the next scan. */
const MAX_ROUNDS = 3
export const UNSETTLED_MS = 1_000

interface Begun {
  readonly scan: DocrootScan
  readonly root: string
}

export class DocrootScanner {
  readonly #journal: Journal
  readonly #options: DocrootOptions
  readonly #world: DocrootScanWorld
  readonly #memory = new Map<string, Remembered>()

  constructor(journal: Journal, options: Partial<DocrootOptions> & { readonly root: string }, world: DocrootScanWorld) {
    this.#journal = journal
    this.#options = docrootOptions(options)
    this.#world = world
  }

  get root(): string {
    return this.#options.root
  }

  /** The whole root. Throws by name when it cannot be read or has vanished; nothing is reported as deleted then. */
  async scan(signal?: AbortSignal): Promise<DocrootScanSummary> {
    const { scan, root } = await this.#begin()
    // Taken before the names are: a page that comes later has a file that the walk may not have met.
    const known = [...this.#ownPages(['/'])]
    const files = await this.#walk(scan, root, '', signal)
    if (files.length === 0 && known.length > 0 && !this.#options.mayBeEmpty) throw docrootEmpty(this.root, known.length)
    await scan.look(files, this.#options.spreadMs, signal)
    for (let round = 0; round < MAX_ROUNDS && scan.summary().unsettled.length > 0; round++) {
      await this.#world.sleep(UNSETTLED_MS, signal)
      await scan.look(scan.takeUnsettled(), 0, signal)
    }
    await scan.reportGone(known)
    return scan.summary()
  }

  /** Only what somebody touched: files, or folders with all that is in them, as octets below the root. */
  async look(touched: Iterable<string>, signal?: AbortSignal): Promise<DocrootScanSummary> {
    const { scan, root } = await this.#begin()
    const files = new Map<string, FoundFile>()
    const folders: string[] = []
    const paths = new Set<string>()
    for (const octets of touched) {
      if (octets === '' || isHidden(octets)) continue
      const found = await this.#filesAt(root, octets, paths)
      const isFolder = (await kindAt(root, octets)) === 'folder'
      if (isFolder) found.push(...(await this.#walk(scan, root, `${octets}/`, signal)))
      for (const file of found) files.set(file.octets, file)
      // A name that is neither a file nor a page may have been a folder.
      const isKnown = found.length > 0 || this.#journal.page(urlPathOf(octets)) !== undefined
      if (isFolder || !isKnown) folders.push(urlPathOf(`${octets}/`))
    }
    const own = [...paths].filter((path) => this.#journal.page(path) !== undefined && this.#options.owns(path))
    const known = [...own, ...this.#ownPages(folders)]
    await scan.look([...files.values()], 0, signal)
    await scan.reportGone(known)
    return scan.summary()
  }

  async #begin(): Promise<Begun> {
    const { root: given, rules: ruleOptions } = this.#options
    let [root, rules]: [string, PublicRules | undefined] = [given, undefined]
    try {
      root = await realpath(given)
      if (!(await stat(root)).isDirectory()) throw new Error('it is no folder')
      rules = publicRules({ ...ruleOptions, robots: ruleOptions.robots ?? (await readRobots(root)) })
    } catch (cause) {
      throw codeOf(cause) === 'PUBLISH_OPTION_INVALID' ? cause : docrootUnreadable(given, cause)
    }
    const parts = { journal: this.#journal, options: this.#options, world: this.#world, memory: this.#memory }
    return { scan: new DocrootScan({ ...parts, root, rules }), root }
  }

  async #walk(scan: DocrootScan, root: string, folder: string, signal: AbortSignal | undefined): Promise<FoundFile[]> {
    const files: FoundFile[] = []
    for await (const walked of walkDocroot(root, folder, this.#options.indexNames)) {
      signal?.throwIfAborted()
      if (walked.kind === 'files') for (const file of walked.files) files.push(file)
      else if (walked.folder === '') throw docrootUnreadable(this.root, walked.cause)
      else scan.noteUnreadable(urlPathOf(walked.folder))
    }
    return files
  }

  /** The file at a touched name; for an index file all that may stand in its place, since one of them moves up. */
  async #filesAt(root: string, octets: string, paths: Set<string>): Promise<FoundFile[]> {
    const indexes = this.#options.indexNames.map(toOctets)
    const folder = folderOf(octets)
    const mayBeIndex = indexes.includes(nameOf(octets))
    if (mayBeIndex) paths.add(urlPathOf(folder))
    const files: FoundFile[] = []
    for (const name of mayBeIndex ? indexes : [nameOf(octets)]) {
      paths.add(urlPathOf(folder + name))
      if ((await kindAt(root, folder + name)) === 'file')
        files.push({ octets: folder + name, isIndex: mayBeIndex && files.length === 0 })
    }
    return files
  }

  /** The pages below some folders that the root has to answer for. */
  *#ownPages(prefixes: readonly string[]): Iterable<string> {
    if (prefixes.length === 0) return
    for (const { path } of this.#journal.pages()) {
      if (this.#options.owns(path) && prefixes.some((prefix) => path.startsWith(prefix))) yield path
    }
  }
}

/** A root without robots.txt disallows nothing; one whose robots.txt cannot be read might disallow anything. */
async function readRobots(root: string): Promise<Uint8Array | string> {
  try {
    return await readFile(`${root}/robots.txt`)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}
