/**
 * Turns: waits for what others do in this process, or at the other end of a socket, one turn of the event loop after another.
 * No clock is looked at: a busy machine takes more turns, and what never comes is ended by the time limit of its test.
 */
import { setImmediate as turn } from 'node:timers/promises'

export async function untilSo(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await turn()
}

/** How often the event loop came round while something was done elsewhere: not once, where it is done in this thread. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work().finally(() => clearImmediate(next))
  return turns
}
