/**
 * Which states this process has open, and how.
 *
 * LMDB opens a file once for a process, whoever asks first, and shares it: a writer that comes while the file is open to
 * read only could write nothing. So it waits for those readers, which are usually between a look and the next one, and says
 * what is wrong when they stay. A reader that comes after a writer shares what is writable, and is waited for by nobody.
 */
import { collectionReadHere } from '../errors.ts'

interface OpenState {
  readonly writable: boolean
  holders: number
  readonly waiting: (() => void)[]
}

/** Longer than any look at a state takes; whoever serves a collection stays for ever. */
const PATIENCE_MS = 5_000

const states = new Map<string, OpenState>()

/** Whether a writer may open it at once: asked without a pause before, as the next reader may come in any. */
export const isWritable = (path: string): boolean => states.get(path)?.writable ?? true

/** Until it may, or an error by name. */
export async function untilWritable(dir: string, path: string): Promise<void> {
  const given = Promise.withResolvers<void>()
  const timer = setTimeout(() => given.reject(collectionReadHere(dir)), PATIENCE_MS)
  try {
    while (!isWritable(path)) await Promise.race([given.promise, nextClosing(path)])
  } finally {
    clearTimeout(timer)
  }
}

const nextClosing = (path: string): Promise<void> => new Promise((resolve) => states.get(path)?.waiting.push(resolve))

export function stateOpened(path: string, writable: boolean): void {
  const state = states.get(path)
  if (state === undefined) states.set(path, { writable, holders: 1, waiting: [] })
  else state.holders++
}

export function stateClosed(path: string): void {
  const state = states.get(path)
  if (state === undefined || --state.holders > 0) return
  states.delete(path)
  for (const goOn of state.waiting) goOn()
}
