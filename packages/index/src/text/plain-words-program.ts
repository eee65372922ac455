/**
 * The program that reads plain words (`text/plain-words.ts`), in WebAssembly. A step of its loop reads one word and the blank
 * behind it, or one sign between words:
 *
 *   characters   s o m e ␣ w o r d s ␣ …    sixteen of them, as a vector of bytes
 *   is letter    1 1 1 1 0 1 1 1 1 1 0 …    as a number; its lowest zero is where the word ends
 *   six bits     s o m e 0 0 0 0 0 0 …      the key of the word (`text/word-key.ts`), by three products of neighbours
 *
 * It leaves the loop, at the beginning of what it cannot read, for anything rare.
 */
import { BREAK, COMMA, DIGIT, JOINER, LETTER, MARK, POINT } from './character-kinds.ts'
import {
  I32,
  I64,
  V128,
  bytesOf,
  i16x8,
  i32,
  i32x4,
  i64,
  i8x16,
  ifElse,
  lane,
  leaveIf,
  load128,
  load16,
  load8,
  loop,
  repeatIf,
  store32,
  store8,
  v128,
  variables,
} from './wasm-code.ts'
import type { Code, Program } from './wasm-code.ts'
import { HASH_FACTOR, HASH_SEED, HASHED, MAX_SHORT, SIX } from './word-key.ts'
import { COUNT, ENDS, HIGHS, JOINS, JOINT, KEEP, LANES, LOWS, STARTS } from './words-memory.ts'

/** More signs than this between two words, as in `a....b`, separate them. */
export const MAX_JOINERS = 3
/** Before all texts; an integer, as all other places are. */
export const FAR = -10

const SPACE = 0x20
/** The bit by which small letters differ from capitals; digits have it too. */
const SMALL = 0x20
const DIGITS = { first: 0x30, count: 10 }
const LETTERS = { first: 0x61, count: 26 }

const all = variables({
  // Where to begin, the last unit of the window, the end of the word before, and where the text would begin in memory.
  at: I32,
  last: I32,
  joint: I32,
  origin: I32,
  // Of the word: its address, its length in units, the kind of the unit behind it, and its place in the lists.
  address: I32,
  length: I32,
  kind: I32,
  place: I32,
  count: I32,
  code: I32,
  isHashed: I32,
  isBreak: I32,
  isPassed: I32,
  hash: I32,
  hashedTo: I32,
  key: I64,
  units: V128,
  small: V128,
  letters: V128,
  digits: V128,
  sixes: V128,
})
const { at, last, joint, origin, address, length, kind, place, count, code } = all
const { isHashed, isBreak, isPassed, hash, hashedTo, key, units, small, letters, digits, sixes } = all

const behind: Code = i32.add(address, i32.shl(length, 1))

/** What is no letter or digit: `isPassed` when it is a sign between words. */
const sign: readonly Code[] = [
  // Behind the text stands a zero. A comma and a blank are no part of a number.
  isBreak.set(
    i32.or(
      i32.and(i32.eq(kind, BREAK), i32.ne(code, 0)),
      i32.and(i32.eq(kind, COMMA), i32.eq(load16(address, 2), SPACE)),
    ),
  ),
  ifElse(isBreak, [joint.set(FAR)]),
  isPassed.set(i32.or(isBreak, i32.or(i32.eq(kind, JOINER), i32.eq(kind, POINT)))),
  at.set(i32.add(at, isPassed)),
]

const isIn = ({ first, count: size }: typeof DIGITS, vector: typeof units): Code =>
  i8x16.lt_u(i8x16.sub(vector, bytesOf(first)), bytesOf(size))

/** Each two numbers of 16 bits become one of 32: the first `times` as much, and the second. */
const joined = (times: number, vector: Code): Code => i32x4.dot_i16x8_s(vector, bytesOf(times & 0xff, times >> 8, 1, 0))

const wide = (number: Code | number): Code => i64.extend_i32_u(number)

const shortKey: readonly Code[] = [
  // Digits from 1 on, then letters; nothing behind the word.
  sixes.set(i8x16.sub(small, bytesOf(DIGITS.first - 1))),
  sixes.set(i8x16.sub(sixes, v128.and(letters, bytesOf(LETTERS.first - DIGITS.first - DIGITS.count)))),
  sixes.set(v128.and(sixes, load128(i32.sub(LANES, length), KEEP))),
  // Characters by two and by four.
  sixes.set(
    i16x8.narrow_i32x4_s(
      joined(1 << SIX, i16x8.extend_low_i8x16_u(sixes)),
      joined(1 << SIX, i16x8.extend_high_i8x16_u(sixes)),
    ),
  ),
  sixes.set(joined(1 << (2 * SIX), sixes.get())),
  key.set(i64.shl(wide(lane(0, sixes)), wide(6 * SIX))),
  key.set(i64.or(key, i64.shl(wide(lane(1, sixes)), wide(2 * SIX)))),
  key.set(i64.or(key, wide(i32.shr_u(lane(2, sixes), 2 * SIX)))),
  key.set(i64.shr_u(key, wide(i32.mul(i32.sub(MAX_SHORT, length), SIX)))),
  store32(place, LOWS, i64.wrap(key)),
  store32(place, HIGHS, i64.wrap(i64.shr_u(key, wide(32)))),
]

const hashedKey: readonly Code[] = [
  hash.set(HASH_SEED),
  hashedTo.set(behind),
  loop(
    hash.set(i32.mul(i32.xor(hash, load16(address)), HASH_FACTOR)),
    address.set(i32.add(address, 2)),
    repeatIf(i32.lt_u(address, hashedTo)),
  ),
  store32(place, LOWS, hash),
  store32(place, HIGHS, HASHED),
]

const words: Code = loop(
  leaveIf(i32.ge_s(at, last)),
  address.set(i32.add(i32.shl(at, 1), origin)),
  code.set(load16(address)),
  kind.set(load8(code)),
  isPassed.set(0),
  ifElse(i32.lt_u(kind, LETTER), sign),
  repeatIf(isPassed),
  leaveIf(i32.lt_u(kind, LETTER)),
  // A unit that is no byte becomes one that is no letter.
  units.set(i8x16.narrow_i16x8_u(load128(address), load128(address, LANES))),
  small.set(v128.or(units, bytesOf(SMALL))),
  letters.set(isIn(LETTERS, small)),
  digits.set(isIn(DIGITS, units)),
  length.set(i32.ctz(i32.xor(i8x16.bitmask(v128.or(letters, digits)), -1))),
  kind.set(load8(load16(behind))),
  isHashed.set(i32.gt_u(length, MAX_SHORT)),
  // Letters of other scripts, and what a long word has more.
  ifElse(i32.ge_s(kind, MARK), [
    isHashed.set(1),
    loop(length.set(i32.add(length, 1)), kind.set(load8(load16(behind))), repeatIf(i32.ge_s(kind, MARK))),
  ]),
  leaveIf(i32.gt_u(i32.add(at, length), last)),
  // What follows most words ends them; a kind of 0 is not known yet. A number may go on behind a point or comma.
  leaveIf(i32.gt_u(i32.sub(kind, BREAK), COMMA - BREAK)),
  leaveIf(i32.and(i32.gt_u(kind, JOINER), i32.eq(load8(load16(i32.sub(behind, 2))), DIGIT))),
  place.set(i32.shl(count, 2)),
  store32(place, STARTS, at),
  store8(count, JOINS, i32.le_u(i32.sub(at, joint), MAX_JOINERS)),
  at.set(i32.add(at, length)),
  store32(place, ENDS, at),
  joint.set(at),
  count.set(i32.add(count, 1)),
  // The sign behind it need not be looked at again.
  ifElse(i32.eq(kind, BREAK), [joint.set(FAR), at.set(i32.add(at, 1))]),
  ifElse(isHashed, hashedKey, shortKey),
  repeatIf(1),
)

export const plainWordsProgram: Program = {
  variables: all,
  parameters: 4,
  body: [words, store32(COUNT, 0, count), store32(JOINT, 0, joint)],
  result: at,
}
