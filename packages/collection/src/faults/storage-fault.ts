/**
 * Storage fault: an error that says that the disk, or what stands on it, is at fault, and not the item that was worked on. It
 * is no reason to keep an item aside: the next would fare no better, and whoever runs this must know.
 */
import { CollectionError } from '../errors.ts'

export function isStorageFault(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    const { code } = one as NodeJS.ErrnoException
    // Of the system (`ENOSPC`, `EIO`), not of Node's own checks (`ERR_…`); LMDB says it in words.
    if (one instanceof CollectionError || /^E[A-Z\d]+$/.test(String(code)) || /\bMDB_[A-Z]/.test(one.message))
      return true
  }
  return false
}
