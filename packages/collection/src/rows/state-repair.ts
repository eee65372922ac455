/**
 * State repair: what makes a state whole again that LMDB can read. Rows that cannot be read go, with all that is known of their
 * pages, so that the archive can be taken in again; and of pages whose copy is damaged nothing stays that would make a site say "not
 * modified", or one more copy be stored as the same as the damaged one.
 */
import { takeLock } from '../lock.ts'
import { closeState, currentStatePath, openState } from './state.ts'
import type { State } from './state.ts'
import { stateDamage } from './state-check.ts'
import { tryState } from './state-trial.ts'
import type { StateTrial } from './state-trial.ts'

/** What is wrong with the state of a collection, looked at from outside. */
export function examineState(dir: string): StateTrial {
  using _ = takeLock(dir)
  const path = currentStatePath(dir)
  const problem = stateDamage(path)
  return problem === undefined ? tryState(path) : { kind: 'unreadable', problem }
}

/** Rows that hold together without each other; one of another table takes the whole state with it. */
export const isMendable = (damaged: Extract<StateTrial, { kind: 'read' }>['damaged']): boolean =>
  Object.keys(damaged).every((table) => REMOVED.has(table))

const REMOVED: ReadonlySet<string> = new Set(['pages', 'captures', 'robots', 'bodies', 'cooperation'])

type Damaged = Extract<StateTrial, { kind: 'read' }>['damaged']

/** Returns how many rows went. */
export async function removeRows(dir: string, damaged: Damaged): Promise<number> {
  return await changeState(dir, (state) => {
    let removed = 0
    for (const [name, keys] of Object.entries(damaged)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `isMendable` knows these by name, and keys come from there.
      const table = state[name as 'pages']
      for (const key of keys) {
        void table.remove(key as number)
        removed++
        if (name === 'pages') removeCaptures(state, key as number)
      }
    }
    return removed
  })
}

/** As if their captures had never been made: the archive has them, and is taken in again. */
function removeCaptures({ captures }: State, page: number): void {
  for (const key of captures.getKeys({ start: [page, 0], end: [page, Number.MAX_SAFE_INTEGER] }))
    void captures.remove(key)
}

/** The next visit brings these pages whole, and keeps what it brings. */
export async function wantWhole(dir: string, lost: readonly number[]): Promise<void> {
  await changeState(dir, ({ pages, bodies }) => {
    for (const page of lost) {
      const row = pages.get(page)
      if (row === undefined) continue
      if (row.digest !== undefined) void bodies.remove(row.digest)
      void pages.put(page, { ...row, etag: undefined, lastModified: undefined })
    }
  })
}

async function changeState<Value>(dir: string, change: (state: State) => Value): Promise<Value> {
  using _ = takeLock(dir)
  const state = openState(dir)
  try {
    return await state.root.transaction(() => change(state))
  } finally {
    await closeState(state)
  }
}
