/**
 * Shard lists: of one shard among several, the pages that each of the others is to be told of, in the order in which they were found.
 * Written in the commit that found them; what is told of a page is made from its row when the other shard asks. A list only grows, so
 * any position of it can be asked for again.
 *
 *   [shard, position of the first] → u32 page ids, little-endian
 *
 * A shard that goes on from a copy may hold shorter lists than it had: each opening has an epoch, and says how long they were then.
 */
import type { Table } from './tables.ts'

export type ShardLists = Table<Buffer, [shard: number, position: number]>

/** How far another shard's list was taken in. */
export interface Taken {
  readonly shard: number
  readonly epoch: number
  readonly position: number
}

/** How long the lists were when it was opened in this epoch, by shard. */
export interface Opening {
  readonly epoch: number
  readonly lengths: readonly number[]
}

/** How long each list is, as whoever writes them knows it: what was written lately may not be seen yet by who reads. */
export type ListLengths = Map<number, number>

/** Inside a transaction. */
export function putShardLists(
  lists: ShardLists,
  found: readonly (readonly [shard: number, page: number])[],
  lengths: ListLengths,
): void {
  for (const [shard, rows] of Map.groupBy(found, ([one]) => one)) {
    const block = Buffer.alloc(rows.length * 4)
    for (const [i, [, page]] of rows.entries()) block.writeUInt32LE(page, i * 4)
    const position = lengths.get(shard) ?? listLength(lists, shard)
    void lists.put([shard, position], block)
    lengths.set(shard, position + rows.length)
  }
}

export function listLength(lists: ShardLists | undefined, shard: number): number {
  const last = lastBlock(lists, shard, Number.MAX_SAFE_INTEGER)
  return last === undefined ? 0 : last.key[1] + last.value.length / 4
}

export function listedFor(lists: ShardLists | undefined, shard: number, from: number, most: number): number[] {
  const pages: number[] = []
  const first = lastBlock(lists, shard, from + 1)?.key[1] ?? 0
  for (const { key, value } of lists?.getRange({ start: [shard, first], end: [shard + 1, 0] }) ?? []) {
    for (let at = Math.max(0, from - key[1]); at < value.length / 4; at++) {
      if (pages.length === most) return pages
      pages.push(value.readUInt32LE(at * 4))
    }
  }
  return pages
}

/** The last block that begins before a position. */
function lastBlock(
  lists: ShardLists | undefined,
  shard: number,
  before: number,
): { key: [number, number]; value: Buffer } | undefined {
  // Backwards, `end` is not part of the range and `start` is.
  const range = lists?.getRange({ start: [shard, before - 1], end: [shard, -1], reverse: true, limit: 1 })
  return range === undefined ? undefined : [...range][0]
}
