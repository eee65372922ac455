/**
 * A crawl takes all the processor it gets; who searches beside it is waiting for an answer. So it goes behind: alone on
 * its machine it is as fast as ever. New threads inherit this; on Linux, where each thread has a priority of its own, the
 * ones that Node has made already are told one by one.
 */
import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

const OWN_THREADS = '/proc/self/task'

export function yieldToPeople(): void {
  try {
    const threads = existsSync(OWN_THREADS) ? readdirSync(OWN_THREADS).map(Number) : [0]
    for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A machine that does not let us be humble runs us as it likes.
  }
}
