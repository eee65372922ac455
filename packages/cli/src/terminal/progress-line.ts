/**
 * Progress line: done, rate now, rate overall, bytes, waiting, sites ready, errors. On a screen one line that rewrites
 * itself; elsewhere a plain line now and then, so that a log of a long crawl stays readable.
 */
import { failuresOf } from '@comity/ingest'
import type { CrawlProgress } from '@comity/crawler'
import type { Instant } from '@comity/protocol'
import { LiveLine } from './live-line.ts'
import { counted, formatBytes, formatCount, formatDuration, formatPerSecond } from './quantity.ts'
import type { Terminal } from './terminal.ts'

/** "Now" is the mean of this long: shorter jumps about, longer lies. */
const NOW_MS = 5_000
const PLAIN_EVERY_MS = 10_000

interface ProgressFigures {
  readonly pages: number
  readonly perSecondNow: number
  readonly perSecond: number
  readonly bytes: number
  readonly waiting: number
  readonly sitesReady: number
  /** Until one of those that rest is. */
  readonly restMs: number
  readonly errors: number
}

/** As much of the figures as the width allows, in the order in which they are missed least. */
export function progressText(figures: ProgressFigures, columns: number): string {
  const { pages, perSecondNow, perSecond, bytes, waiting, sitesReady, errors } = figures
  const rest = restText(figures)
  const [now, overall] = [formatPerSecond(perSecondNow), formatPerSecond(perSecond)]
  const long = [
    counted(pages, 'page'),
    `${now} now`,
    `${overall} overall`,
    formatBytes(bytes),
    `${formatCount(waiting)} waiting`,
    `${counted(sitesReady, 'site')} ready${rest}`,
    counted(errors, 'error'),
  ]
  const short = [
    counted(pages, 'page'),
    `${now} (${overall.slice(0, -2)})`,
    formatBytes(bytes),
    `${formatCount(waiting)} waiting`,
    `${formatCount(sitesReady)} ready${rest}`,
    counted(errors, 'error'),
  ]
  const whole = long.join(' · ')
  return (whole.length <= columns ? whole : short.join(' · ')).slice(0, columns)
}

/** Why nothing happens: every site rests, as it is owed or as it asked. */
function restText({ sitesReady, waiting, restMs }: ProgressFigures): string {
  if (sitesReady > 0 || waiting === 0 || restMs < 1_000 || restMs === Infinity) return ''
  return `, all rest, the first ${formatDuration(Math.ceil(restMs / 1_000) * 1_000)} more`
}

const rate = (count: number, ms: number): number => (ms > 0 ? (count * 1_000) / ms : 0)

export class ProgressLine implements Disposable {
  readonly #terminal: Terminal
  readonly #line: LiveLine
  readonly #now: () => Instant
  readonly #startedAt: Instant
  #points: { at: Instant; pages: number }[] = []
  #pagesBefore: number | undefined
  #plainAt: Instant
  #visits = 0

  constructor(terminal: Terminal, now: () => Instant = Date.now) {
    this.#terminal = terminal
    this.#line = new LiveLine(terminal)
    this.#now = now
    this.#startedAt = now()
    this.#plainAt = this.#startedAt + PLAIN_EVERY_MS
  }

  /** Visits under way when we last looked. */
  get visits(): number {
    return this.#visits
  }

  update(progress: CrawlProgress): void {
    this.#visits = progress.visits
    const figures = this.#figures(progress)
    const { columns } = this.#line
    if (columns !== undefined) return this.#line.draw(progressText(figures, columns))
    if (this.#now() < this.#plainAt) return
    this.#plainAt = this.#now() + PLAIN_EVERY_MS
    this.#terminal.say(progressText(figures, 200))
  }

  /** Something worth a line of its own, above the live one. */
  say(text: string): void {
    this.#line.say(text)
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]()
  }

  #figures({ totals, waiting, sitesReady, restMs }: CrawlProgress): ProgressFigures {
    const at = this.#now()
    const { pages, bytes, outcomes } = totals
    this.#pagesBefore ??= pages
    this.#points.push({ at, pages })
    this.#points = this.#points.filter((point) => point.at >= at - NOW_MS || point === this.#points.at(-1))
    const first = this.#points[0] ?? { at, pages }
    return {
      pages,
      bytes,
      waiting,
      sitesReady,
      restMs,
      perSecondNow: rate(pages - first.pages, at - first.at),
      perSecond: rate(pages - this.#pagesBefore, at - this.#startedAt),
      errors: failuresOf(outcomes).reduce((sum, [, count]) => sum + count, 0),
    }
  }
}
