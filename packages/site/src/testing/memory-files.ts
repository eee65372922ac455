/** Memory files: kept files that a process forgets when it ends, for tests. */
import type { KeptFiles } from '../documents/kept-files.ts'

export class MemoryFiles implements KeptFiles {
  readonly #files = new Map<string, Uint8Array>()

  read(name: string): Uint8Array | undefined {
    return this.#files.get(name)
  }

  write(name: string, bytes: Uint8Array): void {
    this.#files.set(name, bytes)
  }

  remove(name: string): void {
    this.#files.delete(name)
  }
}
