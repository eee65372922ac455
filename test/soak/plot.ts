/** Soak plot: memory, files and threads of each process over the time, one above the other, as one SVG for light and dark. */
import { MEASURES } from './reading.ts'
import type { Measure, Reading } from './reading.ts'

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP] = [860, 200, 70, 110, 30, 40]
/** Told apart by those who see few colours, too (Okabe and Ito 2008), and by the name at the end of each line. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#a08000']
const TITLES: Readonly<Record<Measure, string>> = { memory: 'Memory, MB', files: 'Open files', threads: 'Threads' }
const NAME_HEIGHT = 14

export type Series = ReadonlyMap<string, readonly Reading[]>

export function soakPlot(series: Series): string {
  const height = TOP + MEASURES.length * (HEIGHT + GAP)
  const panels = MEASURES.map((measure, i) => panel(series, measure, TOP + i * (HEIGHT + GAP)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Memory, open files and threads of each process over the time">
<style>svg{background:#fff;color:#222;font:12px system-ui,sans-serif}text{fill:currentColor}.grid{stroke:currentColor;stroke-opacity:.15}polyline{fill:none;stroke-width:1.5}
@media (prefers-color-scheme:dark){svg{background:#181818;color:#ddd}}</style>
${panels.join('\n')}
</svg>
`
}

function panel(series: Series, measure: Measure, top: number): string {
  const all = [...series.values()].flat()
  const unit = measure === 'memory' ? 1e6 : 1
  const most = niceTop(Math.max(1, ...all.map((one) => one[measure] / unit)))
  const end = Math.max(1, ...all.map(({ at }) => at))
  const x = (at: number): number => LEFT + (at / end) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => top + HEIGHT * (1 - value / unit / most)
  const lines = [0, 0.5, 1].map((share) => {
    const at = top + HEIGHT * (1 - share)
    return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text x="${LEFT - 8}" y="${at + 4}" text-anchor="end">${most * share}</text>`
  })
  const drawn = [...series].map(([, readings], i) => {
    const points = readings.map((one) => `${x(one.at).toFixed(1)},${y(one[measure]).toFixed(1)}`).join(' ')
    return `<polyline points="${points}" stroke="${COLORS[i % COLORS.length]}"/>`
  })
  const ends = [...series].flatMap(([name, readings], i) => {
    const last = readings.at(-1)
    return last === undefined ? [] : [{ name, i, at: y(last[measure]) }]
  })
  const names = spread(ends).map(
    ({ name, i, at }) =>
      `<text x="${WIDTH - RIGHT + 8}" y="${at + 4}" style="fill:${COLORS[i % COLORS.length]}">${name}</text>`,
  )
  const times = [0, 0.5, 1].map(
    (share) => `<text x="${x(end * share)}" y="${top + HEIGHT + 16}" text-anchor="middle">${clock(end * share)}</text>`,
  )
  return [
    `<text x="${LEFT}" y="${top - 8}" font-weight="600">${TITLES[measure]}</text>`,
    ...lines,
    ...drawn,
    ...names,
    ...times,
  ].join('\n')
}

/** Names that would stand upon each other move apart, downwards. */
function spread<Placed extends { at: number }>(places: readonly Placed[]): Placed[] {
  let free = -Infinity
  return places
    .toSorted((a, b) => a.at - b.at)
    .map((place) => {
      const at = Math.max(place.at, free)
      free = at + NAME_HEIGHT
      return Object.assign(place, { at })
    })
}

function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 4, 6, 10].find((step) => step * power >= value) ?? 10)
}

/** `1:05:30` */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

const two = (n: number): string => String(n).padStart(2, '0')
