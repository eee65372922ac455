/**
 * BatchSpool: batches that wait to be taken by the repository, a file each, in a folder.
 *
 *   0000000012-RUN.batch     as it will be sent; there from when it is durable until the repository has it
 *
 *   ….batch.aside            could not be read: it is not sent, and not met again, but there to be looked at
 *
 * It has a size. When that is full the oldest batch goes, is counted, and whoever asks is handed it: pages in it have
 * to be shipped once more when they come again.
 */
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, syncPath } from '@comity/disk'
import { stateUnusable } from '../errors.ts'

interface SpooledBatch {
  readonly name: string
  readonly bytes: number
}

const NAME = /^(\d{10,16})-([\w-]{8,64})\.batch$/

export class BatchSpool {
  readonly folder: string
  readonly #maxBytes: number
  #waiting: SpooledBatch[]

  constructor(folder: string, maxBytes: number) {
    this.folder = folder
    this.#maxBytes = maxBytes
    try {
      makePrivateFolder(folder)
      const names = readdirSync(folder)
      // Begun by somebody who did not get to the end of it.
      for (const name of names) if (name.endsWith('.new')) rmSync(join(folder, name), { force: true })
      this.#waiting = names
        .filter((name) => NAME.test(name))
        .toSorted()
        .flatMap((name) => {
          const found = statSync(join(folder, name), { throwIfNoEntry: false })
          return found === undefined ? [] : [{ name, bytes: found.size }]
        })
    } catch (error) {
      throw stateUnusable(folder, error)
    }
  }

  /** The oldest first. */
  get waiting(): readonly SpooledBatch[] {
    return this.#waiting
  }

  get bytes(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The highest number of a run that waits; 0 for none. */
  lastNumber(run: string): number {
    return this.#waiting.reduce((last, { name }) => {
      const [, number, of] = NAME.exec(name)!
      return of === run ? Math.max(last, Number(number)) : last
    }, 0)
  }

  /** Durable when it returns. What had to go for it is given back. */
  add(run: string, number: number, bytes: Uint8Array): Uint8Array[] {
    const name = `${String(number).padStart(10, '0')}-${run}.batch`
    const dropped: Uint8Array[] = []
    try {
      while (this.#waiting.length > 0 && this.bytes + bytes.length > this.#maxBytes) {
        const oldest = this.#waiting[0]!
        dropped.push(...this.#takeOut(oldest.name))
      }
      const draft = join(this.folder, `${name}.new`)
      const fd = openSync(draft, 'w', 0o600)
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      renameSync(draft, join(this.folder, name))
      syncPath(this.folder)
    } catch (error) {
      throw stateUnusable(this.folder, error)
    }
    this.#waiting.push({ name, bytes: bytes.length })
    return dropped
  }

  /** To make room. */
  #takeOut(name: string): Uint8Array[] {
    try {
      const bytes = readFileSync(join(this.folder, name))
      this.remove(name)
      return [bytes]
    } catch {
      this.setAside(name)
      return []
    }
  }

  /** Undefined when somebody took it away. */
  read(name: string): Uint8Array | undefined {
    try {
      return readFileSync(join(this.folder, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw stateUnusable(this.folder, error)
      return undefined
    }
  }

  /** It cannot be read: the next goes on. */
  setAside(name: string): void {
    try {
      renameSync(join(this.folder, name), join(this.folder, `${name}.aside`))
    } catch (error) {
      throw stateUnusable(this.folder, error)
    } finally {
      this.#waiting = this.#waiting.filter((one) => one.name !== name)
    }
  }

  /** The repository has it, or never will. */
  remove(name: string): void {
    rmSync(join(this.folder, name), { force: true })
    this.#waiting = this.#waiting.filter((one) => one.name !== name)
  }
}
