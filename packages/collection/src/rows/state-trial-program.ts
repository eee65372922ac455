/** The program of `state-trial.ts`: what it is for is said there. */
import { tableNames, openUnlooked } from './state.ts'
import type { StateTrial } from './state-trial.ts'

const MAX_NAMED = 100_000

const [, , path = ''] = process.argv
process.stdout.write(JSON.stringify(readWhole(path)))

function readWhole(from: string): StateTrial {
  const damaged = new Map<string, unknown[]>()
  const facts = new Map<string, unknown>()
  try {
    const state = openUnlooked(from)
    for (const name of tableNames) {
      const table = state[name] as (typeof state)['pages'] | undefined
      if (table === undefined) continue
      for (const key of table.getKeys({}) as Iterable<unknown>) {
        try {
          const value: unknown = table.get(key as never)
          if (name === 'meta' && typeof key === 'string') facts.set(key, value)
        } catch {
          const keys = damaged.get(name) ?? []
          damaged.set(name, keys)
          if (keys.length < MAX_NAMED) keys.push(key)
        }
      }
    }
  } catch (error) {
    return { kind: 'unreadable', problem: error instanceof Error ? error.message : 'it cannot be read' }
  }
  const named = Object.fromEntries(damaged) as Extract<StateTrial, { kind: 'read' }>['damaged']
  return { kind: 'read', damaged: named, facts: Object.fromEntries(facts) }
}
