/**
 * VCDIFF's format (RFC 3284): what its encoder and its decoder must agree on.
 *
 *   file    D6 C3 C4 version | header indicator | [application header] | window, window, …
 *   window  indicator | [source segment: length, position] | length of the rest | target length | delta indicator
 *           | lengths of data, instructions, addresses | [Adler-32] | data | instructions | addresses
 *
 * An instruction is ADD (bytes from data), RUN (one byte from data, often) or COPY (bytes from an address). Addresses
 * count through the source segment and on into the target window, so that a target may copy from itself. The
 * application header and the Adler-32 are xdelta3's additions; RFC 3284 has neither.
 */

/** `VCD` with the high bits set, and version 0 (§4.1). */
export const MAGIC: Uint8Array = Uint8Array.of(0xd6, 0xc3, 0xc4, 0)

/** Bits of the header indicator (§4.1); the third is xdelta3's. */
export const VCD_DECOMPRESS = 1
export const VCD_CODETABLE = 2
export const VCD_APPHEADER = 4

/** Bits of a window's indicator (§4.2); the third is xdelta3's. */
export const VCD_SOURCE = 1
export const VCD_TARGET = 2
export const VCD_ADLER32 = 4

export const NOOP = 0
export const ADD = 1
export const RUN = 2
export const COPY = 3

/** Two plain modes, four near and three same caches (§5.3). */
const MODES = 9

/**
 * The default code table (§5.6): 256 rows of six bytes, which are two instructions of type, size and mode. Size 0 means
 * that the size follows the code as an integer.
 */
export const CODE_TABLE: Uint8Array = defaultCodeTable()

function defaultCodeTable(): Uint8Array {
  const rows: number[][] = [[RUN, 0, 0]]
  for (let size = 0; size <= 17; size++) rows.push([ADD, size, 0])
  for (let mode = 0; mode < MODES; mode++) {
    rows.push([COPY, 0, mode])
    for (let size = 4; size <= 18; size++) rows.push([COPY, size, mode])
  }
  for (let mode = 0; mode < MODES; mode++) {
    const longest = mode < 6 ? 6 : 4
    for (let added = 1; added <= 4; added++) {
      for (let copied = 4; copied <= longest; copied++) rows.push([ADD, added, 0, COPY, copied, mode])
    }
  }
  for (let mode = 0; mode < MODES; mode++) rows.push([COPY, 4, mode, ADD, 1, 0])
  return Uint8Array.from(rows.flatMap((row) => [...row, NOOP, 0, 0].slice(0, 6)))
}

/** The code of a lone ADD; above 17 bytes the size follows. */
export const addCode = (size: number): number => (size <= 17 ? size + 1 : 1)

/** The code of a lone COPY; outside 4 to 18 bytes the size follows. */
export const copyCode = (size: number, mode: number): number =>
  19 + 16 * mode + (size >= 4 && size <= 18 ? size - 3 : 0)

/** The one code for an ADD and the COPY behind it; 0 when there is none, which is RUN's and no pair's. */
export function addCopyCode(added: number, copied: number, mode: number): number {
  if (added < 1 || added > 4 || copied < 4) return 0
  if (mode < 6) return copied > 6 ? 0 : 163 + 12 * mode + 3 * (added - 1) + copied - 4
  return copied > 4 ? 0 : 235 + 4 * (mode - 6) + added - 1
}

/** The one code for a COPY and the ADD behind it; 0 when there is none. */
export const copyAddCode = (copied: number, mode: number, added: number): number =>
  copied === 4 && added === 1 ? 247 + mode : 0

/** How many bytes an integer takes: seven bits in each (§2). */
export function integerBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

const MODULUS = 65_521

/** Adler-32 (RFC 1950 §8.2) of a part, as xdelta3 puts it before a window. */
export function adler32(bytes: Uint8Array, from: number, to: number): number {
  let low = 1
  let high = 0
  for (let at = from; at < to;) {
    // 5,552 is the most that cannot pass 32 bits before the remainder is taken.
    const stop = Math.min(to, at + 5_552)
    for (; at < stop; at++) {
      low += bytes[at]!
      high += low
    }
    low %= MODULUS
    high %= MODULUS
  }
  return high * 65_536 + low
}
