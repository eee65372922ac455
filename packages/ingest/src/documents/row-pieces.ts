/**
 * Row pieces: a value with long lists of rows in it, on its way from one thread to another. What is sent is made anew on the
 * other side in one go: a hundred thousand rows hold up the thread that runs everything else for a tenth of a second. So
 * long lists are packed apart, some hundred rows in a piece, and opened piece by piece, with turns for others between.
 *
 *   { entries: [row, row, …], end }  ──▶  value { entries: [], end } · lists [at: entries, pieces]  ──▶  as it was
 *
 * Lists with bytes in their rows stay as they are: those change hands without being made anew.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { ownValue } from '@comity/protocol'

export interface InPieces {
  readonly value: unknown
  readonly lists?: readonly PackedList[] | undefined
}

interface PackedList {
  /** The names that lead to it; none where the value itself is the list. */
  readonly at: readonly string[]
  readonly pieces: readonly Uint8Array[]
}

/** Opened in a few milliseconds, as rows are. */
const ROWS_A_PIECE = 500
/** Lists stand in a value, or in a part of it; not deeper. */
const MAX_DEPTH = 3

export function inPieces(value: unknown): InPieces {
  const lists: PackedList[] = []
  const left = withoutLists(value, [], lists)
  return lists.length === 0 ? { value } : { value: left, lists }
}

/** At once where no list is long. */
export function outOfPieces({ value, lists }: InPieces): unknown {
  return lists === undefined ? value : opened(value, lists)
}

function withoutLists(value: unknown, at: readonly string[], lists: PackedList[]): unknown {
  if (Array.isArray(value)) {
    if (value.length <= ROWS_A_PIECE || value.some(hasBytes)) return value
    lists.push({ at, pieces: piecesOf(value) })
    return []
  }
  if (!isPlain(value) || at.length === MAX_DEPTH) return value
  const parts = Object.entries(value)
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutLists(part, [...at, name], lists)]))
}

function piecesOf(rows: readonly unknown[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < rows.length; at += ROWS_A_PIECE)
    // With bytes of its own: what is serialized is a view into a larger buffer.
    pieces.push(Uint8Array.from(serialize(rows.slice(at, at + ROWS_A_PIECE))))
  return pieces
}

async function opened(value: unknown, lists: readonly PackedList[]): Promise<unknown> {
  for (const { at, pieces } of lists) {
    // The empty list that stands in its place.
    const rows = at.reduce((part: unknown, name) => ownValue(part as Record<string, unknown>, name), value) as unknown[]
    for (const piece of pieces) {
      for (const row of deserialize(piece) as unknown[]) rows.push(row)
      await turn()
    }
  }
  return value
}

function hasBytes(row: unknown): boolean {
  if (typeof row !== 'object' || row === null) return false
  return ArrayBuffer.isView(row) || Object.values(row).some(hasBytes)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
