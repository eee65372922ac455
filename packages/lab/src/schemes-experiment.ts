/**
 * Schemes: the pulled half of 002 Table 6.2, measured. A real site lives through a year on loopback, with every version of
 * every page; a crawler keeps a copy of it by one scheme after another, and after every poll the copy is the site.
 *
 *   year ──▶ site process ◀── HTTP ──▶ crawler process        one pair for each scheme
 *    │         journal, clock of the year      copy                ▼
 *    └──────────────────────────────────────────────▶ compared: bytes, requests, processor times, freshness
 *
 * Processor times are never the same twice, so neither is this report; all else in it is.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExperimentResult, Parameter } from './report-model.ts'
import { formatNumber, formatQuantity } from './report-number.ts'
import { changeSizes } from './schemes-differences.ts'
import { mainCells, schemeClaims } from './schemes-claims.ts'
import { schemeFigures } from './schemes-figures.ts'
import { outcomeOf } from './schemes-outcome.ts'
import type { SchemesOutcome } from './schemes-outcome.ts'
import { digestsOf, networkBytes, runScheme } from './schemes-run.ts'
import type { Replay, SchemeRun } from './schemes-run.ts'
import { schemesSettings } from './schemes-settings.ts'
import type { SchemesSettings } from './schemes-settings.ts'
import { BASE_FORM, chosenForms } from './schemes-table.ts'
import type { SchemeForm } from './schemes-table.ts'
import { costTable, oftenTable, paperTable, reasonTable } from './schemes-tables.ts'
import { readBodies, readYear, requireBodies, storeBodies } from './schemes-year.ts'

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
  const year = await readYear(folder)
  const bodies = await readBodies(folder)
  requireBodies(year, bodies)
  const forms = chosenForms(settings.schemes)
  const telling = settings.oftenDays === 0 ? [] : forms.filter(({ tells }) => tells)
  const plans: readonly PlannedRun[] = [
    ...forms.map((form) => ({ form, everyDays: settings.everyDays })),
    ...telling.map((form) => ({ form, everyDays: settings.oftenDays })),
  ]
  const scratch = mkdtempSync(join(tmpdir(), 'comity-schemes-'))
  try {
    const stored = storeBodies(bodies, join(scratch, 'bodies'))
    const replay: Replay = { year, bodies: stored, digests: digestsOf(bodies) }
    const runs = await runAll(replay, plans, settings.atOnce, onPart)
    return outcomeOf(year, settings, runs.slice(0, forms.length), runs.slice(forms.length), changeSizes(year, bodies))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function runAll(
  replay: Replay,
  plans: readonly PlannedRun[],
  atOnce: number,
  onPart: NonNullable<SchemesHooks['onPart']>,
): Promise<readonly SchemeRun[]> {
  const runs: SchemeRun[] = []
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    while (next < plans.length) {
      const place = next++
      const { form, everyDays } = plans[place]!
      onPart(`${form.name}, every ${everyDays === 1 ? 'day' : `${everyDays} days`}`, done, plans.length)
      runs[place] = await runScheme(replay, form, everyDays)
      done++
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, plans.length) }, work))
  return runs
}

export function resultOf(outcome: SchemesOutcome): ExperimentResult {
  const { year, runs, often } = outcome
  const id = `schemes-${slugOf(year.name)}`
  const told = paperTable(id, outcome)
  return {
    id,
    name: `Schemes that sites are polled by: ${year.name}`,
    paper: '002',
    varies: true,
    finding: findingOf(outcome),
    parameters: parametersOf(outcome),
    seeds: [],
    webs: [
      {
        name: year.name,
        pages: year.present.length,
        links: 0,
        sites: 1,
        about: `${formatNumber(year.events.length)} changes in ${formatNumber((year.until - year.from) / 86_400_000)} days, replayed with every version’s bytes`,
      },
    ],
    figures: schemeFigures(id, outcome),
    tables: [
      told,
      reasonTable(id, outcome),
      costTable(id, outcome),
      ...(often.length === 0 ? [] : [oftenTable(id, outcome)]),
    ],
    toldTable: told.id,
    claims: schemeClaims(id, outcome),
    notes: notesOf([...runs, ...often]),
  }
}

const bytesOf = ({ year }: SchemeRun): number => networkBytes(year)

function findingOf(outcome: SchemesOutcome): string {
  const { runs, often, oftenFreshness, freshness, settings } = outcome
  const base = runs.find(({ form }) => form.id === BASE_FORM)!
  const least = runs.toSorted((a, b) => bytesOf(a) - bytesOf(b))[0]!
  const cells = mainCells(outcome)
  const agreeing = cells.filter(({ verdict }) => verdict === 'agrees').length
  const cheapest = often.toSorted((a, b) => bytesOf(a) - bytesOf(b))[0]
  const oftener =
    cheapest === undefined
      ? ''
      : ` Asked every ${settings.oftenDays === 1 ? 'day' : `${settings.oftenDays} days`}, ${cheapest.form.name} takes ${formatQuantity(bytesOf(cheapest), 'bytes')} and keeps ${formatQuantity(oftenFreshness, 'share')} fresh instead of ${formatQuantity(freshness, 'share')}.`
  return (
    `A copy of the site for a year takes ${formatQuantity(bytesOf(base), 'bytes')} without cooperation and ` +
    `${formatQuantity(bytesOf(least), 'bytes')} by ${least.form.name}, for the same pages.${oftener} ` +
    `Of the ${cells.length} signs of costs in the paper's table ${agreeing} point the way we measured.`
  )
}

function parametersOf({ settings }: SchemesOutcome): Parameter[] {
  return [
    { name: 'days between polls', value: settings.everyDays },
    { name: 'days between polls, second run', value: settings.oftenDays },
    { name: 'runs at one time', value: settings.atOnce },
  ]
}

function notesOf(runs: readonly SchemeRun[]): string[] {
  const compared = runs.reduce((sum, run) => sum + run.compared, 0)
  const broken = runs.reduce((sum, run) => sum + run.year.broken, 0)
  return [
    `After every poll every page of the copy was compared with the site’s, by SHA-256: ${formatNumber(compared)} comparisons, all equal. So the schemes are prices for the same work.`,
    ...(broken === 0
      ? []
      : [
          `${formatNumber(broken)} differences could not be used, which their digests told; those pages were asked for once more, whole.`,
        ]),
    'No cooperation is GET of every page, each over a connection of its own, as 002 §6.2 has it; pages are sent as they are, except in the second form of it. Schemes that cannot tell which pages there are (no cooperation, only if modified, keep-alive, HTTP/2, batch) are told that for nothing: they would have to find new pages by links.',
    'Pages are asked for without a content coding where a scheme asks for them one by one, so that what it saves is not what packing saves. Documents, batches, dumps and answers of the filter are packed, as our crawler asks for them.',
    'The site is node:http with the pages in memory; one that helps has the site’s middleware before it, and learns of each change when it happens. How it learns (a scan, a watch, a call) is not in its costs. The crawler takes the digest of every page that comes and reads those that are other ones.',
    'Bytes are those of HTTP. TCP and IP add at least 40 for each packet, and seven packets for each connection.',
    'The seldomer the polls, the more pages have changed at each, and the less there is to spare: at two months the site works more for lists and differences than for every page, as the paper has it.',
    'Polls come at the end of days. Freshness is over the pages that either side has, to the second of each change.',
  ]
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '') || 'year'
