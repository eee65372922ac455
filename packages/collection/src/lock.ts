/**
 * The write lock of a collection: a file that names its holder, so that a second process can be told who it is.
 *
 *   writer-1.lock · writer-2.lock …      the newest counts; empty when its holder has let go
 *
 * Each holder makes the next number. Making a file that must not exist yet is the one step a file system lets only one
 * of several do; replacing a dead holder's file in place would let a slow second taker replace a living one's. So a
 * number is never used twice, and whoever makes one and then sees a higher one has lost.
 *
 * A holder that died leaves its name behind. A process id alone can be somebody else's by then, so boot and start time
 * stand beside it (Linux: field 22 of /proc/PID/stat), and only a holder that is truly gone is followed by the next.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf, collectionHeld } from './errors.ts'

interface Holder {
  readonly pid: number
  readonly started: string
  readonly host: string
  readonly since: string
}

export interface WriteLock extends Disposable {
  readonly path: string
}

/** Every name this module makes in a collection's folder. */
export const LOCK_NAME: RegExp = /^writer-(?:(\d{1,15})\.lock|[\da-f-]{36}\.tmp)$/

/** Each try that fails means that another process took or gave up the lock meanwhile. */
const MAX_TRIES = 100

export function takeLock(dir: string): WriteLock {
  const me: Holder = {
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const newest = newestOf(dir)
    const holder = readHolder(pathOf(dir, newest))
    if (holder !== undefined && isAlive(holder)) throw collectionHeld(dir, nameOf(holder), pathOf(dir, newest))
    const path = pathOf(dir, newest + 1)
    if (!create(dir, path, me)) continue
    if (newestOf(dir) === newest + 1) {
      clearOld(dir, newest + 1)
      return { path, [Symbol.dispose]: () => letGo(path, me) }
    }
    rmSync(path, { force: true })
  }
  throw collectionHeld(dir, 'other processes that are just starting', dir)
}

const pathOf = (dir: string, number: number): string => join(dir, `writer-${number}.lock`)
const nameOf = ({ pid, host, since }: Holder): string => `process ${pid} on ${host} since ${since}`
const numberOf = (name: string): number => Number(LOCK_NAME.exec(name)?.[1] ?? 0)

function newestOf(dir: string): number {
  return readdirSync(dir).reduce((newest, name) => Math.max(newest, numberOf(name)), 0)
}

/** Make the file with its content at once: half a name would look like nobody's. */
function create(dir: string, path: string, holder: Holder): boolean {
  const draft = join(dir, `writer-${randomUUID()}.tmp`)
  try {
    writeFileSync(draft, `${JSON.stringify(holder)}\n`)
    linkSync(draft, path)
    return true
  } catch (error) {
    const code = codeOf(error)
    // ENOENT: the new holder has swept our draft away.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function clearOld(dir: string, mine: number): void {
  for (const name of readdirSync(dir)) {
    if (LOCK_NAME.test(name) && numberOf(name) < mine) rmSync(join(dir, name), { force: true })
  }
}

/** The file stays, empty: its number must not be used again by somebody who looked a moment ago. */
function letGo(path: string, me: Holder): void {
  const holder = readHolder(path)
  if (holder?.pid === me.pid && holder.since === me.since) truncateSync(path)
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder: Holder = JSON.parse(readFileSync(path, 'utf8'))
    return holder
  } catch {
    // Gone, let go, or torn by a power cut that its holder did not outlive: nobody holds it.
    return undefined
  }
}

function isAlive(holder: Holder): boolean {
  // Another machine's process cannot be looked at from here; believe its file.
  if (holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return startOf(holder.pid) === holder.started
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    // The command name may hold spaces and brackets; what follows its last bracket does not.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has let go of everything but its number.
    return state === 'Z' ? 'dead' : `${boot} ${fields[18] ?? ''}`
  } catch {
    return ''
  }
}
