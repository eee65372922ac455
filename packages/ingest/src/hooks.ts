/**
 * Hooks: functions that the user gave to a crawl. An error of theirs ends it, wherever it comes out: nobody but the user can
 * mend it, and every page would meet it again.
 */
import { textOf } from '@comity/protocol'
import type { SeenCapture } from './seen-capture.ts'

/** Plain functions that see or steer a crawl. */
export interface Hooks {
  /**
   * Every whole answer, once, before it is acknowledged. Its body is a copy; its text and page are there for the asking. A promise of it is
   * waited for: the page is not acknowledged before, and only so many may wait, so that whoever cannot keep up slows the crawl and does not
   * fill the memory.
   */
  readonly onCapture?: (capture: SeenCapture) => unknown
  /** Asked after the scope rules have said yes; may name a reason to leave a URL out. */
  readonly scope?: (url: string, depth: number) => boolean
}

const known = new WeakSet<object>()

export const isHookFault = (error: unknown): boolean => error instanceof Error && known.has(error)

/** The same hooks, whose errors are known for what they are. */
export function knownHooks({ onCapture, scope }: Hooks): Hooks {
  return {
    ...(onCapture && { onCapture: (capture) => settled(attempt(() => onCapture(capture))) }),
    ...(scope && { scope: (url, depth) => attempt(() => scope(url, depth)) }),
  }
}

/** What is no promise is of no interest. */
const settled = (result: unknown): unknown => (result instanceof Promise ? result.catch(fail) : undefined)

function attempt<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    return fail(error)
  }
}

function fail(error: unknown): never {
  // Whatever was thrown: a text or a bare object is no less the user's.
  const fault = error instanceof Error ? error : new Error(`it threw ${textOf(error)}`, { cause: error })
  known.add(fault)
  throw fault
}
