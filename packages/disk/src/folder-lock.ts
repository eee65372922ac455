/**
 * FolderLock: one process at a time does something with a folder, and a second is told who.
 *
 *   NAME-1.lock · NAME-2.lock …      the newest counts; empty when its holder has let go
 *
 * Each holder makes the next number. Making a file that must not exist yet is the one step a file system lets only one of
 * several do; replacing a dead holder's file in place would let a slow second taker replace a living one's. So a number is
 * never used twice, and whoever makes one and then sees a higher one has lost.
 *
 * A holder that died leaves its name behind. A process number alone can be somebody else's by then, so boot and start time
 * stand beside it (Linux: proc(5), field 22 of /proc/PID/stat), and only a holder that is truly gone is followed by the next.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from './system-error.ts'

export interface FolderLock extends Disposable {
  readonly path: string
}

export interface LockHeld {
  /** `process 12 on host since 2026-…` */
  readonly heldBy: string
  /** What to delete when that holder is gone for good and nobody can tell from here. */
  readonly path: string
}

interface Holder {
  readonly pid: number
  readonly started: string
  readonly host: string
  readonly since?: string | undefined
}

/** Each try that fails means that another process took or gave up the lock meanwhile. */
const MAX_TRIES = 100
const NUMBER = /^-(\d{1,15})\.lock$/
const DRAFT = /^-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** The lock, or who holds it. */
export function takeFolderLock(folder: string, name: string): FolderLock | LockHeld {
  const since = new Date().toISOString()
  const me: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname(), since }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const newest = newestOf(folder, name)
    const held = heldAs(pathOf(folder, name, newest))
    if (held !== undefined) return held
    const path = pathOf(folder, name, newest + 1)
    if (!create(folder, name, path, me)) continue
    if (newestOf(folder, name) === newest + 1) {
      clearOld(folder, name, newest + 1)
      return { path, [Symbol.dispose]: () => letGo(path, me) }
    }
    rmSync(path, { force: true })
  }
  return { heldBy: 'other processes that are just starting', path: folder }
}

/** Who holds it, for somebody who does not want it. */
export function folderLockHeld(folder: string, name: string): LockHeld | undefined {
  return heldAs(pathOf(folder, name, newestOf(folder, name)))
}

function heldAs(path: string): LockHeld | undefined {
  const holder = readHolder(path)
  return holder !== undefined && isAlive(holder) ? { heldBy: nameOf(holder), path } : undefined
}

/** Whether a file of the folder is of the lock of that name. */
export function isLockFile(file: string, name: string): boolean {
  return file.startsWith(name) && (NUMBER.test(file.slice(name.length)) || DRAFT.test(file.slice(name.length)))
}

const pathOf = (folder: string, name: string, number: number): string => join(folder, `${name}-${number}.lock`)

const nameOf = ({ pid, host, since }: Holder): string =>
  `process ${pid} on ${host}${since === undefined ? '' : ` since ${since}`}`

function numberOf(file: string, name: string): number {
  return file.startsWith(name) ? Number(NUMBER.exec(file.slice(name.length))?.[1] ?? 0) : 0
}

function newestOf(folder: string, name: string): number {
  return readdirSync(folder).reduce((newest, file) => Math.max(newest, numberOf(file, name)), 0)
}

/** Linked into place with its content: half a name would look like nobody's. */
function create(folder: string, name: string, path: string, me: Holder): boolean {
  const draft = join(folder, `${name}-${randomUUID()}.tmp`)
  try {
    writeFileSync(draft, `${JSON.stringify(me)}\n`)
    linkSync(draft, path)
    return true
  } catch (error) {
    // ENOENT: the new holder has swept our draft away.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function clearOld(folder: string, name: string, mine: number): void {
  for (const file of readdirSync(folder))
    if (isLockFile(file, name) && numberOf(file, name) < mine) rmSync(join(folder, file), { force: true })
}

/** The file stays, empty: its number must not be used again by somebody who looked a moment ago. */
function letGo(path: string, me: Holder): void {
  const holder = readHolder(path)
  if (holder?.pid === me.pid && holder.since === me.since) truncateSync(path)
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, started, host, since }: Partial<Holder> = JSON.parse(readFileSync(path, 'utf8'))
    return pid === undefined || started === undefined || host === undefined ? undefined : { pid, started, host, since }
  } catch {
    // Gone, let go, or torn by a power cut that its holder did not outlive: nobody holds it.
    return undefined
  }
}

function isAlive({ pid, started, host }: Holder): boolean {
  // A process of another machine cannot be looked at from here; its file is believed.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return startOf(pid) === started
}

function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command's name may hold spaces and brackets; what follows its last bracket does not.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has let go of everything but its number.
    return state === 'Z' ? 'dead' : `${boot} ${fields[18] ?? ''}`
  } catch {
    return ''
  }
}
