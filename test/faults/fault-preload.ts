/**
 * Fault preload: makes a real process fail on one item, as a bug of ours would. Loaded by `node --import`, in every thread, or
 * by a test itself, which sets the variables when it wants the bug. A page, record or line that holds the mark of `FAULT_MARK`
 * is met, and then, by `FAULT_WAY`,
 *
 * (where a page's content is compared with what is held, by SHA-256; with `FAULT_HASH=sha1`, where the digests of a record are
 * looked at)
 *
 *   throw   an exception comes out of the middle of the work
 *   kill    the whole process is gone, as if it had run out of memory
 *   thread  the thread that works on it is gone, if it is not the main one
 *   late    an exception comes out of a timer, whatever is worked on: nobody waits for it
 *   reject  a promise that nobody waits for is rejected
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { FAULT_MARK: mark = '', FAULT_WAY: begun = '' } = process.env

const { hash } = crypto
const { parse } = JSON

function meet(content: Uint8Array | string): void {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
  // The receiver's thread looks at a push as a whole, and that is no item.
  if (!text.includes(mark) || !/^\s*[<{]/.test(text)) return
  const way = process.env['FAULT_WAY']
  if (way === 'kill') process.kill(process.pid, 'SIGKILL')
  if (way === 'thread' && !isMainThread) process.exit(1)
  if (way === 'throw') throw new TypeError(`Cannot read properties of undefined (reading '${mark}')`)
}

if (mark !== '') {
  crypto.hash = ((algorithm: string, content: Uint8Array | string, options: never) => {
    if (typeof content !== 'string' && algorithm === (process.env['FAULT_HASH'] ?? 'sha256')) meet(content)
    return hash(algorithm, content, options)
  }) as typeof hash
  syncBuiltinESMExports()
}
if (mark !== '' && isMainThread) {
  JSON.parse = (text, reviver) => {
    // Only a line of its own: what commands print and read for themselves holds more.
    if (text.startsWith('{"url"')) meet(text)
    return parse(text, reviver)
  }
}
if (begun === 'late' && isMainThread) {
  setTimeout(
    () => {
      throw new TypeError('x is not a function')
    },
    Number(process.env['FAULT_MS'] ?? 1_000),
  ).unref()
}
if (begun === 'reject' && isMainThread) {
  setTimeout(
    () => void Promise.reject(new TypeError('x is not a function')),
    Number(process.env['FAULT_MS'] ?? 1_000),
  ).unref()
}
