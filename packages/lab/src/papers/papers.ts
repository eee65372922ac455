/**
 * Papers: everything that answers a claim of the five papers, one experiment after the other, kept as each is finished.
 *
 *   plan ──▶ kept? ──▶ run ──▶ keep ──▶ results ──▶ one page with all claims (`report/page.ts`)
 */
import { messageOf } from '@comity/protocol'
import { LabError } from '../lab-error.ts'
import type { ExperimentResult } from '../report/model.ts'
import { KeptResults } from './kept-result.ts'
import type { PaperRun } from './paper-plan.ts'

interface PapersHooks {
  /** Before each experiment that has to be run: which it is of all. */
  readonly onRun?: (title: string, done: number, of: number) => void
  readonly onStep?: (step: string) => void
  readonly onPart?: (what: string, done: number, of: number) => void
  /** After it. */
  readonly onDone?: () => void
}

interface PapersOutcome {
  readonly results: readonly ExperimentResult[]
  /** How many were found finished. */
  readonly kept: number
  /** What could not be run, and why. */
  readonly leftOut: readonly string[]
}

export async function runPapers(
  runs: readonly PaperRun[],
  keepIn: string,
  hooks: PapersHooks = {},
): Promise<PapersOutcome> {
  const store = new KeptResults(keepIn)
  const results: ExperimentResult[] = []
  const leftOut: string[] = []
  let kept = 0
  for (const [done, run] of runs.entries()) {
    const before = store.find(run)
    if (before !== undefined) {
      kept++
      results.push(before)
      continue
    }
    hooks.onRun?.(`${run.experiment.name} on ${run.web}`, done, runs.length)
    const result = await attempt(run, hooks)
    if (typeof result === 'string') leftOut.push(`${run.experiment.name} on ${run.web}: ${result}`)
    else results.push(store.keep(run, result))
    hooks.onDone?.()
  }
  return { results, kept, leftOut }
}

/** What makes no sense on a web, and a file that is not there or damaged, leaves the other experiments as they are. */
async function attempt(
  { experiment, web, settings }: PaperRun,
  { onStep, onPart }: PapersHooks,
): Promise<ExperimentResult | string> {
  try {
    const subject = await experiment.open(web, onStep === undefined ? {} : { onStep })
    return await subject.run(settings, onPart === undefined ? {} : { onPart })
  } catch (error) {
    if (error instanceof RangeError || error instanceof LabError) return messageOf(error)
    throw error
  }
}
