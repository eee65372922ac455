export { DurableFile, syncPath, writeDurably } from './durable-file.ts'
export { isLockFile, takeFolderLock } from './folder-lock.ts'
export type { FolderLock, LockHeld } from './folder-lock.ts'
export { codeOf } from './system-error.ts'
