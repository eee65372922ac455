/**
 * SubscriptionChoice: to which sites a crawler that can be called by so many subscribes (002 §6.4.2): those whose changes are
 * worth most. A subscription costs both sides something to make, so one that is held is given up only for a site that is
 * worth twice as much, or when its site offers it no more. Pure.
 */

export interface Candidate {
  readonly site: number
  readonly worth: number
}

interface SubscriptionPlan {
  /** Best first. */
  readonly begin: readonly number[]
  readonly leave: readonly number[]
}

/** A newcomer has to be worth so much more than the one whose place it takes. */
const AHEAD = 2

/** `candidates`: sites that can be subscribed to, in any order; `held`: those that are. */
export function chooseSubscriptions(
  candidates: readonly Candidate[],
  held: ReadonlySet<number>,
  most: number,
): SubscriptionPlan {
  const worths = new Map(candidates.map(({ site, worth }) => [site, worth]))
  const leave = [...held].filter((site) => !worths.has(site))
  const kept = candidates.filter(({ site }) => held.has(site)).toSorted((a, b) => a.worth - b.worth || b.site - a.site)
  const fresh = candidates
    .filter(({ site }) => !held.has(site))
    .toSorted((a, b) => b.worth - a.worth || a.site - b.site)
  while (kept.length > most) leave.push(kept.shift()!.site)
  const begin: number[] = []
  for (const { site, worth } of fresh) {
    if (kept.length + begin.length < most) begin.push(site)
    else if (kept.length > 0 && worth > AHEAD * kept[0]!.worth) {
      leave.push(kept.shift()!.site)
      begin.push(site)
    } else break
  }
  return { begin, leave }
}
