/**
 * Own bytes: bytes that keep nothing alive but themselves. Small buffers of Node are views of one of 64 KB that they share, and
 * their `slice` is another view: who keeps a page of 2 KB in one keeps 64 KB, thirty times what it counts.
 */

/** The same bytes where they stand alone, and else a copy. */
export const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
