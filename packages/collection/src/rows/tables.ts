/**
 * Tables: what we ask of LMDB, in types of our own. Those of lmdb 3.5 do not hold by themselves (`export =` in a module), which everybody
 * would be told who checks the types of libraries and imports this package; and of all that lmdb can do this is what a state may use.
 */

/** Numbers, texts, and several of them one after the other. */
export type TableKey = number | string | (number | string)[]

interface KeyRange {
  readonly start?: TableKey
  readonly end?: TableKey
  readonly reverse?: boolean
  readonly limit?: number
}

interface TableRows<Value, Key extends TableKey> {
  get(key: Key): Value | undefined
  /** The bytes as they stand in the file: good until the next read. */
  getBinaryFast(key: Key): Uint8Array | undefined
  getKeys(range?: KeyRange): Iterable<Key>
  getRange(range?: KeyRange): Iterable<{ readonly key: Key; readonly value: Value }>
  /** All values of one key, in a table that has several. */
  getValues(key: Key, range?: KeyRange): Iterable<Value>
}

interface Transactions {
  /** Nobody sees a part of what `work` does. Returns when it is done, and on disk unless the file is not synced. */
  transactionSync<Result>(work: () => Result): Result
}

/** What is put or removed is durable, and seen by others, when the batch around it is. */
export interface Table<Value, Key extends TableKey> extends TableRows<Value, Key>, Transactions {
  put(key: Key, value: Value): Promise<boolean>
  /** One of several values, where it is given. */
  remove(key: Key, value?: Value): Promise<boolean>
}

/** The file itself. */
export interface TableFile extends Transactions {
  batch(work: () => unknown): Promise<boolean>
  transaction<Result>(work: () => Result): Promise<Result>
  backup(path: string, isCompact: boolean): Promise<void>
  /** Look at what was committed by now. */
  resetReadTxn(): void
  close(): Promise<void>
}
