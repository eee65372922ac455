/** A column of numbers with room for so many pages: the same array, or a copy of at least twice its length. */
type Column = Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array | Float64Array

export function grown<Kind extends Column>(old: Kind, count: number, filler = 0): Kind {
  if (count <= old.length) return old
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array's constructor makes arrays of its kind.
  const fresh = new (old.constructor as new (length: number) => Kind)(Math.max(count, old.length * 2))
  fresh.set(old)
  return filler === 0 ? fresh : (fresh.fill(filler, old.length) as Kind)
}
