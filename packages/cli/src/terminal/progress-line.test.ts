import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlProgress } from '@comity/crawler'
import { ProgressLine, progressText } from './progress-line.ts'
import { plain } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const progress = (pages: number): CrawlProgress => ({
  totals: { pages, bytes: pages * 1_000, links: 0, requests: pages, outcomes: { ok: pages, 'client-error': 2 } },
  waiting: 40,
  visits: 3,
  sitesReady: 1,
  restMs: 0,
  sites: 2,
})

function fakeTerminal(columns: number | undefined): Terminal & { readonly written: string[] } {
  const written: string[] = []
  return {
    written,
    env: {},
    paint: plain,
    errorPaint: plain,
    liveColumns: () => columns,
    print: () => undefined,
    say: (text) => void written.push(`${text}\n`),
    draw: (text) => void written.push(text),
    write: () => Promise.resolve(),
  }
}

test('the rate now is that of the last seconds, the rate overall that of the whole run', () => {
  const terminal = fakeTerminal(120)
  let now = 0
  const line = new ProgressLine(terminal, () => now)
  line.update(progress(100))
  for (now = 1_000; now <= 10_000; now += 1_000) line.update(progress(100 + (now <= 5_000 ? now / 10 : 500)))
  assert.match(
    terminal.written.at(-1) ?? '',
    /600 pages · 0\/s now · 50\/s overall · 600 KB · 40 waiting · 1 site ready · 2 errors$/,
  )
})

test('where nobody can watch a line change, one plain line comes every ten seconds', () => {
  const terminal = fakeTerminal(undefined)
  let now = 0
  const line = new ProgressLine(terminal, () => now)
  for (now = 0; now <= 30_000; now += 500) line.update(progress(now / 100))
  line[Symbol.dispose]()
  assert.equal(terminal.written.length, 3)
  assert.doesNotMatch(terminal.written.join(''), /\p{Cc}(?<!\n)/u)
})

test('a message stands above the live line, and nothing is left of the line at the end', () => {
  const terminal = fakeTerminal(80)
  {
    using line = new ProgressLine(terminal, () => 0)
    line.update(progress(1))
    line.say('stopping')
  }
  const [first = '', wiped, message, again, last] = terminal.written
  assert.deepEqual([wiped, message, again, last], ['\r\x1b[2K', 'stopping\n', first, '\r\x1b[2K'])
})

test('the line never gets wider than the screen', () => {
  const figures = {
    pages: 1e9,
    perSecondNow: 12_345,
    perSecond: 9_876,
    bytes: 1e15,
    waiting: 1e9,
    sitesReady: 1e6,
    restMs: 0,
    errors: 1e7,
  }
  for (let columns = 10; columns < 200; columns++) assert.ok(progressText(figures, columns).length <= columns)
})

test('80 columns show every figure of a busy crawl', () => {
  const figures = {
    pages: 123_456,
    perSecondNow: 1_234,
    perSecond: 987,
    bytes: 123e6,
    waiting: 98_765,
    sitesReady: 42,
    restMs: 0,
    errors: 321,
  }
  const text = progressText(figures, 79)
  for (const part of ['123,456 pages', '1,234/s', '(987)', '123 MB', '98,765 waiting', '42 ready', '321 errors']) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
})

test('where no site is ready, it says that they rest, and for how long', () => {
  const figures = {
    pages: 3,
    perSecondNow: 0,
    perSecond: 1,
    bytes: 9,
    waiting: 7,
    sitesReady: 0,
    restMs: 13_200,
    errors: 0,
  }
  assert.ok(progressText(figures, 200).includes('0 sites ready, all rest, the first 14 s more · 0 errors'))
  assert.ok(!progressText({ ...figures, waiting: 0, restMs: Infinity }, 200).includes('rest'))
  assert.ok(!progressText({ ...figures, sitesReady: 1 }, 200).includes('rest'))
})
