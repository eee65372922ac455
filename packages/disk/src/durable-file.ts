/**
 * DurableFile: what must outlive a power cut. A file's bytes are safe after fsync, its name only after fsync of the folder
 * it stands in; a rename makes a whole file appear at once, so there is the old one or the new one, never half of it.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file that is written in pieces and is there when `keep` is called; without that it never was. */
export class DurableFile implements Disposable {
  readonly #path: string
  readonly #draft: string
  #fd: number | undefined

  constructor(path: string) {
    this.#path = path
    this.#draft = `${path}.new`
    // A new file always: what stands there may be a link to somewhere else.
    rmSync(this.#draft, { force: true })
    this.#fd = openSync(this.#draft, 'wx')
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
    syncPath(dirname(this.#path))
  }

  [Symbol.dispose](): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
    rmSync(this.#draft, { force: true })
  }
}

/** Put a whole file in place, of one piece or several. */
export function writeDurably(path: string, ...pieces: readonly (string | Uint8Array)[]): void {
  using file = new DurableFile(path)
  for (const piece of pieces) file.write(piece)
  file.keep()
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
