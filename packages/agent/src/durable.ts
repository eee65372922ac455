/**
 * Durable files: what must outlive a power cut. A file's bytes are safe after fsync, its name after fsync of its folder; a
 * rename makes a whole file appear at once, so there is the old one or the new one, never half of it.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export function writeDurably(path: string, content: string | Uint8Array): void {
  const file = new DurableFile(path)
  try {
    file.write(content)
    file.keep()
  } finally {
    file[Symbol.dispose]()
  }
}

/** A file that is written in pieces and is there when `keep` is called; without that it never was. */
export class DurableFile implements Disposable {
  readonly #path: string
  readonly #draft: string
  #fd: number | undefined

  constructor(path: string) {
    this.#path = path
    this.#draft = `${path}.new`
    this.#fd = openSync(this.#draft, 'w')
  }

  write(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd!, bytes, at)
  }

  keep(): void {
    fsyncSync(this.#fd!)
    closeSync(this.#fd!)
    this.#fd = undefined
    renameSync(this.#draft, this.#path)
    syncFolder(dirname(this.#path))
  }

  [Symbol.dispose](): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
    rmSync(this.#draft, { force: true })
  }
}

/** Windows cannot open folders and needs no such call. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
