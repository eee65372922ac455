/** What `comity publish` tells: what is public now and what not, what was written, and what to do next. */
import type {
  DocrootPreview,
  ExportSummary,
  PreviewGroup,
  PrivateReason,
  DocrootScanSummary,
  PageSourceSummary,
} from '@comity/site'
import { pushLines } from './push.ts'
import type { PushReport } from './push.ts'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import { shellWord, visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

export interface Published {
  readonly base: string
  readonly docroot: string
  readonly into: string
  readonly journal: string
  /** That are public now. */
  readonly pages: number
  readonly scan: DocrootScanSummary
  readonly listed: PageSourceSummary | undefined
  readonly made: ExportSummary
  /** To be added to robots.txt by hand. */
  readonly robotsLines: string | undefined
  /** What was sent to those who want to be told. */
  readonly push: PushReport | undefined
}

/** A line for each publication that follows another, a report for one that stands alone. */
export function publishReport(published: Published, isShort: boolean, paint: Paint): string[] {
  const { base, docroot, into, pages, scan, listed, made, robotsLines, push } = published
  const changes = `${formatCount(scan.created)} new, ${formatCount(scan.updated)} changed, ${formatCount(scan.deleted)} gone`
  const written = `${counted(made.written.length, 'file')} written, ${formatCount(made.removed.length)} removed`
  if (isShort)
    return [
      `${new Date().toISOString()}  ${counted(pages, 'page')}: ${changes}; ${written}`,
      ...foreignLines(made, into, paint),
    ]
  return [
    `${paint('bold', base)}  ${visible(docroot)}`,
    `  ${counted(pages, 'public page')}: ${changes}`,
    ...(listed === undefined
      ? []
      : [
          `  ${counted(listed.asked, 'listed page')} asked for: ${formatCount(listed.created)} new, ${formatCount(listed.updated)} changed, ${formatCount(sumOf(listed.private))} not public`,
        ]),
    ...privateLines(scan.private),
    ...(scan.unreadable.length === 0
      ? []
      : [
          paint(
            'yellow',
            `  ${counted(scan.unreadable.length, 'file or folder', 'files and folders')} could not be read: ${examples(scan.unreadable)}`,
          ),
        ]),
    `  ${counted(made.files, 'document')} in ${visible(into)}, ${formatBytes(made.bytes)} (packed copies ${formatBytes(made.packedBytes)}): ${written}`,
    ...foreignLines(made, into, paint),
    ...(push === undefined ? [] : pushLines(push, Date.now(), paint)),
    ...(robotsLines === undefined ? [] : ['', 'For robots.txt:', robotsLines]),
    ...nextSteps(published, paint),
  ]
}

function privateLines(counts: Readonly<Partial<Record<PrivateReason, number>>>): string[] {
  const total = sumOf(counts)
  if (total === 0) return []
  const reasons = Object.entries(counts).map(([reason, count]) => `${reason} ${formatCount(count)}`)
  return [`  ${counted(total, 'file')} kept private: ${reasons.join(', ')} (--dry-run says which)`]
}

function foreignLines({ foreign }: ExportSummary, into: string, paint: Paint): string[] {
  if (foreign.length === 0) return []
  const which = `  ${counted(foreign.length, 'document is', 'documents are')} not there, since somebody else's file is: ${examples(foreign)} in ${visible(into)}.`
  return [paint('yellow', `${which} Move it away, or leave its scheme out: --schemes.`)]
}

function nextSteps({ base, docroot, made }: Published, paint: Paint): string[] {
  if (made.written.length < made.files) return []
  const publish = `comity publish ${shellWord(docroot)} --base ${shellWord(base)}`
  const steps = [
    [`${publish} --snippet nginx`, 'what your server has to be told; apache is the other'],
    [`comity check ${shellWord(base)}`, 'what a crawler sees'],
    [`0 4 * * *  ${publish} --spread 1h`, 'a line for crontab: once a day'],
  ] as const
  return [
    '',
    paint('bold', 'Try next'),
    ...steps.flatMap(([line, does]) => [paint('dim', `  # ${does}`), `  ${paint('cyan', line)}`]),
  ]
}

export function previewReport(preview: DocrootPreview, docroot: string, base: string, paint: Paint): string[] {
  const { public: open, types, private: refused, own, unreadable } = preview
  const row = (name: string, { files, bytes, examples: some }: PreviewGroup): string[] => [
    name,
    formatCount(files),
    formatBytes(bytes),
    examples(some),
  ]
  return [
    `${paint('bold', base)}  ${visible(docroot)}  nothing was written`,
    '',
    paint('bold', `Would become public: ${counted(open.files, 'file')}, ${formatBytes(open.bytes)}`),
    ...textTable(
      types.map((group) => row(group.type, group)),
      ['left', 'right', 'right', 'left'],
    ),
    '',
    paint(
      'bold',
      `Stay private: ${counted(
        refused.reduce((sum, { files }) => sum + files, 0),
        'file',
      )}`,
    ),
    ...refused.flatMap((group) => [
      `  ${group.reason}: ${counted(group.files, 'file')}; ${group.sentence}`,
      ...group.examples.map((path, i) =>
        paint(
          'dim',
          `      ${visible(path)}${group.details[i] === path ? '' : `  ${visible(group.details[i] ?? '')}`}`,
        ),
      ),
    ]),
    ...(refused.length === 0 ? ['  none; names that begin with a dot are not even looked at'] : []),
    ...(own === 0 ? [] : ['', `${counted(own, 'document')} of an earlier publication left aside.`]),
    ...(unreadable.length === 0 ? [] : ['', paint('yellow', `Could not be read: ${examples(unreadable)}`)]),
  ]
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

function examples(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(visible).join(' ')
  return paths.length > 3 ? `${shown} …` : shown
}
