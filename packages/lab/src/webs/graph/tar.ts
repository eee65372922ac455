/**
 * The files in a tar archive, one after the other (POSIX.1-1988 ustar; long names of GNU and of pax). Folders, links
 * and devices are left out, nothing is written to disk, and names are only names.
 *
 *   512-byte header: name 0–99 · size 124–135, octal · kind 156 · `ustar` 257 · prefix 345–499 · then the bytes, padded
 */
import { webUnreadable } from '../../lab-error.ts'

interface TarFile {
  readonly name: string
  readonly bytes: Buffer
}

const BLOCK = 512
const MAX_FILE_BYTES = 64 << 20
const MAX_FILES = 1_000_000

/** `path` names the archive in errors. */
export async function* tarFiles(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<TarFile> {
  let held: Buffer = Buffer.alloc(0)
  let longName: string | undefined
  let files = 0
  for await (const chunk of chunks) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    let at = 0
    while (held.length - at >= BLOCK) {
      const head = headerAt(held, at, path)
      // Two blocks of zeros end an archive; what follows is padding.
      if (head === undefined) return
      const end = at + BLOCK + head.size
      if (held.length < padded(end, at)) break
      const bytes = held.subarray(at + BLOCK, end)
      at = padded(end, at)
      if (head.kind === 'L') longName = text(bytes)
      else if (head.kind === 'x') longName = paxPath(bytes) ?? longName
      else if (head.kind === '0') {
        if (++files > MAX_FILES) throw webUnreadable(path, `It holds more than ${MAX_FILES} files, the most we read.`)
        yield { name: longName ?? head.name, bytes: Buffer.from(bytes) }
        longName = undefined
      } else longName = undefined
    }
    held = held.subarray(at)
  }
  if (held.length > 0) throw webUnreadable(path, 'The archive ends in the middle of a file. Fetch it again.')
}

const padded = (end: number, start: number): number => start + Math.ceil((end - start) / BLOCK) * BLOCK

interface Header {
  readonly name: string
  readonly size: number
  /** `0` for a file. */
  readonly kind: string
}

function headerAt(bytes: Buffer, at: number, path: string): Header | undefined {
  const head = bytes.subarray(at, at + BLOCK)
  if (head.every((byte) => byte === 0)) return undefined
  const size = octal(head.subarray(124, 136))
  if (size === undefined || octal(head.subarray(148, 156)) !== checksum(head))
    throw webUnreadable(path, 'This is no tar archive, or a damaged one. Fetch it again.')
  if (size > MAX_FILE_BYTES)
    throw webUnreadable(path, `It holds a file of ${size} bytes; we read up to ${MAX_FILE_BYTES}.`)
  const isUstar = head.toString('latin1', 257, 262) === 'ustar'
  // GNU writes times where POSIX has the prefix, and says so by a blank after its `ustar`.
  const prefix = isUstar && head[262] === 0 ? text(head.subarray(345, 500)) : ''
  const name = text(head.subarray(0, 100))
  const kind = head[156] === 0 ? '0' : String.fromCharCode(head[156]!)
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, kind }
}

/** The bytes of the header added up, its own field taken as blanks. */
function checksum(head: Buffer): number {
  let sum = 8 * 0x20
  for (const [i, byte] of head.entries()) if (i < 148 || i >= 156) sum += byte
  return sum
}

function octal(field: Buffer): number | undefined {
  const digits = text(field).trim()
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

function text(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}

/** Records of a pax header are `length key=value`, a line each. */
function paxPath(bytes: Buffer): string | undefined {
  return /^\d+ path=(.+)$/m.exec(bytes.toString('utf8'))?.[1]
}
