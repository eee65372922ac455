/** The write lock of a journal: one process writes it at a time (`@comity/disk`, folder-lock). */
import { takeFolderLock } from '@comity/disk'
import { journalHeld } from '../errors.ts'

/** Takes the lock of a folder, or throws who holds it. */
export function takeWriteLock(dir: string): Disposable {
  const lock = takeFolderLock(dir, 'writer')
  if ('heldBy' in lock) throw journalHeld(dir, lock.heldBy, lock.path)
  return lock
}
