/**
 * CaptureSource: where the bytes of a capture come from. A file, plain or compressed (.gz, .zst, told by their first bytes),
 * still growing or not; a pipe of unknown length; or a network interface, by way of `tcpdump`, which alone needs the right to
 * listen. What is missing for it is said, with what to do.
 */
import { messageOf, packingOf, ZstdUnpacker } from '@comity/protocol'
import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { noProgram, noRight } from './capture-advice.ts'

export interface CaptureTaker {
  write(bytes: Uint8Array): void
  /** What comes now is another capture, behind or in the middle of the one before. */
  restart(): void
}

export interface SourceEnd {
  /** Why it ended before its end, and what to do about it. */
  readonly problem?: string | undefined
  /** Packets that the kernel dropped because nobody took them in time; of live captures, when they say so. */
  readonly dropped?: number | undefined
}

const CHUNK = 1 << 20
const POLL_MS = 200
const GRACE_MS = 5_000

/** Reads a stream of unknown length to its end, or until `signal`. */
export async function readCaptureStream(
  stream: Readable,
  taker: CaptureTaker,
  signal?: AbortSignal,
): Promise<SourceEnd> {
  const stop = (): void => void stream.destroy()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of await uncompressed(stream)) {
      if (signal?.aborted === true) break
      write(taker, chunk as Uint8Array)
    }
    return {}
  } catch (error) {
    // Nothing of the capture's: whoever takes it is broken, and says so itself.
    if (error instanceof TakerFault) throw error.cause
    if (signal?.aborted === true) return {}
    return { problem: `the capture could not be read to its end: ${messageOf(error)}` }
  } finally {
    signal?.removeEventListener('abort', stop)
    // Whoever still writes into it keeps nobody alive.
    stop()
  }
}

class TakerFault extends Error {}

function write(taker: CaptureTaker, bytes: Uint8Array): void {
  try {
    taker.write(bytes)
  } catch (cause) {
    throw new TakerFault('', { cause })
  }
}

export interface FileOptions {
  readonly signal?: AbortSignal | undefined
  /** Go on when the end is reached: somebody is still writing. Only `signal` ends it then. */
  readonly follow?: boolean
  /** Waits until there may be more. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export async function readCaptureFile(
  path: string,
  taker: CaptureTaker,
  options: FileOptions = {},
): Promise<SourceEnd> {
  const { signal, follow = false, wait = waitFor } = options
  let file
  try {
    file = await open(path)
  } catch (error) {
    return { problem: `${path} cannot be opened: ${messageOf(error)}` }
  }
  await using opened = file
  if (!follow)
    return await readCaptureStream(opened.createReadStream({ highWaterMark: CHUNK, autoClose: false }), taker, signal)
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  let position = 0
  const isStopped = (): boolean => signal?.aborted === true
  while (!isStopped()) {
    const { bytesRead } = await opened.read(buffer, 0, CHUNK, position)
    if (position === 0 && bytesRead >= 4 && packed(buffer) !== undefined) {
      return { problem: `${path} is compressed: what is still growing can only be followed uncompressed` }
    }
    if (bytesRead > 0) taker.write(buffer.subarray(0, bytesRead))
    position += bytesRead
    if (bytesRead > 0) continue
    // Shorter than before: it was begun anew.
    if ((await opened.stat()).size < position) {
      position = 0
      taker.restart()
    } else await wait(POLL_MS, signal)
  }
  return {}
}

export interface LiveOptions {
  /** An interface, `any`, or a mirror port beside a router that cannot be programmed. */
  readonly iface: string
  /** In the language of tcpdump; everything when undefined. */
  readonly filter?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly command?: string
  /** Run as this user. */
  readonly uid?: number | undefined
  /** From now on nothing is missed. */
  readonly onListening?: (() => void) | undefined
}

/** Listens until `signal`. */
export async function readLiveCapture(taker: CaptureTaker, options: LiveOptions): Promise<SourceEnd> {
  const { iface, filter, signal, command = 'tcpdump', uid, onListening } = options
  const given = [
    '-i',
    iface,
    '-n',
    '-U',
    '-s',
    '0',
    '-B',
    '65536',
    '-w',
    '-',
    ...(filter === undefined ? [] : [filter]),
  ]
  const child = spawn(command, given, { stdio: ['ignore', 'pipe', 'pipe'], ...(uid === undefined ? {} : { uid }) })
  let said = ''
  let isListening = false
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('latin1')).slice(-4_096)
    if (isListening || !said.includes('listening on')) return
    isListening = true
    onListening?.()
  })
  // It writes what it has and counts what it lost before it goes; should it not go, it has to.
  const stop = (): void => {
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  signal?.addEventListener('abort', stop, { once: true })
  const ended = new Promise<Error | number | null>((resolve) => {
    child.on('error', resolve)
    child.on('close', resolve)
  })
  if (signal?.aborted === true) stop()
  const read = await readCaptureStream(child.stdout, taker).catch((error: unknown) => {
    // Nobody reads it any more, and nothing must wait for it.
    child.kill('SIGKILL')
    throw error
  })
  const end = await ended
  signal?.removeEventListener('abort', stop)
  if (end instanceof Error) return { problem: missing(command, end) }
  const dropped = /(\d+) packets? dropped by kernel/.exec(said)?.[1]
  const problem = end === 0 || signal?.aborted === true ? read.problem : refused(command, iface, said)
  return { problem, dropped: dropped === undefined ? undefined : Number(dropped) }
}

function missing(command: string, error: Error): string {
  if (!('code' in error) || error.code !== 'ENOENT') return `${command} could not be run: ${error.message}`
  return noProgram(command, process.platform)
}

function refused(command: string, iface: string, said: string): string {
  const last = said.trim().split('\n').at(-1) ?? ''
  if (/permission|not permitted|CAP_NET/i.test(said)) return noRight(command, iface, last, process.platform)
  if (/No such device|no such interface/i.test(said)) {
    return `there is no interface ${iface}: "${command} -D" lists those there are`
  }
  return `${command} ended: ${last}`
}

function packed(bytes: Uint8Array): (() => Transform) | undefined {
  const packing = packingOf(bytes)
  if (packing === 'gzip') return () => createGunzip()
  return packing === 'zstd' ? () => new ZstdUnpacker() : undefined
}

async function uncompressed(stream: Readable): Promise<AsyncIterable<unknown>> {
  const chunks = stream.iterator({ destroyOnReturn: true })
  const first: Uint8Array[] = []
  let length = 0
  while (length < 4) {
    const next: IteratorResult<unknown> = await chunks.next()
    if (next.done === true) break
    first.push(next.value as Uint8Array)
    length += (next.value as Uint8Array).length
  }
  const begin = Buffer.concat(first)
  const unpack = packed(begin)
  const all = joined(begin, chunks)
  if (unpack === undefined) return all
  const source = Readable.from(all)
  const unpacker = unpack()
  source.on('error', (error) => unpacker.destroy(error))
  return source.pipe(unpacker)
}

async function* joined(first: Uint8Array, rest: AsyncIterator<unknown>): AsyncGenerator {
  if (first.length > 0) yield first
  for (;;) {
    const next = await rest.next()
    if (next.done === true) return
    yield next.value
  }
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // Being told to stop while waiting is no fault.
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
}
