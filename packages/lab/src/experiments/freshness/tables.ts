/** Tables of the contest of freshness policies: the champion against each other, and what each policy came to. */
import { duelsOf } from './contest.ts'
import type { Duel, WebOutcome } from './contest.ts'
import type { FreshnessRun } from './run.ts'
import type { Table } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

/** The gist: one row a policy, one column a web. */
export function standingsTable(id: string, outcomes: readonly WebOutcome[], champion: string): Table {
  const duels = outcomes.map((outcome) => duelsOf(outcome, champion))
  const others = duels[0]?.map(({ against }) => against) ?? []
  return {
    id: `${id}-standings`,
    title: `Is ${champion} fresher?`,
    caption: `Weighted freshness of ${champion} less that of the other, in points, mean over the seeds, and seeds won and lost. Better or worse: the 95 % interval of the differences leaves out zero.`,
    columns: [{ label: 'than' }, ...outcomes.map(({ name }) => ({ label: name }))],
    rows: others.map((against, row): string[] => [against].concat(duels.map((list) => cellOf(list[row]!)))),
  }
}

function cellOf({ freshness, won, lost, standing }: Duel): string {
  return standing === 'the same visits' ? standing : `${standing}, ${points(freshness.mean)} (${won}–${lost})`
}

const points = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}`

export function duelsTable(id: string, outcomes: readonly WebOutcome[], champion: string): Table {
  return {
    id: `${id}-duels`,
    title: `${champion} against each of the others`,
    caption:
      'Differences seed by seed, champion less other, with 95 % intervals of their mean. Of ages less is better. The same visits: the policies decide alike where nobody announces anything.',
    columns: [
      { label: 'web' },
      { label: 'against' },
      { label: 'freshness, points' },
      { label: 'won–lost' },
      { label: 'freshness is' },
      { label: 'age, days' },
      { label: 'age is' },
    ],
    rows: outcomes.flatMap((outcome) =>
      duelsOf(outcome, champion).map((duel) => [
        outcome.name,
        duel.against,
        within(duel.freshness, points),
        `${duel.won}–${duel.lost}`,
        duel.standing,
        within(duel.ageDays, (days) => formatNumber(days)),
        duel.ageStanding,
      ]),
    ),
  }
}

const within = ({ mean, low, high }: Interval, format: (value: number) => string): string =>
  `${format(mean)} [${format(low)}, ${format(high)}]`

const MEASURES: readonly (readonly [label: string, unit: string | undefined, of: (run: FreshnessRun) => number])[] = [
  ['weighted freshness', 'share', ({ freshness }) => freshness],
  ['freshness', 'share', ({ plainFreshness }) => plainFreshness],
  ['weighted age, days', undefined, ({ ageDays }) => ageDays],
  ['age, days', undefined, ({ plainAgeDays }) => plainAgeDays],
  ['needless', 'share', ({ needless }) => needless],
  ['requests', undefined, ({ requests }) => requests],
]

export function measuresTable(id: string, outcomes: readonly WebOutcome[]): Table {
  return {
    id: `${id}-measures`,
    title: 'What each policy came to',
    caption:
      'Means over the seeds. Needless are visits that found nothing new. Requests are those made in the days that count; the budget is the same for all, and who asks for less leaves the rest.',
    columns: [
      { label: 'web' },
      { label: 'policy' },
      ...MEASURES.map(([label, unit]) => (unit === undefined ? { label } : { label, unit })),
    ],
    rows: outcomes.flatMap(({ name, runs }) =>
      Array.from(runs, ([policy, own]) => [name, policy, ...MEASURES.map(([, , of]) => intervalOf(own.map(of)).mean)]),
    ),
  }
}
