/**
 * Lookup: what a name stands for that somebody else chose. A plain object answers to `constructor`, `toString` and
 * `__proto__` without having been told of them, with functions where a text or a number is expected: so names that come
 * from outside are looked up in a Map, or here. A test over the source holds every package to it.
 */

/** A table as it is best written, which knows nothing but its own rows. */
export const tableOf = <Value>(rows: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(rows))

/** What an object holds itself under this name, such as one that JSON made. */
export function ownValue<Value>(object: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}

/** Count one more, or `times`, under a name that may be any. */
export function addCount(counts: Record<string, number>, name: string, times = 1): void {
  // Defined and not assigned: what is assigned to `__proto__` is lost.
  const value = (ownValue(counts, name) ?? 0) + times
  Object.defineProperty(counts, name, { value, enumerable: true, configurable: true, writable: true })
}
