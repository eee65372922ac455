/**
 * Archive source: the WARC files that a path names: itself, or those in a WACZ. By what it begins with, not by its name.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Archive } from '@comity/crawler'
import { isWaczArchive, readZipDirectory, readZipEntry } from '@comity/protocol'
import type { ByteSource, ZipEntry } from '@comity/protocol'
import { UsageError } from '../usage-error.ts'

/** One after the other, each read before the next is given. `onDamage` hears of what could not be read to its end. */
export async function* archivesIn(
  path: string,
  onDamage: (name: string, message: string) => void,
): AsyncGenerator<Archive> {
  await using handle = await open(path)
  const source = await fileSource(handle)
  if (!isZip(await source.read(0, 4))) {
    yield { name: path, bytes: createReadStream(path, { highWaterMark: 1 << 18 }) }
    return
  }
  const directory = await readZipDirectory(source)
  if (directory.kind === 'bad') throw notReadable(path, directory.message)
  const entries = directory.entries.filter(({ name }) => isWaczArchive(name))
  if (entries.length === 0) throw notReadable(path, 'it holds no WARC file in its folder archive/')
  for (const entry of entries) {
    const name = `${path}:${entry.name}`
    yield { name, bytes: watched(source, entry, (message) => onDamage(name, message)) }
  }
}

const isZip = (start: Uint8Array): boolean => Buffer.from(start).toString('latin1').startsWith('PK')

async function* watched(
  source: ByteSource,
  entry: ZipEntry,
  onDamage: (message: string) => void,
): AsyncGenerator<Uint8Array> {
  const end = yield* readZipEntry(source, entry)
  if (end.kind === 'bad') onDamage(end.message)
}

export async function fileSource(handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat()
  return {
    size,
    read: async (offset, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
      let done = 0
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return bytes.subarray(0, done)
    },
  }
}

const notReadable = (path: string, message: string): UsageError =>
  new UsageError(`${path} cannot be read: ${message}. Name a .warc, a .warc.gz or a .wacz file.`)
