/**
 * Change parts: which numbers of the journal stand in which part of the change list, such that whoever polls pays little
 * and whoever was away for long asks for few files. Pure; the same numbers always fall into the same part.
 *
 *   1 ········· 2,048 | ··· 2,304 | ··· 2,336 | ··· 2,368 | ··· 2,372 | 2,373 ·
 *   of 2,048            of 256      of 32       of 32       of 4        open: grows to 4, then the next begins
 *
 * Eight parts of one size give way to one of the next only when that has a whole one behind it: whoever follows finds
 * the small part it waits for, and not a large one in its place. Every part keeps its numbers for ever, and may be asked
 * for also when it is no longer listed.
 */
export interface ChangePart {
  /** Changes with numbers above `after`, up to `upTo`. */
  readonly after: number
  readonly upTo: number
  /** The part that still grows. */
  readonly isOpen: boolean
}

/**
 * Whoever polls gets all of the open part for one new change, and when it has closed the next one too: with four changes
 * that is under 2 KB, heads and all.
 */
const SMALLEST_PART = 4
const SIZES: readonly number[] = [SMALLEST_PART, 32, 256, 2_048]

/** How large parts may be. */
export interface PartSizes {
  readonly smallest: number
  readonly largest: number
}

const ALL_SIZES: PartSizes = { smallest: SMALLEST_PART, largest: Math.max(...SIZES) }

/** Parts that together have every number above `since`, oldest first; the last one is open. */
export function changeParts(since: number, last: number, sizes: PartSizes = ALL_SIZES): readonly ChangePart[] {
  const { smallest } = sizes
  const parts: ChangePart[] = []
  // A full part stays open until the next change is there: it ends where the next begins, and nobody knows that before.
  const open = Math.floor(Math.max(0, last - 1) / smallest) * smallest
  // What was forgotten in part is not listed: a list says that it has every change of its time.
  let at = Math.min(Math.ceil(since / smallest) * smallest, open)
  while (at < open) {
    const size = sizeAt(at, last, sizes)
    parts.push({ after: at, upTo: at + size, isOpen: false })
    at += size
  }
  return [...parts, { after: Math.max(open, since), upTo: last, isOpen: true }]
}

/** The largest size that begins here and has another of its size behind it. */
function sizeAt(at: number, last: number, { smallest, largest }: PartSizes): number {
  const fits = (size: number): boolean =>
    size <= largest && at % size === 0 && (Math.floor(at / size) + 2) * size <= last
  return SIZES.findLast((size) => size >= smallest && fits(size)) ?? smallest
}

/** `17` for the smallest, which keeps its name when it closes; `1-256` for larger ones. */
export function changePartName({ after, upTo, isOpen }: ChangePart): string {
  const first = Math.floor(after / SMALLEST_PART) * SMALLEST_PART + 1
  return isOpen || upTo - after <= SMALLEST_PART ? String(first) : `${first}-${upTo}`
}

/** The part of that name, if all of it is still known. */
export function namedChangePart(name: string, since: number, last: number): ChangePart | undefined {
  const [first = 0, end] = name.split('-').map(Number)
  const size = end === undefined ? SMALLEST_PART : end - first + 1
  const after = first - 1
  if (!SIZES.includes(size) || (end !== undefined && size === SMALLEST_PART) || !(after >= 0) || after % size !== 0)
    return undefined
  const isOpen = after + size >= last
  if (isOpen)
    // Where all that there was is forgotten, the open part has nothing yet.
    return end === undefined && (after < Math.max(1, last) || (after === last && since === last))
      ? { after: Math.max(after, since), upTo: last, isOpen }
      : undefined
  return after < since ? undefined : { after, upTo: after + size, isOpen }
}
