/**
 * Kept files: what a publication wants to find again after a restart, small files by name. Losing them loses no page:
 * archives are made anew then, under new names, and crawlers read all of them once.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, makePrivateFolder, pathInside } from '@comity/disk'

export interface KeptFiles {
  read(name: string): Uint8Array | undefined
  /** All of it or nothing, also when the process is killed meanwhile. */
  write(name: string, bytes: Uint8Array): void
  remove(name: string): void
}

/** Files in a folder of their own, which is made when the first is written. What is no plain name is none of them. */
export class FolderFiles implements KeptFiles {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  read(name: string): Uint8Array | undefined {
    const path = pathInside(this.#dir, name)
    if (path === undefined) return undefined
    try {
      return readFileSync(path)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  write(name: string, bytes: Uint8Array): void {
    const path = pathInside(this.#dir, name)
    if (path === undefined) throw new Error(`${JSON.stringify(name)} is no name of a file in ${this.#dir}`)
    makePrivateFolder(dirname(path))
    writeFileSync(`${path}.part`, bytes, { flush: true })
    renameSync(`${path}.part`, path)
  }

  remove(name: string): void {
    const path = pathInside(this.#dir, name)
    if (path !== undefined) rmSync(path, { force: true })
  }
}
