/**
 * Delivery worker memory: what must not be forgotten between deliveries, also when the process is killed.
 *
 *   row …      a subscriber's position, failures and next try (`deliver/delivery-worker-row.ts`)
 *   held …     which version of a page a subscriber is known to hold, and how many differences ago it was sent whole
 *   dead …     a page that a subscriber refused for good (`deliver/dead-letters.ts`)
 *
 * A commit writes the row last. If it is cut short, the position is the old one, and what was sent is sent again: whoever
 * is sent to knows it by its digest. What is known to be held is bounded; of a page that was forgotten the whole is sent.
 */

import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import { readDeliveryWorkerRow, writeDeliveryWorkerRow } from './delivery-worker-row.ts'
import type { DeliveryWorkerRow } from './delivery-worker-row.ts'
import { MAX_DEAD_LETTERS, readDeadLetter } from './dead-letters.ts'
import type { RefusedDelivery } from './dead-letters.ts'
import type { HeldPage } from '../push/held-page.ts'
import { RowFile } from '../journal/row-file.ts'

/** What a commit holds besides the row. */
export interface DeliveryWorkerCommit {
  readonly holds?: readonly HeldPage[] | undefined
  readonly dead?: readonly RefusedDelivery[] | undefined
  /** Nothing is known any more of what this subscriber holds; `holds` comes after it. */
  readonly isForgetful?: boolean | undefined
}

export type MemoryRow =
  | ({ readonly kind: 'row' } & DeliveryWorkerRow)
  | ({ readonly kind: 'held'; readonly id: string } & HeldPage)
  | ({ readonly kind: 'dead' } & RefusedDelivery)

/** Where rows are kept by name; `RowFile` is one. */
export interface DeliveryWorkerRows {
  get(name: string): MemoryRow | undefined
  all(): Iterable<MemoryRow>
  /** Durable when resolved, and in the order of the calls. */
  put(name: string, row: MemoryRow): Promise<void>
  drop(name: string): Promise<void>
}

/** Pages that subscribers are known to hold, all subscribers together. */
const MAX_HELD = 100_000

export class DeliveryWorkerMemory {
  readonly #rows: DeliveryWorkerRows
  readonly #maxHeld: number
  readonly #ids = new Set<string>()
  /** In the order they were sent, the oldest first. */
  readonly #paths = new Map<string, Set<string>>()
  readonly #dead: RefusedDelivery[] = []
  #held = 0

  constructor(rows: DeliveryWorkerRows = new MemoryRows(), maxHeld: number = MAX_HELD) {
    this.#rows = rows
    this.#maxHeld = maxHeld
    for (const { kind, ...row } of rows.all()) {
      if (kind === 'row') this.#ids.add((row as DeliveryWorkerRow).id)
      else if (kind === 'dead') this.#dead.push(row as RefusedDelivery)
      else this.#note((row as { readonly id: string }).id, (row as HeldPage).path)
    }
    this.#dead.sort((a, b) => a.at - b.at)
  }

  row(id: string): DeliveryWorkerRow | undefined {
    const row = this.#rows.get(rowName(id))
    return row?.kind === 'row' ? row : undefined
  }

  ids(): Iterable<string> {
    return [...this.#ids]
  }

  held(id: string, path: string): HeldPage | undefined {
    const row = this.#rows.get(heldName(id, path))
    return row?.kind === 'held' ? row : undefined
  }

  heldCount(id: string): number {
    return this.#paths.get(id)?.size ?? 0
  }

  /** The oldest first. */
  deadLetters(): readonly RefusedDelivery[] {
    return this.#dead
  }

  /** Durable when it resolves. */
  async commit(
    row: DeliveryWorkerRow,
    { holds = [], dead = [], isForgetful = false }: DeliveryWorkerCommit = {},
  ): Promise<void> {
    this.#ids.add(row.id)
    const writes = isForgetful ? this.#forgetHeld(row.id) : []
    for (const page of holds) writes.push(this.#hold(row.id, page))
    writes.push(...this.#evict())
    for (const letter of dead) writes.push(...this.#bury(letter))
    writes.push(this.#rows.put(rowName(row.id), { kind: 'row', ...row }))
    await allDone(writes)
  }

  /** A subscriber that is none any more. */
  async forget(id: string): Promise<void> {
    this.#ids.delete(id)
    const letters = this.#dead.filter(({ subscriber }) => subscriber === id)
    for (const letter of letters) this.#dead.splice(this.#dead.indexOf(letter), 1)
    await allDone([
      ...this.#forgetHeld(id),
      ...letters.map((letter) => this.#rows.drop(deadName(letter))),
      this.#rows.drop(rowName(id)),
    ])
  }

  #hold(id: string, page: HeldPage): Promise<void> {
    this.#unnote(id, page.path)
    if (page.digest === undefined) return this.#rows.drop(heldName(id, page.path))
    this.#note(id, page.path)
    return this.#rows.put(heldName(id, page.path), { kind: 'held', id, ...page })
  }

  /** Of whoever holds the most, those that were sent longest ago. */
  *#evict(): Generator<Promise<void>> {
    while (this.#held > this.#maxHeld) {
      const [id, paths] = [...this.#paths].reduce((most, one) => (one[1].size > most[1].size ? one : most))
      // Some more, so that this is not gone through for every page.
      for (const path of [...paths].slice(0, Math.ceil(paths.size / 16))) {
        this.#unnote(id, path)
        yield this.#rows.drop(heldName(id, path))
      }
    }
  }

  #forgetHeld(id: string): Promise<void>[] {
    return [...(this.#paths.get(id) ?? [])].map((path) => {
      this.#unnote(id, path)
      return this.#rows.drop(heldName(id, path))
    })
  }

  #bury(letter: RefusedDelivery): Promise<void>[] {
    const name = deadName(letter)
    const same = this.#dead.findIndex((one) => deadName(one) === name)
    if (same >= 0) this.#dead.splice(same, 1)
    this.#dead.push(letter)
    const old = this.#dead.splice(0, Math.max(0, this.#dead.length - MAX_DEAD_LETTERS))
    return [this.#rows.put(name, { kind: 'dead', ...letter }), ...old.map((one) => this.#rows.drop(deadName(one)))]
  }

  #note(id: string, path: string): void {
    const paths = this.#paths.get(id) ?? new Set<string>()
    this.#paths.set(id, paths.add(path))
    this.#held++
  }

  #unnote(id: string, path: string): void {
    const paths = this.#paths.get(id)
    if (paths?.delete(path) !== true) return
    this.#held--
    if (paths.size === 0) this.#paths.delete(id)
  }
}

const rowName = (id: string): string => `row ${id}`
const heldName = (id: string, path: string): string => `held ${id} ${path}`
const deadName = ({ subscriber, number, path }: RefusedDelivery): string => `dead ${subscriber} ${number} ${path}`

/** The first that failed is told, once none is under way any more. */
async function allDone(writes: readonly Promise<void>[]): Promise<void> {
  for (const { status, ...rest } of await Promise.allSettled(writes))
    if (status === 'rejected') throw (rest as PromiseRejectedResult).reason
}

/** Rows that last as long as the process: for tests, and for those who may be told everything again. */
export class MemoryRows implements DeliveryWorkerRows {
  readonly #rows = new Map<string, MemoryRow>()

  get(name: string): MemoryRow | undefined {
    return this.#rows.get(name)
  }

  all(): Iterable<MemoryRow> {
    return this.#rows.values()
  }

  async put(name: string, row: MemoryRow): Promise<void> {
    this.#rows.set(name, row)
  }

  async drop(name: string): Promise<void> {
    this.#rows.delete(name)
  }
}

/** Rows in `DIR/courier.rows`. One process at a time: whoever writes the journal. */
export async function openDeliveryWorkerRows(dir: string): Promise<RowFile<MemoryRow>> {
  makePrivateFolder(dir)
  return await RowFile.open(join(dir, 'courier.rows'), { kind: 'courier', read: readMemoryRow, write: writeMemoryRow })
}

const writeMemoryRow = (row: MemoryRow): object =>
  row.kind === 'row' ? { ...writeDeliveryWorkerRow(row), kind: row.kind } : row

export function readMemoryRow(json: unknown): MemoryRow | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const fields = json as Readonly<Record<string, unknown>>
  if (fields['kind'] === 'row') {
    const row = readDeliveryWorkerRow(fields)
    return row === undefined ? undefined : { ...row, kind: 'row' }
  }
  if (fields['kind'] === 'dead') {
    const letter = readDeadLetter(fields)
    return letter === undefined ? undefined : { ...letter, kind: 'dead' }
  }
  const { kind, id, path, digest, mark = '', deltas } = fields
  const isHeld = kind === 'held' && [id, path, digest, mark].every((value) => typeof value === 'string')
  return isHeld && typeof deltas === 'number' ? (json as MemoryRow) : undefined
}
