/** Room on the disk, and whether an error means that there is none. */
import { statfs } from 'node:fs/promises'
import { codeOf } from '@comity/disk'

export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** lmdb hides why a commit failed behind a promise; leaving that unread would end the process. */
export async function rootCause(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

/** LMDB calls a write that was cut short EIO, so that code counts when the disk has no room for a commit left. */
export async function isDiskFull(dir: string, cause: unknown): Promise<boolean> {
  const code = codeOf(cause)
  if (code === 'ENOSPC' || code === ENOSPC || code === 'EDQUOT' || code === EDQUOT) return true
  return (code === 'EIO' || code === EIO) && (await freeBytes(dir)) < CRAMPED_BYTES
}

/** What LMDB's errors carry: the numbers of Linux. */
const [EIO, ENOSPC, EDQUOT] = [5, 28, 122]
const CRAMPED_BYTES = 16 << 20
