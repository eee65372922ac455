/**
 * Schemes: 002 Table 6.2, measured. A real site lives through a year on loopback, with every version of every page; a crawler
 * keeps a copy of it by one scheme after another, polling or being sent to, and after every poll and delivery the copy is
 * the site.
 *
 *   year ──▶ site process ◀── HTTP ──▶ crawler process        one pair for each scheme
 *    │         journal, delivery worker,              copy                 ▼
 *    │         clock of the year
 *    └──────────────────────────────────────────────▶ compared: bytes, requests, processor times, freshness, age
 *
 * Processor times are never the same twice, so neither is this report; all else in it is, but for delays.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExperimentResult } from '../../report/model.ts'
import { hasAgent } from '../../cooperating/agent.ts'
import { changeSizes } from './differences.ts'
import { outcomeOf } from './outcome.ts'
import type { SchemesOutcome } from './outcome.ts'
import { resultOf } from './result.ts'
import { digestsOf, runScheme, visibleTexts } from './run.ts'
import type { Replay, SchemeRun } from './run.ts'
import { schemesSettings } from './settings.ts'
import type { SchemesSettings } from './settings.ts'
import { chosenForms } from './table.ts'
import type { SchemeForm } from './table.ts'
import { everyText } from './schemes-words.ts'
import {
  bodiesOf,
  DAY_MS,
  firstDays,
  readBodies,
  readYear,
  requireBodies,
  storeBodies,
} from '../../cooperating/year.ts'
import type { Bodies, Year } from '../../cooperating/year.ts'

export interface SchemesHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** Throws a RangeError for settings that make no sense, and a LabError for a folder that holds no year. */
export async function runSchemes(
  folder: string,
  given: Partial<SchemesSettings> = {},
  { onPart = () => undefined }: SchemesHooks = {},
): Promise<ExperimentResult> {
  return resultOf(await measureSchemes(folder, schemesSettings(given), onPart))
}

interface PlannedRun {
  readonly form: SchemeForm
  readonly everyDays: number
}

export async function measureSchemes(
  folder: string,
  settings: SchemesSettings,
  onPart: NonNullable<SchemesHooks['onPart']>,
): Promise<SchemesOutcome> {
  return await measureYear(await readYear(folder), await readBodies(folder), settings, onPart)
}

export async function measureYear(
  whole: Year,
  bodies: Bodies,
  settings: SchemesSettings,
  onPart: NonNullable<SchemesHooks['onPart']>,
): Promise<SchemesOutcome> {
  requireBodies(whole, bodies)
  const year = firstDays(whole, settings.days)
  const forms = chosenForms(settings.schemes).filter(isHere)
  const telling = settings.oftenDays === 0 ? [] : forms.filter(isToldOften)
  const plans: readonly PlannedRun[] = [
    ...forms.map((form) => ({ form, everyDays: settings.everyDays })),
    ...telling.map((form) => ({ form, everyDays: settings.oftenDays })),
  ]
  const scratch = mkdtempSync(join(tmpdir(), 'comity-schemes-'))
  try {
    const stored = storeBodies(bodiesOf(year, bodies), join(scratch, 'bodies'))
    const digests = digestsOf(bodies)
    const replay: Replay = { year, bodies: stored, digests, textOf: visibleTexts(bodies, digests) }
    const runs = await runAll(replay, plans, settings, onPart)
    return outcomeOf({
      year,
      wholeDays: (whole.until - whole.from) / DAY_MS,
      settings,
      runs: runs.slice(0, forms.length),
      often: runs.slice(forms.length),
      sizes: changeSizes(whole, bodies, year.until),
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const isHere = (form: SchemeForm): boolean =>
  form.kind === 'pulled' || form.push.agent === undefined || hasAgent(form.push.agent)

/** Of the forms of a scheme one is enough: what others cost at another period follows from polls that find nothing. */
const isToldOften = ({ isOften }: SchemeForm): boolean => isOften === true

async function runAll(
  replay: Replay,
  plans: readonly PlannedRun[],
  { atOnce, agentDays }: SchemesSettings,
  onPart: NonNullable<SchemesHooks['onPart']>,
): Promise<readonly SchemeRun[]> {
  const runs: SchemeRun[] = []
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    while (next < plans.length) {
      const place = next++
      const { form, everyDays } = plans[place]!
      onPart(form.kind === 'pulled' ? `${form.name}, ${everyText(everyDays)}` : form.name, done, plans.length)
      runs[place] = await runScheme(replay, form, { everyDays, agentDays })
      done++
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, plans.length) }, work))
  return runs
}
