/**
 * FreshnessStory: why is this page visited now, or not yet? What is remembered of how it changes, what was heard of it
 * since the last visit, how likely the copy is outdated, and from when on a visit is worth its price. Weighed by the
 * same queue that a watch decides with, so that what is told is what counts.
 */
import { SIGNAL_CHANNELS } from '@comity/protocol'
import type { Instant, SignalChannel } from '@comity/protocol'
import type { Collection, PageRow } from '@comity/collection'
import { RevisitQueue, decodeRevisitRecord, outdatedProbability, parsePolicy, policyNamed } from '@comity/frontier'
import type { RevisitFacts, RevisitPolicy, RevisitRecord } from '@comity/frontier'
import { cooperationOf } from './cooperation-store.ts'
import type { CooperationRow } from './cooperation-store.ts'
import { cooperationStory } from './cooperation-story.ts'
import type { CooperationStory } from './cooperation-story.ts'
import { lastWatch } from './watch-memory.ts'
import type { WatchMemory } from './watch-memory.ts'

export interface FreshnessStory {
  /** Since the page is kept fresh. */
  readonly visits: number
  readonly visitedAt: Instant
  /** Time between two of its changes, in the mean, by what visits found; undefined before the second visit. */
  readonly changesEveryMs?: number | undefined
  /** Signals since the last visit. */
  readonly heard: readonly { readonly channel: SignalChannel; readonly signals: number }[]
  readonly heardAt?: Instant | undefined
  /** Probability that the copy is not as the page is. */
  readonly outdated: number
  /** From when on a visit is worth its price; undefined when nobody can tell, or only a signal makes it so. */
  readonly dueAt?: Instant | undefined
  /** Of the last watch. */
  readonly policy: string
  /** How long a day lasts in what was written down about visits; a real one unless it was a demonstration. */
  readonly dayMs: number
  /** Of its site. */
  readonly site: CooperationStory
}

const EVENT_BITS = 3

/** Undefined for a page that is not held, and where nobody has kept anything fresh. */
export function freshnessStory(collection: Collection, page: number, now: Instant): FreshnessStory | undefined {
  const row = collection.page(page)
  const memory = lastWatch(collection)
  if (row?.body === undefined || memory === undefined) return undefined
  const stored = collection.freshness(page)
  const record = stored === undefined ? undefined : decodeRevisitRecord(stored)
  const cooperation = cooperationOf(collection, row.site) ?? {}
  return storyOf({ row, record }, cooperation, memory, now)
}

interface Kept {
  readonly row: Pick<PageRow, 'visitedAt' | 'bytes'>
  /** Undefined when it was neither visited again nor heard of. */
  readonly record: RevisitRecord | undefined
}

/** The same from what is stored. Pure. */
export function storyOf(
  { row, record }: Kept,
  cooperation: CooperationRow,
  memory: WatchMemory,
  now: Instant,
): FreshnessStory {
  const { dayMs, policy: name } = memory.sample
  const policy = policyOf(memory)
  const facts = weighed({ row, record }, cooperation, memory, policy, now)
  const dueAt = policy.dueAt(facts, memory.price, now)
  const visits = record?.visits ?? 0
  const heardAt = record?.lastEventAt ?? -Infinity
  return {
    visits,
    visitedAt: facts.visitedAt,
    changesEveryMs: visits > 0 && facts.changeRate > 0 ? dayMs / facts.changeRate : undefined,
    heard: record === undefined ? [] : eventsOf(record),
    heardAt: Number.isFinite(heardAt) ? heardAt : undefined,
    outdated: outdatedProbability(facts, now),
    dueAt: Number.isFinite(dueAt) ? Math.round(dueAt) : undefined,
    policy: name,
    dayMs,
    site: cooperationStory(cooperation, dayMs, now),
  }
}

/** A queue of this one page knows of it what the watch did, but for the mean of all sites, which only new pages need. */
function weighed(
  { row, record }: Kept,
  { trust }: CooperationRow,
  { bytesPerSecond, sample }: WatchMemory,
  policy: RevisitPolicy,
  now: Instant,
): RevisitFacts {
  const { requestsPerSecond, dayMs } = sample
  const queue = new RevisitQueue({ policy, budget: { requestsPerSecond, bytesPerSecond }, random: () => 0.5, dayMs })
  queue.added(0, { site: 0, visitedAt: row.visitedAt, bytes: row.bytes, record }, now)
  if (trust !== undefined) queue.restoreTrust(0, trust)
  return queue.factsOf(0, now)!
}

/** The price of `outdated` is the probability that is put up with; other policies have no settings. */
function policyOf({ price, sample }: WatchMemory): RevisitPolicy {
  const policy = parsePolicy(sample.policy, sample.policy === 'outdated' ? { maxOutdated: price } : {})
  // One that a later version had and this one has not.
  return typeof policy === 'string' ? policyNamed('value') : policy
}

function eventsOf({ events }: RevisitRecord): { channel: SignalChannel; signals: number }[] {
  return SIGNAL_CHANNELS.flatMap((channel, i) => {
    const signals = (events >>> (i * EVENT_BITS)) & ((1 << EVENT_BITS) - 1)
    return signals === 0 ? [] : [{ channel, signals }]
  })
}
