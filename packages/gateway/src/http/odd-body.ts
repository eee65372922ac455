/**
 * OddBody: a body whose head leaves readers a choice where it ends, all that came until the connection did. It is cut as it looks:
 * in pieces where it begins like one, or where a number that the head has would end it. For those who want to see what was
 * sent; it is never indexed.
 */
import { ChunkedBody } from './chunked-body.ts'

const PIECE = /^\s{0,8}[0-9a-f]{1,8}(?:[^\n0-9a-f][^\n]{0,20})?\r?\n/i

export function oddBody(bytes: Uint8Array, numbers: readonly number[]): Uint8Array {
  const begin = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 40)).toString('latin1')
  if (PIECE.test(begin)) {
    const pieces: Uint8Array[] = []
    const body = new ChunkedBody((piece) => pieces.push(piece))
    body.take(bytes, 0)
    if (body.state !== 'lost' && pieces.length > 0) return Buffer.concat(pieces)
  }
  const [first] = numbers
  if (first === undefined || first > bytes.length || numbers.includes(bytes.length)) return bytes
  return bytes.subarray(0, first)
}
