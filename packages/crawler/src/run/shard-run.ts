/** ShardRun: what whoever joins crawls together may ask of this one while it runs, and bid it. */
import { FACTS } from '@comity/collection'
import type { OpenVisits } from './open-visits.ts'
import type { RunParts } from './run-parts.ts'
import { takeTold } from './shard-port.ts'
import type { ShardRun } from './shard-port.ts'

/** What the loop alone knows. */
interface LoopState {
  isIdle(): boolean
  hasNothingLeft(): boolean
}

export function shardRun(parts: RunParts, open: Pick<OpenVisits, 'cutAll'>, loop: LoopState): ShardRun {
  const { frontier, collection, tally, budget, commit, acknowledgements, runSwitch, bell, shard, room } = parts
  const unlook = shard?.places?.whenFree(() => bell.ring())
  runSwitch.onStop(() => unlook?.())
  return {
    frontier,
    collection,
    totals: tally.totals,
    intake: {
      offer: (pages) => {
        const refused = takeTold(parts, pages)
        bell.ring()
        return refused
      },
      keep: (taken) => {
        collection.putFact(FACTS.taken, taken)
        commit.soon()
      },
      durable: () => acknowledgements.durable(),
    },
    extent: {
      isIdle: () => loop.isIdle() && (shard?.mayVisit() === false || loop.hasNothingLeft()),
      pagesTaken: () => tally.totals.pages + frontier.count('leased'),
      limitPages: (maxPages) => {
        budget.change({ maxPages })
        bell.ring()
      },
      bytesTaken: () => room.bytesAtMost,
      limitBytes: (maxBytes) => {
        budget.change({ maxBytes })
        bell.ring()
      },
    },
    end: () => runSwitch.stop(),
    abandon: (error) => {
      runSwitch.fail(error)
      open.cutAll()
    },
  }
}
