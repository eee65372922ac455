/**
 * Spool file: bytes that come in over a network and are too many for memory, on their way into the inbox. Whoever opens
 * the inbox next removes what was never finished.
 */
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { BodyFile } from '../inbox/inbox.ts'

export const SPOOL_NAME: RegExp = /^spool-[\da-f]{1,32}\.part$/

export class SpoolFile {
  readonly path: string
  readonly #handle: FileHandle
  #bytes = 0

  private constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  /** `name`: hexadecimal digits that no other spool file has. */
  static async create(folder: string, name: string): Promise<SpoolFile> {
    const path = join(folder, `spool-${name}.part`)
    return new SpoolFile(path, await open(path, 'wx', 0o600))
  }

  get bytes(): number {
    return this.#bytes
  }

  /** One at a time. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.#bytes)
      done += bytesWritten
      this.#bytes += bytesWritten
    }
  }

  /** Durable, closed, and ready to be appended. */
  async finish(): Promise<BodyFile> {
    await this.#handle.datasync()
    await this.#handle.close()
    return { path: this.path, bytes: this.#bytes }
  }

  /** Harmless after `finish`, too: then it only removes the file. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await rm(this.path, { force: true })
  }
}
