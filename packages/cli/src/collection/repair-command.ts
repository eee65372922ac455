/** `comity repair`: a damaged collection, made whole from what of it can be read. */
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatCount } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { repair } from './repair.ts'
import type { RepairReport } from './repair.ts'

interface RepairSettings {
  readonly dryRun: boolean
  readonly json: boolean
}

export const repairCommand: Command<RepairSettings> = {
  name: 'repair',
  summary: 'find what is damaged in a collection, and make again what can be made',
  operands: [{ name: 'DIR', help: 'the collection' }],
  flags: {
    dryRun: off('only say what is damaged'),
    json: off('print what was found and done as one JSON object'),
  },
  examples: [
    ['comity repair example --dry-run', 'reads all of it: state, archive, index'],
    ['comity repair example', 'the index again from the archive, and rows too'],
  ],
  notes: [
    'A state that cannot be read is made again from the archive, as an import makes it: pages, their captures, links and words. The ' +
      'queue is lost then, and what was learnt of how pages change. The damaged collection is kept beside it, so there must be room for both.',
    'The exit code is 0 when all is well now, and 1 when pages have lost their copy, or with --dry-run when something is damaged.',
  ],
  run: runRepair,
}

async function runRepair({ settings, operands: [dir = ''], terminal }: Call<RepairSettings>): Promise<number> {
  const { dryRun, json } = settings
  let report: RepairReport
  {
    using line = new LiveLine(terminal)
    report = await repair(dir.replace(/\/+$/, ''), Date.now(), dryRun, (text) => line.draw(text))
  }
  if (json) terminal.print(JSON.stringify(report))
  else terminal.print(repairLines(report, terminal.paint).join('\n'))
  const isWell = dryRun ? report.found.length === 0 : report.lost.pages === 0
  return isWell ? 0 : 1
}

function repairLines({ collection, found, done, lost, records, keptAs }: RepairReport, paint: Paint): string[] {
  if (found.length === 0) return [`${collection}: nothing is damaged.`]
  const broken = Object.values(records).reduce((sum, count) => sum + count, 0)
  const more = lost.pages - lost.examples.length
  return [
    ...found.map((text) => paint('yellow', visible(text))),
    ...done.map((text) => `  ${visible(text)}`),
    ...(broken === 0
      ? []
      : [`  ${counted(broken, 'record')} of the archive could not be read, and what they held is lost`]),
    ...lost.examples.map((url) => `  lost: the copy of ${visible(url)}`),
    ...(more > 0 ? [`  … and ${formatCount(more)} more`] : []),
    ...(keptAs === undefined
      ? []
      : [`  The damaged collection is kept as ${keptAs}: remove it when you do not want it any more.`]),
  ]
}
