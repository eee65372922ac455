/**
 * SharedBudget: how much of the whole's pages and bytes a shard may use. It is taken in blocks before it is used, smaller ones near the
 * end, and what a shard cannot use goes back, so that in all never more is used than there is. Pure.
 *
 * Of bytes nobody knows how many a page will have, so the largest that is read must have room before a visit begins: at the end less than
 * that is left over.
 */
import { isMapOf, isCount, isMaybe, isRecordOf } from '@comity/collection'
import type { Shape } from '@comity/collection'
import type { Message } from '../road/road.ts'

export const isBudget: Shape = isRecordOf({ pages: isMapOf(isCount), bytes: isMaybe(isMapOf(isCount)) })

/** What each shard was given, by its number. */
export type Given = Readonly<Record<string, number>>

export const givenIn = (value: Message, kind: 'pages' | 'bytes'): Given => (value[kind] ?? {}) as Given

interface Need {
  /** Of the whole. */
  readonly limit: number
  readonly given: Given
  readonly shard: number
  readonly shards: number
  /** What it knows that it was given: a register that fell back does not know of what was given since. */
  readonly held: number
  /** What it has used, with the most that is on its way. */
  readonly taken: number
  /** What it needs at once to go on. */
  readonly step: number
  /** It is asked for while so much is there still: an answer takes a moment. */
  readonly ahead: number
  /** No block is larger. */
  readonly most: number
  /** It has something to use it for. */
  readonly isWanting: boolean
  /** Nothing is under way that may use what it has. */
  readonly isIdle: boolean
}

export interface Grant {
  /** For this shard, from now on. */
  readonly granted: number
  /** For all who ask then. */
  readonly left: number
}

export function grantFor(need: Need): Grant {
  const { limit, given, shard, shards, held, taken, step, ahead, most, isWanting, isIdle } = need
  const written = Object.hasOwn(given, `${shard}`) ? given[`${shard}`]! : 0
  const mine = Math.max(written, held)
  const others = Object.values(given).reduce((sum, one) => sum + one, 0) - written
  const left = Math.max(0, limit - others - mine)
  const isShort = taken + step > mine
  if (isWanting && taken + step + ahead > mine && left > 0 && mine + left >= taken + step) {
    const block = Math.max(Math.min(most, Math.ceil(left / (2 * shards))), taken + step - mine)
    const granted = mine + Math.min(left, block)
    return { granted, left: limit - others - granted }
  }
  // It cannot go on with what it has, or has nothing to go on with: somebody else can perhaps.
  const isUseless = isIdle && (!isWanting || isShort) && taken < mine
  const granted = isUseless ? Math.max(0, taken) : mine
  return { granted, left: Math.max(0, limit - others - granted) }
}
