/** System failure: what the system refused, in a sentence that says what to do, in place of `ENOENT: no such file or directory, open`. */
import { messageOf } from '@comity/protocol'

/** Made by Node for a call that the system refused. */
interface SystemFailure extends Error {
  readonly code: string
  readonly syscall: string
  readonly path?: string
  readonly dest?: string
  readonly address?: string
  readonly port?: number
}

export const isSystemFailure = (error: unknown): error is SystemFailure =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'

type Sentence = (what: string) => string

/** What is refused, and the way out. */
// oxfmt-ignore
const OF_PATHS: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['ENOENT', (path) => `${path} is not there. Check the name and the folders before it.`],
  ['EISDIR', (path) => `${path} is a folder, where a file is meant.`],
  ['ENOTDIR', (path) => `${path} is a file, or has one before it in its path, where a folder is meant.`],
  ['EEXIST', (path) => `${path} is there already, as something else than is meant: a file for a folder, or the other way round.`],
  ['ENOTEMPTY', (path) => `${path} is not empty. Name another folder, or empty it.`],
  ['EACCES', (path) => `${path} may not be used by you: look at its owner and permissions (ls -ld).`],
  ['EPERM', (path) => `${path} may not be changed by you: look at its owner and permissions (ls -ld).`],
  ['EROFS', (path) => `${path} is on a disk that can only be read.`],
  ['ENOSPC', (path) => `There is no room left for ${path}. Free some, and run the same command again.`],
  ['EDQUOT', (path) => `Your quota leaves no room for ${path}. Free some, and run the same command again.`],
  ['EFBIG', (path) => `${path} is larger than its disk, or your limits (ulimit -f), take.`],
  ['EMFILE', () => 'Too many files are open at once: raise the limit (ulimit -n 4096), or do less at a time.'],
  ['ENFILE', () => 'The machine has too many files open at once. Close some programs, or raise its limit.'],
  ['ENAMETOOLONG', (path) => `The name ${path} is too long for its disk.`],
  ['ELOOP', (path) => `${path} is a link that leads back to itself.`],
  ['EBUSY', (path) => `${path} is in use by another program.`],
  ['EIO', (path) => `The disk fails at ${path}. Look at the system's log before you trust it.`],
])

// oxfmt-ignore
const OF_ADDRESSES: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['EADDRINUSE', (where) => `Another program listens at ${where}: stop it, or take another port.`],
  ['EADDRNOTAVAIL', (where) => `${where} is no address of this machine.`],
  ['EACCES', (where) => `You may not listen at ${where}: ports below 1024 are for root. Take a larger one.`],
  ['ECONNREFUSED', (where) => `Nobody listens at ${where}.`],
  ['ENOTFOUND', (where) => `There is no host ${where}.`],
])

export function systemFailureText({ code, message, syscall, path, dest, address, port }: SystemFailure): string {
  const where = address === undefined ? undefined : port === undefined ? address : `${address} port ${port}`
  const sentence =
    where === undefined
      ? pathSentence(code, syscall)?.(path ?? dest ?? `what it was given (${syscall})`)
      : OF_ADDRESSES.get(code)?.(where)
  return sentence === undefined ? message : `${sentence} (${code})`
}

/** A folder that cannot be made is not missing itself. */
const pathSentence = (code: string, syscall: string): Sentence | undefined =>
  code === 'ENOENT' && syscall === 'mkdir'
    ? (path) => `${path} cannot be made: the folder before it is missing, or takes no new ones.`
    : OF_PATHS.get(code)

/** Why a file that somebody named cannot be read. The system forgets the name of a folder that is read as a file. */
export function unreadableText(path: string, cause: unknown): string {
  if (!isSystemFailure(cause)) return `${path} cannot be read: ${messageOf(cause)}.`
  const { code, message, syscall } = cause
  return systemFailureText(Object.assign(new Error(message), { code, syscall, path }))
}
