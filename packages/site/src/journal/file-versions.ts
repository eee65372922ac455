/**
 * File versions: a version store in a folder, one file a version, compressed with Zstandard.
 *
 *   versions/ab/ab12…64 digits….5120.zst                     current; 5120: bytes it takes
 *   versions/ab/ab12…64 digits….5120.1763200000000.zst       superseded, and when
 *
 * All that the store must know stands in the names, so opening it reads folders only. A file comes into being under
 * another name and is renamed; nothing is synced, because a file that a power cut left empty fails its digest and counts as
 * missing. Sizes are rounded up to what a disk gives out, so that the budget holds for many small files, too.
 */
import { readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompressSync } from 'node:zlib'
import { makePrivateFolder } from '@comity/disk'
import type { Instant } from '@comity/protocol'
import { defaultVersionLimits, digestOf, VersionQueue } from './version-store.ts'
import type { VersionLimits, VersionStore } from './version-store.ts'

const NAME = /^(?<hex>[0-9a-f]{64})\.(?<bytes>\d{1,15})(?:\.(?<at>\d{1,15}))?\.zst$/
/** The first two digits: 256 folders, so that none holds more names than a file system likes. */
const FOLDER = /^[0-9a-f]{2}$/
const BLOCK_BYTES = 4_096
const compress = promisify(zstdCompress)

interface Stored {
  readonly digest: string
  readonly bytes: number
  readonly supersededAt: Instant | undefined
}

export class FileVersions implements VersionStore {
  readonly #dir: string
  readonly #limits: VersionLimits
  readonly #queue = new VersionQueue()
  /** Names of the superseded, which cannot be told from their digests. */
  readonly #names = new Map<string, string>()
  readonly #folders = new Set<string>()
  #drafts = 0

  constructor(dir: string, limits: Partial<VersionLimits> = {}) {
    this.#dir = dir
    this.#limits = { ...defaultVersionLimits, ...limits }
    const stored: Stored[] = []
    makePrivateFolder(dir)
    for (const folder of readdirSync(dir)) {
      if (!FOLDER.test(folder)) continue
      this.#folders.add(folder)
      for (const name of readdirSync(join(dir, folder))) this.#read(folder, name, stored)
    }
    stored.sort((a, b) => (a.supersededAt ?? 0) - (b.supersededAt ?? 0))
    for (const { digest, bytes, supersededAt } of stored) this.#queue.add(digest, bytes, supersededAt === undefined)
    this.#makeRoom()
  }

  get bytes(): number {
    return this.#queue.bytes
  }

  async put(digest: string, body: Uint8Array): Promise<void> {
    if (body.length > this.#limits.maxBodyBytes || this.#queue.isCurrent(digest) || digestOf(body) !== digest) return
    const packed = await compress(body)
    const folder = digest.slice(8, 10)
    const draft = join(this.#dir, folder, `${++this.#drafts}.tmp`)
    this.#delete(digest)
    const bytes = Math.ceil(packed.length / BLOCK_BYTES) * BLOCK_BYTES
    const name = `${digest.slice(8)}.${bytes}.zst`
    try {
      if (!this.#folders.has(folder)) makePrivateFolder(join(this.#dir, folder))
      this.#folders.add(folder)
      await writeFile(draft, packed)
      await rename(draft, this.#pathOf(name))
    } catch {
      // A version that could not be kept is one that is missing; whether the disk is full the journal finds out by itself.
      rmSync(draft, { force: true })
      return
    }
    this.#names.set(digest, name)
    this.#queue.add(digest, bytes)
    this.#makeRoom()
  }

  get(digest: string): Uint8Array | undefined {
    const name = this.#names.get(digest)
    if (name === undefined) return undefined
    try {
      const packed = readFileSync(this.#pathOf(name))
      const body = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, this.#limits.maxBodyBytes) })
      if (digestOf(body) === digest) return body
    } catch {
      // Deleted by somebody else, cut by a power failure, or altered: all the same to whoever asks.
    }
    this.#delete(digest)
    return undefined
  }

  supersede(digest: string, at: Instant): void {
    const name = this.#names.get(digest)
    if (name === undefined || !this.#queue.isCurrent(digest)) return
    const next = name.replace(/\.zst$/, `.${Math.max(0, Math.floor(at))}.zst`)
    try {
      renameSync(this.#pathOf(name), this.#pathOf(next))
      this.#names.set(digest, next)
      this.#queue.supersede(digest)
    } catch {
      // Somebody deleted it, or the folder cannot be written: a version that cannot be kept in order is given up.
      this.#delete(digest)
    }
  }

  #read(folder: string, name: string, stored: Stored[]): void {
    const { hex, bytes, at } = NAME.exec(name)?.groups ?? {}
    const digest = `sha-256:${hex}`
    // A draft, or a second name of one version: a crash came between making the new and deleting the old.
    if (hex === undefined || !hex.startsWith(folder) || this.#names.has(digest)) {
      if (hex !== undefined || name.endsWith('.tmp')) rmSync(join(this.#dir, folder, name), { force: true })
      return
    }
    this.#names.set(digest, name)
    stored.push({ digest, bytes: Number(bytes), supersededAt: at === undefined ? undefined : Number(at) })
  }

  #makeRoom(): void {
    for (const digest of this.#queue.excess(this.#limits.maxBytes)) this.#delete(digest)
  }

  #delete(digest: string): void {
    const name = this.#names.get(digest)
    if (name === undefined) return
    this.#names.delete(digest)
    this.#queue.remove(digest)
    try {
      rmSync(this.#pathOf(name), { force: true })
    } catch {
      // It stays, and counts again when the store is opened next.
    }
  }

  #pathOf(name: string): string {
    return join(this.#dir, name.slice(0, 2), name)
  }
}
