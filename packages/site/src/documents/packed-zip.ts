/** Packed ZIP: named bytes in, the bytes of one ZIP file out. Equal input gives equal bytes. */
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import type { ZipEntryToWrite } from '@comity/protocol'
import { zipLayout } from './zip-layout.ts'

const pack = promisify(deflateRaw)

/** Entries are read one at a time; what does not get smaller is stored. */
export async function packedZip(
  entries: Iterable<readonly [name: string, bytes: Uint8Array]> | AsyncIterable<readonly [string, Uint8Array]>,
): Promise<Uint8Array> {
  const laid: ZipEntryToWrite[] = []
  const bodies: Uint8Array[] = []
  for await (const [name, bytes] of entries) {
    const packed = await pack(bytes, { level: 6 })
    const isSmaller = packed.length < bytes.length
    const body = isSmaller ? packed : bytes
    bodies.push(body)
    laid.push({
      name,
      method: isSmaller ? 'deflate' : 'stored',
      crc32: crc32(bytes),
      bytes: bytes.length,
      packedBytes: body.length,
    })
  }
  const { heads, tail } = zipLayout(laid)
  return Buffer.concat([...heads.flatMap((head, i) => [head, bodies[i]!]), tail])
}
