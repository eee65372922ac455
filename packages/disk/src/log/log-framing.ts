/**
 * Log framing: how the entries of an append-only log stand in its bytes. Each log has its own, with its own mark and sum; what
 * is done about a frame that is not whole is the same for all of them (`log/log-reader.ts`).
 */

export interface LogFraming<Entry> {
  /** An entry as bytes. `isFirst` of its write: all that stands before it was durable when it was written. */
  encode(entry: Entry, isFirst: boolean): Uint8Array
  /** The frame that begins at `at`. Never throws. */
  decode(bytes: Buffer, at: number): LogFrame<Entry>
  /** What begins at `at` is no frame. The first place behind it where one may begin, as far as these bytes tell. */
  next(bytes: Buffer, at: number): number
}

export type LogFrame<Entry> =
  | {
      readonly kind: 'entry'
      readonly entry: Entry
      /** Behind its last byte. */
      readonly end: number
      /** It was begun when all before it was durable: if something before it is not whole now, that is damage. */
      readonly isSealed: boolean
    }
  /** More bytes are needed to tell. */
  | { readonly kind: 'short' }
  | { readonly kind: 'none' }

export const SHORT_FRAME: { readonly kind: 'short' } = { kind: 'short' }
export const NO_FRAME_HERE: { readonly kind: 'none' } = { kind: 'none' }

/** `next` of a framing whose frames begin with a mark: where that stands, or where the first part of it may. */
export function nextMark(bytes: Buffer, mark: Uint8Array, at: number): number {
  const found = bytes.indexOf(mark, at + 1)
  return found >= 0 ? found : Math.max(at + 1, bytes.length - mark.length + 1)
}

export function hasMark(bytes: Buffer, mark: Uint8Array, at: number): boolean {
  return bytes.compare(mark, 0, mark.length, at, at + mark.length) === 0
}
