/**
 * Write lock: one process writes a journal at a time, and a second one is told who.
 *
 *   writer-1.lock · writer-2.lock …      the newest counts; empty when its holder has let go
 *
 * Each holder makes the file of the next number; that a file must not exist yet is the one thing a file system lets only
 * one of several do. A dead holder's file is never replaced in place, or a slow second taker could replace a living one's.
 * A process number alone may be somebody else's by now, so the start time stands beside it (Linux: proc(5), field 22).
 */
import { linkSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf, journalHeld } from './errors.ts'

interface Holder {
  readonly pid: number
  readonly started: string
  readonly host: string
}

const LOCK_NAME = /^writer-(?:(?<number>\d{1,15})\.lock|\d+\.tmp)$/
/** Each try that fails means that another process took the lock meanwhile. */
const MAX_TRIES = 100

/** Takes the lock of a folder, or throws who holds it. */
export function takeWriteLock(dir: string): Disposable {
  const me: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname() }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const newest = newestOf(dir)
    const holder = readHolder(pathOf(dir, newest))
    if (holder !== undefined && isAlive(holder))
      throw journalHeld(dir, `process ${holder.pid} on ${holder.host}`, pathOf(dir, newest))
    const path = pathOf(dir, newest + 1)
    if (!create(dir, path, me)) continue
    if (newestOf(dir) === newest + 1) {
      clearOlder(dir, newest + 1)
      // The file stays, empty: somebody may have looked at it a moment ago and must not find its number free.
      return { [Symbol.dispose]: () => letGo(path, me) }
    }
    rmSync(path, { force: true })
  }
  throw journalHeld(dir, 'other processes that are just starting', dir)
}

const pathOf = (dir: string, number: number): string => join(dir, `writer-${number}.lock`)
const numberOf = (name: string): number => Number(LOCK_NAME.exec(name)?.groups?.['number'] ?? 0)

function newestOf(dir: string): number {
  return readdirSync(dir).reduce((newest, name) => Math.max(newest, numberOf(name)), 0)
}

/** Linked into place with its content: half a name would look like nobody's. */
function create(dir: string, path: string, me: Holder): boolean {
  const draft = join(dir, `writer-${me.pid}.tmp`)
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

function clearOlder(dir: string, mine: number): void {
  for (const name of readdirSync(dir)) {
    if (LOCK_NAME.test(name) && numberOf(name) < mine) rmSync(join(dir, name), { force: true })
  }
}

function letGo(path: string, me: Holder): void {
  const holder = readHolder(path)
  if (holder?.pid === me.pid && holder.started === me.started) truncateSync(path)
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, started, host }: Partial<Holder> = JSON.parse(readFileSync(path, 'utf8'))
    return pid === undefined || started === undefined || host === undefined ? undefined : { pid, started, host }
  } catch {
    // Gone, let go, or torn by a power cut that its holder did not outlive: nobody holds it.
    return undefined
  }
}

function isAlive({ pid, started, host }: Holder): boolean {
  // Another machine's process cannot be looked at from here; its file is believed.
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
