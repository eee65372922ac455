/**
 * FolderVault: copies of shards in a folder that every machine reaches, and the highest epoch that anybody has taken of each thing.
 *
 *   DIR/epochs/KEY                          the highest epoch
 *   DIR/forgets.json                        what is to be forgotten everywhere
 *   DIR/shard-N/EPOCH/state-M.mdb warc/ collection.json
 *   DIR/shard-N/EPOCH/manifest.json         what belongs to the copy, written last: without it there is none
 *
 * Archives only grow, so a further copy in the same epoch brings what is new. The index is not copied: it is made again.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isCount, isInstant, isText, isListOf, isMaybe, isRecordOf } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { isPlainName, makePrivateFolder, syncPath, writeDurably } from '@comity/disk'
import { clusterError } from '../errors.ts'
import type { Message } from '../road/road.ts'

export interface CopyFacts {
  readonly epoch: number
  readonly at: number
  readonly bytes: number
  /** What was forgotten before it was made, by numbers. */
  readonly forgotten?: readonly string[] | undefined
}

interface Manifest extends CopyFacts {
  readonly number: number
  readonly state: string
  readonly archives: readonly { readonly name: string; readonly bytes: number }[]
}

const isManifest = isRecordOf({
  epoch: isCount,
  at: isInstant,
  bytes: isCount,
  number: isCount,
  state: isText,
  forgotten: isMaybe(isListOf(isText)),
  archives: isListOf(isRecordOf({ name: isText, bytes: isCount })),
})

export class FolderVault {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  /** Nobody takes what it knows of with a lower epoch: called before what was taken is used. */
  markEpoch(key: string, epoch: number): void {
    makePrivateFolder(join(this.#dir, 'epochs'))
    if (epoch > this.epochOf(key)) writeDurably(join(this.#dir, 'epochs', key), `${epoch}\n`)
  }

  epochOf(key: string): number {
    const path = join(this.#dir, 'epochs', key)
    const epoch = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
    return Number.isSafeInteger(epoch) ? epoch : 0
  }

  /** A record that outlives the register; undefined for what cannot be read. */
  kept(name: string): Message | undefined {
    const path = join(this.#dir, `${name}.json`)
    if (!existsSync(path)) return undefined
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Message
    } catch {
      return undefined
    }
  }

  keep(name: string, value: Message): void {
    makePrivateFolder(this.#dir)
    writeDurably(join(this.#dir, `${name}.json`), `${JSON.stringify(value)}\n`)
  }

  /** The newest copy; undefined when there is none. */
  newest(shard: number): CopyFacts | undefined {
    return this.#newest(shard)
  }

  /**
   * Copy a shard that is open here, as of some commit; it goes on being written. Where something was forgotten since the copy before,
   * that one goes first, with all that are older: archives were written anew, and what they held is nowhere any more.
   */
  async copy(
    shard: number,
    epoch: number,
    collection: Collection,
    { at, forgotten = [] }: { readonly at: number; readonly forgotten?: readonly string[] | undefined },
  ): Promise<CopyFacts> {
    const dir = join(this.#dir, `shard-${shard}`, `${epoch}`)
    const known = new Set(this.#newest(shard)?.forgotten)
    if (forgotten.some((one) => !known.has(one))) this.#dropAll(shard)
    const before = this.#manifestIn(dir)
    const number = (before?.number ?? 0) + 1
    makePrivateFolder(join(dir, 'warc'))
    const state = `state-${number}.mdb`
    rmSync(join(dir, state), { force: true })
    await collection.copyState(join(dir, state))
    // After the state, so that all it refers to is there; what is longer by then is cut off when it is opened.
    const archives = []
    for (const path of collection.warcPaths) {
      const [name, bytes] = [basename(path), statSync(path).size]
      const isThere = before?.archives.some((one) => one.name === name && one.bytes === bytes) === true
      if (!isThere) await copyFile(path, join(dir, 'warc', name))
      archives.push({ name, bytes: statSync(join(dir, 'warc', name)).size })
    }
    copyFileSync(join(collection.dir, 'collection.json'), join(dir, 'collection.json'))
    for (const path of [state, 'warc', 'collection.json']) syncPath(join(dir, path))
    const bytes = archives.reduce((sum, one) => sum + one.bytes, statSync(join(dir, state)).size)
    const manifest: Manifest = { epoch, at, bytes, number, state, archives, forgotten }
    writeDurably(join(dir, 'manifest.json'), `${JSON.stringify(manifest)}\n`)
    if (before !== undefined && before.state !== state) rmSync(join(dir, before.state), { force: true })
    this.#dropBefore(shard, epoch)
    return { epoch, at, bytes }
  }

  /** The newest copy, as a collection in a new folder. Undefined when there is none. */
  async restore(shard: number, into: string): Promise<CopyFacts | undefined> {
    const manifest = this.#newest(shard)
    if (manifest === undefined) return undefined
    const dir = join(this.#dir, `shard-${shard}`, `${manifest.epoch}`)
    for (const folder of ['state', 'warc', 'index']) makePrivateFolder(join(into, folder))
    await copyFile(join(dir, manifest.state), join(into, 'state', 'data-1.mdb'))
    for (const { name } of manifest.archives) await copyFile(join(dir, 'warc', name), join(into, 'warc', name))
    await copyFile(join(dir, 'collection.json'), join(into, 'collection.json'))
    return manifest
  }

  #newest(shard: number): Manifest | undefined {
    const dir = join(this.#dir, `shard-${shard}`)
    if (!existsSync(dir)) return undefined
    const epochs = readdirSync(dir)
      .filter((name) => /^\d{1,15}$/.test(name))
      .map(Number)
    for (const epoch of epochs.toSorted((a, b) => b - a)) {
      const manifest = this.#manifestIn(join(dir, `${epoch}`))
      if (manifest !== undefined) return manifest
    }
    return undefined
  }

  #manifestIn(dir: string): Manifest | undefined {
    const path = join(dir, 'manifest.json')
    if (!existsSync(path)) return undefined
    const damaged = (): never => {
      throw clusterError(
        'VAULT_DAMAGED',
        `${path} is not such as comity writes. Restore it from a backup of the vault, or remove its folder: then an earlier copy counts.`,
      )
    }
    let manifest: unknown
    try {
      manifest = JSON.parse(readFileSync(path, 'utf8'))
    } catch {
      return damaged()
    }
    if (!isManifest(manifest)) return damaged()
    const { archives, state } = manifest as Manifest
    return [state, ...archives.map(({ name }) => name)].every(isPlainName) ? (manifest as Manifest) : damaged()
  }

  #dropAll(shard: number): void {
    const dir = join(this.#dir, `shard-${shard}`)
    if (!existsSync(dir)) return
    for (const name of readdirSync(dir))
      if (/^\d{1,15}$/.test(name)) rmSync(join(dir, name), { recursive: true, force: true })
  }

  /** One copy before the newest stays. */
  #dropBefore(shard: number, epoch: number): void {
    const dir = join(this.#dir, `shard-${shard}`)
    const older = readdirSync(dir).filter((name) => /^\d{1,15}$/.test(name) && Number(name) < epoch)
    for (const name of older.toSorted((a, b) => Number(b) - Number(a)).slice(1))
      rmSync(join(dir, name), { recursive: true, force: true })
  }
}
