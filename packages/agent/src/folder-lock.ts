/**
 * Folder lock: one process at a time does something with a folder, and a second is told who.
 *
 *   NAME-1.lock · NAME-2.lock …      the newest counts; empty when its holder has let go
 *
 * Whoever takes it makes the file of the next number, which a file system lets only one of several do; the file of a dead
 * holder is left alone, since replacing it in place could hit somebody who took it a moment before. A process number may be
 * another's by now, so the time its process started stands beside it where the system tells (Linux: proc(5), field 22).
 */
import { linkSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from './durable.ts'

interface Holder {
  readonly pid: number
  readonly started: string
  readonly host: string
}

/** Tries that fail because somebody else was quicker. */
const MAX_TRIES = 50

/** The lock, or who holds it. */
export function takeLock(folder: string, name: string): Disposable | { readonly heldBy: string } {
  const me: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname() }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const newest = newestOf(folder, name)
    const holder = readHolder(pathOf(folder, name, newest))
    if (holder !== undefined && isAlive(holder)) return { heldBy: `process ${holder.pid} on ${holder.host}` }
    const path = pathOf(folder, name, newest + 1)
    if (!create(folder, name, path, me)) continue
    if (newestOf(folder, name) !== newest + 1) {
      rmSync(path, { force: true })
      continue
    }
    for (const old of numbersOf(folder, name)) if (old <= newest) rmSync(pathOf(folder, name, old), { force: true })
    // Emptied, not removed: somebody may have looked at it a moment ago and must not find its number free.
    return { [Symbol.dispose]: () => truncateSync(path) }
  }
  return { heldBy: 'several processes that are just starting' }
}

const pathOf = (folder: string, name: string, number: number): string => join(folder, `${name}-${number}.lock`)

function numbersOf(folder: string, name: string): number[] {
  return readdirSync(folder).flatMap((file) => {
    const digits = file.startsWith(`${name}-`) ? /^(\d{1,15})\.lock$/.exec(file.slice(name.length + 1))?.[1] : undefined
    return digits === undefined ? [] : [Number(digits)]
  })
}

const newestOf = (folder: string, name: string): number => Math.max(0, ...numbersOf(folder, name))

/** Linked into place with its content: a file that is there has its holder's name in it. */
function create(folder: string, name: string, path: string, me: Holder): boolean {
  const draft = join(folder, `${name}-${me.pid}.tmp`)
  try {
    writeFileSync(draft, `${JSON.stringify(me)}\n`)
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, started, host }: Partial<Holder> = JSON.parse(readFileSync(path, 'utf8'))
    return pid === undefined || started === undefined || host === undefined ? undefined : { pid, started, host }
  } catch {
    // Let go of, gone, or torn by a power cut that its holder did not outlive.
    return undefined
  }
}

function isAlive({ pid, started, host }: Holder): boolean {
  // A process of another machine cannot be looked at from here; its word counts.
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
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has let go of everything but its number.
    return state === 'Z' ? 'dead' : `${boot} ${fields[18] ?? ''}`
  } catch {
    return ''
  }
}
