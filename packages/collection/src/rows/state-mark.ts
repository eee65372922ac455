/**
 * State mark: which LMDB file here is ours and how we left it, so that it is not looked through again (`rows/state-check.ts`).
 *
 *   state/known     DEVICE INODE BORN BYTES CHANGED
 *
 * Nobody who sends a collection knows the first three of its copy. Whoever writes over the file later changes the last, which
 * is ctime: `touch` sets mtime back, and only the kernel sets this one. A copy, a crash, another mode or one link more also
 * show there, and cost one look.
 *
 * A writer changes the file all the time and says how it left it when it closes. Who looks meanwhile believes the first three
 * for as long as that writer lives.
 */
import { lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '@comity/disk'
import { isBeingWritten } from '../lock.ts'
import { statedBytes } from './state-check.ts'

interface Marks {
  /** Which file it is. */
  readonly file: string
  /** And how it is now. */
  readonly whole: string
}

/** Those that this process has looked through: who only reads leaves no mark. */
const lookedThrough = new Set<string>()

/** Whether it need not be looked through, by whoever opens it to read only, or to write. */
export function isKnown(path: string, readOnly: boolean): boolean {
  const { file, whole } = marksOf(path)
  const mark = readSmall(markPath(path))
  const isAsLeft = mark === whole || lookedThrough.has(whole)
  // A mark of three words is of a version that did not say how it left the file.
  if (!isAsLeft && !(readOnly && mark.startsWith(`${file} `) && isBeingWritten(join(dirname(path), '..')))) return false
  // It may have been cut off since.
  return statSync(path).size >= (statedBytes(path) ?? Infinity)
}

/** How a file is before somebody looks it through; what changed meanwhile was not seen. */
export const beforeLook = (path: string): string => marksOf(path).whole

export const foundSound = (asItWas: string): void => void lookedThrough.add(asItWas)

/** Which file a writer has opened: it speaks for no other when it closes. */
export const fileOf = (path: string): string => marksOf(path).file

export function remember(path: string): void {
  const { whole } = marksOf(path)
  if (readSmall(markPath(path)) === whole) return
  attempt(() => {
    // Anew: what stands there may be a stranger's link to a neighbour.
    rmSync(markPath(path), { force: true })
    writeFileSync(markPath(path), whole, { mode: 0o600, flag: 'wx' })
  })
}

/** While it is being looked through by a writer, nobody takes that writer's word for it. */
export const unmark = (path: string): void => attempt(() => rmSync(markPath(path), { force: true }))

/** Without a mark the file is looked through once more, and what has no room says so when it writes. */
function attempt(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

const markPath = (path: string): string => join(dirname(path), 'known')

function marksOf(path: string): Marks {
  const { dev, ino, birthtimeNs, size, ctimeNs } = statSync(path, { bigint: true })
  const file = `${dev} ${ino} ${birthtimeNs}`
  return { file, whole: `${file} ${size} ${ctimeNs}` }
}

/** Nothing for what is no such file, or has just been taken away by a writer that puts another in its place. */
function readSmall(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size >= 256) return ''
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}
