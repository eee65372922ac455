/**
 * Schemes on made sites of any size: the paper's form of each of the twelve schemes, and no cooperation, from ten pages to a
 * hundred thousand. Site and crawler are in one process and their bytes are weighed, not sent; all else is as in the year.
 */
import type { AgentBundle } from '@comity/agent'
import type { Instant } from '@comity/protocol'
import type { ExperimentResult } from '../../../report/model.ts'
import { formatNumber } from '../../../report/number.ts'
import { agentBundle, hasAgent } from '../../../cooperating/agent.ts'
import type { SchemesHooks } from '../experiment.ts'
import { madeResult } from './result.ts'
import { measureRequests } from './request.ts'
import type { RequestCosts } from './request.ts'
import { runMadeSite } from './run.ts'
import { outcomeOf } from '../outcome.ts'
import type { SchemesOutcome } from '../outcome.ts'
import { pollTimes, scaled } from '../run.ts'
import type { SchemeRun } from '../run.ts'
import { schemesSettings } from '../settings.ts'
import type { SchemesSettings } from '../settings.ts'
import { chosenForms } from '../table.ts'
import type { SchemeForm } from '../table.ts'

export interface MadeSize {
  readonly pages: number
  readonly periods: number
  readonly changes: number
  readonly outcome: SchemesOutcome
  /** Forms that were reckoned from a smaller site. */
  readonly reckoned: ReadonlySet<string>
}

export interface MadeOutcome {
  readonly settings: SchemesSettings
  readonly costs: RequestCosts
  readonly sizes: readonly MadeSize[]
}

/** Throws a RangeError for settings that make no sense. */
export async function runMadeSchemes(
  given: Partial<SchemesSettings> = {},
  { onPart = () => undefined }: SchemesHooks = {},
): Promise<ExperimentResult> {
  return madeResult(await measureMade(schemesSettings(given), onPart))
}

export async function measureMade(
  settings: SchemesSettings,
  onPart: NonNullable<SchemesHooks['onPart']>,
  measure: () => Promise<RequestCosts> = measureRequests,
): Promise<MadeOutcome> {
  const forms = chosenForms(settings.schemes).filter((form) => form.isPapers === true && isHere(form))
  const sorted = settings.madePages.toSorted((a, b) => a - b)
  onPart('what a request takes', 0, sorted.length + 1)
  const costs = await measure()
  const bundle: AgentBundle | undefined = forms.some(isAgent) ? await agentBundle('partial-index') : undefined
  const sizes: MadeSize[] = []
  for (const [done, pages] of sorted.entries()) {
    onPart(`${formatNumber(pages)} pages`, done + 1, sorted.length + 1)
    const isWhole = pages <= settings.entirePages || sizes.length === 0
    const run = isWhole ? forms : forms.filter(({ isEntire }) => isEntire !== true)
    const { made, runs } = await runMadeSite(pages, settings, run, { costs, bundle })
    const reckoned = isWhole ? [] : reckonedRuns(sizes.at(-1)!, pages, pollTimes(made.year, settings.everyDays))
    const all = forms.flatMap((form) => [...runs, ...reckoned].find((one) => one.form === form) ?? [])
    const { year, periods } = made
    const days = periods * settings.everyDays
    const sizesOfChanges = { kept: pages, year: [], changes: [] }
    const outcome = outcomeOf({ year, wholeDays: days, settings, runs: all, often: [], sizes: sizesOfChanges })
    sizes.push({
      pages,
      periods,
      changes: year.events.length,
      outcome,
      reckoned: new Set(reckoned.map(({ form }) => form.id)),
    })
  }
  return { settings, costs, sizes }
}

const isAgent = (form: SchemeForm): boolean => form.kind === 'pushed' && form.push.agent !== undefined
const isHere = (form: SchemeForm): boolean => !isAgent(form) || hasAgent('partial-index')

/** Entire sites, as if each page took what it takes on the next smaller site. */
function reckonedRuns(smaller: MadeSize, pages: number, synced: readonly Instant[]): readonly SchemeRun[] {
  const larger = pages / smaller.pages
  return smaller.outcome.runs
    .filter(({ form }) => form.isEntire === true)
    .map(({ form, everyDays, polls, first, year, idle }) => ({
      form,
      everyDays,
      polls: synced.length,
      first,
      year: scaled(year, (larger * synced.length) / Math.max(1, polls)),
      idle: scaled(idle, larger),
      synced,
      compared: 0,
    }))
}
