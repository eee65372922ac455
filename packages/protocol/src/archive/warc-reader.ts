/**
 * WARC reader: the records of a .warc or .warc.gz, with their place in the file, and every problem met on the way.
 *
 * Nothing a file holds makes it throw: a broken record becomes a named problem, and reading goes on at the next good
 * one. A problem carries the offset of the record it belongs to and may stand before or after it.
 *
 * In a .warc.gz a record's place is that of its gzip member. Where one member holds several records (a file compressed
 * as a whole) each has the member's offset and length 0: it cannot be read alone.
 */
import { textOf } from '../text-of.ts'
import { ByteQueue } from '../http/byte-queue.ts'
import { gzipHeaderEnd } from './gzip-members.ts'
import { inflateStream } from '../coding/inflate-stream.ts'
import { packingOf } from '../coding/packing.ts'
import { digestProblem } from './warc-digests.ts'
import { findMember, MemberWalk, PROBE_BYTES, type MemberStep } from './warc-members.ts'

import { tooMuchWork, WorkBudget } from '../work-budget.ts'
import { WARC_LIMITS, WarcParser, type WarcItem, type WarcLimits, type WarcProblem } from './warc-parser.ts'

export interface WarcReadOptions {
  readonly limits?: Partial<WarcLimits>
  /** Check block and payload digests; what does not fit is reported as `bad-digest` before its record. */
  readonly verify?: boolean
  /** For a stranger's file: when it is spent, the last item is `too-much-work`. Otherwise nobody counts. */
  readonly work?: WorkBudget | undefined
}

/** Read a file held in memory, from `start` on. Blocks are views into `bytes` or into the inflated member. */
export function* readWarc(bytes: Uint8Array, start = 0, options: WarcReadOptions = {}): Generator<WarcItem> {
  const limits = { ...WARC_LIMITS, ...options.limits }
  const work = options.work ?? WorkBudget.unlimited
  const items =
    packingOf(bytes, start) === 'gzip' ? readGzip(bytes, start, limits, work) : readPlain(bytes, start, limits)
  for (const item of verified(items, options)) {
    yield item
    if (!work.spend('record')) break
  }
  if (work.isSpent) yield overWorked()
}

/** Read the one record that stands at the beginning of `bytes`: a gzip member or plain. */
export function readRecordAt(bytes: Uint8Array, options: WarcReadOptions = {}): WarcItem {
  for (const item of readWarc(bytes, 0, options)) return item
  return problem('truncated', 0, 'no record: the bytes are empty or blank')
}

function* readPlain(bytes: Uint8Array, start: number, limits: WarcLimits): Generator<WarcItem> {
  const parser = new WarcParser(limits)
  parser.feed(bytes.subarray(start))
  parser.end()
  for (const item of drain(parser)) yield { ...item, offset: item.offset + start }
}

function* readGzip(bytes: Uint8Array, start: number, limits: WarcLimits, work: WorkBudget): Generator<WarcItem> {
  const walk = new MemberWalk(Math.min(limits.maxRecordBytes, work.bytesLeft), start)
  walk.feed(bytes.subarray(start))
  walk.end()
  for (let step = walk.next(); step !== undefined && spend(step, limits, work); step = walk.next()) {
    if (step.kind === 'large') {
      walk.skip()
      yield problem('too-large', step.offset, `a gzip member holds more than ${limits.maxRecordBytes} bytes`)
    } else if (yield* stepItems(step, limits)) return
  }
}

/** Read a file as its bytes come. Holds one record at a time, or a few chunks, whatever the file's size. */
export async function* createWarcReader(
  source: AsyncIterable<Uint8Array>,
  options: WarcReadOptions = {},
): AsyncGenerator<WarcItem> {
  const limits = { ...WARC_LIMITS, ...options.limits }
  const chunks = source[Symbol.asyncIterator]()
  const pull = async (): Promise<Uint8Array | undefined> => {
    const { value, done } = await chunks.next()
    return done === true ? undefined : value
  }
  try {
    let first = await pull()
    while (first !== undefined && first.length < 3) {
      const more = await pull()
      if (more === undefined) break
      first = Buffer.concat([first, more])
    }
    if (first === undefined) return
    const work = options.work ?? WorkBudget.unlimited
    const items =
      packingOf(first, 0) === 'gzip' ? streamGzip(first, pull, limits, work) : streamPlain(first, pull, limits)
    for await (const item of items) {
      yield* verified([item], options)
      if (!work.spend('record')) break
    }
    if (work.isSpent) yield overWorked()
  } finally {
    await chunks.return?.()
  }
}

type Pull = () => Promise<Uint8Array | undefined>

async function* streamPlain(first: Uint8Array, pull: Pull, limits: WarcLimits): AsyncGenerator<WarcItem> {
  const parser = new WarcParser(limits)
  for (let chunk: Uint8Array | undefined = first; chunk !== undefined; chunk = await pull()) {
    parser.feed(chunk)
    for (const item of drain(parser)) {
      yield item
      if (isArc(item)) return
    }
  }
  parser.end()
  yield* drain(parser)
}

/** Members up to this size are inflated in one go, larger ones as a stream. */
const INLINE_BYTES = 1 << 24

async function* streamGzip(
  first: Uint8Array,
  pull: Pull,
  limits: WarcLimits,
  work: WorkBudget,
): AsyncGenerator<WarcItem> {
  const walk = new MemberWalk(Math.min(INLINE_BYTES, limits.maxRecordBytes))
  walk.feed(first)
  for (;;) {
    for (let step = walk.next(); step !== undefined; step = walk.next()) {
      if (!spend(step, limits, work)) return
      if (step.kind === 'large') yield* streamMember(walk, step.offset, pull, limits, work)
      else if (yield* stepItems(step, limits)) return
    }
    if (walk.ended) return
    const chunk = await pull()
    if (chunk === undefined) walk.end()
    else walk.feed(chunk)
  }
}

/** One member that is too large to hold: its records come out one by one. */
async function* streamMember(
  walk: MemberWalk,
  offset: number,
  pull: Pull,
  limits: WarcLimits,
  work: WorkBudget,
): AsyncGenerator<WarcItem> {
  const held = walk.takeRest()
  const header = gzipHeaderEnd(held, 0)
  const deflated = new Pieces(held.subarray(typeof header === 'number' ? header : 0), pull, limits.maxRecordBytes)
  const inflated = inflateStream(() => deflated.next())
  const parser = new WarcParser(limits)
  const placed = new MemberItems(offset)
  let step = await inflated.next()
  for (; step.done !== true; step = await inflated.next()) {
    if (!work.spend('byte', step.value.length)) {
      await inflated.return(undefined as never)
      return
    }
    parser.feed(step.value)
    for (const item of drain(parser)) yield* placed.add(item)
  }
  parser.end()
  for (const item of drain(parser)) yield* placed.add(item)
  const { outcome, used } = step.value
  const start = offset + (typeof header === 'number' ? header : 0)
  const isSound = outcome === 'sound'
  yield* placed.end(isSound ? start + used - offset : 0)
  if (outcome === 'short') yield problem('truncated', offset, 'the file ends inside a gzip member')
  if (outcome === 'bad') yield problem('bad-gzip', offset, 'a gzip member is damaged; what was read of it may be wrong')
  const behind = isSound ? deflated.from(used) : deflated.suspect()
  walk.resume(behind.bytes, start + behind.at, !isSound)
}

/**
 * The bytes of a large member in small pieces, as one of 64 KiB can swell a thousandfold; and what is left of them. Damaged
 * data may seem to go on into the members behind: so from the first place on where one may begin, bytes are held until the
 * member turns out to be sound.
 */
class Pieces {
  readonly #pull: Pull
  readonly #maxHeld: number
  /** Not given out yet. */
  #next: Uint8Array
  /** Given out and held, and where the first of them stands. */
  readonly #given = new ByteQueue()
  #at = 0
  #isSuspect = false

  constructor(first: Uint8Array, pull: Pull, maxHeld: number) {
    this.#next = first
    this.#pull = pull
    this.#maxHeld = maxHeld
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#given.size > (this.#isSuspect ? this.#maxHeld : LEAST_HELD)) this.#letGo()
    if (this.#next.length === 0) this.#next = (await this.#pull()) ?? this.#next
    const piece = this.#next.subarray(0, PIECE_BYTES)
    this.#next = this.#next.subarray(piece.length)
    this.#given.push(piece)
    return piece.length === 0 ? undefined : piece
  }

  /** All bytes from `at` on; what was given out last can be had again. */
  from(at: number): Behind {
    this.#given.drop(at - this.#at)
    this.#given.push(this.#next)
    return { bytes: this.#given.bytes(), at }
  }

  /** From where on other members may be found. */
  suspect(): Behind {
    return this.from(this.#at)
  }

  #letGo(): void {
    // One that was held in vain is let go with all that was held.
    const found = this.#isSuspect ? undefined : findMember(this.#given.bytes())
    this.#isSuspect = found !== undefined
    const count = found ?? this.#given.size - PROBE_BYTES
    this.#given.drop(count)
    this.#at += count
  }
}

interface Behind {
  readonly bytes: Uint8Array
  /** Where they begin in the data. */
  readonly at: number
}

const PIECE_BYTES = 1 << 14
/** Looked through at once. */
const LEAST_HELD = 1 << 18

/** What a step cost. A member that is too large, torn or damaged was inflated as far as it may be. */
function spend(step: MemberStep, { maxRecordBytes }: WarcLimits, work: WorkBudget): boolean {
  const bytes = 'data' in step ? step.data.length : step.kind === 'large' ? Math.min(INLINE_BYTES, maxRecordBytes) : 0
  return work.spend('member') && work.spend('byte', bytes)
}

/** It is nobody's fault in particular, so it has no place. */
const overWorked = (): WarcItem => problem('too-much-work', 0, tooMuchWork('the file'))

/** The items of one step; true when the rest of the file is not worth reading. */
function* stepItems(step: Exclude<MemberStep, { kind: 'large' }>, limits: WarcLimits): Generator<WarcItem, boolean> {
  if (step.kind === 'bad') yield problem('bad-gzip', step.offset, step.message)
  if (step.kind === 'gave-up') yield problem('gave-up', step.offset, 'too much is damaged to look further')
  if (step.kind === 'torn') {
    for (const item of memberItems(step.data, step.offset, 0, limits)) if (item.kind === 'record') yield item
    yield problem('truncated', step.offset, 'the file ends inside a gzip member')
  }
  if (step.kind === 'member') {
    for (const item of memberItems(step.data, step.offset, step.length, limits)) {
      yield item
      if (isArc(item)) return true
    }
  }
  return step.kind === 'gave-up'
}

function* memberItems(data: Uint8Array, offset: number, length: number, limits: WarcLimits): Generator<WarcItem> {
  const parser = new WarcParser(limits)
  const placed = new MemberItems(offset)
  parser.feed(data)
  parser.end()
  for (const item of drain(parser)) yield* placed.add(item)
  yield* placed.end(length)
}

/** Gives a member's items their place, which is known only when the member ended or a second record came. */
class MemberItems {
  readonly #offset: number
  #held: WarcItem[] = []
  #records = 0

  constructor(offset: number) {
    this.#offset = offset
  }

  *add(item: WarcItem): Generator<WarcItem> {
    if (item.kind === 'record') this.#records += 1
    this.#held.push(item)
    if (this.#records > 1) yield* this.#release(0)
  }

  *end(length: number): Generator<WarcItem> {
    yield* this.#release(this.#records > 1 ? 0 : length)
  }

  *#release(length: number): Generator<WarcItem> {
    const items = this.#held
    this.#held = []
    for (const item of items) {
      yield item.kind === 'record' ? { ...item, offset: this.#offset, length } : { ...item, offset: this.#offset }
    }
  }
}

function* drain(parser: WarcParser): Generator<WarcItem> {
  for (let item = parser.next(); item !== undefined; item = parser.next()) yield item
}

function* verified(items: Iterable<WarcItem>, { verify = false }: WarcReadOptions): Generator<WarcItem> {
  for (const item of items) {
    if (verify && item.kind === 'record') yield* checked(item)
    else yield item
  }
}

/** Apart from all others: a record that makes us fail is named, and the next is read. */
function checked(item: WarcItem & { readonly kind: 'record' }): readonly WarcItem[] {
  try {
    const wrong = digestProblem(item.record)
    return wrong === undefined ? [item] : [problem('bad-digest', item.offset, wrong), item]
  } catch (error) {
    return [problem('fault', item.offset, `its digests cannot be looked at: ${textOf(error)}`)]
  }
}

const isArc = (item: WarcItem): boolean => item.kind === 'problem' && item.problem === 'arc-not-supported'

const problem = (name: WarcProblem, offset: number, message: string): WarcItem => ({
  kind: 'problem',
  problem: name,
  offset,
  message,
})
