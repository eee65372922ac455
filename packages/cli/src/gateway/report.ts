/** Gateway report: what went by, what was made of it, what was left out and why; for people, and as JSON. */
import { shippedShares, skippedShare, FAULT_STAGES } from '@comity/gateway'
import type { FaultStage, NodeFigures, SenderFigures } from '@comity/gateway'
import { browserLines } from './browser-export.ts'
import type { BrowserWritten } from './browser-export.ts'
import type { Written } from './export.ts'
import type { ProgramFigures } from './program.ts'
import { meaningOf } from './reasons.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import type { Paint } from '../terminal/terminal.ts'

/** What the source of observed exchanges counted. */
export interface SourceFigures {
  readonly packets: number
  readonly flows: number
  /** Of the capture; of bodies, where a proxy saw them. */
  readonly bytes: number
  readonly seconds: number
  /** Packets that the kernel dropped, where it is known. */
  readonly dropped?: number | undefined
  /** By layer and name, all that is not 0. */
  readonly details: Readonly<Record<string, number>>
}

/** Faults of ours, by what they were in, and where they are written down. */
type FaultFigures = Readonly<Record<FaultStage, number>> & {
  readonly count: number
  readonly path?: string | undefined
}

export interface GatewayReport {
  readonly source: SourceFigures
  readonly node: NodeFigures
  readonly sent?:
    | (SenderFigures & { readonly waiting: number; readonly waitingBytes: number; readonly trouble: string })
    | undefined
  readonly exported?: Written | BrowserWritten | undefined
  readonly program?: ProgramFigures | undefined
  readonly faults?: FaultFigures | undefined
  readonly problems: readonly string[]
}

export function reportJson({ source, node, sent, exported, program, faults, problems }: GatewayReport): object {
  const { packets, flows, bytes, seconds, dropped, details } = source
  const { messages, captures, skipped, bytes: bodyBytes, ...rest } = node
  const shares = shippedShares(node)
  return {
    packets,
    flows,
    messages,
    captures,
    skipped,
    bytes,
    seconds,
    bodyBytes,
    ...rest,
    shippedShare: shares.all,
    firstSightShare: shares.firstSight,
    skippedShare: skippedShare(node),
    ...(dropped === undefined ? {} : { dropped }),
    ...(sent === undefined ? {} : { sent }),
    ...(exported === undefined ? {} : { exported }),
    ...(program === undefined ? {} : { program }),
    ...(faults === undefined ? {} : { faults }),
    details,
    problems,
  }
}

export function reportLines(report: GatewayReport, paint: Paint): string[] {
  const { source, node, exported } = report
  const { packets, flows, bytes, seconds } = source
  const rate = seconds > 0 ? `, ${((bytes * 8) / seconds / 1e6).toFixed(0)} Mbit/s` : ''
  return [
    packets > 0
      ? `${counted(packets, 'packet')} of ${counted(flows, 'connection')}, ${formatBytes(bytes)} in ${formatDuration(seconds * 1_000)}${rate}`
      : `${counted(flows, 'connection')}, ${formatBytes(bytes)} in ${formatDuration(seconds * 1_000)}`,
    `${counted(node.messages, 'message')}, ${formatCount(node.captures)} of them whole, with bodies of ${formatBytes(node.bytes)}`,
    ...(source.dropped === undefined || source.dropped === 0
      ? []
      : [
          paint(
            'yellow',
            `${counted(source.dropped, 'packet')} dropped by the kernel: this machine is too slow, or --filter lets too much through`,
          ),
        ]),
    ...pageLines(node),
    ...shippedLines(report, paint),
    ...programLine(report),
    ...exportLines(exported, paint),
    ...skippedLines(node, paint),
    ...faultLines(report.faults, paint),
    ...report.problems.map((problem) => paint('yellow', problem)),
  ]
}

function pageLines({ pages, htmlBytes, verdicts, hits, seenAgain, gone, evictedPages }: NodeFigures): string[] {
  if (pages === 0 && hits.readers + hits.robots === 0) return ['no page that may be indexed']
  const still = verdicts.same + verdicts['same-version']
  return [
    `${counted(pages, 'page')} that may be indexed, ${formatBytes(htmlBytes)}: ${formatCount(verdicts.new)} new, ` +
      `${formatCount(verdicts.changed)} changed, ${formatCount(still)} as they were`,
    `${counted(hits.readers, 'hit')} by people, ${formatCount(hits.robots)} by robots; ` +
      `${formatCount(seenAgain)} told as unchanged, ${formatCount(gone)} as gone`,
    ...(evictedPages === 0 ? [] : [`${counted(evictedPages, 'page')} forgotten for want of room: raise --max-pages`]),
  ]
}

function shippedLines({ node, sent }: GatewayReport, paint: Paint): string[] {
  const { batches, batchBytes, postingBytes, droppedBatches } = node
  const { firstSight, all } = shippedShares(node)
  const lines =
    batches === 0
      ? []
      : [
          `${formatBytes(batchBytes)} in ${counted(batches, 'batch', 'batches')}, ${percent(all)} of all HTML seen; ` +
            `words and links ${formatBytes(postingBytes)}, ${percent(firstSight)} of the HTML they were made from`,
        ]
  if (droppedBatches > 0)
    lines.push(
      paint('yellow', `${counted(droppedBatches, 'batch', 'batches')} given up for want of room: raise --spool`),
    )
  if (sent === undefined) return lines
  lines.push(`${counted(sent.sent, 'batch', 'batches')} taken by the repository, ${formatBytes(sent.bytes)}`)
  if (sent.waiting > 0)
    lines.push(
      paint(
        'yellow',
        `${counted(sent.waiting, 'batch', 'batches')} still waiting, ${formatBytes(sent.waitingBytes)}: ${sent.trouble || 'there was no time'} The next run sends them.`,
      ),
    )
  return lines
}

function exportLines(exported: GatewayReport['exported'], paint: Paint): string[] {
  if (exported === undefined) return []
  if ('asBrowser' in exported) return browserLines(exported, paint)
  return [`${counted(exported.files, 'body', 'bodies')} written, ${formatBytes(exported.bytes)}`]
}

function programLine({ program }: GatewayReport): string[] {
  if (program === undefined) return []
  const { name, version = '(none runs)', judged, skipped, replaced, faults } = program
  return [
    `program ${name} ${version}: ${counted(judged, 'page')} judged, ${formatCount(skipped)} left out, ` +
      `${formatCount(replaced)} with other words, ${counted(faults, 'fault')}`,
  ]
}

function faultLines(faults: FaultFigures | undefined, paint: Paint): string[] {
  if (faults === undefined || faults.count === 0) return []
  const stages = FAULT_STAGES.filter((stage) => faults[stage] > 0).map(
    (stage) => `${stage} ${formatCount(faults[stage])}`,
  )
  const where = faults.path === undefined ? 'with --state they are written down' : `see ${faults.path}`
  return [
    paint(
      'yellow',
      `${counted(faults.count, 'fault')} of ours (${stages.join(', ')}): ${where}, and please report them`,
    ),
  ]
}

function skippedLines(node: NodeFigures, paint: Paint): string[] {
  const rows = Object.entries(node.skipped).toSorted(([, a], [, b]) => b - a)
  if (rows.length === 0) return []
  return [
    '',
    `Left out: ${percent(skippedShare(node))} of all messages`,
    ...rows.map(
      ([name, count]) => `  ${formatCount(count).padStart(9)}  ${name.padEnd(15)}  ${paint('dim', meaningOf(name))}`,
    ),
  ]
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.0995 ? 2 : 1)} %`
