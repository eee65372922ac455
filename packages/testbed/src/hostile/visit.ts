/**
 * Hostile visit: the hands of a misbehaving server, with a leash. However endless a case is meant to be, it stops at
 * the byte limit, the time limit, or when the peer goes, so a broken crawler fails its test instead of filling memory.
 */
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HostileVisit } from './case.ts'
import { createRandom } from '../seeded-random.ts'

export interface HostileLimits {
  readonly bytes: number
  readonly ms: number
}

export const hostileLimits: HostileLimits = { bytes: 200_000_000, ms: 60_000 }

interface VisitFacts {
  readonly path: string
  readonly base: string
  readonly origin: string
  readonly paceMs: number
  readonly seed: number
  readonly limits: HostileLimits
}

export function createVisit(socket: Socket, { limits, seed, ...facts }: VisitFacts): HostileVisit {
  let sent = 0
  const over = new AbortController()
  const leash = setTimeout(() => socket.destroy(), limits.ms)
  socket.once('close', () => {
    clearTimeout(leash)
    over.abort()
  })
  const reset = (): void => void socket.resetAndDestroy()
  return {
    ...facts,
    random: createRandom(seed),
    send: async (bytes) => {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
      sent += buffer.length
      if (sent > limits.bytes) reset()
      if (socket.destroyed || !socket.writable) return false
      const taken = socket.write(buffer)
      // A kernel that takes everything at once would let an endless case starve the event loop it shares with a test.
      await (taken ? nextTurn() : untilEither(socket, 'drain', over.signal))
      return !over.signal.aborted && socket.writable
    },
    wait: async (ms) => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        const stop = (): void => {
          clearTimeout(timer)
          resolve()
        }
        if (over.signal.aborted) stop()
        else over.signal.addEventListener('abort', stop, { once: true })
      })
      return !over.signal.aborted
    },
    hang: async () => {
      if (!over.signal.aborted) await once(over.signal, 'abort')
    },
    reset,
  }
}

/** The event, or the end of the connection, whichever is first. */
async function untilEither(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.removeListener(event, done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    socket.once(event, done)
    signal.addEventListener('abort', done)
  })
}
