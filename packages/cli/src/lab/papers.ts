/** `comity lab papers`: everything that answers a claim of the five papers, and one page with every claim in its parts. */
import { join, resolve } from 'node:path'
import { labPackage } from './lab-package.ts'
import { LabProgress } from './progress.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { counted } from '../terminal/quantity.ts'
import { shellWord } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface PapersFlags {
  readonly web: readonly string[]
  readonly full: boolean
  readonly into: string
  readonly json: boolean
}

type Lab = typeof import('@comity/lab')
type Claims = ReturnType<Lab['claimsIn']>

/** Finished experiments are kept below the report, so one that was stopped goes on in the same folder. */
const KEPT = 'kept'

export async function papersOn(
  names: readonly string[],
  { web: webs, full, into, json }: PapersFlags,
  terminal: Terminal,
): Promise<number> {
  const lab = await labPackage()
  const unknown = names.find((name) => !lab.PAPER_EXPERIMENTS.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(
      `No experiment ${shellWord(unknown)} answers a claim.${didYouMean(unknown, lab.PAPER_EXPERIMENTS)} It is one of ${lab.PAPER_EXPERIMENTS.join(', ')}; without one, all are run.`,
    )
  }
  const runs = lab.paperRuns({ full, names, webs })
  if (webs.length === 0) tellMissing(runs, terminal)
  using progress = new LabProgress(terminal)
  const { results, kept, leftOut } = await lab.runPapers(runs, join(into, KEPT), {
    onRun: (title, done, of) => progress.begin(`${done + 1} of ${of}: ${title}`),
    onStep: (step) => progress.step(step),
    onPart: (what, done, of) => progress.part(what, done, of),
    onDone: () => progress.done(),
  })
  if (kept > 0)
    terminal.say(
      `${counted(kept, 'experiment')} of ${runs.length} finished before, and taken from ${join(into, KEPT)}.`,
    )
  for (const one of leftOut) terminal.say(`Left out: ${one}`)
  await lab.writeReport(into, results, { allClaims: true, leftOut })
  const claims = lab.claimsIn(results, true)
  const report = resolve(join(into, 'report.html'))
  if (json) terminal.print(JSON.stringify({ report, kept, leftOut, claims: told(claims, lab) }))
  else
    terminal.print(
      [...lines(claims, lab, terminal), '', summed(claims, lab), terminal.paint('cyan', report)].join('\n'),
    )
  return 0
}

/** Once for each web, whatever the experiments that would run on it. */
function tellMissing(runs: ReturnType<Lab['paperRuns']>, terminal: Terminal): void {
  const missing = [...new Set(runs.flatMap(({ experiment }) => experiment.toFetch ?? []))]
  if (missing.length === 0) return
  terminal.say(
    [
      `Run without ${counted(missing.length, 'real web')}; set COMITY_SHARED to a folder that holds them:`,
      ...missing.map((one) => `  ${one}`),
    ].join('\n'),
  )
}

/** Claims with their parts, and what is known of each part without an experiment. */
const told = (claims: Claims, lab: Lab): object[] =>
  claims.map(({ paper, number, claim, parts }) => ({
    id: `${paper}.${number}`,
    claim,
    parts: parts.map(({ id, claim: says, answers }) => {
      const { where, quote, figure, tolerances } = lab.claimPart(id) ?? {}
      return { id, claim: says, where, quote, figure, tolerances, verdict: lab.overall(answers).text, answers }
    }),
  }))

const WIDTH = '000.10a  '.length

function lines(claims: Claims, lab: Lab, { paint }: Terminal): string[] {
  return claims.flatMap(({ paper, number, claim, parts }) => [
    '',
    `${paint('bold', `${paper}.${number}`)} ${claim}`,
    ...parts.flatMap(({ id, claim: says, answers }) => [
      `  ${id.padEnd(WIDTH)}${says}`,
      `  ${' '.repeat(WIDTH)}${paint('cyan', lab.overall(answers).text)}`,
    ]),
  ])
}

function summed(claims: Claims, lab: Lab): string {
  const parts = claims.reduce((sum, claim) => sum + claim.parts.length, 0)
  const sums = [...lab.tallyParts(claims)].map(([verdict, count]) => `${verdict}: ${count}`)
  return `${counted(claims.length, 'claim')} in ${counted(parts, 'part')}; ${sums.join(', ')}.`
}
