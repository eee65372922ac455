/**
 * The bytes of a graph file, unpacked, a chunk at a time. What packed it is told by the first bytes, not by the name:
 * gzip and Zstandard by `node:zlib`, xz by the program `xz`, for which Node has no reader.
 */
import { messageOf, PACKING_BYTES, packingOf, ZstdUnpacker } from '@comity/protocol'
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Readable, Transform } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { LabError, unpackerMissing, webUnreadable } from '../../lab-error.ts'

const CHUNK_BYTES = 1 << 20
/** What `zstd --long` writes at most without being asked twice: a window of 128 MB. */
const ZSTD_WINDOW_LOG = 27
const MAX_COMPLAINT = 500

/** Throws a `LabError` for a file that is missing, damaged, or longer than `maxBytes` when unpacked. */
export async function* unpackedChunks(path: string, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of chunksOf(path, await firstBytes(path))) {
      bytes += chunk.length
      if (bytes > maxBytes) throw webUnreadable(path, `It unpacks to more than ${maxBytes} bytes, the most we read.`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof LabError) throw error
    const problem = messageOf(error)
    throw webUnreadable(path, `It cannot be read (${problem}). Check the path, or fetch the file again.`, error)
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(new Uint8Array(PACKING_BYTES), 0, PACKING_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

function chunksOf(path: string, head: Uint8Array): AsyncIterable<Uint8Array> {
  const packing = packingOf(head)
  if (packing === 'xz') return unxz(path)
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  if (packing === 'gzip') return through(file, createGunzip({ chunkSize: CHUNK_BYTES }))
  const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG }
  if (packing === 'zstd') return through(file, new ZstdUnpacker({ chunkSize: CHUNK_BYTES, params }))
  return file
}

/** `pipeline` destroys both streams when either fails or the reader stops early. */
async function* through(file: Readable, unpacker: Transform): AsyncGenerator<Uint8Array> {
  const done = pipeline(file, unpacker)
  // The reader sees the failure first, as the end of its loop; here it only must not go unheard.
  done.catch(() => undefined)
  yield* unpacker
  await done
}

async function* unxz(path: string): AsyncGenerator<Uint8Array> {
  const child = spawn('xz', ['--decompress', '--stdout', '--', path], { stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise: ended, resolve } = Promise.withResolvers<number | Error | null>()
  child.on('error', resolve)
  child.on('close', resolve)
  let complaint = ''
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (complaint = (complaint + text).slice(0, MAX_COMPLAINT)))
  try {
    yield* child.stdout
    const end = await ended
    if (end instanceof Error) throw unpackerMissing(path, 'xz', end)
    if (end !== 0) throw webUnreadable(path, `xz could not unpack it: ${complaint.trim()}`)
  } finally {
    child.kill()
  }
}
