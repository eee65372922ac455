/**
 * Key file: the private keys of a site or a crawler, in a file that its owner alone may read. It is made at first use.
 *
 * Whoever runs for months looks at it again now and then, so that `comity keys rotate` needs no restart. A file is written
 * beside its place and moved there, so that there is a whole one at any time; and never over one that somebody else wrote
 * meanwhile, for then a key that is published already would be gone.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { codeOf, openNewSecret } from '@comity/disk'
import {
  newKeyRing,
  readKeyRing,
  rotateKeyRing,
  rotationDefaults,
  signingKeyOf,
  writeKeyRing,
  textOf,
} from '@comity/protocol'
import type { Instant, KeyRing, RingKey, RotationOptions } from '@comity/protocol'
import { keysExposed, keysThere, keysUnreadable, keysUnwritable } from './errors.ts'

/** Whoever has keys to sign with, or to publish. */
export interface KeySource {
  /** As they are now. */
  ring(): KeyRing
}

export interface KeyFileOptions {
  readonly now: () => Instant
  /** So many bytes that nobody can guess; of the system unless given. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined
  /** How long before the file is looked at again. */
  readonly lookMs?: number | undefined
}

const LOOK_MS = 10_000
const MAX_BYTES = 65_536

export class KeyFile implements KeySource {
  readonly path: string
  readonly #options: KeyFileOptions
  #ring: KeyRing
  /** Changes whenever another file stands there. */
  #version: string
  #lookedAt: Instant

  private constructor(path: string, options: KeyFileOptions) {
    this.path = path
    this.#options = options
    this.#version = versionOf(path)
    this.#ring = read(path)
    this.#lookedAt = options.now()
  }

  /** Throws by name when it is not there, or is no file of keys. */
  static open(path: string, options: KeyFileOptions): KeyFile {
    return new KeyFile(path, options)
  }

  /** The same, and made when it is not there. */
  static openOrMake(path: string, options: KeyFileOptions): KeyFile {
    if (!isThere(path)) make(path, options)
    return new KeyFile(path, options)
  }

  /** Throws by name when something stands there already. */
  static make(path: string, options: KeyFileOptions): KeyFile {
    if (!make(path, options)) throw keysThere(path)
    return new KeyFile(path, options)
  }

  ring(): KeyRing {
    const now = this.#options.now()
    if (now - this.#lookedAt >= (this.#options.lookMs ?? LOOK_MS)) this.#look(now)
    return this.#ring
  }

  signingKey(): RingKey {
    return signingKeyOf(this.ring(), this.#options.now())
  }

  /** A new key; the others stay published for a while. Durable when it returns. */
  rotate(given: Partial<RotationOptions> = {}): KeyRing {
    const { now, random = randomBytes } = this.#options
    const part = `${this.path}.part`
    // Taken before the ring is read, so that of two who rotate at a time one is told.
    const fd = opened(part, this.path)
    try {
      const ring = rotateKeyRing(read(this.path), random(32), now(), { ...rotationDefaults, ...given })
      write(fd, ring)
      renameSync(part, this.path)
      this.#look(now())
      return ring
    } catch (error) {
      rmSync(part, { force: true })
      throw codeOf(error) === undefined ? error : keysUnwritable(this.path, error)
    } finally {
      closeSync(fd)
    }
  }

  /** A file that is gone or spoiled for a moment changes nothing: what was read before is still good. */
  #look(now: Instant): void {
    this.#lookedAt = now
    try {
      const version = versionOf(this.path)
      if (version === this.#version) return
      this.#ring = read(this.path)
      this.#version = version
    } catch (error) {
      process.emitWarning(`${(error as Error).message} The keys that were read before are used on.`, 'ComityWarning')
    }
  }
}

/** False when somebody else made it first. */
function make(path: string, { now, random = randomBytes }: KeyFileOptions): boolean {
  const part = `${path}.${process.pid}.part`
  const fd = opened(part, path)
  try {
    write(fd, newKeyRing(random(32), now()))
    // Unlike renaming, linking takes no file away.
    linkSync(part, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw keysUnwritable(path, error)
  } finally {
    closeSync(fd)
    rmSync(part, { force: true })
  }
}

/** Older than this, it was left by somebody who died. */
const ABANDONED_MS = 60_000

function opened(part: string, path: string): number {
  try {
    if (Date.now() - (statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > ABANDONED_MS) rmSync(part)
    return openNewSecret(part)
  } catch (error) {
    throw keysUnwritable(path, error)
  }
}

function write(fd: number, ring: KeyRing): void {
  writeSync(fd, writeKeyRing(ring))
  fsyncSync(fd)
}

function read(path: string): KeyRing {
  let text: string
  try {
    const { mode, size } = statSync(path)
    // Windows has no such bits; there the folder decides.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw keysExposed(path)
    text = size > MAX_BYTES ? '' : readFileSync(path, 'utf8')
  } catch (error) {
    throw codeOf(error) === 'KEYS_EXPOSED' ? error : keysUnreadable(path, textOf(error))
  }
  const ring = readKeyRing(text)
  if ('problem' in ring) throw keysUnreadable(path, ring.problem)
  return ring
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

function versionOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, mtimeMs: 0, size: 0 }
  return `${ino} ${mtimeMs} ${size}`
}
