/**
 * Hour chart: two counts an hour over some days, drawn by the server as SVG. It fits any width without a script: the lines
 * stretch, and what is written stands beside them as text, which does not.
 */
import { formatCount } from '../client/figures.js'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { moment } from './moment.ts'

interface ChartHour {
  /** Hours since 1970. */
  readonly hour: number
  readonly people: number
  readonly robots: number
}

const HOUR_MS = 3_600_000
const [WIDTH, HEIGHT] = [1_000, 100]

/** `hours`: those with counts, oldest first; the chart ends with `last` and is `span` hours long. */
export function hourChart(hours: readonly ChartHour[], last: number, span: number): Html {
  const first = last - span + 1
  const known = new Map(hours.map((one) => [one.hour, one]))
  const all = Array.from({ length: span }, (_, i) => known.get(first + i) ?? { hour: first + i, people: 0, robots: 0 })
  const top = niceTop(Math.max(...all.flatMap(({ people, robots }) => [people, robots])))
  const most = all.reduce((best, one) => (one.people > best.people ? one : best))
  const label = `Hits an hour over ${span} hours: at most ${formatCount(most.people)} by people, ${formatCount(Math.max(...all.map(({ robots }) => robots)))} by robots; in the last hour ${formatCount(all.at(-1)!.people)} and ${formatCount(all.at(-1)!.robots)}.`
  return html`<div class="hours">
    <p class="quiet scale">${formatCount(top)}</p>
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
      ${[0, HEIGHT / 2, HEIGHT].map((y) => html`<line class="${y === HEIGHT ? 'axis' : 'grid'}" x1="0" x2="${WIDTH}" y1="${y}" y2="${y}" vector-effect="non-scaling-stroke" /> `)}
      <path class="area" d="${`${path(all, 'people', top)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`}" />
      <path class="line s0" d="${path(all, 'people', top)}" vector-effect="non-scaling-stroke" />
      <path class="line s1" d="${path(all, 'robots', top)}" vector-effect="non-scaling-stroke" />
    </svg>
    <p class="quiet ends"><span>${moment(first * HOUR_MS)}</span> <span>${moment((last + 1) * HOUR_MS)}</span></p>
  </div>`
}

function path(hours: readonly ChartHour[], name: 'people' | 'robots', top: number): string {
  const step = hours.length === 1 ? WIDTH : WIDTH / (hours.length - 1)
  const points = hours.map((one, i) => `${(i * step).toFixed(1)} ${(HEIGHT * (1 - one[name] / top)).toFixed(2)}`)
  return `M${points.join('L')}`
}

/** The next of 1, 2, 5, 10, 20 …: a scale that seldom jumps. */
function niceTop(most: number): number {
  if (!(most > 0) || !Number.isFinite(most)) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return power * ([1, 2, 5, 10].find((step) => most <= step * power * 1.000001) ?? 10)
}
