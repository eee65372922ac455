/**
 * Live: moves the numbers and plots of the live page with the samples that the server sends. What it writes is text,
 * never markup.
 */
import { createControlPanel } from './control-panel.js'
import { counted, formatBytes, formatCount, formatRate, formatShare } from './figures.js'
import { add, createLineChart } from './line-chart.js'
import { followSamples } from './sample-stream.js'

const FORMATS = {
  rate: formatRate,
  bytes: formatBytes,
  count: (value) => (value < 1 && value > 0 ? formatRate(value) : formatCount(value)),
  share: formatShare,
}

/** What the notes below the numbers say, by the first number of the plot: as the server writes them. */
const NOTES = {
  pagesPerSecond: ({ pages }) => `${formatCount(pages)} pages so far`,
  bytesPerSecond: ({ bytes }) => `${formatBytes(bytes)} so far`,
  sitesReady: ({ pagesWaiting }) => `${formatCount(pagesWaiting)} pages wait on them`,
  errors: ({ visits }) => `${counted(visits, 'visit')} under way`,
}

const root = document.getElementById('live')

const sumOf = (counts) => Object.values(counts).reduce((a, b) => a + b, 0)
const valueOf = (sample, member) => (member === 'errors' ? sumOf(sample.errors) : Number(sample[member]))

if (root !== null) {
  const plots = root.dataset.state === 'none' ? [] : [...root.querySelectorAll('figure.plot')].map(createPlot)
  followSamples(root, document.getElementById('live-status'), {
    draw: (samples, sample) => {
      for (const plot of plots) plot(samples, sample)
      showErrors(sample.errors)
    },
  })
}
createControlPanel(document.getElementById('control'))

function createPlot(figure) {
  const members = figure.dataset.series.split(' ').map((pair) => pair.split(':'))
  const format = FORMATS[figure.dataset.format]
  const chart = createLineChart(figure, {
    label: `${figure.querySelector('h2').textContent} over the last hour at most, in ${figure.dataset.unit}`,
    series: members.map(([member, name]) => ({ name, of: (sample) => valueOf(sample, member) })),
    format,
    ceiling: figure.dataset.format === 'share' ? 1 : undefined,
  })
  const [now, note] = [figure.querySelector('.now'), figure.querySelector('.note-now')]
  return (samples, sample) => {
    now.textContent = members.map(([member]) => format(valueOf(sample, member))).join(' / ')
    const words = NOTES[members[0][0]]
    if (words !== undefined) note.textContent = words(sample)
    chart.draw(samples, sample.at)
  }
}

/** Failures by cause, most frequent first; what the server said of a cause stays beside it. */
function showErrors(errors) {
  const place = document.getElementById('live-errors')
  const causes = Object.entries(errors).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  if (place === null || causes.length === 0) return
  place.querySelector('.none').hidden = true
  place.querySelector('table').hidden = false
  const body = place.querySelector('tbody')
  const rows = new Map([...body.rows].map((row) => [row.querySelector('bdi').textContent, row]))
  const most = causes[0][1]
  const shown = causes.slice(0, 40).map(([cause, count]) => {
    const row = rows.get(cause) ?? newRow(cause)
    row.cells[1].firstChild.textContent = formatCount(count)
    row.querySelector('.part').setAttribute('width', count > 0 ? Math.max(1, Math.round((100 * count) / most)) : 0)
    return row
  })
  body.replaceChildren(...shown)
}

function newRow(cause) {
  const row = document.createElement('tr')
  const name = document.createElement('th')
  name.scope = 'row'
  name.append(document.createElement('code'))
  name.firstChild.append(document.createElement('bdi'))
  name.firstChild.firstChild.textContent = cause
  const count = document.createElement('td')
  count.className = 'right'
  count.append('0')
  const svg = add(count, 'svg', {
    class: 'bar',
    viewBox: '0 0 100 6',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  })
  add(svg, 'rect', { class: 'all', width: 100, height: 6 })
  add(svg, 'rect', { class: 'part', width: 0, height: 6 })
  row.append(name, count, document.createElement('td'))
  return row
}
