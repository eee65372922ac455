/**
 * Experiment files: small JSON files that a researcher edits. One says which experiment, on which webs, with what
 * settings; `sweep` runs it once for every combination of the values given there.
 *
 *   { "experiment": "scheduling",
 *     "webs": ["generated:pages=50000,bowTie=off", "cnr-2000.graph-txt.gz"],
 *     "settings": { "robots": [1, 64], "seeds": [1, 2, 3] },
 *     "sweep": { "waitMs": [5000, 15000, 60000] } }
 */
import { ownValue, textOf } from '@comity/protocol'
import { EXPERIMENTS, experimentNamed } from './experiments.ts'
import type { Experiment } from './experiments.ts'
import { LabError } from './lab-error.ts'

export interface ExperimentPlan {
  readonly experiment: Experiment
  readonly webs: readonly string[]
  /** One for each run on each web. */
  readonly runs: readonly PlannedRun[]
}

export interface PlannedRun {
  readonly settings: Readonly<Record<string, unknown>>
  /** What the sweep set, for names of runs: `waitMs = 5000`. Empty without a sweep. */
  readonly swept: string
}

const KEYS = ['experiment', 'webs', 'settings', 'sweep']
const MAX_RUNS = 1_000

/** What a file asks for. Throws a LabError that says what to change. */
export function parseExperiment(text: string, path: string): ExperimentPlan {
  const json = parseJson(text, path)
  const unknown = Object.keys(json).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw bad(path, `has "${unknown}"; it may have ${KEYS.join(', ')}`)
  const experiment = experimentNamed(textOf(json['experiment']))
  if (experiment === undefined) {
    throw bad(path, `names no experiment: "experiment" is one of ${EXPERIMENTS.map(({ name }) => name).join(', ')}`)
  }
  const webs = json['webs'] ?? experiment.webs
  if (!isTexts(webs) || webs.length === 0) throw bad(path, '"webs" is not a list of names')
  const settings = objectIn(json['settings'] ?? {}, 'settings', path)
  const sweep = objectIn(json['sweep'] ?? {}, 'sweep', path)
  const runs = combinations(settings, sweep, path)
  for (const run of runs) requireSettings(run.settings, experiment, path)
  return { experiment, webs, runs }
}

/** Every setting must be one that the experiment has, and of the kind that its default is. */
function requireSettings(
  settings: Readonly<Record<string, unknown>>,
  { name, defaults }: Experiment,
  path: string,
): void {
  for (const [key, value] of Object.entries(settings)) {
    if (!Object.hasOwn(defaults, key)) {
      throw bad(path, `sets "${key}", which ${name} does not have; it has ${Object.keys(defaults).join(', ')}`)
    }
    const [given, wanted] = [kindOf(value), kindOf(ownValue(defaults, key))]
    const isAlike = given === wanted || (given.startsWith('list') && (given === 'list' || wanted === 'list'))
    if (!isAlike) throw bad(path, `sets "${key}" to ${JSON.stringify(value)}, which is no ${wanted}`)
  }
}

function kindOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value
  const kinds = new Set(value.map(kindOf))
  // Of an empty list nobody knows what it would hold.
  return kinds.size === 1 ? `list of ${[...kinds].join('')}s` : 'list'
}

/** The same for an experiment by its name, with its defaults. */
export const planOf = (experiment: Experiment): ExperimentPlan => ({
  experiment,
  webs: experiment.webs,
  runs: [{ settings: {}, swept: '' }],
})

function combinations(
  settings: Readonly<Record<string, unknown>>,
  sweep: Readonly<Record<string, unknown>>,
  path: string,
): PlannedRun[] {
  let runs: PlannedRun[] = [{ settings, swept: '' }]
  for (const [key, values] of Object.entries(sweep)) {
    if (!Array.isArray(values) || values.length === 0) throw bad(path, `sweeps "${key}" over no list of values`)
    if (runs.length * values.length > MAX_RUNS) throw bad(path, `asks for more than ${MAX_RUNS} runs`)
    runs = runs.flatMap((run) =>
      values.map((value: unknown) => ({
        settings: { ...run.settings, [key]: value },
        swept: [run.swept, `${key} = ${JSON.stringify(value)}`].filter((part) => part !== '').join(', '),
      })),
    )
  }
  return runs
}

function parseJson(text: string, path: string): Record<string, unknown> {
  try {
    return objectIn(JSON.parse(text), undefined, path)
  } catch (error) {
    if (error instanceof SyntaxError) throw bad(path, `is no JSON: ${error.message}`)
    throw error
  }
}

function objectIn(value: unknown, name: string | undefined, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bad(path, name === undefined ? 'holds no JSON object' : `"${name}" is no JSON object`)
  }
  return { ...value }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const bad = (path: string, what: string): LabError => new LabError('EXPERIMENT_INVALID', `${path} ${what}.`)
