/** The sum of 16-bit words that IP and TCP are checked by (RFC 1071). A message with its sum in it gives 0xffff. */

/** Shorter than this, byte by byte is quicker. */
const SHORT = 48
/** The sums of so many bytes have room in 32 bits. */
const LONG = 1 << 17
const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/**
 * Most of the work on a packet is here, so four bytes are taken at a time. Words are those of the machine, wherever the
 * message begins: the sum of the same words with their bytes turned round is the same sum turned round (RFC 1071 §2).
 */
export function sumOf(bytes: Uint8Array, from: number, end: number, begin = 0): number {
  if (end - from < SHORT) return sumOfFew(bytes, from, end, begin)
  if (end - from > LONG) return sumOf(bytes, from + LONG, end, sumOf(bytes, from, from + LONG, begin))
  const words = wordsOf(bytes)
  const start = bytes.byteOffset + from
  const first = (start + 3) >> 2
  const last = (bytes.byteOffset + end) >> 2
  let low = 0
  let high = 0
  let at = first
  for (; at + 3 < last; at += 4) {
    const [a, b, c, d] = [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!]
    low = (low + (a & 0xffff) + (b & 0xffff) + (c & 0xffff) + (d & 0xffff)) | 0
    high = (high + (a >>> 16) + (b >>> 16) + (c >>> 16) + (d >>> 16)) | 0
  }
  for (; at < last; at++) {
    low = (low + (words[at]! & 0xffff)) | 0
    high = (high + (words[at]! >>> 16)) | 0
  }
  const isOdd = (start & 1) === 1
  const middle = folded((low >>> 0) + (high >>> 0))
  const edges =
    sumOfFew(bytes, from, first * 4 - bytes.byteOffset, 0) +
    // It begins on a whole word of the machine, which is half of one of the message's where that begins between two.
    turned(sumOfFew(bytes, last * 4 - bytes.byteOffset, end, 0), isOdd)
  return folded(turned(middle, IS_LITTLE !== isOdd) + edges + begin)
}

function sumOfFew(bytes: Uint8Array, from: number, end: number, begin: number): number {
  let sum = begin
  let at = from
  for (; at + 1 < end; at += 2) sum += (bytes[at]! << 8) | bytes[at + 1]!
  if (at < end) sum += bytes[at]! << 8
  return folded(sum)
}

const turned = (sum: number, isTurned: boolean): number => (isTurned ? ((sum & 0xff) << 8) | (sum >>> 8) : sum)

let viewed: Int32Array = new Int32Array(0)

/** Packets come out of the same piece of memory, one after the other. */
function wordsOf({ buffer }: Uint8Array): Int32Array {
  if (viewed.buffer !== buffer) viewed = new Int32Array(buffer, 0, buffer.byteLength >> 2)
  return viewed
}

/** With the addresses, the protocol and the length before it (RFC 9293 §3.1, RFC 8200 §8.1). */
export function tcpSum(
  bytes: Uint8Array,
  from: number,
  end: number,
  sourceAt: number,
  targetAt: number,
  isV6: boolean,
): number {
  return sumOf(bytes, from, end, addressSum(bytes, sourceAt, targetAt, end - from, isV6))
}

/**
 * What stands before the sum; network cards that are to fill it in find this in its place, or the same with a `length` of 0 where they cut
 * the packet, too.
 */
export function addressSum(
  bytes: Uint8Array,
  sourceAt: number,
  targetAt: number,
  length: number,
  isV6: boolean,
): number {
  const size = isV6 ? 16 : 4
  const addresses = sumOf(bytes, sourceAt, sourceAt + size, sumOf(bytes, targetAt, targetAt + size))
  return folded(addresses + 6 + length)
}

function folded(sum: number): number {
  let left = sum
  while (left > 0xffff) left = (left & 0xffff) + Math.floor(left / 65_536)
  return left
}

/**
 * One in so many of a sender's sums is left to its card, at the least, where any are: fewer are damage that looks like it. Only packets that
 * carry something count: many senders sum up empty ones themselves and leave the others to the card.
 */
const SELDOM = 20

/** A power of two: senders that share a place are judged together. */
const SENDERS = 4_096

/** Whose sums are left for a network card to fill in: counted by a hash of the sender's address. */
export class UnfilledSums {
  readonly #left = new Uint32Array(SENDERS)
  readonly #right = new Uint32Array(SENDERS)

  /** A packet with something in it has a right sum. */
  right(bytes: Uint8Array, sourceAt: number, isV6: boolean): void {
    this.#right[placeOf(bytes, sourceAt, isV6)]!++
  }

  /** A sum looks as if it was left; whether it is. */
  left(bytes: Uint8Array, sourceAt: number, isV6: boolean): boolean {
    const place = placeOf(bytes, sourceAt, isV6)
    this.#left[place]!++
    return this.#left[place]! * SELDOM >= this.#right[place]!
  }
}

function placeOf(bytes: Uint8Array, at: number, isV6: boolean): number {
  const end = at + (isV6 ? 16 : 4)
  let mixed = 0
  for (let byte = at; byte < end; byte++) mixed = Math.imul(mixed ^ bytes[byte]!, 0x0100_0193)
  return (mixed ^ (mixed >>> 12)) & (SENDERS - 1)
}
