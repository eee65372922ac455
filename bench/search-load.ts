/**
 * Fifty people search while a crawl fills the collection: what does it cost the crawl, and how long do they wait?
 *
 *   node bench/search-load.ts [--seed URL] [--rounds 3] [--searchers 50] [--pause 1000] [--apart] [--json]
 *
 * First a few hundred pages, then the rest of the site: once alone, and once with `comity serve` beside it and fifty
 * searchers that ask all at the same moment (`--apart`: each at its own), wait for the answer, and ask again after
 * `--pause` milliseconds (0 asks again at once, as no people do). The server is asked for some seconds before the crawl goes on: one that has just
 * started compiles its code while it answers. Crawl, server and searchers share the machine. In turns, with empty
 * storage; equal work: all crawls must end with as many pages.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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
    /** Each searcher asks at a moment of its own. */
    apart: { type: 'boolean', default: false },
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

const queryAt = (n: number): string => QUERIES[n % QUERIES.length]!

interface Run {
  readonly pages: number
  readonly pagesPerSecond: number
  /** Milliseconds that each search took. */
  readonly waits: readonly number[]
}

const FIRST_PAGES = 500
const WARM_UP_MS = 5_000

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
  const into = join(dir, 'c')
  try {
    await crawl(into, [`--max-pages=${FIRST_PAGES}`])
    if (!isSearched) return { ...(await crawl(into)), waits: [] }
    await using server = await serve(into)
    // Every second question is a new one, as an old one would be answered from memory.
    const warmUp = (n: number): string => (n % 2 === 0 ? queryAt(n / 2) : `${queryAt(n)} OR warm${n}`)
    await searchUntil(server.url, sleep(WARM_UP_MS), warmUp)
    const crawling = crawl(into)
    const waits = await searchUntil(server.url, crawling, queryAt)
    return { ...(await crawling), waits }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function crawl(into: string, more: readonly string[] = []): Promise<{ pages: number; pagesPerSecond: number }> {
  const args = ['crawl', flags.seed, '--allow-private', '--json', `--into=${into}`, '--delay=0', ...more]
  const child = spawn(comity, [...args, '--site-pages=1000000', '--pages-per-connection=1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  for await (const chunk of child.stdout) printed += String(chunk)
  const { pages, pagesPerSecond } = JSON.parse(printed.trim().split('\n').at(-1)!) as Run
  return { pages, pagesPerSecond }
}

async function serve(into: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = spawn(comity, ['serve', into, '--port=0', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

/** Search until something has ended; gives how long each search took, in milliseconds. */
async function searchUntil(url: string, ended: Promise<unknown>, questionOf: (n: number) => string): Promise<number[]> {
  const state = { isOver: false }
  void ended.finally(() => (state.isOver = true))
  const agent = new Agent({ keepAlive: true, maxSockets: Number(flags.searchers) })
  const pause = Number(flags.pause)
  const waits: number[] = []
  const searcher = async (who: number): Promise<void> => {
    // The same moment for all, so that the questions come at once; or one of one's own.
    const moment = flags.apart ? (who * pause) / Number(flags.searchers) : 0
    const untilMoment = (): number => pause - ((Date.now() + pause - moment) % pause)
    for (let n = who; !state.isOver; n++) {
      if (pause > 0) await sleep(untilMoment())
      waits.push(await search(url, questionOf(n), agent))
    }
  }
  await Promise.all(Array.from({ length: Number(flags.searchers) }, (_, who) => searcher(who)))
  agent.destroy()
  return waits
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
    worst: at(1),
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
    `${formatCount(figures.searches)} searches by ${flags.searchers}${flags.apart ? '' : ' at once'}: p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms, worst ${figures.worst.toFixed(1)} ms`,
  )
}
