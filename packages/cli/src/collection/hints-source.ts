/** Hints source: the file of synonyms and pinned pages that `--hints` names, read once; what is wrong in it is said. */
import type { HintsRead } from '@comity/search'
import type { Flag } from '../command.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { formatCount } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

export const hintsFlag: Flag<string | undefined> = {
  argument: 'FILE',
  default: undefined,
  parse: String,
  help: 'words that mean the same, and pages that come first: lines "car, automobile" and "vacuum => https://…"',
}

export async function readHintsFile(path: string | undefined, terminal: Terminal): Promise<HintsRead | undefined> {
  if (path === undefined) return undefined
  const text = await readTextFile(path)
  const { readHints } = await import('@comity/search')
  const read = readHints(text)
  const { badLines, problems, lines, rules, pinned } = read
  if (badLines > 0) {
    const left = badLines === 1 ? '1 line is' : `${formatCount(badLines)} lines are`
    terminal.say(terminal.errorPaint('yellow', `${path}: ${left} left out.`))
    for (const problem of problems) terminal.say(terminal.errorPaint('yellow', `  ${problem}`))
    if (badLines > problems.length) terminal.say(`  and ${formatCount(badLines - problems.length)} more`)
  }
  if (lines > 0 && rules.length === 0 && pinned.size === 0)
    throw new UsageError(`${path} has no line that can be used: write "car, automobile" or "vacuum => https://…".`)
  return read
}

export function refuseHintsOf(settings: { readonly hints: string | undefined; readonly cluster: unknown }): void {
  if (settings.hints !== undefined && settings.cluster !== undefined)
    throw new UsageError('--hints works for one collection: leave out --cluster, or the hints.')
}
