/**
 * Turn taking: a list of a stranger's may have a hundred thousand rows, and each takes a few microseconds of the thread that
 * runs everything else. Whoever works through one lets the others have a turn after some rows; `await` alone does not, as long
 * as nothing that is waited for takes time.
 */
import { setImmediate as turn } from 'node:timers/promises'

/** Done in a few milliseconds. */
export const ROWS_A_TURN = 250

export class TurnTaking {
  #rows = 0

  /** Before each row. Undefined: there is nothing to wait for. */
  next(): Promise<void> | undefined {
    return ++this.#rows % ROWS_A_TURN === 0 ? turn() : undefined
  }
}
