/**
 * Freshness: moves the numbers, plots and tables of the freshness page, and of the page of sites that push, with the samples
 * that the server sends. What it writes is text, never markup; rows that can be are there already.
 */
import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from './figures.js'
import { createLineChart } from './line-chart.js'
import { followSamples } from './sample-stream.js'
import { GROUP_NAMES, needlessShare, requestsByGroup } from './schemes.js'

/** Rates are over the last so many milliseconds: with a few requests a second, less would be noise. */
const WINDOW_MS = 5_000
const RENEW_MS = 10_000

/** What is drawn where, by the name of the plot. `now`: the large number; `note`: the line below it, when it moves. */
const PLOTS = {
  freshness: {
    series: (truth) => [
      { name: 'estimated', of: ({ watch }) => watch.freshness },
      ...(truth === undefined ? [] : [{ name: 'true', of: (point) => point.truth?.freshness ?? 1 }]),
    ],
    format: formatShare,
    ceiling: 1,
  },
  truth: {
    series: (truth) =>
      truth.groups.map(({ name }, i) => ({ name, of: (point) => point.truth?.groups[i]?.freshness ?? 1 })),
    format: formatShare,
    ceiling: 1,
  },
  age: {
    series: () => [{ name: 'age', of: ({ watch }) => watch.ageSeconds }],
    format: formatSeconds,
  },
  requests: {
    series: () => GROUP_NAMES.map((name, i) => ({ name, of: ({ rates }) => rates[i] })),
    format: formatRate,
    isStacked: true,
    now: ({ rates }) => formatRate(rates.reduce((sum, rate) => sum + rate, 0)),
    note: ({ watch }) =>
      `${formatCount(watch.requests)} so far; ${formatRate(watch.requestsPerSecond)} a second allowed`,
  },
  needless: {
    series: () => [{ name: 'needless', of: ({ needless }) => needless }],
    format: formatShare,
    ceiling: 1,
    note: ({ watch }) => `${formatCount(watch.needless)} visits found nothing new`,
  },
  calls: {
    series: () => [{ name: 'pages and notices', of: ({ watch }) => watch.pushes.perSecond }],
    format: formatRate,
    note: ({ watch }) => `${formatBytes(watch.pushes.bytes)} so far`,
  },
  searchable: {
    series: () => [
      { name: 'half of them', of: ({ watch }) => (watch.pushes.searchable?.p50Ms ?? 0) / 1_000 },
      { name: '99 of 100', of: ({ watch }) => (watch.pushes.searchable?.p99Ms ?? 0) / 1_000 },
    ],
    format: formatSeconds,
    now: ({ watch }) => (watch.pushes.searchable === undefined ? '–' : undefined),
  },
  taken: {
    series: () => [
      { name: 'half of them', of: ({ watch }) => watch.pushes.delayP50Ms / 1_000 },
      { name: '99 of 100', of: ({ watch }) => watch.pushes.delayP99Ms / 1_000 },
    ],
    format: formatSeconds,
  },
  waiting: {
    series: () => [{ name: 'requests', of: ({ watch }) => watch.pushes.doors?.waiting ?? 0 }],
    format: formatCount,
  },
}

function formatSeconds(seconds) {
  return formatDuration(seconds * 1_000)
}

const root = document.getElementById('freshness')
if (root !== null) {
  let plots
  followSamples(root, document.getElementById('freshness-status'), {
    isOf: ({ watch }) => (root.dataset.of === 'pushes' ? watch?.pushes : watch) !== undefined,
    draw: (samples, sample) => {
      plots ??= [...root.querySelectorAll('figure.plot')].flatMap((figure) => createPlot(figure, sample.truth))
      const points = pointsOf(samples)
      for (const plot of plots) plot(points)
      fillSchemes(sample.watch)
      fillChannels(sample.watch)
      if (sample.truth !== undefined) fillKinds(sample.truth)
      if (sample.watch.pushes !== undefined) fillCalls(sample.watch.pushes)
    },
  })
}

/** Who pushes and whom to believe change slowly: the server draws them anew now and then, unless somebody is reading there. */
if (root?.dataset.state === 'watch') setInterval(() => void renewSections(), RENEW_MS)

async function renewSections() {
  const response = document.hidden ? undefined : await fetch(location.href).catch(() => undefined)
  if (response?.ok !== true) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const id of ['calls', 'trust']) {
    const [shown, drawn] = [document.getElementById(id), page.getElementById(id)]
    const isRead = shown?.querySelector('details[open]') !== null || shown.contains(document.activeElement)
    if (drawn !== null && !isRead) shown.replaceWith(document.adoptNode(drawn))
  }
}

/** Samples with the rates that follow from those before them. */
function pointsOf(samples) {
  let from = 0
  return samples.map((sample, at) => {
    while (samples[from].at < sample.at - WINDOW_MS) from++
    // Of what is old, samples are farther apart than the window is long.
    const before = samples[Math.min(from, Math.max(0, at - 1))]
    // The first moments are too short to have a rate.
    const seconds = Math.max(2_000, sample.at - before.at) / 1_000
    const [then, now] = [requestsByGroup(before.watch), requestsByGroup(sample.watch)]
    const spent = {
      requests: sample.watch.requests - before.watch.requests,
      needless: sample.watch.needless - before.watch.needless,
    }
    const rates = now.map((count, i) => Math.max(0, count - then[i]) / seconds)
    return { ...sample, rates, needless: Math.min(1, needlessShare(spent.requests > 0 ? spent : sample.watch)) }
  })
}

function createPlot(figure, truth) {
  const plot = PLOTS[figure.dataset.plot]
  if (plot === undefined || (figure.dataset.plot === 'truth' && truth === undefined)) return []
  const series = plot.series(truth)
  const chart = createLineChart(figure, {
    ...plot,
    series,
    label: `${figure.querySelector('h2').textContent} over the last hour at most, in ${figure.dataset.unit}`,
  })
  const [now, note] = [figure.querySelector('.now'), figure.querySelector('.note-now')]
  const draw = (points) => {
    const last = points.at(-1)
    now.textContent = plot.now?.(last) ?? series.map(({ of }) => plot.format(of(last))).join(' / ')
    if (plot.note !== undefined) note.textContent = plot.note(last)
    chart.draw(points, last.at)
  }
  return [draw]
}

function fillSchemes({ schemes }) {
  const most = Math.max(1, ...Object.values(schemes).map(({ requests }) => requests))
  fill('by-scheme', schemes, ({ requests, bytes, changed, unchanged }) => ({
    texts: [formatCount(requests), formatBytes(bytes), formatCount(changed), formatCount(unchanged)],
    share: requests / most,
  }))
}

function fillChannels({ signals }) {
  fill('by-channel', signals, ({ news, known }) => ({ texts: [formatCount(news), formatCount(known)] }))
  showTable('by-channel', signals)
}

const countWords = (count) => ({ texts: [formatCount(count)] })

function fillCalls({ outcomes, doors }) {
  for (const [id, counts] of [
    ['by-outcome', outcomes],
    ['by-refusal', doors?.refused ?? {}],
  ]) {
    fill(id, counts, countWords)
    showTable(id, counts)
  }
}

/** In place of the words that there is nothing yet. */
function showTable(id, record) {
  const table = document.getElementById(id)
  if (table === null || Object.keys(record).length === 0) return
  table.hidden = false
  table.previousElementSibling.hidden = true
}

function fill(id, record, wordsOf) {
  for (const row of document.querySelectorAll(`#${id} tbody tr`)) {
    if (!Object.hasOwn(record, row.dataset.row)) continue
    row.hidden = false
    write(row, wordsOf(record[row.dataset.row]))
  }
}

function fillKinds({ groups }) {
  for (const [i, row] of [...document.querySelectorAll('#by-kind tbody tr')].entries()) {
    const group = groups[i]
    if (group === undefined) continue
    const { freshness, ageSeconds, pages, changes, requests, bytes } = group
    const texts = [
      formatShare(freshness),
      formatDuration(ageSeconds * 1_000),
      formatCount(pages),
      formatCount(changes),
      formatCount(requests),
      formatBytes(bytes),
    ]
    write(row, { texts, share: freshness })
  }
}

/** Numbers stand in the cells after the first, with a bar beside the first of them where there is a share. */
function write(row, { texts, share }) {
  for (const [i, text] of texts.entries()) row.cells[i + 1].querySelector('span').textContent = text
  const part = row.querySelector('.bar .part')
  if (share !== undefined) part?.setAttribute('width', share > 0 ? Math.max(1, Math.round(100 * share)) : 0)
}
