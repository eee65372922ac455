/**
 * Fifty people search while a crawl fills the collection: what does it cost the crawl, and how long do they wait?
 *
 *   node bench/search-load.ts [--seed URL] [--rounds 3] [--searchers 50] [--pause 1000] [--json]
 *
 * A crawl alone, then the same with `comity serve` beside it and fifty searchers that ask all at the same moment, wait
 * for the answer, and ask again after `--pause` milliseconds (0 asks again at once, as no people do). Crawl, server and
 * searchers share the machine. In turns, with empty storage; equal work: both crawls must hold as many pages.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatCount, median } from './measure.ts'

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: 'http://127.0.0.16:8080/' },
    rounds: { type: 'string', default: '3' },
    searchers: { type: 'string', default: '50' },
    pause: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
})

const comity = join(import.meta.dirname, '../packages/cli/bin/comity.js')
/** Words of the OpenJDK manual, frequent and rare; other sites answer them with whatever they have. */
const QUERIES = [
  'string',
  'hash map',
  'java.util.concurrent',
  'returns the value',
  '"thread safe"',
  'title:list',
  'socket channel',
  'iterator -map',
  'regular expression',
  'security manager',
  'input stream read bytes',
  'swing component listener',
]

interface Run {
  readonly pages: number
  readonly pagesPerSecond: number
  readonly waits: readonly number[]
}

const runs: Record<'alone' | 'searched', Run[]> = { alone: [], searched: [] }
for (let round = 0; round < Number(flags.rounds); round++) {
  for (const kind of ['alone', 'searched'] as const) {
    const run = await measure(kind === 'searched')
    runs[kind].push(run)
    console.error(
      `round ${round + 1} ${kind}: ${formatCount(run.pages)} pages, ${formatCount(run.pagesPerSecond)} pages/s, ${run.waits.length} searches`,
    )
  }
}
report()

async function measure(isSearched: boolean): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-search-load-'))
  try {
    const crawl = spawn(
      comity,
      [
        'crawl',
        flags.seed,
        '--allow-private',
        '--json',
        `--into=${join(dir, 'c')}`,
        '--delay=0',
        '--site-pages=1000000',
        '--pages-per-connection=1000',
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const printed = textOf(crawl)
    const waits = isSearched ? await searchWhile(crawl, join(dir, 'c')) : []
    if (crawl.exitCode === null) await once(crawl, 'exit')
    const { pages, pagesPerSecond } = JSON.parse((await printed).trim().split('\n').at(-1)!) as Run
    return { pages, pagesPerSecond, waits }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Search as long as the crawl runs; gives how long each search took, in milliseconds. */
async function searchWhile(crawl: ChildProcess, into: string): Promise<number[]> {
  while (!existsSync(join(into, 'collection.json')) && crawl.exitCode === null) await sleep(20)
  const server = spawn(comity, ['serve', into, '--port=0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(server.stdout!, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }
    const agent = new Agent({ keepAlive: true, maxSockets: Number(flags.searchers) })
    const waits: number[] = []
    await Promise.all(
      Array.from({ length: Number(flags.searchers) }, async (_, who) => {
        for (let n = who; crawl.exitCode === null; n++) {
          waits.push(await search(url, QUERIES[n % QUERIES.length]!, agent))
          // To the same moment for all: the fifty questions come at once.
          const pause = Number(flags.pause)
          if (pause > 0) await sleep(pause - (Date.now() % pause))
        }
      }),
    )
    agent.destroy()
    return waits
  } finally {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  }
}

function search(url: string, query: string, agent: Agent): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(`${url}api/v1/search?q=${encodeURIComponent(query)}`, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the server answered ${response.statusCode}`))
      response.resume().on('end', () => resolve(performance.now() - startedAt))
    }).on('error', reject)
  })
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout!) text += String(chunk)
  return text
}

function report(): void {
  const rate = (kind: keyof typeof runs): number => median(runs[kind].map(({ pagesPerSecond }) => pagesPerSecond))
  const waits = runs.searched.flatMap((run) => run.waits).toSorted((a, b) => a - b)
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? NaN
  const pages = new Set(Object.values(runs).flatMap((all) => all.map((run) => run.pages)))
  const figures = {
    pages: [...pages],
    alone: rate('alone'),
    searched: rate('searched'),
    fall: 1 - rate('searched') / rate('alone'),
    searches: waits.length,
    p50: at(0.5),
    p99: at(0.99),
  }
  if (flags.json) {
    console.log(JSON.stringify(figures))
    return
  }
  console.log(
    pages.size === 1 ? `equal work: ${[...pages][0]} pages each` : `UNEQUAL WORK: ${[...pages].join(', ')} pages`,
  )
  console.log(
    `crawl alone ${formatCount(figures.alone)} pages/s, searched ${formatCount(figures.searched)} pages/s: ${(100 * figures.fall).toFixed(1)} % less`,
  )
  console.log(
    `${formatCount(figures.searches)} searches by ${flags.searchers} at once: p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms`,
  )
}
