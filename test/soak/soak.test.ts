/** The soak itself: what it would tell, and that its five commands still live together. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { missing } from '@comity/protocol/testing'
import { temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { clock, soakPlot } from './plot.ts'
import { growths, readingOf } from './reading.ts'
import type { Reading } from './reading.ts'

const MB = 1e6
const row = (memoryAt: (minute: number) => number, files = 40): Reading[] =>
  Array.from({ length: 100 }, (_, minute) => ({
    at: minute * 60_000,
    memory: memoryAt(minute) * MB,
    files,
    threads: 9,
  }))

// oxfmt-ignore
const rows: readonly [sentence: string, readings: Reading[], found: string[]][] = [
  ['one that finds its size is at rest',              row((minute) => 300 - 200 * 0.9 ** minute),              []],
  ['one that breathes is at rest',                    row((minute) => 200 + 60 * Math.sin(minute)),            []],
  ['one that goes on growing is told, with its rate', row((minute) => 100 + 15 * minute),                      ['memory 900 an hour']],
  ['a few readings tell nothing',                     row((minute) => 100 + 15 * minute).slice(0, 8),          []],
]
for (const [sentence, readings, found] of rows) {
  test(`of a long run, ${sentence}`, () => {
    const told = growths(readings).map(({ measure, perHour }) => `${measure} ${Math.round(perHour / MB)} an hour`)
    assert.deepEqual(told, found)
  })
}

test('files that are never closed are told, too', () => {
  const leaking = row(() => 100).map((one, i) => Object.assign(one, { files: 40 + i }))
  assert.deepEqual(
    growths(leaking).map(({ measure }) => measure),
    ['files'],
  )
})

test('a process is read as the system tells of it, and one that is gone is none', (t) => {
  if (process.platform !== 'linux') return missing(t, '/proc', 'run on Linux')
  const own = readingOf(process.pid, 5)
  assert.ok(own !== undefined && own.at === 5)
  assert.ok(own.memory > 5 * MB && own.files > 3 && own.threads > 3, JSON.stringify(own))
  assert.equal(readingOf(2 ** 30, 0), undefined)
})

test('the plot has a line for each process in each of its panels, named at its end', () => {
  const svg = soakPlot(
    new Map([
      ['watch', row((minute) => 100 + minute)],
      ['serve', row(() => 80)],
    ]),
  )
  assert.equal(svg.match(/<polyline/g)?.length, 6)
  assert.equal(svg.match(/>watch</g)?.length, 3)
  assert.match(svg, />1:39:00</)
  assert.equal(clock(3_661_000), '1:01:01')
})

test('five commands live together for a moment, and each is read', { timeout: 120_000 }, async (t) => {
  if (process.platform !== 'linux') return missing(t, '/proc', 'run on Linux')
  using folder = temporaryFolder()
  const plot = folder.at('soak.svg')
  const program = fileURLToPath(new URL('soak.ts', import.meta.url))
  const child = spawn(process.execPath, [program, '--minutes', '0.03', '--plot', plot], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  assert.equal(code, 0, said)
  assert.match(said, /time +watch +publish +serve +receiver +gateway/)
  assert.match(said, /^0:00:0\d +(?:\d+\/\d+\/\d+ *){5}$/m)
  assert.match(said, /pages read, \d+ questions; 0 of these failed/)
  assert.equal(readFileSync(plot, 'utf8').match(/<polyline/g)?.length, 15)
})
