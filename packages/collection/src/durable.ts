/**
 * Durable: what must outlive a power cut. A file's bytes are safe after fsync, its name only after fsync of the folder
 * it stands in; a rename is what makes a whole file appear at once.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Put a whole file in place: after a crash there is the old one or the new one, never half of it. */
export function writeDurably(path: string, text: string): void {
  const fd = openSync(`${path}.new`, 'w')
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${path}.new`, path)
  syncPath(dirname(path))
}

/** Sync a file or a folder. Windows cannot open folders and needs no such call: there it is left out. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
