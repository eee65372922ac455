/** Room on the disk, and whether an error means that there is none. */
import { statfs } from 'node:fs/promises'
import { codeOf } from '@comity/disk'

/** What of a disk may not be taken, so that what stands can still be finished; an eighth where the disk is a small one. */
export const RESERVE_BYTES: number = 64 << 20
const RESERVE_SHARE = 8

export interface DiskRoom {
  readonly free: number
  /** Of that, what is to be left. */
  readonly reserve: number
}

/** `reserve`: another one than is usual. */
export async function diskRoom(dir: string, reserve?: number, usual: number = RESERVE_BYTES): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(dir)
  return { free: bavail * bsize, reserve: reserve ?? Math.min(usual, Math.floor((blocks * bsize) / RESERVE_SHARE)) }
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
  return (code === 'EIO' || code === EIO) && (await diskRoom(dir)).free < CRAMPED_BYTES
}

/** What LMDB's errors carry: the numbers of Linux. */
const [EIO, ENOSPC, EDQUOT] = [5, 28, 122]
const CRAMPED_BYTES = 16 << 20
