/**
 * Packed rows: changes in buffers, 80 bytes each.
 *
 *   number f64 · at f64 · modified f64 · bytes f64 · importance f64, NaN for none · digest 32 bytes ·
 *   type u32, a place in a list · flags u8 · 3 bytes unused
 *
 * Doubles are in the order of this machine, since rows never leave it. The path stays a string, for the map that finds a page needs it as one. Buffers are of one size and never copied, so
 * growing costs no second copy of everything.
 */
import type { ChangeKind } from '@comity/protocol'
import type { Change, JournaledPage } from './journal.ts'

const ROW_BYTES = 80
/** Places of numbers, in doubles. */
const ROW_DOUBLES: number = ROW_BYTES / 8
const AT = 1
const MODIFIED = 2
const BYTES = 3
const IMPORTANCE = 4
/** Places of the rest, in bytes. */
const DIGEST = 40
const TYPE = 72
const FLAGS = 76

const ROWS_A_CHUNK = 4_096

/** The order is also that of the file: append, never renumber. */
export const CHANGE_KINDS: readonly ChangeKind[] = ['created', 'updated', 'deleted']
const DELETED: number = CHANGE_KINDS.indexOf('deleted')
export const KIND_BITS = 0b11
export const MASKED_BIT = 0b100

export const flagsOf = (change: Change): number =>
  CHANGE_KINDS.indexOf(change.change) | (change.masked === true ? MASKED_BIT : 0)

/** The same memory, as bytes and as doubles; reading a double through a buffer takes three times as long. */
interface Chunk {
  readonly bytes: Buffer
  readonly doubles: Float64Array
}

/** A state that is still being put together. */
type Draft<T> = { -readonly [Key in keyof T]: T[Key] }

export class PackedRows {
  readonly #chunks: Chunk[] = []
  readonly #paths: string[] = []
  readonly #types: string[] = []
  readonly #typeIds = new Map<string, number>()

  get count(): number {
    return this.#paths.length
  }

  add(change: Change, path: string): number {
    const row = this.count
    const place = row % ROWS_A_CHUNK
    if (place === 0) this.#chunks.push(newChunk())
    const { bytes, doubles } = this.#chunks.at(-1)!
    const double = place * ROW_DOUBLES
    const byte = place * ROW_BYTES
    doubles[double] = change.number
    doubles[double + AT] = change.at
    doubles[double + MODIFIED] = change.modifiedAt
    doubles[double + BYTES] = change.bytes
    doubles[double + IMPORTANCE] = change.importance ?? Number.NaN
    bytes.write(change.digest.slice('sha-256:'.length), byte + DIGEST, 32, 'hex')
    bytes.writeUInt32LE(this.#typeId(change.type), byte + TYPE)
    bytes[byte + FLAGS] = flagsOf(change)
    this.#paths.push(path)
    return row
  }

  pathOf(row: number): string {
    return this.#paths[row]!
  }

  numberOf(row: number): number {
    return this.#chunkOf(row).doubles[(row % ROWS_A_CHUNK) * ROW_DOUBLES]!
  }

  isDeleted(row: number): boolean {
    return (this.#flags(row) & KIND_BITS) === DELETED
  }

  state(row: number): JournaledPage {
    const { bytes, doubles } = this.#chunkOf(row)
    const double = (row % ROWS_A_CHUNK) * ROW_DOUBLES
    const byte = (row % ROWS_A_CHUNK) * ROW_BYTES
    const state: Draft<JournaledPage> = {
      path: this.#paths[row]!,
      modifiedAt: doubles[double + MODIFIED]!,
      digest: `sha-256:${bytes.toString('hex', byte + DIGEST, byte + DIGEST + 32)}`,
      bytes: doubles[double + BYTES]!,
      type: this.#types[bytes.readUInt32LE(byte + TYPE)]!,
    }
    const importance = doubles[double + IMPORTANCE]!
    if (!Number.isNaN(importance)) state.importance = importance
    if ((bytes[byte + FLAGS]! & MASKED_BIT) !== 0) state.masked = true
    return state
  }

  change(row: number): Change {
    const { doubles } = this.#chunkOf(row)
    const double = (row % ROWS_A_CHUNK) * ROW_DOUBLES
    const change = CHANGE_KINDS[this.#flags(row) & KIND_BITS]!
    return Object.assign(this.state(row), { number: doubles[double]!, change, at: doubles[double + AT]! })
  }

  setImportance(row: number, importance: number | undefined): void {
    this.#chunkOf(row).doubles[(row % ROWS_A_CHUNK) * ROW_DOUBLES + IMPORTANCE] = importance ?? Number.NaN
  }

  #chunkOf(row: number): Chunk {
    return this.#chunks[Math.floor(row / ROWS_A_CHUNK)]!
  }

  #flags(row: number): number {
    return this.#chunkOf(row).bytes[(row % ROWS_A_CHUNK) * ROW_BYTES + FLAGS]!
  }

  #typeId(type: string): number {
    const known = this.#typeIds.get(type)
    if (known !== undefined) return known
    this.#types.push(type)
    this.#typeIds.set(type, this.#types.length - 1)
    return this.#types.length - 1
  }
}

function newChunk(): Chunk {
  const memory = new ArrayBuffer(ROWS_A_CHUNK * ROW_BYTES)
  return { bytes: Buffer.from(memory), doubles: new Float64Array(memory) }
}
