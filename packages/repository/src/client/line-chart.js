/**
 * Line chart: up to the last hour of a few numbers, as SVG, side by side or one upon the other; a young crawl has
 * a shorter time to itself. Few labels: the top of the scale, nothing at the bottom, times below. Everything is set by
 * attributes and classes, as the page's policy allows no inline style.
 */
const SVG = 'http://www.w3.org/2000/svg'
export const SPAN_MS = 3_600_000
/** How much time is drawn, and which moments before now are named, in seconds or minutes. */
const SPANS = [
  { ms: 30_000, unit: 's', unitMs: 1_000, marks: [20, 10] },
  { ms: 120_000, unit: 's', unitMs: 1_000, marks: [90, 60, 30] },
  { ms: 300_000, unit: 'min', unitMs: 60_000, marks: [4, 3, 2, 1] },
  { ms: 1_200_000, unit: 'min', unitMs: 60_000, marks: [15, 10, 5] },
  { ms: SPAN_MS, unit: 'min', unitMs: 60_000, marks: [50, 40, 30, 20, 10] },
]
const HEIGHT = 130
const [LEFT, RIGHT, TOP, BOTTOM] = [0, 4, 18, 20]
const NAME_HEIGHT = 15

/**
 * `series` are functions from a sample to its number, with a name each; `format` writes a number of the scale.
 * `isStacked`: each stands on those before it. The chart is as wide as `figure` and stays so.
 */
export function createLineChart(figure, { label, series: given, format, ceiling, isStacked = false }) {
  const series = isStacked ? stacked(given) : given
  const svg = add(figure, 'svg', { class: 'chart', role: 'img', 'aria-label': label, height: HEIGHT, width: '100%' })
  let drawn = [[], 0]
  new ResizeObserver(() => draw(...drawn)).observe(figure)

  /** Draws `samples`, oldest first, with `now` at the right edge. */
  function draw(samples, now) {
    drawn = [samples, now]
    const width = Math.max(120, Math.round(figure.clientWidth))
    const top = ceiling ?? niceTop(Math.max(0, ...samples.flatMap((sample) => series.map(({ of }) => of(sample)))))
    const age = samples.length === 0 ? 0 : now - samples[0].at
    const span = SPANS.find(({ ms }) => age <= ms) ?? SPANS.at(-1)
    const x = (at) => LEFT + (width - LEFT - RIGHT) * (1 - (now - at) / span.ms)
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(1, value / top))
    svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`)
    svg.replaceChildren()
    axes(width, top, span, x, y)
    if (isStacked) for (const i of series.keys()) layer(i, samples, x, y)
    else if (samples.length > 0) {
      for (const [i, { of }] of series.entries()) line(of, i, samples, x, y)
      if (series.length > 1) names(samples.at(-1), x, y)
    }
  }

  function axes(width, top, { unit, unitMs, marks }, x, y) {
    for (const value of [0, top / 2, top]) {
      add(svg, 'line', {
        class: value === 0 ? 'axis' : 'grid',
        x1: LEFT,
        x2: width - RIGHT,
        y1: y(value),
        y2: y(value),
      })
    }
    add(svg, 'text', { x: LEFT, y: y(top) - 5 }).textContent = format(top)
    const times = width > 260 ? marks : marks.filter((_, i) => i % 2 === 0)
    for (const time of times) {
      add(svg, 'text', { x: x(drawn[1] - time * unitMs), y: HEIGHT - 5, 'text-anchor': 'middle' }).textContent =
        time === times[0] ? `${time} ${unit} ago` : time
    }
    add(svg, 'text', { x: width - RIGHT, y: HEIGHT - 5, 'text-anchor': 'end' }).textContent = 'now'
  }

  function layer(i, samples, x, y) {
    if (samples.length === 0) return
    const edge = (of) => samples.map((sample) => `${x(sample.at).toFixed(1)} ${y(of(sample)).toFixed(1)}`)
    const [above, below] = [edge(series[i].of), edge(i === 0 ? () => 0 : series[i - 1].of)]
    add(svg, 'path', { class: `layer s${i}`, d: `M${above.join('L')}L${below.toReversed().join('L')}Z` })
  }

  function line(of, i, samples, x, y) {
    const points = samples.map((sample) => `${x(sample.at).toFixed(1)} ${y(of(sample)).toFixed(1)}`)
    if (series.length === 1) {
      const [from, to] = [x(samples[0].at), x(samples.at(-1).at)]
      add(svg, 'path', {
        class: 'area',
        d: `M${from.toFixed(1)} ${y(0)}L${points.join('L')}L${to.toFixed(1)} ${y(0)}Z`,
      })
    }
    add(svg, 'path', { class: `line s${i}`, d: `M${points.join('L')}` })
    const last = samples.at(-1)
    add(svg, 'circle', { class: `dot s${i}`, cx: x(last.at).toFixed(1), cy: y(of(last)).toFixed(1), r: 3 })
  }

  /** Lines are told apart by name and dashes, not by colour alone. Names stand over all lines; the upper one's comes first. */
  function names(last, x, y) {
    const ends = series.map(({ name, of }, i) => ({ name, i, at: y(of(last)) })).toSorted((a, b) => a.at - b.at)
    let before = -Infinity
    for (const [n, { name, i, at }] of ends.entries()) {
      // Above its line, or below the name before; and high enough for those that follow.
      const lowest = HEIGHT - BOTTOM - 3 - (ends.length - 1 - n) * NAME_HEIGHT
      before = Math.min(lowest, Math.max(TOP + 4, at - 6, before + NAME_HEIGHT))
      const place = { class: `name s${i}`, x: x(last.at) - 8, y: before, 'text-anchor': 'end' }
      add(svg, 'text', place).textContent = name
    }
  }

  return { draw }
}

/** Functions that add up what those before them give. */
const stacked = (series) =>
  series.map((one, i) => ({
    ...one,
    of: (sample) => series.slice(0, i + 1).reduce((sum, { of }) => sum + of(sample), 0),
  }))

/** The next of 1, 2, 5, 10, 20 …: a scale that seldom jumps. */
export function niceTop(most) {
  if (!(most > 0) || !Number.isFinite(most)) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return power * ([1, 2, 5, 10].find((step) => most <= step * power * 1.000001) ?? 10)
}

export function add(parent, name, attributes = {}) {
  const element = parent.ownerDocument.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  parent.append(element)
  return element
}
