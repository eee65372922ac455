/**
 * VCDIFF encoder (RFC 3284): a target, said as copies from a source and from itself, and the bytes that are new.
 *
 * Greedy with a look ahead: the best match at a place is taken unless the one a byte later saves more. What both have
 * in common at their ends is not searched at all. Windows of 8 MB keep the memory of either side bounded; each may copy
 * from all of the source. No secondary compression: readers other than xdelta3 know none.
 */
import { MAGIC, VCD_SOURCE, integerBytes } from './vcdiff-format.ts'
import { ByteSink, InstructionWriter } from './vcdiff-instructions.ts'
import { MatchFinder } from './vcdiff-matches.ts'
import type { Match } from './vcdiff-matches.ts'

/** xdelta3 makes windows of this size, and its decoder takes none above 16 MB. */
const WINDOW_BYTES = 1 << 23
const MAX_BYTES = 2 ** 31 - 1 - WINDOW_BYTES
/** A shorter common beginning or end is left to the search. */
const MIN_COMMON = 16
/** Below this a search costs more than the bytes. */
const NOT_SEARCHED = 4
/** A COPY that saves less is no gain: it also parts the ADD around it. */
const MIN_GAIN = 2
/** Longer matches are taken without a look ahead. */
const GOOD_LENGTH = 64
/** After 4 KB without a match every second place is searched, after 8 KB every third; an image would take seconds. */
const PATIENCE_SHIFT = 12
const MAX_STEP = 16

/** The delta that makes `target` out of `source`. At worst it is longer than the target by a few bytes a window. */
export function encodeVcdiff(source: Uint8Array, target: Uint8Array): Uint8Array {
  if (Math.max(source.length, target.length) > MAX_BYTES) {
    throw new RangeError('addresses of a delta have 31 bits here: cut what is near 2 GB into parts and encode those')
  }
  const out = new ByteSink()
  out.append(MAGIC, 0, MAGIC.length)
  out.byte(0)
  const finder = new MatchFinder(source, target)
  const tail = commonEnd(source, target)
  // An empty target is one empty window: xdelta3 writes it so.
  for (let start = 0; start === 0 || start < target.length; start += WINDOW_BYTES) {
    const window = { source, target, start, end: Math.min(target.length, start + WINDOW_BYTES), tail }
    writeWindow(out, window, encodeWindow(finder, window))
  }
  return out.written.slice()
}

interface Window {
  readonly source: Uint8Array
  readonly target: Uint8Array
  readonly start: number
  readonly end: number
  /** So many bytes at the end of target and source are equal. */
  readonly tail: number
}

function encodeWindow(finder: MatchFinder, window: Window): InstructionWriter {
  const { source, target, start, end, tail } = window
  const out = new InstructionWriter()
  const here = source.length - start
  const tailStart = Math.max(start, target.length - tail)
  const searchEnd = tailStart < end ? tailStart - NOT_SEARCHED : end
  let at = start
  let added = start
  const take = (match: Match): void => {
    out.add(target, added, match.start)
    out.copy(match.address, match.length, here + match.start)
    finder.noteCopied(match)
    added = match.start + match.length
    at = added
  }
  finder.openWindow(start, end)
  const first = finder.straightOn(start, out.cache)
  if (first.length >= MIN_COMMON) take(first)
  while (at < searchEnd) {
    const match = finder.search(at, added, out.cache)
    if (match.gain >= MIN_GAIN) {
      take(lookAhead(finder, match, at, added, end, out))
    } else {
      finder.noteAdded(at)
      at += Math.min(MAX_STEP, 1 + ((at - added) >>> PATIENCE_SHIFT))
    }
  }
  const rest = Math.max(added, tailStart)
  if (rest < end) {
    out.add(target, added, rest)
    out.copy(source.length - (target.length - rest), end - rest, here + rest)
  } else {
    out.add(target, added, end)
  }
  out.end()
  return out
}

/** A match one byte on may save more than that byte costs, and so may the one after it. */
function lookAhead(
  finder: MatchFinder,
  found: Match,
  from: number,
  added: number,
  end: number,
  out: InstructionWriter,
): Match {
  let best = found
  for (let at = from; best.length < GOOD_LENGTH && at + 1 < end; at++) {
    finder.noteAdded(at)
    const next = finder.search(at + 1, added, out.cache)
    if (next.gain <= best.gain + 1) break
    best = next
  }
  return best
}

function writeWindow(out: ByteSink, window: Window, sections: InstructionWriter): void {
  const { source, start, end } = window
  const parts = [sections.data, sections.instructions, sections.addresses]
  const ofParts = parts.reduce((sum, { length }) => sum + integerBytes(length) + length, 0)
  // Without a source there is no segment to name: xdelta3 refuses an empty one.
  out.byte(source.length > 0 ? VCD_SOURCE : 0)
  if (source.length > 0) {
    out.integer(source.length)
    out.integer(0)
  }
  out.integer(integerBytes(end - start) + 1 + ofParts)
  out.integer(end - start)
  out.byte(0)
  for (const { length } of parts) out.integer(length)
  for (const { written } of parts) out.append(written, 0, written.length)
}

function commonEnd(source: Uint8Array, target: Uint8Array): number {
  const most = Math.min(source.length, target.length)
  let length = 0
  while (length < most && source[source.length - 1 - length] === target[target.length - 1 - length]) length++
  return length < MIN_COMMON ? 0 : length
}
