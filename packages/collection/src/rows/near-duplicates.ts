/**
 * Near duplicates: pages whose 64-bit simhash differs in at most three bits (Manku et al., doi:10.1145/1242572.1242592).
 *
 * Four bands of 16 bits: two hashes that differ in three bits agree in at least one band whole, so each hash stands in
 * the table four times, under its bands. Most bands of a new hash are empty, so that a look-up is four plain gets.
 *
 *   key  band · 2¹⁶ + its bits      values, sorted  u32 page · the hash, 8 bytes
 */
import { hammingDistance } from '@comity/protocol'
import { collectionDamaged } from '../errors.ts'
import type { Table } from './tables.ts'

export type Simhash = readonly [high: number, low: number]

const MAX_DISTANCE = 3
const VALUE_BYTES = 12
/** A band full of boilerplate pages must not make each look-up slow; beyond this many we take the first found. */
const MAX_CANDIDATES = 64

export function bandsOf([high, low]: Simhash): number[] {
  return [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff]
}

export function isNear(a: Simhash, b: Simhash): boolean {
  return hammingDistance(a, b) <= MAX_DISTANCE
}

/** A table with several values a key. */
export type SimilarTable = Table<Buffer, number>

export function findNearDuplicate(table: SimilarTable, hash: Simhash, page: number): number | undefined {
  for (const [band, bits] of bandsOf(hash).entries()) {
    const key = keyOf(band, bits)
    if (table.getBinaryFast(key) === undefined) continue
    for (const value of table.getValues(key, { limit: MAX_CANDIDATES })) {
      if (value.length !== VALUE_BYTES) throw collectionDamaged('A row of near duplicates is cut short.')
      const other = value.readUInt32BE(0)
      if (other !== page && isNear(hash, [value.readUInt32BE(4), value.readUInt32BE(8)])) return other
    }
  }
  return undefined
}

export function rememberSimhash(table: SimilarTable, hash: Simhash, page: number): void {
  const value = valueOf(hash, page)
  for (const [band, bits] of bandsOf(hash).entries()) void table.put(keyOf(band, bits), value)
}

export function forgetSimhash(table: SimilarTable, hash: Simhash, page: number): void {
  const value = valueOf(hash, page)
  for (const [band, bits] of bandsOf(hash).entries()) void table.remove(keyOf(band, bits), value)
}

const keyOf = (band: number, bits: number): number => band * 0x10000 + bits

function valueOf([high, low]: Simhash, page: number): Buffer {
  const value = Buffer.allocUnsafe(VALUE_BYTES)
  value.writeUInt32BE(page, 0)
  value.writeUInt32BE(high, 4)
  value.writeUInt32BE(low, 8)
  return value
}
