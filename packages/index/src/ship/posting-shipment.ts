/**
 * Posting shipment: many shipped documents in few bytes, in one file or body. Made by agents' hosts and gateways, read by
 * whoever has an index.
 *
 *   bytes      "cps" · version 1 · zstd of rows (`ship/shipment-rows.ts`)
 *              "cps" · version 2 · columns, packed one by one (`ship/shipment-columns.ts`)
 *
 * The same documents give the same bytes. Whatever bytes come, reading gives a shipment or what is wrong with it, and never
 * unpacks more than its limit.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { readColumns, writeColumns } from './shipment-columns.ts'
import { readRows, writeRows } from './shipment-rows.ts'
import type { ShippedDocument } from './shipped-document.ts'

export const SHIPMENT_TYPE = 'application/vnd.comity.postings'

export interface ShipmentLimits {
  readonly maxBytes: number
  readonly maxUnpackedBytes: number
  readonly maxDocuments: number
}

const shipmentLimits: ShipmentLimits = {
  maxBytes: 64 << 20,
  maxUnpackedBytes: 256 << 20,
  maxDocuments: 100_000,
}

export type ReadShipment =
  | { readonly kind: 'shipment'; readonly documents: readonly ShippedDocument[] }
  | { readonly kind: 'refused'; readonly problem: string }

/** 2 is smaller where documents are many; programs of the first version read 1 alone. */
export type ShipmentFormat = 1 | 2

const SHIPMENT_FORMAT = 2
const MAGIC = 'cps'
const HEAD_BYTES = 4
/** Of format 1. */
const LEVEL = 9

export function writeShipment(
  documents: readonly ShippedDocument[],
  format: ShipmentFormat = SHIPMENT_FORMAT,
): Uint8Array {
  const payload = format === 2 ? writeColumns(documents) : packed(writeRows(documents))
  return Buffer.concat([Buffer.from(`${MAGIC}${String.fromCharCode(format)}`, 'latin1'), payload])
}

const packed = (payload: Uint8Array): Uint8Array =>
  zstdCompressSync(payload, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })

/** Undefined for what is no shipment, or one of another version. */
export function shipmentFormat(bytes: Uint8Array): ShipmentFormat | undefined {
  const format = bytes[HEAD_BYTES - 1]
  const isOne = Buffer.from(bytes.subarray(0, HEAD_BYTES - 1)).toString('latin1') === MAGIC
  return isOne && (format === 1 || format === 2) ? format : undefined
}

/** Never throws. */
export function readShipment(bytes: Uint8Array, limits: Partial<ShipmentLimits> = {}): ReadShipment {
  const { maxBytes, ...most } = { ...shipmentLimits, ...limits }
  if (bytes.length > maxBytes) return refused(`it has more than ${maxBytes} bytes`)
  const format = shipmentFormat(bytes)
  if (format === undefined) return refused('it is no shipment of postings, or of another version')
  try {
    const documents = documentsOf(bytes.subarray(HEAD_BYTES), format, most)
    return documents === undefined
      ? refused('it cannot be unpacked, or is too large when it is')
      : { kind: 'shipment', documents }
  } catch (error) {
    if (error instanceof RangeError) return refused(error.message)
    throw error
  }
}

const refused = (problem: string): ReadShipment => ({ kind: 'refused', problem })

/** Undefined for what cannot be unpacked. */
function documentsOf(
  bytes: Uint8Array,
  format: ShipmentFormat,
  { maxUnpackedBytes, maxDocuments }: Omit<ShipmentLimits, 'maxBytes'>,
): ShippedDocument[] | undefined {
  if (format === 2) return readColumns(bytes, maxUnpackedBytes, maxDocuments)
  const payload = unpacked(bytes, maxUnpackedBytes)
  return payload === undefined ? undefined : readRows(payload, maxDocuments)
}

function unpacked(bytes: Uint8Array, maxOutputLength: number): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength })
  } catch {
    // No zstd, damaged, or a bomb.
    return undefined
  }
}
