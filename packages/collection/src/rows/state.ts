/**
 * The state of a collection: one LMDB environment, its tables and what their keys are. Ids arrive in order, so most
 * tables grow at their end; only `bodies` and `similar` are written at random places, once a page.
 *
 *   state/data-1.mdb        the newest number counts
 *   state/next.mdb          its successor while it is being written, see `forget/forget.ts`
 *   state/known             which file here is ours and how we left it, see `rows/state-mark.ts`
 *
 * LMDB keeps the bytes of deleted rows in pages it has freed and in the gaps of those it has not. So what must be gone
 * is left out of a copy, and giving the copy its number is the one step that puts it in place.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { open } from 'lmdb'
import { syncPath } from '@comity/disk'
import { messageOf } from '@comity/protocol'
import { CollectionError, collectionDamaged, collectionNumbers } from '../errors.ts'
import { stateClosed, stateOpened } from './open-states.ts'
import type { ShardLists } from './shard-lists.ts'
import type { SimilarTable } from './near-duplicates.ts'
import { stateDamage } from './state-check.ts'
import type { Table, TableFile } from './tables.ts'
import { ROW_SHAPES } from './row-shape.ts'
import { beforeLook, fileOf, foundSound, isKnown, remember, unmark } from './state-mark.ts'
import type { BodyRow, CaptureRow, PageRow, RobotsRow, SiteFacts } from './rows.ts'

export interface State {
  readonly root: TableFile
  /** Small facts by name: how far the WARC is good, seeds, whether the last close was clean. */
  readonly meta: Table<unknown, string>
  /** The frontier's page log by sequence number, from 1: lmdb 3.5 passes key 0 over when it walks backwards. */
  readonly pageLog: Table<Buffer, number>
  /** Blocks of page texts by the id of their first page plus 1, for the same reason. */
  readonly texts: Table<Buffer, number>
  readonly sites: Table<SiteFacts, number>
  readonly addresses: Table<number, string>
  readonly robots: Table<RobotsRow, number>
  readonly pages: Table<PageRow, number>
  /** Every observation by page and instant. */
  readonly captures: Table<CaptureRow, [page: number, at: number]>
  /** A page's links, as `rows/link-list.ts` writes them. */
  readonly links: Table<Uint8Array, number>
  /** Bodies stored once, by digest. */
  readonly bodies: Table<BodyRow, string>
  /** Simhash bands, see `rows/near-duplicates.ts`. */
  readonly similar: SimilarTable
  /** Pages whose content a commit changed, by the number of the commit; see `rows/change-list.ts`. */
  readonly changes: Table<Buffer, number>
  /** How a page changes and what was heard of it, by page, in the words of whoever keeps it fresh. */
  readonly freshness: Table<Buffer, number>
  /** What a site offers crawlers, and how far it can be believed; likewise. */
  readonly cooperation: Table<unknown, number>
  /** How often a page is read, as `rows/reading-row.ts` writes it. */
  readonly reading: Table<Buffer, number>
  /** Of one shard among several: the pages that others are to be told of, as `rows/shard-lists.ts` writes them. */
  readonly lists: ShardLists
}

/** Tables that came later: a collection that nobody has written since has none, and there is nothing in them. */
const YOUNG: ReadonlySet<string> = new Set(['freshness', 'cooperation', 'reading', 'lists'])

/** Open the newest state for writing, making the first; removes what an interrupted change left behind. */
export function openState(dir: string): State {
  const newest = Math.max(newestOf(dir), 1)
  for (const name of readdirSync(join(dir, 'state'))) {
    if (/^next\.mdb(?:-lock)?$/.test(name) || numberOf(name) < newest) rmSync(join(dir, 'state', name), { force: true })
  }
  const path = pathOf(dir, newest)
  const state = openTables(path, false)
  remember(path)
  written.set(state.root, { path, file: fileOf(path) })
  return state
}

/** Close it. A file that was written is known as it is now, until somebody else changes it. */
export async function closeState(state: State): Promise<void> {
  await state.root.close()
  const held = opened.get(state.root)
  if (held !== undefined) stateClosed(held)
  const { path, file } = written.get(state.root) ?? {}
  if (path !== undefined && existsSync(path) && fileOf(path) === file) remember(path)
}

/** Which file each state is of. */
const opened = new WeakMap<object, string>()

/** Which files this process writes. */
const written = new WeakMap<object, { readonly path: string; readonly file: string }>()

/** Open the newest state to look only. Another process may put a successor in place meanwhile: look again then. */
export function openStateReadOnly(dir: string, onDamage?: (table: string) => void): State {
  for (let tries = 0; ; tries++) {
    const path = pathOf(dir, newestOf(dir))
    try {
      if (existsSync(path)) return openTables(path, true, { onDamage })
    } catch (error) {
      if (existsSync(path)) throw error
    }
    if (tries === 10) throw collectionDamaged(`${join(dir, 'state')} holds no state.`)
  }
}

/** A fresh state to copy into; nobody sees it before `adoptNextState`. */
export function createNextState(dir: string): State {
  for (const name of ['next.mdb', 'next.mdb-lock']) rmSync(join(dir, 'state', name), { force: true })
  // Synced once when it is whole: a half-written copy is thrown away anyway.
  return openTables(join(dir, 'state', 'next.mdb'), false, { noSync: true })
}

/** Put the closed copy in place. After a crash there is the old state or the new one. */
export function adoptNextState(dir: string): void {
  const folder = join(dir, 'state')
  const next = newestOf(dir) + 1
  syncPath(join(folder, 'next.mdb'))
  rmSync(`${pathOf(dir, next)}-lock`, { force: true })
  renameSync(join(folder, 'next.mdb'), pathOf(dir, next))
  syncPath(folder)
  remember(pathOf(dir, next))
}

export const currentStatePath = (dir: string): string => pathOf(dir, newestOf(dir))

const pathOf = (dir: string, number: number): string => join(dir, 'state', `data-${number}.mdb`)

/** The number in a state's file name; Infinity for a name that is none of ours, so that nobody removes it. */
const numberOf = (name: string): number => Number(/^data-(\d{1,9})\.mdb(?:-lock)?$/.exec(name)?.[1] ?? Infinity)

function newestOf(dir: string): number {
  const names = readdirSync(join(dir, 'state')).filter((name) => name.endsWith('.mdb'))
  return names.map(numberOf).reduce((newest, number) => (number < Infinity ? Math.max(newest, number) : newest), 0)
}

/** LMDB believes its file, whoever made it; so it is looked at first, once: a whole walk, a second for each gigabyte. */
function requireSound(path: string, readOnly: boolean): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || isKnown(path, readOnly)) return
  // Whoever made it was killed before LMDB had written a word, and it is begun anew.
  if (stat.size === 0 && !existsSync(join(dirname(path), '..', 'collection.json'))) return
  if (!readOnly) unmark(path)
  const asItWas = beforeLook(path)
  const damage = stateDamage(path)
  if (damage !== undefined) throw collectionDamaged(`${path} cannot be read: ${damage}.`)
  foundSound(asItWas)
}

/** A row that cannot be read, or is none of ours, is no fault of whoever asks for it. */
function requireReadable(path: string, name: string, table: unknown, onDamage?: (table: string) => void): void {
  // Of lmdb's own making, and none for tables of bytes.
  const { decoder } = table as { readonly decoder?: { decode(...args: readonly unknown[]): unknown } }
  if (decoder === undefined) return
  const decode = decoder.decode.bind(decoder)
  const isRow = ROW_SHAPES.get(name) ?? (() => true)
  const read = (...args: readonly unknown[]): unknown => {
    let row: unknown
    try {
      row = decode(...args)
    } catch (error) {
      throw collectionDamaged(`A row of the table ${name} in ${path} cannot be read.`, error)
    }
    if (!isRow(row)) throw collectionDamaged(`A row of the table ${name} in ${path} is not such as comity writes.`)
    return row
  }
  const steppingOver = (...args: readonly unknown[]): unknown => {
    try {
      return read(...args)
    } catch (error) {
      if (!(error instanceof CollectionError)) throw error
      onDamage?.(name)
      return undefined
    }
  }
  decoder.decode = onDamage !== undefined && STEPPED_OVER.has(name) ? steppingOver : read
}

interface Opening {
  readonly noSync?: boolean
  /** Nobody has looked whether it is sound, and whoever opens it may die of it. */
  readonly isUnlooked?: boolean
  /** Steps over rows that cannot be read, and hears of each. */
  readonly onDamage?: ((table: string) => void) | undefined
}

/** For a process that is there to find out; see `state-trial.ts`. */
export const openUnlooked = (path: string): State => openTables(path, true, { isUnlooked: true })

function openTables(path: string, readOnly: boolean, extra: Opening = {}): State {
  if (extra.isUnlooked !== true) requireSound(path, readOnly)
  try {
    return openSound(path, readOnly, extra)
  } catch (error) {
    throw /No transaction to renew/.test(messageOf(error)) ? collectionNumbers(path, error) : error
  }
}

/**
 * LMDB tells the processes that read apart by their numbers, each of which locks a byte of the lock file. The first process of a
 * container has the number 1, so that two containers look like one, and the second gets no place among the readers.
 */
function openSound(path: string, readOnly: boolean, extra: Opening): State {
  const root = open<unknown, string>({
    path,
    readOnly,
    maxDbs: 20,
    // Large values are read in place; without this a read copies and keeps a decoder per table.
    useVersions: false,
    // A commit resolves when it is on disk, and one that fails is not seen by anybody.
    overlappingSync: false,
    // Otherwise lmdb 3.5 makes a promise nobody can reach, and its rejection on a full disk ends the process.
    eventTurnBatching: false,
    noSync: extra.noSync === true,
  })
  const binary = { encoding: 'binary', keyEncoding: 'uint32' } as const
  const state = {
    root,
    meta: root.openDB<unknown, string>({ name: 'meta' }),
    pageLog: root.openDB<Buffer, number>({ name: 'journal', ...binary }),
    texts: root.openDB<Buffer, number>({ name: 'texts', ...binary }),
    sites: root.openDB<SiteFacts, number>({ name: 'sites', keyEncoding: 'uint32' }),
    addresses: root.openDB<number, string>({ name: 'addresses' }),
    robots: root.openDB<RobotsRow, number>({ name: 'robots', keyEncoding: 'uint32' }),
    pages: root.openDB<PageRow, number>({ name: 'pages', keyEncoding: 'uint32' }),
    captures: root.openDB<CaptureRow, [number, number]>({ name: 'captures' }),
    links: root.openDB<Uint8Array, number>({ name: 'links', ...binary }),
    bodies: root.openDB<BodyRow, string>({ name: 'bodies' }),
    similar: root.openDB<Buffer, number>({ name: 'similar', ...binary, dupSort: true }),
    changes: root.openDB<Buffer, number>({ name: 'changes', ...binary }),
    freshness: root.openDB<Buffer, number>({ name: 'freshness', ...binary }),
    cooperation: root.openDB<unknown, number>({ name: 'cooperation', keyEncoding: 'uint32' }),
    reading: root.openDB<Buffer, number>({ name: 'reading', ...binary }),
    lists: root.openDB<Buffer, [number, number]>({ name: 'lists', encoding: 'binary' }),
  }
  opened.set(root, path)
  stateOpened(path, !readOnly)
  // Read-only, lmdb answers undefined for a table that is not there.
  const missing = Object.entries(state).find(([name, table]) => (table as unknown) === undefined && !YOUNG.has(name))
  if (missing !== undefined) throw collectionDamaged(`${path} has no table ${missing[0]}.`)
  for (const [name, table] of Object.entries(state))
    if (name !== 'root' && table !== undefined) requireReadable(path, name, table, extra.onDamage)
  return state
}

/** All that a state has; `root` is the file itself. */
export const tableNames: readonly (keyof State)[] = [
  ...(['meta', 'pageLog', 'texts', 'sites', 'addresses', 'robots', 'pages', 'captures', 'links', 'bodies'] as const),
  ...(['similar', 'changes', 'freshness', 'cooperation', 'reading', 'lists'] as const),
]

/** Without a row of these the rest still holds together: a page, a capture or a body less. */
const STEPPED_OVER: ReadonlySet<string> = new Set(['pages', 'captures', 'robots', 'bodies', 'cooperation'])
