/**
 * Freshness: which revisit policy keeps copies freshest at the same budget, where sites tell the truth, half of it, lies or
 * nothing? On made webs and on a real site's history, through the queue that crawls.
 *
 *   webs by seed ──▶ a run for each policy ──▶ weighted freshness, age ──▶ champion less other, seed by seed ──▶ verdicts
 */
import { ownValue } from '@comity/protocol'
import { CHANNEL_KINDS } from './channels.ts'
import { contestOn, duelsOf } from './contest.ts'
import type { ContestWeb, Duel, WebOutcome } from './contest.ts'
import { barsFigure, curveFigure, sharesFigure, trustFigure } from './figures.ts'
import { historyWeb, stretchesOf } from './history.ts'
import type { Stretch } from './history.ts'
import { MIXED, MIXED_KINDS, freshnessSettings } from './settings.ts'
import type { FreshnessSettings } from './settings.ts'
import type { FreshnessSource } from './source.ts'
import { duelsTable, measuresTable, standingsTable } from './tables.ts'
import { trustLines } from './trust.ts'
import { madeWeb } from './web.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'

type HistorySource = Extract<FreshnessSource, { kind: 'history' }>

interface FreshnessHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** Throws a RangeError for settings that make no sense, and for a history that is too short or has no page to keep fresh. */
export function runFreshnessContest(
  source: FreshnessSource,
  given: Partial<FreshnessSettings> = {},
  hooks: FreshnessHooks = {},
): ExperimentResult {
  const settings = freshnessSettings(given)
  return source.kind === 'made' ? contestOnMade(settings, hooks) : contestOnHistory(source, settings, hooks)
}

function contestOnMade(settings: FreshnessSettings, hooks: FreshnessHooks): ExperimentResult {
  const outcomes = outcomesOf(madeWebs(settings), settings, hooks)
  return resultOf('freshness-made', 'made webs', outcomes, settings, [...NOTES, ...MADE_NOTES])
}

function contestOnHistory(source: HistorySource, given: FreshnessSettings, hooks: FreshnessHooks): ExperimentResult {
  const { history, links } = source
  const { taken, empty } = stretchesOf(history, given)
  const settings = { ...given, seeds: taken.map(({ seed }) => seed) }
  const outcomes = outcomesOf(historyWebs(source, taken, settings), settings, hooks)
  const notes = [...emptyNote(empty, taken.length), ...NOTES, ...HISTORY_NOTES, importanceNote(links.size)]
  const result = resultOf(`freshness-${slugOf(history.name)}`, history.name, outcomes, settings, notes)
  return { ...result, finding: [result.finding, ...emptyNote(empty, taken.length)].join(' ') }
}

function outcomesOf(
  webs: readonly ContestWeb[],
  settings: FreshnessSettings,
  { onPart = () => undefined }: FreshnessHooks,
): WebOutcome[] {
  const parts = webs.reduce((sum, web) => sum + policyRuns(web, settings), 0)
  let done = 0
  return webs.map((web) => contestOn(web, settings, (what) => onPart(what, done++, parts)))
}

/** Times that all seeds are run with one policy. */
const policyRuns = ({ budget, curveBudgets }: ContestWeb, { policies, curveSeeds }: FreshnessSettings): number =>
  policies.length * (1 + (curveSeeds === 0 ? 0 : curveBudgets.filter((one) => one !== budget).length))

function madeWebs(settings: FreshnessSettings): ContestWeb[] {
  const { sites, pagesPerSite, budget, budgets } = settings
  return settings.webs.map((name) => ({
    name,
    about: `${formatNumber(sites)} sites of ${formatNumber(pagesPerSite)} pages; ${habitsOf(name)}.`,
    budget,
    curveBudgets: name === MIXED ? budgets : [],
    make: (seed) => madeWeb(name, seed, settings),
  }))
}

function historyWebs(
  { history, links }: HistorySource,
  stretches: readonly Stretch[],
  settings: FreshnessSettings,
): ContestWeb[] {
  const { historyBudget, historyBudgets } = settings
  const startOf = new Map(stretches.map(({ seed, from }) => [seed, from]))
  return settings.historyWebs.map((name) => ({
    name,
    about: `Real changes of ${history.name}; ${habitsOf(name)}.`,
    budget: historyBudget,
    curveBudgets: name === MIXED ? historyBudgets : [],
    make: (seed) => historyWeb(history, links, startOf.get(seed)!, name, seed, settings),
  }))
}

/** What sites on a web of this name say. */
function habitsOf(name: string): string {
  if (name === MIXED) return `sites are ${MIXED_KINDS.join(', ')} in turn`
  const { recall, precision, dated } = ownValue(CHANNEL_KINDS, name)!
  if (dated) return 'nobody announces changes, but answers have a Last-Modified'
  if (recall === 0) return 'nobody announces changes'
  return `${recall * 100} % of the changes are announced, and ${precision * 100} % of the signals are right`
}

function resultOf(
  id: string,
  name: string,
  outcomes: readonly WebOutcome[],
  settings: FreshnessSettings,
  notes: readonly string[],
): ExperimentResult {
  const { champion } = settings
  const mixed = outcomes.find((outcome) => outcome.name === MIXED)
  const standings = standingsTable(id, outcomes, champion)
  const curves = outcomes.filter(({ curve }) => curve.length > 1)
  return {
    id,
    name: `Freshness policies: ${name}`,
    paper: '002',
    finding: findingOf(outcomes, champion),
    parameters: parametersOf(settings, id === 'freshness-made'),
    seeds: settings.seeds,
    webs: outcomes.map((outcome) => ({
      name: `${name}, ${outcome.name}`,
      pages: Math.round(outcome.pages.mean),
      links: 0,
      sites: Math.round(outcome.sites.mean),
      about: `${outcome.about} A page changes every ${formatNumber(1 / outcome.changes.mean)} days in the mean.`,
    })),
    figures: [
      ...outcomes.map((outcome) => barsFigure(id, outcome)),
      ...curves.map((outcome) => curveFigure(id, outcome)),
      ...(mixed === undefined ? [] : [trustFigure(id, trustLines(mixed, settings)), sharesFigure(id, mixed)]),
    ],
    tables: [standings, duelsTable(id, outcomes, champion), measuresTable(id, outcomes)],
    toldTable: standings.id,
    claims: [],
    notes: [...outcomes.map((outcome) => verdictOf(outcome, champion)), ...notes],
  }
}

/** One sentence a web: whom the champion beats, whom it does not, by freshness and by age. */
function verdictOf(outcome: WebOutcome, champion: string): string {
  const duels = duelsOf(outcome, champion)
  const by = (standing: (duel: Duel) => Duel['standing']): string =>
    (['better', 'worse', 'no difference', 'the same visits'] as const)
      .map((one) => [one, duels.filter((duel) => standing(duel) === one).map(({ against }) => against)] as const)
      .filter(([, others]) => others.length > 0)
      .map(([one, others]) => `${WORDS[one]} ${others.join(', ')}`)
      .join('; ')
  return `${outcome.name}: by weighted freshness ${champion} ${by(({ standing }) => standing)}. By age it ${by(({ ageStanding }) => ageStanding)}.`
}

const WORDS: Readonly<Record<Duel['standing'], string>> = {
  better: 'beats',
  worse: 'loses to',
  'no difference': 'is not told apart from',
  'the same visits': 'makes the same visits as',
}

function findingOf(outcomes: readonly WebOutcome[], champion: string): string {
  const duels = outcomes.map((outcome) => duelsOf(outcome, champion))
  const all = duels.flat()
  const count = (standing: Duel['standing']): number => all.filter((duel) => duel.standing === standing).length
  const lost = duels.flatMap((own, web) =>
    own.filter(({ standing }) => standing === 'worse').map(({ against }) => `${against} on ${outcomes[web]!.name}`),
  )
  return (
    `Of ${all.length} comparisons by weighted freshness ${champion} is better in ${count('better')}, worse than ` +
    `${lost.length === 0 ? 'none' : lost.join(', ')}, not told apart in ${count('no difference')}, and visits the same ` +
    `pages in ${count('the same visits')}.`
  )
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '') || 'history'

function parametersOf(settings: FreshnessSettings, isMade: boolean): Parameter[] {
  const shared: Parameter[] = [
    { name: 'champion', value: settings.champion },
    { name: 'days that do not count', value: settings.warmUpDays },
    { name: 'rest between visits to a site', value: settings.restMinutes, unit: 'minutes' },
    { name: 'outdated: probability put up with', value: settings.maxOutdated },
    { name: 'seeds of the lines', value: settings.curveSeeds },
  ]
  if (!isMade)
    return [
      { name: 'days of a stretch', value: settings.historyDays },
      { name: 'most pages of a site', value: settings.historySitePages },
      { name: 'visits a page and day', value: settings.historyBudget },
      { name: 'of the lines', value: settings.historyBudgets.join(', ') },
      ...shared,
    ]
  return [
    { name: 'sites', value: settings.sites },
    { name: 'pages of a site', value: settings.pagesPerSite },
    { name: 'days', value: settings.days },
    { name: 'visits a page and day', value: settings.budget },
    { name: 'of the lines', value: settings.budgets.join(', ') },
    ...shared,
    { name: 'pages that never change', value: settings.stillShare, unit: 'share' },
    { name: 'median interval of the others', value: settings.medianDays, unit: 'days' },
    { name: 'spread of its logarithm', value: settings.rateSpread },
    { name: 'spread of the logarithm of importance', value: settings.importanceSpread },
    { name: 'correlation of the two', value: settings.importanceCorrelation },
  ]
}

const NOTES: readonly string[] = [
  'Uniform, proportional, adaptive and optimal make nothing of signals and are given none: they stand for crawlers that nobody tells anything. Without signals value weighs pages as optimal and trusting do, so it can only tie with them there.',
  'The budget is the most visits a day; `metadata` visits only what was announced and `outdated` what is probably outdated, so they may leave some of it.',
  'Freshness and age are counted from instant to instant, not at the end. All policies begin with fresh copies and know nothing of pages and sites.',
]
const MADE_NOTES: readonly string[] = [
  'Seeds are the same pages and changes on all webs; only what sites say of them differs.',
]
const HISTORY_NOTES: readonly string[] = [
  'Stretches lie evenly over the history and differ by more than chance: one is a young site with many changes, the last ones hardly change at all. Read intervals over them as such, and won and lost as counts.',
  'Top folders stand for sites. What sites announce is simulated on top of the real changes.',
]

/** Said where the finding is, too: what is left out is not measured. */
const emptyNote = (empty: readonly Stretch[], taken: number): string[] =>
  empty.length === 0
    ? []
    : [
        `Stepped over, as no page is there from the beginning to the end: ${empty.length} of ${empty.length + taken} stretches, ` +
          `from ${empty.map(({ from }) => new Date(from).toISOString().slice(0, 10)).join(', ')} on.`,
      ]

const importanceNote = (linked: number): string =>
  linked === 0
    ? 'All pages are equally important, as no links are known.'
    : `A page is as important as 1 + log₂(1 + links to it), by the links between pages where the history ends (${formatNumber(linked)} pages have some); pages that are gone by then have 1.`
