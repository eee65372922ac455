/**
 * PrivateFolder: folders that only their owner can look into, whatever the umask is. What is crawled, seen or sent may be
 * meant for few; whoever wants others to read it makes the folder first, with the mode that they need, and that is kept.
 */
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf } from './system-error.ts'

const OWNER_ALONE = 0o700
const OWNER_READS = 0o600
/** With those that hand a folder's group on. */
const PERMISSIONS = 0o7777

/**
 * Make a folder, and those above it that are missing. One that is there stays as it is. As a part of `whole`, a folder that is
 * there, it is for those whom that one is for.
 */
export function makePrivateFolder(dir: string, whole?: string): void {
  const mode = whole === undefined ? OWNER_ALONE : statSync(whole).mode & PERMISSIONS
  try {
    make(resolve(dir), mode)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    makePrivateFolder(dirname(resolve(dir)), whole)
    make(resolve(dir), mode)
  }
}

function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
    // The umask may have taken from it what its owner needs.
    chmodSync(path, mode)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}

/** A new file for what is secret; fails when one is there. The umask neither adds to its mode nor takes from it. */
export function openNewSecret(path: string): number {
  const fd = openSync(path, 'wx', OWNER_READS)
  fchmodSync(fd, OWNER_READS)
  return fd
}

/** The same, of one piece. */
export function writeNewSecret(path: string, text: string): void {
  const fd = openNewSecret(path)
  try {
    writeSync(fd, text)
  } finally {
    closeSync(fd)
  }
}
