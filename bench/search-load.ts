/**
 * Fifty people search while a crawl fills the collection: what does it cost the crawl, and how long do they wait?
 *
 *   node bench/search-load.ts [--seed URL] [--rounds 3] [--first 500] [--searchers 50] [--pause 1000] [--apart] [--json]
 *
 * First a few hundred pages (`--first`), then the rest of the site: once alone, and once with `comity serve` beside it and fifty
 * searchers that ask all at the same moment (`--apart`: each at its own), wait for the answer, and ask again after
 * `--pause` milliseconds (0 asks again at once, as no people do). The server is asked for some seconds before the crawl goes on: one that has just
 * started compiles its code while it answers. Crawl, server and searchers share the machine. In turns, with empty
 * storage. Equal work: all crawls must end with as many pages, of
 * which some came after the first; every search is answered, and some find something.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWith, readArguments } from './arguments.ts'
import { formatSeconds, proven } from './equal-work.ts'
import { childTime, formatCount, median, since } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  seed: 'http://127.0.0.16:8080/',
  rounds: 3,
  first: 500,
  searchers: 50,
  pause: { value: 1_000, least: 0 },
  /** Each searcher asks at a moment of its own. */
  apart: false,
  json: false,
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
  /** Those that were there before the crawl that is timed. */
  readonly first: number
  readonly pagesPerSecond: number
  /** Of the crawl's process. */
  readonly cpuSeconds: number
  readonly searches: readonly Search[]
}

interface Search {
  readonly ms: number
  readonly isAnswered: boolean
  readonly matches: number
}

const WARM_UP_MS = 5_000

const isServed = await fetch(flags.seed).then(
  ({ ok }) => ok,
  () => false,
)
if (!isServed)
  endWith(import.meta.filename, `No page is served at ${flags.seed}: bench/README.md tells of a site to crawl`)

const runs: Record<'alone' | 'searched', Run[]> = { alone: [], searched: [] }
for (let round = 0; round < flags.rounds; round++) {
  for (const kind of ['alone', 'searched'] as const) {
    const run = await measure(kind === 'searched')
    runs[kind].push(run)
    console.error(
      `round ${round + 1} ${kind}: ${formatCount(run.pages)} pages, ${formatCount(run.pagesPerSecond)} pages/s, ${run.searches.length} searches`,
    )
  }
}
report()

async function measure(isSearched: boolean): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-search-load-'))
  const into = join(dir, 'c')
  try {
    const first = await crawl(into, [`--max-pages=${flags.first}`])
    if (!isSearched) return { ...(await crawl(into)), first: first.pages, searches: [] }
    await using server = await serve(into)
    // Every second question is a new one, as an old one would be answered from memory.
    const warmUp = (n: number): string => (n % 2 === 0 ? queryAt(n / 2) : `${queryAt(n)} OR warm${n}`)
    await searchUntil(server.url, sleep(WARM_UP_MS), warmUp)
    const crawling = crawl(into)
    const searches = await searchUntil(server.url, crawling, queryAt)
    return { ...(await crawling), first: first.pages, searches }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function crawl(into: string, more: readonly string[] = []): Promise<Omit<Run, 'searches' | 'first'>> {
  const args = ['crawl', flags.seed, '--allow-private', '--json', `--into=${into}`, '--delay=0', ...more]
  // The server has not ended when the crawl does, so that its time is not among this.
  const before = childTime()
  const child = spawn(comity, [...args, '--site-pages=1000000', '--pages-per-connection=1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  const ended = once(child, 'exit') as Promise<[number | null]>
  for await (const chunk of child.stdout) printed += String(chunk)
  const [code] = await ended
  if (code !== 0) throw new Error(`a crawl of ${flags.seed} ended with code ${code}`)
  const { pages, pagesPerSecond } = JSON.parse(printed.trim().split('\n').at(-1)!) as Run
  return { pages, pagesPerSecond, cpuSeconds: since(before, childTime()).cpuSeconds }
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

/** Search until something has ended. */
async function searchUntil(url: string, ended: Promise<unknown>, questionOf: (n: number) => string): Promise<Search[]> {
  const state = { isOver: false }
  // Whoever waits for it hears of its failure.
  const over = (): void => void (state.isOver = true)
  ended.then(over, over)
  const { searchers, pause } = flags
  const agent = new Agent({ keepAlive: true, maxSockets: searchers })
  const searches: Search[] = []
  const searcher = async (who: number): Promise<void> => {
    // The same moment for all, so that the questions come at once; or one of one's own.
    const moment = flags.apart ? (who * pause) / searchers : 0
    const untilMoment = (): number => pause - ((Date.now() + pause - moment) % pause)
    for (let n = who; !state.isOver; n++) {
      if (pause > 0) await sleep(untilMoment())
      searches.push(await search(url, questionOf(n), agent))
    }
  }
  await Promise.all(Array.from({ length: searchers }, (_, who) => searcher(who)))
  agent.destroy()
  return searches
}

function search(url: string, query: string, agent: Agent): Promise<Search> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const failed = (): void => resolve({ ms: performance.now() - startedAt, isAnswered: false, matches: 0 })
    get(`${url}api/v1/search?q=${encodeURIComponent(query)}`, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('error', failed).on('end', () => {
        const ms = performance.now() - startedAt
        const matches = Number(/"matches":\s*(\d+)/.exec(text)?.[1] ?? 0)
        resolve({ ms, isAnswered: response.statusCode === 200, matches })
      })
    }).on('error', failed)
  })
}

/** The crawls against each other, and the searches against what was asked. */
function isProven(): boolean {
  const crawls = Object.entries(runs).map(([name, all]) => ({
    name,
    work: all.map(({ pages, first }) => ({ pages, 'after the first': pages - first })),
  }))
  const searches = runs.searched.flatMap((run) => run.searches)
  const answered = searches.filter(({ isAnswered }) => isAnswered)
  const proofs = [
    proven('crawls', crawls),
    proven('searches', [
      { name: 'asked', work: [{ searches: searches.length }] },
      { name: 'answered', work: [{ searches: answered.length }] },
    ]),
    proven('searches', [
      { name: 'answers', work: [{ 'pages found': answered.reduce((sum, one) => sum + one.matches, 0) }] },
    ]),
  ]
  return proofs.every((is) => is)
}

function report(): void {
  if (!isProven()) return
  const rate = (kind: keyof typeof runs): number => median(runs[kind].map(({ pagesPerSecond }) => pagesPerSecond))
  const cpu = (kind: keyof typeof runs): number => median(runs[kind].map(({ cpuSeconds }) => cpuSeconds))
  const waits = runs.searched.flatMap((run) => run.searches.map(({ ms }) => ms)).toSorted((a, b) => a - b)
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? NaN
  const pages = new Set(Object.values(runs).flatMap((all) => all.map((run) => run.pages)))
  const figures = {
    pages: [...pages],
    alone: rate('alone'),
    searched: rate('searched'),
    aloneCpuSeconds: cpu('alone'),
    searchedCpuSeconds: cpu('searched'),
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
  console.log(`equal work: ${[...pages][0]} pages each`)
  console.log(
    `crawl alone ${formatCount(figures.alone)} pages/s (${formatSeconds(figures.aloneCpuSeconds)} of processor), ` +
      `searched ${formatCount(figures.searched)} pages/s (${formatSeconds(figures.searchedCpuSeconds)}): ${(100 * figures.fall).toFixed(1)} % less`,
  )
  console.log(
    `${formatCount(figures.searches)} searches by ${flags.searchers}${flags.apart ? '' : ' at once'}: p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms, worst ${figures.worst.toFixed(1)} ms`,
  )
}
