/**
 * Revisit policies, by name: when is a page we hold worth visiting again? The table is the place for a new one.
 *
 * A policy says what a visit would be worth now (`valueAt`, which only grows while the page waits) and from when on it is
 * worth a price (`dueAt`). The price is the queue's affair: it is moved until what falls due is what the budget can pay.
 * A policy with a `fixedPrice` has a threshold of its own instead. Pure: facts in, a number or a sentence out.
 */
import type { Instant } from '@comity/protocol'
import { watchedRate } from './ample-budget.ts'
import { suspicionWorth, valuePerCost } from './crawl-value.ts'
import { announcedValuePerCost, announcedWorth } from './value.ts'
import type { ValuedPage } from './value.ts'

/** All that is known of a page when it is weighed. Rates are per day. */
export interface RevisitFacts {
  readonly importance: number
  readonly visitedAt: Instant
  /** How long a day lasts; less in a demonstration. */
  readonly dayMs: number
  readonly changeRate: number
  /** Of the changes, those that nobody announces. */
  readonly hiddenRate: number
  /** How ample the budget is, from 0 to 1 (see ample-budget.ts); scarce when left out. */
  readonly ample?: number
  /** Signals a day that are to be expected from channels that are believed, right and false; none when left out. */
  readonly signalRate?: number
  /** Signals since the last visit, each change counted once. */
  readonly signals: number
  /** What those signals are worth, by the trust in their channels: e^−suspicion is the chance that all are false. */
  readonly suspicion: number
  /** Days until the next visit by the rule of `adaptive`. */
  readonly intervalDays: number
  /** What a request costs at any rate, and a body on top, in seconds of the scarcest budget. */
  readonly requestCost: number
  readonly bodyCost: number
}

export interface RevisitPolicy {
  readonly name: string
  readonly description: string
  /** The price, when the policy has its own. */
  readonly fixedPrice?: number
  /** Goes round the pages by number, stopping at those that are due. */
  readonly roundRobin?: true
  /** Visits nothing else than what it says itself: no audits, no floor. */
  readonly strict?: true
  /** Makes nothing of signals: it decides as if nobody told anything. */
  readonly isDeaf?: true
  valueAt(facts: RevisitFacts, now: Instant): number
  /** From when on a visit is worth the price, if nothing is heard in between; Infinity when it never is. */
  dueAt(facts: RevisitFacts, price: number, now: Instant): Instant
  /** Why a page is visited now, or not, in one sentence. */
  explain(facts: RevisitFacts, now: Instant): string
}

export interface PolicySettings {
  /** For `outdated`: the probability of being outdated that is put up with. */
  readonly maxOutdated: number
}

export const policyDefaults: PolicySettings = { maxOutdated: 0.2 }

export interface RevisitPolicyKind {
  readonly name: string
  readonly description: string
  make(settings: PolicySettings): Omit<RevisitPolicy, 'name' | 'description'>
}

/** As good as certain: what a believed signal adds to suspicion. */
export const CERTAIN_SUSPICION = 20

export const REVISIT_POLICIES: readonly RevisitPolicyKind[] = [
  {
    name: 'uniform',
    description: 'every page equally often, the one visited longest ago first',
    make: () => byWaiting(() => 1, 'every page has the same interval'),
  },
  {
    name: 'proportional',
    description: 'pages as often as they change (worse than uniform for freshness, as Cho and Garcia-Molina show)',
    make: () => byWaiting(({ changeRate }) => changeRate, 'its interval is in proportion to the time between changes'),
  },
  {
    name: 'adaptive',
    description: 'intervals that shrink by a fifth when a page had changed and grow by a fifth when not',
    make: () => byWaiting(({ intervalDays }) => 1 / intervalDays, 'its interval follows what the last visits found'),
  },
  {
    name: 'optimal',
    description: 'freshest by change rates alone, without signals (Cho and Garcia-Molina)',
    make: () => ({ ...byValue(({ changeRate }) => [changeRate, 0, 1, 0]), isDeaf: true }),
  },
  {
    name: 'metadata',
    description: 'just the pages that metadata say have changed, in turn (000 §6)',
    make: () => ({
      fixedPrice: 1,
      roundRobin: true,
      strict: true,
      valueAt: ({ signals }) => (signals > 0 ? 1 : 0),
      dueAt: ({ signals }, price, now) => (signals > 0 && price <= 1 ? now : Infinity),
      explain: ({ signals }) =>
        signals > 0 ? 'metadata say that it has changed, and its turn has come' : 'no metadata say that it has changed',
    }),
  },
  {
    name: 'outdated',
    description: 'when the probability of being outdated passes --max-outdated (002 §6.5)',
    make: byOutdated,
  },
  {
    name: 'trusting',
    description: 'as optimal, and every signal is believed: to show what that costs',
    make: () => byValue(({ changeRate, signals }) => [changeRate, signals > 0 ? CERTAIN_SUSPICION : 0, 1, 0]),
  },
  {
    name: 'value',
    description: 'highest value for its cost, signals counted by the trust in their channels (the default)',
    make: byAnnouncedValue,
  },
]

/** The policy of this name; a sentence when there is none. */
export function parsePolicy(name: string, settings: Partial<PolicySettings> = {}): RevisitPolicy | string {
  const kind = REVISIT_POLICIES.find((policy) => policy.name === name)
  if (kind === undefined) {
    return `there is no policy "${name}"; it is one of ${REVISIT_POLICIES.map((policy) => policy.name).join(', ')}`
  }
  const whole = { ...policyDefaults, ...settings }
  if (!(whole.maxOutdated > 0 && whole.maxOutdated < 1)) {
    return `the probability of being outdated that is put up with is between 0 and 1, not ${whole.maxOutdated}`
  }
  return { ...kind.make(whole), name: kind.name, description: kind.description }
}

/** For names that are known to be good. */
export function policyNamed(name: string, settings: Partial<PolicySettings> = {}): RevisitPolicy {
  const policy = parsePolicy(name, settings)
  if (typeof policy === 'string') throw new RangeError(policy)
  return policy
}

/** Probability that the copy is not as the page is. */
export function outdatedProbability(facts: RevisitFacts, now: Instant): number {
  return -Math.expm1(-(facts.hiddenRate * daysSince(facts, now) + facts.suspicion))
}

type Rules = Omit<RevisitPolicy, 'name' | 'description'>

/** Value grows with the days of waiting, times the page's own speed. */
function byWaiting(speed: (facts: RevisitFacts) => number, why: string): Rules {
  return {
    isDeaf: true,
    valueAt: (facts, now) => daysSince(facts, now) * speed(facts),
    dueAt: (facts, price) => facts.visitedAt + (price / speed(facts)) * facts.dayMs,
    explain: (facts, now) => `visited ${days(daysSince(facts, now))} ago; ${why}`,
  }
}

/** Value for its cost, from the rate at which suspicion grows, the suspicion there is, and the two costs. */
function byValue(
  weigh: (facts: RevisitFacts) => readonly [rate: number, suspicion: number, request: number, body: number],
): Rules {
  return {
    valueAt: (facts, now) => {
      const [rate, suspicion, request, body] = weigh(facts)
      return valuePerCost(facts.importance, facts.changeRate, rate * daysSince(facts, now) + suspicion, request, body)
    },
    dueAt: (facts, price, now) => {
      const [rate, suspicion, request, body] = weigh(facts)
      const missing = suspicionWorth(price, facts.importance, facts.changeRate, request, body) - suspicion
      return missing <= 0 ? Math.min(now, facts.visitedAt) : facts.visitedAt + (missing / rate) * facts.dayMs
    },
    explain: (facts, now) => {
      const [rate, suspicion] = weigh(facts)
      return explainValue(facts, rate * daysSince(facts, now) + suspicion, now)
    },
  }
}

function explainValue(facts: RevisitFacts, x: number, now: Instant): string {
  const heard =
    facts.signals === 0 ? 'no signal since' : `${facts.signals} signal${facts.signals === 1 ? '' : 's'} since`
  return (
    `visited ${days(daysSince(facts, now))} ago, changes about every ${days(1 / facts.changeRate)}, ${heard}: outdated ` +
    `with probability ${(-Math.expm1(-x)).toFixed(2)}, and of importance ${Number(facts.importance.toPrecision(2))}`
  )
}

/** Value for its cost, by what is announced, how far that is believed, and whether the budget has to lean on it. */
function byAnnouncedValue(): Rules {
  return {
    valueAt: (facts, now) => {
      const page = pageOf(facts)
      const x = page.hiddenRate * daysSince(facts, now) + facts.suspicion
      return announcedValuePerCost(page, x, facts.requestCost, facts.bodyCost)
    },
    dueAt: (facts, price, now) => {
      const page = pageOf(facts)
      const missing = announcedWorth(price, page, facts.requestCost, facts.bodyCost) - facts.suspicion
      return missing <= 0 ? Math.min(now, facts.visitedAt) : facts.visitedAt + (missing / page.hiddenRate) * facts.dayMs
    },
    explain: (facts, now) => explainValue(facts, facts.hiddenRate * daysSince(facts, now) + facts.suspicion, now),
  }
}

const pageOf = ({ importance, changeRate, hiddenRate, ample = 0, signalRate = 0 }: RevisitFacts): ValuedPage => ({
  importance,
  changeRate,
  hiddenRate: watchedRate(changeRate, hiddenRate, ample),
  signalRate,
})

function byOutdated({ maxOutdated }: PolicySettings): Rules {
  const enough = -Math.log1p(-maxOutdated)
  return {
    fixedPrice: maxOutdated,
    valueAt: outdatedProbability,
    dueAt: (facts, _, now) => {
      const missing = enough - facts.suspicion
      return missing <= 0
        ? Math.min(now, facts.visitedAt)
        : facts.visitedAt + (missing / facts.hiddenRate) * facts.dayMs
    },
    explain: (facts, now) =>
      `outdated with probability ${outdatedProbability(facts, now).toFixed(2)}; ${maxOutdated} is put up with`,
  }
}

const daysSince = ({ visitedAt, dayMs }: RevisitFacts, now: Instant): number => Math.max(0, (now - visitedAt) / dayMs)

function days(count: number): string {
  if (count < 1 / 24) return `${Math.round(count * 1440)} minutes`
  return count < 2 ? `${Math.round(count * 24)} hours` : `${Math.round(count)} days`
}
