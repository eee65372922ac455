/** A package of ResourceSync, read with the readers of the protocol: a ZIP with a manifest that says what is in it. */
import { readSync, readZipDirectory, readZipEntry, SYNC_MANIFEST } from '@comity/protocol'
import type { ByteSource, SyncEntry, ZipEntry } from '@comity/protocol'

export class SyncZip {
  readonly #source: ByteSource
  readonly #files: ReadonlyMap<string, ZipEntry>
  /** Of its manifest. */
  entries: readonly SyncEntry[] = []

  private constructor(source: ByteSource, files: ReadonlyMap<string, ZipEntry>) {
    this.#source = source
    this.#files = files
  }

  /** Throws for what is none. */
  static async open(bytes: Uint8Array, url: string): Promise<SyncZip> {
    const source: ByteSource = {
      size: bytes.length,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    }
    const directory = await readZipDirectory(source)
    if (directory.kind !== 'ok') throw new Error(`${url} is no ZIP: ${directory.message}`)
    const zip = new SyncZip(source, new Map(directory.entries.map((entry) => [entry.name, entry])))
    zip.entries = readSync(await zip.read(SYNC_MANIFEST), url).entries
    return zip
  }

  /** The bytes of a file in it. */
  async read(name: string): Promise<Uint8Array> {
    const entry = this.#files.get(name)
    if (entry === undefined) throw new Error(`a package lacks ${name}`)
    const pieces: Uint8Array[] = []
    const bytes = readZipEntry(this.#source, entry)
    let step = await bytes.next()
    for (; step.done !== true; step = await bytes.next()) pieces.push(step.value)
    if (step.value.kind !== 'sound') throw new Error(`${name} in a package is ${step.value.message}`)
    return Buffer.concat(pieces)
  }
}
