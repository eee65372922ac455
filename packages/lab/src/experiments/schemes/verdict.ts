/**
 * A cell of 002 Table 6.2 beside what was measured. The paper has signs and no numbers; a ratio to no cooperation becomes a
 * sign by these bounds, wider for processor times, which differ by a fifth from run to run. What it is a ratio to, the paper
 * leaves open: GET of every page is what a crawler without help does, and GET of just those that changed is the work that
 * nobody can spare.
 *
 *   network      −−  0.25  −  0.9  nothing  1.1  +  2  ++
 *   processing   −−  0.25  −  0.7  nothing  1.4  +  2  ++
 */
import { BASE_FORM } from './pulled.ts'
import { NO_COOPERATION } from '../../cooperating/rows.ts'
import type { Sign } from '../../cooperating/rows.ts'
import type { SchemeForm } from './table.ts'
import { networkBytes, siteMs } from './run.ts'
import type { SchemeRun } from './run.ts'

export const COSTS = ['network', 'server', 'crawler'] as const
export type CostKind = (typeof COSTS)[number]

export interface SchemeCell {
  readonly form: SchemeForm
  readonly kind: CostKind
  readonly paper: Sign
  /** To what it is compared with. */
  readonly ratio: number
  readonly ours: Sign
  /** The direction decides: how strong a sign is nobody wrote down. */
  readonly verdict: 'agrees' | 'does not'
}

const FREE: Readonly<Record<CostKind, readonly [low: number, high: number]>> = {
  network: [0.9, 1.1],
  server: [0.7, 1.4],
  crawler: [0.7, 1.4],
}
const [MUCH_LESS, MUCH_MORE] = [0.25, 2]

export function signOf(ratio: number, kind: CostKind): Sign {
  const [low, high] = FREE[kind]
  if (ratio < low) return ratio <= MUCH_LESS ? '−−' : '−'
  if (ratio <= high) return ''
  return ratio >= MUCH_MORE ? '++' : '+'
}

const costOf = ({ year }: SchemeRun, kind: CostKind): number =>
  kind === 'network' ? networkBytes(year) : kind === 'server' ? siteMs(year) : year.cpuMs

function cellOf(run: SchemeRun, base: SchemeRun, kind: CostKind): SchemeCell {
  const ratio = costOf(run, kind) / costOf(base, kind)
  const [paper, ours] = [run.form.row[kind], signOf(ratio, kind)]
  return { form: run.form, kind, paper, ratio, ours, verdict: paper.at(0) === ours.at(0) ? 'agrees' : 'does not' }
}

/** Of all runs that the paper has a row for, against one of those that it has none for. */
export function cellsOf(runs: readonly SchemeRun[], against: string = BASE_FORM): readonly SchemeCell[] {
  const base = runs.find(({ form }) => form.id === against)!
  return runs
    .filter(({ form }) => form.row !== NO_COOPERATION)
    .flatMap((run) => COSTS.map((kind) => cellOf(run, base, kind)))
}
