/**
 * Folding over parts: each part knows which of its own pages are nearly the same; those of different parts are told by their simhash,
 * as far as they are among what is to be shown.
 */
import { hammingDistance } from '@comity/protocol'
import { foldingBy } from '../search-steps.ts'
import type { Folding } from '../search-steps.ts'
import type { HitOfPart } from './search-of-parts.ts'

/** As in a collection (`rows/near-duplicates.ts`): Manku et al., doi:10.1145/1242572.1242592. */
const MAX_DISTANCE = 3

export function groupFolding(isFolded: boolean): Folding<HitOfPart> {
  if (!isFolded) return foldingBy(({ part, key }) => `${part} ${key}`)
  const groups = foldingBy<HitOfPart>(({ part, group }) => `${part} ${group}`)
  /** Those that stand for themselves, and of the others whom they stand behind. */
  const leaders: HitOfPart[] = []
  const behind = new Map<HitOfPart, HitOfPart>()
  const nearTo = ({ part, similar }: HitOfPart): HitOfPart | undefined =>
    similar === undefined
      ? undefined
      : leaders.find(
          (one) =>
            one.part !== part && one.similar !== undefined && hammingDistance(one.similar, similar) <= MAX_DISTANCE,
        )
  return {
    leaderOf: (hit) => {
      const first = groups.leaderOf(hit)
      if (first !== hit) return behind.get(first) ?? first
      const near = nearTo(hit)
      if (near === undefined) leaders.push(hit)
      else behind.set(hit, near)
      return near ?? hit
    },
  }
}
