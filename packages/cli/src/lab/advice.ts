/** `comity lab advise DIR`: how a collection would have been crawled best, in plain words and one plot. */
import { join, resolve } from 'node:path'
import { labPackage } from './lab-package.ts'
import { LabProgress } from './progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function adviseOn(
  [dir, ...more]: readonly string[],
  { into, json }: { readonly into: string; readonly json: boolean },
  terminal: Terminal,
): Promise<number> {
  if (dir === undefined || more.length > 0) throw new UsageError('Name one collection: comity lab advise DIR.')
  const lab = await labPackage()
  using progress = new LabProgress(terminal)
  progress.begin(`replaying ${dir}`)
  const advice = await lab.advise(dir, {}, { onPart: (what, done, of) => progress.part(what, done, of) })
  await lab.writeReport(into, [advice.result])
  progress.done()
  const report = resolve(join(into, 'report.html'))
  if (json) terminal.print(JSON.stringify({ report, settings: advice.settings, sentences: advice.sentences }))
  else terminal.print([...advice.sentences, '', terminal.paint('cyan', report)].join('\n'))
  return 0
}
