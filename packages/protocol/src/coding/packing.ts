/**
 * Packing: how bytes are packed, told by how they begin and not by the name of a file or what an answer says. Whoever unpacks by
 * it says which packings it can undo; what an answer names as its coding is `content-coding.ts`.
 */
export type Packing = 'gzip' | 'zstd' | 'xz'

/** With its method, of which there is one: a search for members meets fewer that are none by chance. */
export const GZIP_MEMBER_HEAD: readonly number[] = [0x1f, 0x8b, 8]

const MAGICS: readonly (readonly [packing: Packing, magic: readonly number[]])[] = [
  // RFC 1952 §2.3.1. A method that nobody knows is gzip, too, and a fault of it.
  ['gzip', GZIP_MEMBER_HEAD.slice(0, 2)],
  // RFC 8878 §3.1.1.
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  // The .xz File Format 1.2.1 §2.1.1.1.
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
]

/** So many bytes are enough to tell. */
export const PACKING_BYTES: number = Math.max(...MAGICS.map(([, magic]) => magic.length))

/** Of what begins at `at`; undefined where it is not packed, or too short to tell. */
export function packingOf(bytes: Uint8Array, at = 0): Packing | undefined {
  return MAGICS.find(([, magic]) => magic.every((byte, i) => bytes[at + i] === byte))?.[0]
}

/** Whether a list of pages is a packed file, of the one packing that lists are read in, whatever its answer says. */
export const isPackedList = (bytes: Uint8Array): boolean => packingOf(bytes) === 'gzip'
