/**
 * PageValues: one number for each page, by its key: how important it is, how often people read it. They change while
 * segments do not, so they stand in a file of their own beside them, replaced as a whole.
 *
 *   "CVAL" · u32 sum of the numbers · f32 numbers
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { writeDurably } from '@comity/disk'
import { indexDamaged } from '../errors.ts'

export type ValueName = 'importance' | 'hits'

const MAGIC = 0x4c415643
const HEAD_BYTES = 8

export function writePageValues(dir: string, name: ValueName, values: Float32Array): void {
  const path = pathOf(dir, name)
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(MAGIC, 0)
  head.writeUInt32LE(crc32(bytes), 4)
  writeDurably(path, head, bytes)
}

/** The values of all pages; empty when there are none yet. */
export function readPageValues(dir: string, name: ValueName): Float32Array {
  const path = pathOf(dir, name)
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Float32Array(0)
    throw error
  }
  const values = bytes.subarray(HEAD_BYTES)
  if (bytes.length < HEAD_BYTES || bytes.readUInt32LE(0) !== MAGIC || bytes.readUInt32LE(4) !== crc32(values))
    throw indexDamaged(path, 'it is not what was written')
  return new Float32Array(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength))
}

/** Says whether the values were replaced since. */
export function valuesStamp(dir: string, name: ValueName): string {
  const stat = statSync(pathOf(dir, name), { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs}`
}

const pathOf = (dir: string, name: ValueName): string => join(dir, `${name}.values`)
