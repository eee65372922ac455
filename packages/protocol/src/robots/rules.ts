/**
 * Robots rules: those of one crawler, packed, and the one of them that decides about a URL (RFC 9309 §2.2.2): of all that match,
 * the one with the most octets, `allow` before `disallow`.
 *
 *   text    the paths of all rules, as they are compared (`robots/match.ts`), one behind the other
 *   rows    for each where it stands there, and what else there is to know; of two with the same path the one that decides
 *   slots   finds the rule without a `*` that has this path, however many there are
 *   wild    the others, most specific first, which are tried one after the other, within a budget
 *
 * A file may have fifty thousand rules: so none of them is an object before it has decided, and all of them together can change
 * threads in a moment.
 */
import { randomInt } from 'node:crypto'
import { octetsAt } from './robots-lines.ts'
import { ComparableText } from './match.ts'
import { WorkBudget } from '../work-budget.ts'

interface RobotsRule {
  readonly allow: boolean
  /** The path as written. */
  readonly path: string
  /** And as it is compared. */
  readonly pattern: string
  readonly line: number
}

/** `rule` and its `line` are absent when no rule matched. Not allowed then means: matching would be too much work. */
export interface RobotsDecision {
  readonly allowed: boolean
  readonly rule?: string
  readonly line?: number
}

const NO_RULE: RobotsDecision = { allowed: true }
/**
 * Forty thousand rules such as `*aaab` fit into a file and would take half a second for one long URL. Nobody means that. What
 * the rules say of such a URL is not known, and so it is not visited, as if the file could not be had (§2.3.1.4).
 */
const TOO_DEAR: RobotsDecision = { allowed: false }

/** Rules as they were written, in rows of `WRITTEN_WORDS`. */
interface WrittenRules {
  readonly octets: Uint8Array
  /** Section, 1 where it allows, where its path begins and ends in the file, and its line. */
  readonly rows: Uint32Array
}
export const WRITTEN_WORDS = 5

export interface PackedRules {
  readonly octets: Uint8Array
  /** Each with a `*` behind it. */
  readonly text: string
  readonly rows: Uint32Array
  readonly slots: Int32Array
  readonly wild: Uint32Array
  /** 1 where there is a rule of this length without `*` and `$`. */
  readonly lengths: Uint8Array
  /** What its hashes were made with. */
  readonly point: number
}

/**
 * Words of a row: where it stands in the text, and its first `*` or its end; the octets that a path must have at least to match;
 * its hash, flags and line, and where it was written.
 */
const [FROM, TO, HEAD, LEAST, HASH, FLAGS, LINE, WRITTEN_FROM, WRITTEN_TO] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
const WORDS = 9
const ALLOW = 1
/** It ends with `$`: the whole path must be used up. */
const ANCHORED = 2
/** Another one has the same path, and decides. */
const IDLE = 4

const NONE = -1
const STAR = 0x2a
const DOLLAR = 0x24

/** Those of some sections of a file. */
export function packRules({ octets, rows: written }: WrittenRules, sections: ReadonlySet<number>): PackedRules {
  const packer = new RulePacker(octets, countOf(written, sections))
  for (let at = 0; at < written.length; at += WRITTEN_WORDS)
    if (sections.has(written[at]!))
      packer.add(written[at + 1] === 1, written[at + 2]!, written[at + 3]!, written[at + 4]!)
  return packer.pack()
}

function countOf(written: Uint32Array, sections: ReadonlySet<number>): number {
  let count = 0
  for (let at = 0; at < written.length; at += WRITTEN_WORDS) if (sections.has(written[at]!)) count++
  return count
}

class RulePacker {
  readonly #octets: Uint8Array
  readonly #text: ComparableText
  readonly #rows: Uint32Array
  readonly #slots: Int32Array
  #count = 0

  constructor(octets: Uint8Array, most: number) {
    this.#octets = octets
    this.#text = new ComparableText(octets.length)
    this.#rows = new Uint32Array(most * WORDS)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 1))).fill(NONE)
  }

  add(allow: boolean, start: number, end: number, line: number): void {
    const text = this.#text
    const flags = (allow ? ALLOW : 0) | (this.#octets[end - 1] === DOLLAR ? ANCHORED : 0)
    const from = text.length
    text.write(this.#octets, start, (flags & ANCHORED) === 0 ? end : end - 1, true, true)
    const to = text.length
    const hash = hashOf(text.octets, from, to, flags)
    const slot = this.#slotOf(hash, from, to, flags & ANCHORED)
    const same = this.#slots[slot]!
    // Written again it says nothing more, and `allow` is heard before `disallow`.
    if (same !== NONE && (!allow || (this.#rows[same * WORDS + FLAGS]! & ALLOW) !== 0)) {
      text.length = from
      return
    }
    if (same !== NONE) this.#rows[same * WORDS + FLAGS]! |= IDLE
    this.#slots[slot] = this.#count
    const row = this.#count++ * WORDS
    this.#rows[row + FROM] = from
    this.#rows[row + TO] = to
    this.#rows[row + HEAD] = firstStar(text.octets, from, to)
    this.#rows[row + LEAST] = to - from - starsIn(text.octets, from, to)
    this.#rows[row + HASH] = hash
    this.#rows[row + FLAGS] = flags
    this.#rows[row + LINE] = line
    this.#rows[row + WRITTEN_FROM] = start
    this.#rows[row + WRITTEN_TO] = end
    text.write(BETWEEN, 0, 1, true, true)
  }

  pack(): PackedRules {
    const rows = this.#rows.slice(0, this.#count * WORDS)
    const wild = specificFirst(rows, (at) => isWild(rows, at))
    const text = this.#text.toString()
    return { octets: this.#octets, text, rows, slots: this.#slots, wild, lengths: plainLengths(rows), point: POINT }
  }

  /** Where the rule with this text is, or where it would be. */
  #slotOf(hash: number, from: number, to: number, anchored: number): number {
    const { octets } = this.#text
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]! * WORDS
      if (row < 0) return slot
      if (this.#rows[row + HASH] !== hash || (this.#rows[row + FLAGS]! & ANCHORED) !== anchored) continue
      if (octets.compare(octets, this.#rows[row + FROM], this.#rows[row + TO], from, to) === 0) return slot
    }
  }
}

export class RobotsRules {
  readonly #packed: PackedRules

  constructor(packed: PackedRules) {
    this.#packed = packed
  }

  get isEmpty(): boolean {
    return this.#packed.rows.length === 0
  }

  /** Most specific first; of those with one path the one that decides. */
  get list(): RobotsRule[] {
    return Array.from(
      specificFirst(this.#packed.rows, () => true),
      (id) => this.#rule(id),
    )
  }

  /** What they say of a path, in any of these spellings. `work`: what may be spent on it, and perhaps on more than this. */
  decide(paths: readonly string[], work: WorkBudget = WorkBudget.of('rules')): RobotsDecision {
    const { rows, wild } = this.#packed
    const known = this.#bestOf(paths.map((path) => this.#plainRule(path)))
    for (const id of wild) {
      if (known !== NONE && rankOf(rows, known) < rankOf(rows, id)) break
      const isMatch = paths.some((path) => this.#matches(id, path, work))
      if (work.isSpent) return TOO_DEAR
      if (isMatch) return this.#decision(id)
    }
    return known === NONE ? NO_RULE : this.#decision(known)
  }

  /** The longest without a `*` that the path begins with, or that it is. */
  #plainRule(path: string): number {
    const { lengths, point } = this.#packed
    let [found, hash] = [NONE, 0]
    for (let length = 1; length <= path.length; length++) {
      hash = hashed(hash, path.charCodeAt(length - 1), point)
      if (lengths[length] !== 1) continue
      const id = this.#find(hash, path, length, 0)
      if (id !== NONE) found = id
    }
    const whole = this.#find(hashed(hash, DOLLAR, point), path, path.length, ANCHORED)
    return whole === NONE ? found : whole
  }

  #find(hash: number, path: string, length: number, anchored: number): number {
    const { rows, slots, text } = this.#packed
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!
      if (id === NONE) return NONE
      const row = id * WORDS
      if (rows[row + HASH] !== hash || (rows[row + FLAGS]! & ANCHORED) !== anchored || isWild(rows, row)) continue
      const [from, to] = [rows[row + FROM]!, rows[row + TO]!]
      if (to - from === length && path.startsWith(text.slice(from, to))) return id
    }
  }

  /** Each piece is looked for behind the one before it, at its first place (`url/glob.ts`). False, too, when the budget is spent. */
  #matches(id: number, path: string, work: WorkBudget): boolean {
    const { rows, text } = this.#packed
    const row = id * WORDS
    const [from, to, head] = [rows[row + FROM]!, rows[row + TO]!, rows[row + HEAD]!]
    // Most rules are about other folders, or about longer paths.
    const mayMatch = path.length >= rows[row + LEAST]! && path.startsWith(text.slice(from, head))
    if (!mayMatch) return work.spend('comparison') && false
    if (!work.spend('character', path.length) || !work.spend('piece')) return false
    let [at, star] = [head - from, head]
    for (;;) {
      const start = star + 1
      star = text.indexOf('*', start)
      const piece = text.slice(start, star)
      if (!work.spend('piece')) return false
      if (star === to) return isLast(piece, path, at, (rows[row + FLAGS]! & ANCHORED) !== 0)
      const found = path.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
  }

  #bestOf(ids: readonly number[]): number {
    const { rows } = this.#packed
    const found = ids.filter((id) => id !== NONE)
    return found.reduce((best, id) => (rankOf(rows, id) < rankOf(rows, best) ? id : best), found[0] ?? NONE)
  }

  #decision(id: number): RobotsDecision {
    const { allow, path, line } = this.#rule(id)
    return { allowed: allow, rule: path, line }
  }

  #rule(id: number): RobotsRule {
    const { rows, text, octets } = this.#packed
    const row = id * WORDS
    const flags = rows[row + FLAGS]!
    const path = fromOctets(octetsAt(octets, rows[row + WRITTEN_FROM]!, rows[row + WRITTEN_TO]!))
    const pattern = text.slice(rows[row + FROM], rows[row + TO]) + ((flags & ANCHORED) === 0 ? '' : '$')
    return { allow: (flags & ALLOW) !== 0, path, pattern, line: rows[row + LINE]! }
  }
}

function isLast(piece: string, path: string, at: number, isAnchored: boolean): boolean {
  return isAnchored ? path.length - piece.length >= at && path.endsWith(piece) : path.includes(piece, at)
}

/** Stands behind each rule, so that whoever looks for its next `*` does not look beyond it. */
const BETWEEN = Uint8Array.of(STAR)
/** More than there can be of either. */
const MOST_RULES = 2 ** 22
const MOST_OCTETS = 2 ** 27

function specificFirst(rows: Uint32Array, isWanted: (row: number) => boolean): Uint32Array {
  const ranks = new Float64Array(rows.length / WORDS)
  let used = 0
  for (let row = 0; row < rows.length; row += WORDS)
    if ((rows[row + FLAGS]! & IDLE) === 0 && isWanted(row)) ranks[used++] = rankOf(rows, row / WORDS)
  const sorted = ranks.subarray(0, used).toSorted()
  const ids = new Uint32Array(used)
  for (let i = 0; i < used; i++) ids[i] = sorted[i]! % MOST_RULES
  return ids
}

/** Less decides before more: the most octets, `allow` before `disallow`, and then whoever was written first. */
function rankOf(rows: Uint32Array, id: number): number {
  const row = id * WORDS
  return ((MOST_OCTETS - lengthOf(rows, row)) * 2 + 1 - (rows[row + FLAGS]! & ALLOW)) * MOST_RULES + id
}

/** In octets, which make a rule specific. */
function lengthOf(rows: Uint32Array, row: number): number {
  return rows[row + TO]! - rows[row + FROM]! + ((rows[row + FLAGS]! & ANCHORED) === 0 ? 0 : 1)
}

const isWild = (rows: Uint32Array, row: number): boolean => rows[row + HEAD] !== rows[row + TO]

function plainLengths(rows: Uint32Array): Uint8Array {
  const isPlain = (row: number): boolean => !isWild(rows, row) && (rows[row + FLAGS]! & ANCHORED) === 0
  let longest = 0
  for (let row = 0; row < rows.length; row += WORDS) if (isPlain(row)) longest = Math.max(longest, lengthOf(rows, row))
  const lengths = new Uint8Array(longest + 1)
  for (let row = 0; row < rows.length; row += WORDS) if (isPlain(row)) lengths[lengthOf(rows, row)] = 1
  return lengths
}

/** Its end when there is none. */
function firstStar(octets: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && octets[at] !== STAR) at++
  return at
}

function starsIn(octets: Uint8Array, from: number, to: number): number {
  let stars = 0
  for (let at = from; at < to; at++) if (octets[at] === STAR) stars++
  return stars
}

function hashOf(octets: Uint8Array, from: number, to: number, flags: number): number {
  let hash = 0
  for (let at = from; at < to; at++) hash = hashed(hash, octets[at]!, POINT)
  return (flags & ANCHORED) === 0 ? hash : hashed(hash, DOLLAR, POINT)
}

/**
 * A text as the coefficients of a polynomial, at a point that nobody outside knows: whoever writes rules cannot make them share
 * a slot. All products are below 2⁵³.
 */
const PRIME = 67_108_859
const INVERSE = 1 / PRIME
const POINT = randomInt(1 << 20, PRIME)

function hashed(hash: number, octet: number, point: number): number {
  const sum = hash * point + octet + 1
  const rest = sum - Math.floor(sum * INVERSE) * PRIME
  // The quotient is rounded, and may be one too large.
  return rest < 0 ? rest + PRIME : rest
}

export function fromOctets(octets: string): string {
  if (!HIGH.test(octets)) return octets
  return Buffer.from(octets, 'latin1').toString('utf8')
}

const HIGH = /[\x80-\xff]/
