/**
 * Folder watch: which names below a root were touched, by one watch for each folder, as Linux has them.
 *
 * Node's own recursive watch puts one on each file there, which ends with that file: a name that another file is renamed onto, as
 * editors and generators write, is told the first time and then no more. A folder's watch stays, and tells names.
 *
 * A folder that comes is told by its own name, as files may have come into it before it was watched. Symbolic links are not followed,
 * and hidden folders not watched, as nothing in them is a page.
 */
import { lstatSync, readdirSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { codeOf } from '@comity/disk'
import { systemPath } from './docroot-path.ts'
import { isHidden } from './docroot-walk.ts'

/** Deeper than any tree that somebody made on purpose. */
const MAX_DEPTH = 100
/** The folder went away meanwhile, or is none of ours to look into: that its pages cannot be read is the scan's to say. */
const PASSED_OVER: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])

export class FolderWatch implements Disposable {
  readonly #root: string
  readonly #onTouched: (name: string | undefined) => void
  readonly #onBroken: (error: unknown) => void
  /** By folder as octets, with the slash at its end; '' is the root. */
  readonly #watchers = new Map<string, FSWatcher>()

  /** Throws when the root cannot be watched. */
  constructor(root: string, onTouched: (name: string | undefined) => void, onBroken: (error: unknown) => void) {
    this.#root = root
    this.#onTouched = onTouched
    this.#onBroken = onBroken
    try {
      this.#watch('')
      this.#addBelow('', 0)
    } catch (error) {
      this[Symbol.dispose]()
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#remove('')
  }

  #add(folder: string, depth: number): void {
    if (depth > MAX_DEPTH || isHidden(folder) || this.#watchers.has(folder)) return
    try {
      this.#watch(folder)
      this.#addBelow(folder, depth)
    } catch (error) {
      if (!PASSED_OVER.has(codeOf(error))) throw error
    }
  }

  #watch(folder: string): void {
    const path = systemPath(this.#root, folder)
    const watcher = watch(path, { encoding: 'buffer' }, (event, name) => this.#tell(folder, event, name))
    watcher.on('error', this.#onBroken)
    this.#watchers.set(folder, watcher)
  }

  #addBelow(folder: string, depth: number): void {
    const entries = readdirSync(systemPath(this.#root, folder), { withFileTypes: true, encoding: 'buffer' })
    for (const entry of entries) if (entry.isDirectory()) this.#add(`${folder}${octetsOf(entry.name)}/`, depth + 1)
  }

  #tell(folder: string, event: string, name: Buffer | null): void {
    if (name === null) return this.#onTouched(undefined)
    const octets = folder + octetsOf(name)
    try {
      // Another folder may stand there by now, of which nobody tells yet.
      if (event === 'rename') this.#remove(`${octets}/`)
      if (event === 'rename' && this.#isFolder(octets)) this.#add(`${octets}/`, octets.split('/').length)
    } catch (error) {
      this.#onBroken(error)
    }
    this.#onTouched(Buffer.from(octets, 'latin1').toString())
  }

  #isFolder(octets: string): boolean {
    try {
      return lstatSync(systemPath(this.#root, octets)).isDirectory()
    } catch (error) {
      if (PASSED_OVER.has(codeOf(error))) return false
      throw error
    }
  }

  #remove(folder: string): void {
    if (!this.#watchers.has(folder)) return
    for (const [below, watcher] of this.#watchers)
      if (below.startsWith(folder)) {
        watcher.close()
        this.#watchers.delete(below)
      }
  }
}

const octetsOf = (name: Buffer): string => name.toString('latin1')
