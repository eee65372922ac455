/**
 * State copy: every row of a state into a fresh one, changed or left out on the way. The copy never holds what was left
 * out, not even in pages it has freed: that is why forgetting copies instead of deleting.
 */
import type { State } from './state.ts'
import type { Table, TableKey } from './tables.ts'

/** What becomes of a row: undefined leaves it out. */
type RowChange<Value, RowKey> = (value: Value, key: RowKey) => Value | undefined

type TableName = Exclude<keyof State, 'root'>

export type StateChanges = {
  readonly [Name in TableName]?: State[Name] extends Table<infer Value, infer RowKey> ? RowChange<Value, RowKey> : never
}

export function copyState(from: State, to: State, changes: StateChanges, onTable: (table: TableName) => void): void {
  const copy = <Value, RowKey extends TableKey>(
    table: TableName,
    [source, target]: [Table<Value, RowKey>, Table<Value, RowKey>],
    change: RowChange<Value, RowKey> = (value) => value,
  ): void => {
    copyTable(source, target, change)
    onTable(table)
  }
  copy('meta', [from.meta, to.meta], changes.meta)
  copy('pageLog', [from.pageLog, to.pageLog], changes.pageLog)
  copy('texts', [from.texts, to.texts], changes.texts)
  copy('sites', [from.sites, to.sites], changes.sites)
  copy('addresses', [from.addresses, to.addresses], changes.addresses)
  copy('robots', [from.robots, to.robots], changes.robots)
  copy('pages', [from.pages, to.pages], changes.pages)
  copy('captures', [from.captures, to.captures], changes.captures)
  copy('links', [from.links, to.links], changes.links)
  copy('bodies', [from.bodies, to.bodies], changes.bodies)
  copy('similar', [from.similar, to.similar], changes.similar)
  copy('changes', [from.changes, to.changes], changes.changes)
  copy('freshness', [from.freshness, to.freshness], changes.freshness)
  copy('cooperation', [from.cooperation, to.cooperation], changes.cooperation)
  copy('reading', [from.reading, to.reading], changes.reading)
  copy('lists', [from.lists, to.lists], changes.lists)
}

/** Rows a transaction: enough that its cost does not count, few enough to hold in memory. */
const CHUNK_ROWS = 10_000

function copyTable<Value, RowKey extends TableKey>(
  from: Table<Value, RowKey>,
  to: Table<Value, RowKey>,
  change: RowChange<Value, RowKey>,
): void {
  const rows = from.getRange({})[Symbol.iterator]()
  const copyChunk = (): boolean => {
    for (let i = 0; i < CHUNK_ROWS; i++) {
      const step = rows.next()
      if (step.done === true) return false
      const value = change(step.value.value, step.value.key)
      if (value !== undefined) void to.put(step.value.key, value)
    }
    return true
  }
  while (to.transactionSync(copyChunk)) continue
}
