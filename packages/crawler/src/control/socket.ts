/**
 * The socket of a crawl: where it stands, and how it is found.
 *
 *   DIR/crawl.sock          for its owner alone
 *   DIR/crawl.sock.path     where it stands instead, when DIR/crawl.sock is too long a name for a socket or DIR is on a
 *                           file system that has none: comity-crawl-…/crawl.sock in the folder for temporary files
 *   \\.\pipe\comity-crawl-…   on Windows, where sockets have names apart from files; it is gone with its process
 *
 * Only the writer of a collection has a socket, so whoever holds its lock may take away what a killed one left behind.
 */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** What every system takes: macOS has room for 103 bytes, Linux for 107. */
const MAX_PATH_BYTES = 100

const ELSEWHERE = /[/\\]comity-crawl-\w{6}[/\\]crawl\.sock$/

const nearPath = (dir: string): string => join(resolve(dir), 'crawl.sock')
const notePath = (dir: string): string => join(dir, 'crawl.sock.path')
const fits = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES

/** One name for one folder, which nobody can guess who does not know the folder. */
const pipePath = (dir: string): string =>
  `\\\\.\\pipe\\comity-crawl-${hash('sha256', resolve(dir), 'hex').slice(0, 32)}`

/** Where the socket of a crawl into `dir` may be; the first that answers is it. */
export function socketPaths(dir: string, platform: NodeJS.Platform = process.platform): string[] {
  if (platform === 'win32') return [pipePath(dir)]
  const near = nearPath(dir)
  return [...(fits(near) ? [near] : []), ...elsewhere(dir)]
}

/** Have a server listen for `dir`; returns where. Call it with the collection's lock held. */
export async function listenFor(dir: string, server: Server): Promise<string> {
  removeSocket(dir)
  if (process.platform === 'win32') return await listenAtPipe(pipePath(dir), server)
  const near = nearPath(dir)
  if (fits(near)) {
    try {
      return await listenAt(near, server)
    } catch {
      // A file system without sockets, such as a shared folder of another system: there is another place.
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'comity-crawl-'))
  try {
    const path = join(folder, 'crawl.sock')
    if (!fits(path)) throw new Error(`${path} is too long a name for a socket`)
    await listenAt(path, server)
    writeFileSync(notePath(dir), `${path}\n`, { mode: 0o600 })
    return path
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Take away the socket of `dir`, one's own or that of a process that was killed. */
export function removeSocket(dir: string): void {
  for (const path of elsewhere(dir)) remove(dirname(path), true)
  for (const path of [notePath(dir), nearPath(dir)]) remove(path, false)
}

function remove(path: string, recursive: boolean): void {
  try {
    rmSync(path, { recursive, force: true })
  } catch {
    // Something of another kind, or of somebody else, stays: `listenFor` finds another place.
  }
}

/** It has no mode: unless told otherwise Windows lets its owner write into it, and administrators. */
async function listenAtPipe(path: string, server: Server): Promise<string> {
  server.listen(path)
  await once(server, 'listening')
  return path
}

async function listenAt(path: string, server: Server): Promise<string> {
  // The mask counts at the moment the socket is made, and `listen` makes it before it returns: nobody else can have
  // connected before the rights were right. A worker thread has no mask of its own to set.
  const mask = isMainThread ? process.umask(0o177) : undefined
  try {
    server.listen(path)
  } finally {
    if (mask !== undefined) process.umask(mask)
  }
  await once(server, 'listening')
  chmodSync(path, 0o600)
  return path
}

/** A collection may come from a stranger: only a path of the kind that we make is believed, in a folder that we made. */
function elsewhere(dir: string): string[] {
  try {
    const path = readFileSync(notePath(dir), 'utf8').trim()
    return fits(path) && isAbsolute(path) && ELSEWHERE.test(path) && isOurs(dirname(path)) ? [path] : []
  } catch {
    return []
  }
}

/** As `mkdtemp` makes it: our own, nobody else's to look into, and with nothing but the socket in it. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder)
  if (!stat.isDirectory() || readdirSync(folder).some((name) => name !== 'crawl.sock')) return false
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0)
}
