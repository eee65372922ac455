/** Zip unpack: one entry of a stranger's archive that is in memory, as long as its directory says and no longer. */
import { readZipEntry } from '@comity/protocol'
import type { ByteSource, ZipEntry } from '@comity/protocol'

/** Undefined when the entry is damaged or cannot be read. */
export async function unpackEntry(source: ByteSource, entry: ZipEntry): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const body = new Uint8Array(entry.bytes)
  const chunks = readZipEntry(source, entry)
  let at = 0
  let step = await chunks.next()
  for (; step.done !== true; step = await chunks.next()) {
    // The reader holds a packed entry to its size, and tells of a stored one that is longer only at its end.
    if (at + step.value.length > body.length) return undefined
    body.set(step.value, at)
    at += step.value.length
  }
  return step.value.kind === 'sound' ? body : undefined
}

export function inMemory(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) }
}
