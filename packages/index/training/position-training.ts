/**
 * How `format/position-codes.ts` was made, from segments with positions:
 *
 *   node packages/index/training/position-training.ts FILE.seg …
 *
 * Gaps are counted by context, each segment with the same weight. A context that has few of them leans on those beside
 * it. Then contexts are joined until as many are left as there are to be codes, and each gets the best code.
 */
import { FrameCache } from '../src/format/frame-cache.ts'
import { clusterHistograms, sumOf } from '../src/format/histogram-clusters.ts'
import { MAX_CODE_BITS } from '../src/format/position-codec.ts'
import { LETTERS } from '../src/format/position-codes.ts'
import {
  BUCKETS,
  bucketOf,
  CONTEXTS_A_LEVEL,
  FORESEEN,
  LATER,
  LEVELS,
  PositionModel,
} from '../src/format/position-model.ts'
import { BLOCK } from '../src/format/posting.ts'
import { codeLengths } from '../src/format/prefix-code.ts'
import { Segment } from '../src/read/segment.ts'

const SYMBOLS = BUCKETS + 1
/** Gaps that each segment is taken to have. */
const WEIGHT = 1_000_000
/** Gaps that a context has at the least, with those it takes from others. */
const LEAST = 300
/** What a context a step away counts. */
const STEP = 1 / 4
/** Every symbol must have a code, as it may come some day. */
const UNSEEN = 1e-6
/** Kinds of trust in what is foreseen; see the model. */
const TRUSTS = 3

function countGaps(segment: Segment): number[][] {
  const counts = Array.from({ length: LEVELS * CONTEXTS_A_LEVEL }, () => Array.from({ length: SYMBOLS }, () => 0))
  const model = new PositionModel()
  const positions = new Int32Array(2 ** 20)
  for (const [term] of segment.terms()) {
    const postings = segment.postings(term)
    if (postings === undefined) continue
    const cursor = segment.cursor(postings)
    for (let i = 0; i < postings.documents; i++) {
      if (i % BLOCK === 0) model.startBlock()
      const doc = cursor.next()
      const count = cursor.positions(positions)
      model.startPage(segment.lengths[doc] as number, count, cursor.zones)
      countPage(model, positions.subarray(0, count), counts)
    }
  }
  return counts.map((symbols) => symbols.map((count) => (count * WEIGHT) / segment.directory.positions))
}

function countPage(model: PositionModel, positions: Int32Array, counts: readonly number[][]): void {
  let before = -1
  for (const position of positions) {
    const gap = position - before - 1
    const bucket = bucketOf(gap)
    const symbols = counts[model.context] as number[]
    const symbol = gap === model.foreseen ? FORESEEN : bucket
    symbols[symbol] = (symbols[symbol] as number) + 1
    model.learn(gap, bucket)
    before = position
  }
}

/** Each context with something of those like it, less the farther they are. */
function lean(counts: readonly number[][]): number[][] {
  return counts.map((own, context) => {
    const around = own.map(() => 0)
    for (const [other, symbols] of counts.entries()) {
      const share = likeness(context, other)
      if (share > 0) for (const [i, count] of symbols.entries()) around[i] = (around[i] as number) + share * count
    }
    const share = Math.min(1, LEAST / around.reduce((sum, count) => sum + count, 0))
    return own.map((count, i) => count + share * (around[i] as number))
  })
}

function likeness(a: number, b: number): number {
  const levels = Math.abs(Math.floor(a / CONTEXTS_A_LEVEL) - Math.floor(b / CONTEXTS_A_LEVEL))
  const [kind, other] = [a % CONTEXTS_A_LEVEL, b % CONTEXTS_A_LEVEL]
  if (kind === other) return STEP ** levels
  if (kind < LATER || other < LATER || kind % TRUSTS !== other % TRUSTS) return 0
  return STEP ** (levels + Math.abs(kind - other) / TRUSTS)
}

if (import.meta.main) {
  const counts: number[][] = []
  for (const path of process.argv.slice(2)) {
    using segment = new Segment(path, new FrameCache(1 << 26))
    for (const [context, symbols] of countGaps(segment).entries())
      counts[context] = symbols.map((count, i) => count + (counts[context]?.[i] ?? 0))
  }
  const leant = lean(counts)
  const clusters = clusterHistograms(leant, LETTERS.length)
  clusters.sort((a, b) => (a[0] as number) - (b[0] as number))
  const letters = leant.map((_, context) => LETTERS[clusters.findIndex((cluster) => cluster.includes(context))])
  for (let level = 0; level < LEVELS; level++)
    console.log(`  ${letters.slice(level * CONTEXTS_A_LEVEL, (level + 1) * CONTEXTS_A_LEVEL).join('')}`)
  console.log()
  for (const cluster of clusters) {
    const sum = sumOf(leant, cluster)
    const unseen = UNSEEN * sum.reduce((total, count) => total + count, 0)
    const lengths = codeLengths(
      sum.map((count) => count + unseen),
      MAX_CODE_BITS,
    )
    console.log(`  ${lengths.map((length) => length.toString(36)).join('')}`)
  }
}
