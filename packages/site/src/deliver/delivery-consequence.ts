/**
 * Delivery consequence: what is to be remembered of a subscriber after an attempt. Pure.
 *
 *   delivered      the position moves on
 *   nothing        the same: nobody had to be called
 *   unpack, whole  at once again, without a coding or without differences
 *   halve          at once again with half of it; a single page that is too large is a dead letter
 *   refused        soon again with half of it, until the page is found that is refused: a dead letter
 *   slower, later  after a while
 *
 * A dead letter lets the position move on too: one page must not keep all others.
 */
import type { Instant } from '@comity/protocol'
import { nextPaceMs, nextTryAt } from './back-off.ts'
import type { DeliveryWorkerCommit } from './delivery-worker-memory.ts'
import type { DeliveryWorkerRow } from './delivery-worker-row.ts'
import { deadLetter } from './dead-letters.ts'
import type { RefusedDelivery } from './dead-letters.ts'
import type { DeliveryPlan } from '../push/delivery-plan.ts'
import type { DeliveryVerdict } from './delivery-verdict.ts'
import type { PushContent } from '../hub/subscriber.ts'

/** What is known after an attempt. */
export interface Attempt {
  /** As it was before, and as it was while the request was under way. */
  readonly before: DeliveryWorkerRow
  readonly under: DeliveryWorkerRow
  readonly plan: DeliveryPlan
  readonly at: Instant
  /** From 0 to 1. */
  readonly random: number
}

export interface Consequence extends DeliveryWorkerCommit {
  readonly row: DeliveryWorkerRow
}

/** What went wrong, and when the subscriber wants to be called again. */
interface Failure {
  readonly trouble: string
  /** It is certain that nothing arrived. */
  readonly isCertain: boolean
  readonly askedAt?: Instant | undefined
}

/** What a subscriber said of what it did not take. */
export interface Refusal extends Failure {
  readonly status: number
  readonly body: Uint8Array
}

/** Deliveries after which a limit that was halved is doubled again. */
const GROW_AFTER = 16
/** A page that is refused is no reason to let others wait for an hour. */
const MOST_REFUSALS = 3

/** There was nothing to be told. */
export const passedOver = ({ before, under, plan }: Attempt): Consequence => ({
  row: { ...under, position: plan.next, doubtUpTo: before.doubtUpTo },
})

export function afterAnswer(
  verdict: Exclude<DeliveryVerdict, 'ended'>,
  attempt: Attempt,
  content: PushContent,
  refusal: Refusal,
): Consequence {
  // What was refused did not arrive.
  const asBefore = { ...attempt.under, doubtUpTo: attempt.before.doubtUpTo }
  if (verdict === 'delivered') return { row: taken(attempt), holds: content.holds }
  if (verdict === 'unpack') return { row: { ...asBefore, isPlainOnly: true } }
  if (verdict === 'whole') {
    const pages = content.waiting?.pages ?? attempt.plan.changes
    return { row: asBefore, holds: pages.map(({ path }) => ({ path, deltas: 0 })) }
  }
  if (verdict === 'halve' || verdict === 'refused') return smaller(verdict, attempt, content, refusal)
  const row = failed(attempt, refusal)
  return { row: verdict === 'slower' ? { ...row, paceMs: nextPaceMs(row.paceMs, true) } : row }
}

export const afterFailure = (attempt: Attempt, failure: Failure): Consequence => ({ row: failed(attempt, failure) })

function taken({ under, plan, at }: Attempt): DeliveryWorkerRow {
  const delivered = under.delivered + 1
  const paceMs = nextPaceMs(under.paceMs, false)
  const { suspects = Infinity, halvings } = under
  return {
    ...under,
    position: plan.next,
    failures: 0,
    failingSince: undefined,
    trouble: undefined,
    doubtUpTo: undefined,
    upload: undefined,
    paceMs,
    nextTryAt: at + paceMs,
    halvings: delivered % GROW_AFTER === 0 ? Math.max(0, halvings - 1) : halvings,
    suspects: 2 * suspects <= MOST_SUSPECTS ? 2 * suspects : undefined,
    delivered,
    deliveredAt: at,
  }
}

/** Beyond, the limits of a delivery are reached anyhow. */
const MOST_SUSPECTS = 10_000

function smaller(
  verdict: 'halve' | 'refused',
  attempt: Attempt,
  { waiting }: PushContent,
  refusal: Refusal,
): Consequence {
  const { before, under, plan, at, random } = attempt
  const { changes } = plan
  if (verdict === 'halve' && changes.length > 1)
    return { row: { ...under, doubtUpTo: before.doubtUpTo, halvings: before.halvings + 1 } }
  const row = failed(attempt, refusal)
  const soon = { ...row, nextTryAt: nextTryAt(Math.min(row.failures, MOST_REFUSALS), at, random, refusal.askedAt) }
  if (changes.length > 1) return { row: { ...soon, suspects: Math.ceil(changes.length / 2) } }
  const reason: RefusedDelivery['reason'] = verdict === 'halve' ? 'too-large' : 'refused'
  const about = { subscriber: before.id, at, reason, status: refusal.status, body: refusal.body }
  return {
    row: { ...soon, position: plan.next, upload: undefined },
    dead: (waiting === undefined ? changes : [waiting.name]).map((change) => deadLetter(change, about)),
  }
}

function failed({ before, under, at, random }: Attempt, { trouble, isCertain, askedAt }: Failure): DeliveryWorkerRow {
  const failures = before.failures + 1
  return {
    ...under,
    failures,
    // Not later than now, also when the clock was put back.
    failingSince: Math.min(before.failingSince ?? at, at),
    trouble,
    nextTryAt: nextTryAt(failures, at, random, askedAt),
    doubtUpTo: isCertain ? before.doubtUpTo : under.doubtUpTo,
  }
}
