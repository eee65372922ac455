/**
 * ZIP entries: what the directory of a ZIP says, packed, so that a hundred thousand entries can be read by one thread and looked up
 * by another without becoming as many objects on the way.
 *
 *   names   of all entries, one behind the other
 *   rows    what else there is to know of each, in the order of the directory
 *   order   the same by their names; of two with one name the later is behind
 */

export interface ZipEntry {
  readonly name: string
  /** 0 stored, 8 deflated; others cannot be read. */
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc32: number
  readonly packedBytes: number
  readonly bytes: number
  /** Of its local head. */
  readonly offset: number
}

export interface PackedEntries {
  readonly names: string
  /** Numbers up to 2⁵³. */
  readonly rows: Float64Array
  readonly order: Uint32Array
}

/** Where its name ends, and the fields of an entry as they are called there. */
const WORDS = 7

export function packEntries(entries: readonly ZipEntry[]): PackedEntries {
  const rows = new Float64Array(entries.length * WORDS)
  let end = 0
  for (const [i, entry] of entries.entries()) {
    const { name, method, isEncrypted, crc32, packedBytes, bytes, offset } = entry
    end += name.length
    rows.set([end, method, isEncrypted ? 1 : 0, crc32, packedBytes, bytes, offset], i * WORDS)
  }
  const order = Uint32Array.from(entries.keys())
  const nameOf = (i: number): string => entries[i]!.name
  order.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a - b))
  return { names: entries.map(({ name }) => name).join(''), rows, order }
}

export class ZipEntries implements Iterable<ZipEntry> {
  readonly #packed: PackedEntries

  constructor(packed: PackedEntries) {
    this.#packed = packed
  }

  get count(): number {
    return this.#packed.order.length
  }

  /** In the order of the directory. */
  *[Symbol.iterator](): Generator<ZipEntry> {
    for (let i = 0; i < this.count; i++) yield this.#entry(i)
  }

  /** The last of this name. */
  find(name: string): ZipEntry | undefined {
    const { order } = this.#packed
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#name(order[middle]!) <= name) low = middle + 1
      else high = middle
    }
    const found = order[low - 1]
    return found === undefined || this.#name(found) !== name ? undefined : this.#entry(found)
  }

  #name(i: number): string {
    const { names, rows } = this.#packed
    return names.slice(i === 0 ? 0 : rows[(i - 1) * WORDS], rows[i * WORDS])
  }

  #entry(i: number): ZipEntry {
    const [, method = 0, encrypted, crc32 = 0, packedBytes = 0, bytes = 0, offset = 0] = this.#packed.rows.subarray(
      i * WORDS,
      (i + 1) * WORDS,
    )
    return { name: this.#name(i), method, isEncrypted: encrypted === 1, crc32, packedBytes, bytes, offset }
  }
}
