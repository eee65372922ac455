/**
 * How soon is a page found? A site on loopback is crawled, as fast as it goes and slowly, and another process looks on: the time from when
 * it sees that a page was acknowledged until it sees an index that has come so far. Both are what stands on the disk.
 *
 *   node bench/searchable.ts [--seed URL] [--pages 10000] [--slow-pages 150] [--slow-delay 100] [--json]
 *
 * No peer. Proven before a figure is printed: every page that was acknowledged was found. Times are to some five milliseconds.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection } from '@comity/collection'
import { readIndexManifest } from '@comity/index'
import { readArguments } from './arguments.ts'
import { ownProgram } from './crawlers/contender.ts'
import { proven } from './equal-work.ts'
import { formatCount } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  seed: 'http://127.0.0.16:8080/',
  pages: 10_000,
  'slow-pages': 150,
  'slow-delay': 100,
  json: false,
})

const LOOK_MS = 5

interface Seen {
  readonly pages: number
  /** When somebody else saw that they are durable, and that they can be found. */
  readonly acknowledgedAt: number
  readonly foundAt: number
}

const figures: Record<string, number> = {}
await measure('as fast as it goes', ['--delay=0', `--max-pages=${flags.pages}`])
await measure('slowly', [
  `--delay=${flags['slow-delay']}ms`,
  '--pages-per-connection=1000',
  `--max-pages=${flags['slow-pages']}`,
])
if (flags.json) console.log(JSON.stringify(figures))

async function measure(name: string, args: readonly string[]): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-searchable-'))
  try {
    const into = join(dir, 'c')
    const words = ['crawl', flags.seed, '--allow-private', '--site-pages=1000000', `--into=${into}`, '--json', ...args]
    const child = spawn(ownProgram, words, { stdio: 'ignore' })
    const began = performance.now()
    const seen = await lookOn(into, child)
    report(name, seen, (performance.now() - began) / 1e3)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function lookOn(into: string, child: ChildProcess): Promise<Seen[]> {
  while (!existsSync(join(into, 'collection.json')) && isRunning(child)) await sleep(LOOK_MS)
  await using collection = Collection.openReadOnly(into)
  const waiting: { change: number; pages: number; at: number }[] = []
  const seen: Seen[] = []
  for (let last = 0, isLast = false; !isLast; await sleep(LOOK_MS)) {
    isLast = !isRunning(child)
    const at = performance.now()
    for (const { number, pages } of collection.changes(last)) {
      waiting.push({ change: number, pages: pages.length, at })
      last = number
    }
    const { position } = readIndexManifest(join(into, 'index'))
    while (waiting.length > 0 && waiting[0]!.change <= position) {
      const { pages, at: acknowledgedAt } = waiting.shift()!
      seen.push({ pages, acknowledgedAt, foundAt: performance.now() })
    }
  }
  const unfound = waiting.reduce((sum, { pages }) => sum + pages, 0)
  return unfound === 0 ? seen : [...seen, { pages: unfound, acknowledgedAt: 0, foundAt: Number.NaN }]
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

function report(name: string, seen: readonly Seen[], seconds: number): void {
  const acknowledged = seen.reduce((sum, { pages }) => sum + pages, 0)
  const found = seen.filter(({ foundAt }) => !Number.isNaN(foundAt)).reduce((sum, { pages }) => sum + pages, 0)
  const sides = [acknowledged, found].map((pages, n) => ({ name: ['acknowledged', 'found'][n]!, work: [{ pages }] }))
  if (!proven(`pages, ${name}`, sides)) return
  const waits = seen.flatMap(({ pages, acknowledgedAt, foundAt }) =>
    Array<number>(pages).fill(foundAt - acknowledgedAt),
  )
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  const [p50, p99, all] = [at(0.5), at(0.99), at(1)]
  console.log(
    `${name}: ${formatCount(acknowledged)} pages, ${formatCount(acknowledged / seconds)} a second; ` +
      `found ${p50.toFixed(0)} ms after they were acknowledged (p50), ${p99.toFixed(0)} ms (p99), all within ${all.toFixed(0)} ms`,
  )
  Object.assign(figures, {
    [`${name} p50 ms`]: p50,
    [`${name} p99 ms`]: p99,
    [`${name} pages/s`]: acknowledged / seconds,
  })
}
