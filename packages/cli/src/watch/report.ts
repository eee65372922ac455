/** What `comity watch` shows: one line while it runs, and what it came to. */
import type { CrawlProgress, CrawlSummary } from '@comity/crawler'
import type { WatchSample } from '@comity/follow'
import type { Instant } from '@comity/protocol'
import type { ProgramsView } from '@comity/receiver'
import { pushLines, pushText } from './push-report.ts'
import { section } from '../crawl/report.ts'
import { gatewayLines } from '../gateway/figures.ts'
import { programLines } from '../gateway/programs.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes, formatCount, formatDuration, formatPerSecond } from '../terminal/quantity.ts'
import { plain } from '../terminal/terminal.ts'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

const PLAIN_EVERY_MS = 10_000

export function watchText(sample: WatchSample, requestsPerSecond: number, columns: number): string {
  const changed = Object.values(sample.schemes).reduce((sum, figures) => sum + figures.changed, 0)
  const parts = [
    `${percent(sample.freshness)} fresh`,
    `${formatCount(sample.pages)} held`,
    formatPerSecond(requestsPerSecond),
    `${formatCount(changed)} changed`,
    `${formatCount(sample.needless)} needless`,
    formatBytes(sample.bytes),
    `age ${formatDuration(sample.ageSeconds * 1000)}`,
    ...(sample.pushes === undefined ? [] : pushText(sample.pushes)),
  ]
  return parts.join(' · ').slice(0, columns)
}

export const percent = (share: number): string => `${(share * 100).toFixed(share > 0.995 || share < 0.1 ? 1 : 0)} %`

export class WatchLine implements Disposable {
  readonly #terminal: Terminal
  readonly #textOf: typeof watchText
  readonly #line: LiveLine
  readonly #now: () => Instant
  readonly #startedAt: Instant
  #plainAt: Instant

  constructor(terminal: Terminal, textOf: typeof watchText = watchText, now: () => Instant = Date.now) {
    this.#terminal = terminal
    this.#textOf = textOf
    this.#line = new LiveLine(terminal)
    this.#now = now
    this.#startedAt = now()
    this.#plainAt = this.#startedAt + PLAIN_EVERY_MS
  }

  update({ watch }: CrawlProgress): void {
    if (watch === undefined) return
    const at = this.#now()
    const perSecond = (watch.requests * 1000) / Math.max(1, at - this.#startedAt)
    const { columns } = this.#line
    if (columns !== undefined) return this.#line.draw(this.#textOf(watch, perSecond, columns))
    if (at < this.#plainAt) return
    this.#plainAt = at + PLAIN_EVERY_MS
    this.#terminal.say(this.#textOf(watch, perSecond, 200))
  }

  say(text: string): void {
    this.#line.say(text)
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]()
  }
}

export function watchReport(
  summary: CrawlSummary,
  sample: WatchSample,
  paint: Paint = plain,
  programs?: ProgramsView,
): string[] {
  const { freshness, ageSeconds, pages, requests, bytes, needless, policy } = sample
  const took = formatDuration(summary.seconds * 1000)
  return [
    '',
    `${paint('bold', `${percent(freshness)} fresh`)}, estimated over ${counted(pages, 'page')}; mean age ${formatDuration(ageSeconds * 1000)}`,
    `${counted(requests, 'request')} and ${formatBytes(bytes)} in ${took} by the policy ${policy}; ${formatCount(needless)} of them needless`,
    ...section('By scheme', schemeLines(sample), paint),
    ...section('What sites said', signalLines(sample), paint),
    ...heardLines(sample, paint, programs),
  ]
}

/** Who sent what, unasked. */
export function heardLines(sample: WatchSample, paint: Paint, programs?: ProgramsView): string[] {
  return [
    ...section('Sites that push', pushLines(sample.pushes), paint),
    ...section('Gateways', gatewayLines(sample.gateways), paint),
    ...section('Programs of gateways', programs === undefined ? [] : programLines(programs), paint),
  ]
}

function schemeLines({ schemes }: WatchSample): string[] {
  const rows = Object.entries(schemes).map(([name, { requests, bytes, changed, unchanged }]) => [
    name,
    counted(requests, 'request'),
    formatBytes(bytes),
    `${formatCount(changed)} changed`,
    `${formatCount(unchanged)} unchanged`,
  ])
  return textTable(rows, ['left', 'right', 'right', 'right', 'right'])
}

function signalLines({ signals }: WatchSample): string[] {
  return textTable(
    Object.entries(signals).map(([channel, { news, known }]) => [
      channel,
      `${formatCount(news)} news`,
      `${formatCount(known)} known already`,
    ]),
    ['left', 'right', 'right'],
  )
}
