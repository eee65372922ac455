/**
 * Export sink: where an export goes. A file appears under its name only when it is whole; `-` is standard output, as
 * fast as its reader.
 */
import { open, rename, rm } from 'node:fs/promises'
import type { Terminal } from '../terminal/terminal.ts'

export interface Sink extends AsyncDisposable {
  /** Lines written so far, and their bytes. */
  readonly lines: number
  readonly bytes: number
  line(text: string): void
  /** Resolves when there is room for more; call it now and then. */
  room(): Promise<void>
  /** All of it is there. Without this, nothing is. */
  finish(): Promise<void>
}

/** Small writes are slow, large ones hold memory. */
const CHUNK_CHARS = 1 << 16

export async function openSink(path: string, terminal: Terminal, lineEnd = '\n'): Promise<Sink> {
  const target = path === '-' ? standardOutput(terminal) : await file(path)
  const counts = { lines: 0, bytes: 0 }
  let pending: string[] = []
  let chars = 0
  const flush = async (): Promise<void> => {
    const text = pending.join('')
    pending = []
    chars = 0
    counts.bytes += Buffer.byteLength(text)
    if (text !== '') await target.write(text)
  }
  return {
    get lines() {
      return counts.lines
    },
    get bytes() {
      return counts.bytes
    },
    line: (text) => {
      counts.lines++
      chars += text.length + lineEnd.length
      pending.push(text, lineEnd)
    },
    room: async () => {
      if (chars >= CHUNK_CHARS) await flush()
    },
    finish: async () => {
      await flush()
      await target.finish()
    },
    [Symbol.asyncDispose]: () => target.dispose(),
  }
}

interface Target {
  write(text: string): Promise<void>
  finish(): Promise<void>
  dispose(): Promise<void>
}

function standardOutput(terminal: Terminal): Target {
  return { write: (text) => terminal.write(text), finish: () => Promise.resolve(), dispose: () => Promise.resolve() }
}

async function file(path: string): Promise<Target> {
  const part = `${path}.part`
  const handle = await open(part, 'w')
  let isWhole = false
  return {
    write: (text) => handle.writeFile(text),
    finish: async () => {
      await handle.sync()
      await rename(part, path)
      isWhole = true
    },
    dispose: async () => {
      await handle.close()
      if (!isWhole) await rm(part, { force: true })
    },
  }
}
