/**
 * Ending: whether all shards together have nothing left. No shard knows by itself: what one has found may be on its way to another.
 * Asked in rounds by whoever owns shard 0, and over when in two rounds, one after the other, every shard had the same owner, was idle,
 * had taken all that the others have found for it, and nothing had happened in between.
 */
import { isCount, isFlag, isListOf, isMaybe, isRecordOf } from '@comity/collection'
import type { Shape } from '@comity/collection'
import type { ShardState } from './shard-host.ts'

const isTaken = isRecordOf({ shard: isCount, epoch: isCount, position: isCount })
export const isShardState: Shape = isRecordOf({
  epoch: isCount,
  isIdle: isFlag,
  activity: isCount,
  taken: isListOf(isTaken),
  lengths: isListOf(isCount),
  pages: isCount,
  waiting: isCount,
  lag: isCount,
  granted: isCount,
  grantedBytes: isMaybe(isCount),
})

/** One round. `undefined` stands for a shard that did not answer. */
export type Round = readonly (ShardState | undefined)[]

export class Ending {
  #before: string | undefined

  /** True when this round and the one before say that it is over. */
  isOver(round: Round): boolean {
    const isQuiet = round.every(
      (state, shard) => state !== undefined && state.isIdle && hasTakenAll(shard, state, round),
    )
    const word = isQuiet
      ? JSON.stringify(round.map((state) => [state!.epoch, state!.activity, state!.lengths]))
      : undefined
    const isSame = word !== undefined && word === this.#before
    this.#before = word
    return isSame
  }
}

function hasTakenAll(shard: number, { taken }: ShardState, round: Round): boolean {
  return round.every((source, number) => {
    if (number === shard) return true
    const mine = taken.find((one) => one.shard === number)
    return mine !== undefined && mine.epoch === source?.epoch && mine.position === (source.lengths[shard] ?? 0)
  })
}
