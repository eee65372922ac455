/**
 * Sample stream: the samples that the server sends, gathered for a page that draws them, and the page loaded again when
 * what it shows begins or ends. Who asked for less motion gets a new picture every five seconds instead of every sample.
 */
import { SPAN_MS } from './line-chart.js'

/** What is older than minutes is drawn by a sample now and then, as the server remembers it. */
const MAX_RECENT = 300
const OLDER_EVERY_MS = 15_000
const REDRAW_MS = matchMedia('(prefers-reduced-motion: reduce)').matches ? 5_000 : 0

/**
 * `draw(samples)` gets what was sent in the last hour, oldest first. `isOf(sample)`: whether it is of the kind that
 * the page shows; the page at rest waits for one that is, the other for one that is not.
 */
export function followSamples(page, status, { isOf = () => true, draw }) {
  const isAtRest = page.dataset.state === 'none'
  const [older, samples] = [[], []]
  let drawnAt = -Infinity
  let frame
  const source = new EventSource(page.dataset.stream)
  source.addEventListener('sample', take)
  source.addEventListener('end', loadAgain)
  source.addEventListener('open', () => say(''))
  source.addEventListener('error', () => {
    if (!isAtRest) say(source.readyState === EventSource.CLOSED ? 'The stream has ended.' : 'Connecting again …')
  })
  // Otherwise some browsers keep the stream of a page that is left, and a server has only so many.
  addEventListener('pagehide', () => source.close())
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

  function take(event) {
    const sample = JSON.parse(event.data)
    // What came before it began is still remembered when it has begun.
    if (isOf(sample) === isAtRest && (isAtRest || samples.length > 0)) return loadAgain()
    if (isAtRest || !isOf(sample) || (samples.length > 0 && sample.at <= samples.at(-1).at)) return
    samples.push(sample)
    if (samples.length > MAX_RECENT) age(samples.shift())
    while (older.length > 0 && older[0].at < sample.at - SPAN_MS) older.shift()
    if (sample.at - drawnAt < REDRAW_MS) return
    drawnAt = sample.at
    drawSoon()
  }

  /** An hour comes at once when the page is opened: it is one picture. */
  function drawSoon() {
    frame ??= requestAnimationFrame(() => {
      frame = undefined
      draw([...older, ...samples], samples.at(-1))
    })
  }

  function age(sample) {
    if (older.length === 0 || sample.at - older.at(-1).at >= OLDER_EVERY_MS) older.push(sample)
  }

  function say(text) {
    if (status !== null && status.textContent !== text) status.textContent = text
  }
}

/** The server draws the other page. After a while, in case it hears of it later than we do. */
let isLoading = false
function loadAgain() {
  if (isLoading) return
  isLoading = true
  setTimeout(() => location.reload(), 1_500)
}
