/**
 * The write lock of a collection: a file that names its holder, so that a second process can be told who it is.
 *
 * A holder that died leaves its file behind. A process id alone can be somebody else's by then, so the process's start
 * time stands beside it (Linux: field 22 of /proc/PID/stat), and only a holder that is truly gone is replaced.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { collectionHeld } from './errors.ts'

interface Holder {
  readonly pid: number
  readonly started: string
  readonly host: string
  readonly since: string
}

export interface WriteLock extends Disposable {
  readonly path: string
}

export function takeLock(dir: string): WriteLock {
  const path = join(dir, 'writer.lock')
  const me: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname(), since: new Date().toISOString() }
  for (let tries = 0; tries < 3; tries++) {
    if (create(path, me)) return { path, [Symbol.dispose]: () => rmSync(path, { force: true }) }
    const holder = readHolder(path)
    if (holder !== undefined && isAlive(holder)) {
      throw collectionHeld(dir, `process ${holder.pid} on ${holder.host} since ${holder.since}`)
    }
    // Of several that see a dead holder, the rename lets one through; the others find the file gone or new.
    const stale = `${path}.${process.pid}`
    try {
      renameSync(path, stale)
      rmSync(stale, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw collectionHeld(dir, 'another process that is just starting')
}

function create(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    // Gone, or torn by a crash while it was written: nobody holds it.
    return undefined
  }
}

function isAlive(holder: Holder): boolean {
  // Another machine's process cannot be looked at from here; believe its file.
  if (holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return startOf(holder.pid) === holder.started
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name may hold spaces and brackets; what follows its last bracket does not.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
