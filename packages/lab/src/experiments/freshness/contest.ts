/**
 * Freshness contest: every policy keeps the same webs fresh at the same budget, and one of them, the champion, is compared
 * with each of the others seed by seed. A difference counts when the 95 % interval of the mean of those leaves out zero.
 */
import { runFreshness } from './run.ts'
import type { FreshnessRun, FreshnessRunOptions } from './run.ts'
import type { FreshnessSettings } from './settings.ts'
import type { FreshnessWeb } from './web.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

/** Webs of one name, one for each seed, made when they are asked for. */
export interface ContestWeb {
  readonly name: string
  readonly about: string
  /** Visits a page and day at which policies are compared, and those of the lines; no lines when empty. */
  readonly budget: number
  readonly curveBudgets: readonly number[]
  make(seed: number): FreshnessWeb
}

type PolicyRuns = ReadonlyMap<string, readonly FreshnessRun[]>

export interface WebOutcome {
  readonly name: string
  readonly about: string
  readonly budget: number
  readonly pages: Interval
  readonly sites: Interval
  /** Changes a page and day. */
  readonly changes: Interval
  /** By policy, in the order of the seeds. */
  readonly runs: PolicyRuns
  readonly webs: readonly FreshnessWeb[]
  readonly curve: readonly BudgetPoint[]
}

interface BudgetPoint {
  readonly budget: number
  readonly freshness: ReadonlyMap<string, Interval>
}

export function contestOn(
  web: ContestWeb,
  settings: FreshnessSettings,
  onPolicy: (what: string) => void = () => undefined,
): WebOutcome {
  const { policies, seeds, curveSeeds } = settings
  const webs = seeds.map((seed) => web.make(seed))
  const runsAt = (budget: number, chosen: readonly number[]): PolicyRuns =>
    new Map(
      policies.map((policy) => {
        onPolicy(`${policy} on ${web.name}, ${budget} visits a page and day`)
        return [policy, chosen.map((n) => runFreshness(webs[n]!, runOptions(settings, policy, budget, seeds[n]!)))]
      }),
    )
  const runs = runsAt(web.budget, [...webs.keys()])
  const chosen = evenly(webs.length, curveSeeds)
  const curve = (chosen.length === 0 ? [] : web.curveBudgets).map((budget) =>
    pointOf(budget, budget === web.budget ? only(runs, chosen) : runsAt(budget, chosen)),
  )
  return {
    name: web.name,
    about: web.about,
    budget: web.budget,
    pages: intervalOf(webs.map(({ siteOf }) => siteOf.length)),
    sites: intervalOf(webs.map(({ kinds }) => kinds.length)),
    changes: intervalOf(webs.map(changesOf)),
    runs,
    webs,
    curve,
  }
}

export const runOptions = (
  { warmUpDays, restMinutes, maxOutdated }: FreshnessSettings,
  policy: string,
  budget: number,
  seed: number,
): FreshnessRunOptions => ({ policy, budget, seed, warmUpDays, restMinutes, maxOutdated })

const changesOf = ({ events, siteOf, days }: FreshnessWeb): number =>
  events.filter(({ isSignal }) => !isSignal).length / siteOf.length / days

/** So many of the numbers below `count`, spread over them: stretches of a history that follow each other are alike. */
const evenly = (count: number, wanted: number): number[] =>
  Array.from({ length: Math.min(count, wanted) }, (_, i) => Math.floor(((i + 0.5) * count) / Math.min(count, wanted)))

const only = (runs: PolicyRuns, chosen: readonly number[]): PolicyRuns =>
  new Map(Array.from(runs, ([policy, own]) => [policy, chosen.map((n) => own[n]!)]))

const pointOf = (budget: number, runs: PolicyRuns): BudgetPoint => ({
  budget,
  freshness: new Map(
    Array.from(runs, ([policy, own]) => [policy, intervalOf(own.map(({ freshness }) => freshness))] as const),
  ),
})

export type Standing = 'better' | 'worse' | 'no difference' | 'the same visits'

/** The champion against another, seed by seed. */
export interface Duel {
  readonly against: string
  /** Champion less other. */
  readonly freshness: Interval
  readonly ageDays: Interval
  /** Seeds in which the champion is fresher, and less fresh. */
  readonly won: number
  readonly lost: number
  readonly standing: Standing
  /** By age: better is younger. */
  readonly ageStanding: Standing
}

export function duelsOf({ runs }: WebOutcome, champion: string): Duel[] {
  const ours = runs.get(champion) ?? []
  return [...runs].flatMap(([against, theirs]) => {
    if (against === champion) return []
    const gaps = ours.map(({ freshness }, i) => freshness - theirs[i]!.freshness)
    const alike = ours.every(({ visitsMark }, i) => visitsMark === theirs[i]!.visitsMark)
    const ages = ours.map(({ ageDays }, i) => ageDays - theirs[i]!.ageDays)
    return [
      {
        against,
        freshness: intervalOf(gaps),
        ageDays: intervalOf(ages),
        won: gaps.filter((gap) => gap > 0).length,
        lost: gaps.filter((gap) => gap < 0).length,
        standing: alike ? 'the same visits' : standingOf(gaps),
        ageStanding: alike ? 'the same visits' : standingOf(ages.map((age) => -age)),
      },
    ]
  })
}

/** What differences say, more being better. One alone says nothing of chance; no difference may come of other visits, too. */
export function standingOf(gaps: readonly number[]): Standing {
  const { low, high } = intervalOf(gaps)
  if (gaps.length < 2) return 'no difference'
  return low > 0 ? 'better' : high < 0 ? 'worse' : 'no difference'
}
