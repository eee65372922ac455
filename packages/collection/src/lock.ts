/** The write lock of a collection, and of its inbox: one process writes it at a time (`@comity/disk`, folder-lock). */
import { folderLockHeld, isLockFile, takeFolderLock } from '@comity/disk'
import type { FolderLock } from '@comity/disk'
import { collectionHeld } from './errors.ts'

const NAME = 'writer'

export function takeLock(dir: string): FolderLock {
  const lock = takeFolderLock(dir, NAME)
  if ('heldBy' in lock) throw collectionHeld(dir, lock.heldBy, lock.path)
  return lock
}

export const isBeingWritten = (dir: string): boolean => folderLockHeld(dir, NAME) !== undefined

export const isWriteLock = (file: string): boolean => isLockFile(file, NAME)
