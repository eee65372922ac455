/**
 * Near duplicates: pages whose 64-bit simhash differs in at most three bits (Manku et al., doi:10.1145/1242572.1242592).
 *
 * Four bands of 16 bits: two hashes that differ in three bits agree in at least one band whole, so each hash stands in
 * the table four times, under its bands, and a look-up reads four short runs of keys.
 *
 *   key  u8 band · u16 the band's bits · u32 page      value  the hash, 8 bytes
 */
import { hammingDistance } from '@comity/protocol'
import type { Database } from 'lmdb'

export type Simhash = readonly [high: number, low: number]

const MAX_DISTANCE = 3
/** A band full of boilerplate pages must not make each look-up slow; beyond this many we take the first found. */
const MAX_CANDIDATES = 64

export function bandsOf([high, low]: Simhash): number[] {
  return [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff]
}

export function isNear(a: Simhash, b: Simhash): boolean {
  return hammingDistance(a, b) <= MAX_DISTANCE
}

export function findNearDuplicate(table: Database<Buffer, Buffer>, hash: Simhash, page: number): number | undefined {
  for (const [band, bits] of bandsOf(hash).entries()) {
    const range = { start: keyOf(band, bits, 0), end: keyOf(band, bits, 0xffffffff), limit: MAX_CANDIDATES }
    for (const { key, value } of table.getRange(range)) {
      const other = key.readUInt32BE(3)
      const seen: Simhash = [value.readUInt32BE(0), value.readUInt32BE(4)]
      if (other !== page && isNear(hash, seen)) return other
    }
  }
  return undefined
}

export function rememberSimhash(table: Database<Buffer, Buffer>, hash: Simhash, page: number): void {
  const value = Buffer.alloc(8)
  value.writeUInt32BE(hash[0], 0)
  value.writeUInt32BE(hash[1], 4)
  for (const [band, bits] of bandsOf(hash).entries()) void table.put(keyOf(band, bits, page), value)
}

export function forgetSimhash(table: Database<Buffer, Buffer>, hash: Simhash, page: number): void {
  for (const [band, bits] of bandsOf(hash).entries()) void table.remove(keyOf(band, bits, page))
}

function keyOf(band: number, bits: number, page: number): Buffer {
  const key = Buffer.allocUnsafe(7)
  key.writeUInt8(band, 0)
  key.writeUInt16BE(bits, 1)
  key.writeUInt32BE(page, 3)
  return key
}
