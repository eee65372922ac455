/** One crawl of the whole: what is said to all machines, waiting until all have ended, and the sum of what they did. */
import { setTimeout as sleep } from 'node:timers/promises'
import { largestPageOf, startUrlsOf } from '@comity/crawler'
import type { CrawlOptions, CrawlSummary } from '@comity/crawler'
import { clusterError } from '../errors.ts'
import type { Message, Register, Road } from '../road/road.ts'
import { budgetKey, changeRecord, JOB, jobOptions, MAX_JOB_CHARS, readJob, summaryKey } from '../settings.ts'
import type { ClusterSettings, Job } from '../settings.ts'

export interface ClusterSummary extends Omit<CrawlSummary, 'collection' | 'index' | 'typed' | 'batches'> {
  readonly cluster: string
  readonly shards: number
  /** Shards whose part is in the sum. */
  readonly summed: number
  readonly job: number
}

interface WholeCall {
  readonly road: Road
  readonly settings: ClusterSettings
  readonly options: Partial<CrawlOptions>
  /** Aborted: do not wait any longer. The crawl goes on. */
  readonly signal: AbortSignal
  readonly onBegin?: (job: number) => void
}

const LOOK_MS = 500
/** A machine may be lost after the end; the sum says how many shards are in it. */
const SUMMARIES_MS = 60_000

/** Undefined when it was not waited for. */
export async function runOnCluster({
  road,
  settings,
  options,
  signal,
  onBegin,
}: WholeCall): Promise<ClusterSummary | undefined> {
  const startedAt = Date.now()
  let endedAt: number | undefined
  const job = await begin(road, settings, options)
  onBegin?.(job.number)
  while (!signal.aborted) {
    const held = await readJob(road.register).catch(() => undefined)
    if (held !== undefined && held.job.number >= job.number && held.job.state === 'ended') {
      const summaries = await summariesOf(road, settings.shards, job.number)
      endedAt ??= Date.now()
      const isLate = Date.now() - endedAt > SUMMARIES_MS
      if (summaries.length === settings.shards || isLate)
        return sumOf(settings, job, summaries, (Date.now() - startedAt) / 1000)
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

/** The crawl that is running, when it is the same; else the next one. */
async function begin({ register }: Road, cluster: ClusterSettings, options: Partial<CrawlOptions>): Promise<Job> {
  const { maxPages = Infinity, maxBytes = Infinity } = options
  requireRoom(cluster, options)
  const shared = jobOptions(options)
  const given = startUrlsOf(options)
  const before = await readJob(register)
  // Numbers of start pages stand in rows: they are added to, and never renumbered.
  const seeds = [...new Set([...(before?.job.seeds ?? []), ...given])]
  const wrong = problemOf(seeds, shared)
  if (wrong !== undefined) throw clusterError('CLUSTER_SETTING', wrong)
  const said = { seeds, options: shared, maxPages: limitOf(maxPages), maxBytes: limitOf(maxBytes) }
  if (before?.job.state === 'running') {
    const { seeds: others, options: own, maxPages: most, maxBytes: bytes = 0 } = before.job
    const running = { seeds: others, options: own, maxPages: most, maxBytes: bytes }
    if (JSON.stringify(running) === JSON.stringify(said)) return before.job
    throw clusterError('CLUSTER_SETTING', RUNS)
  }
  const job: Job = { number: (before?.job.number ?? 0) + 1, state: 'running', ...said }
  if (said.maxPages + said.maxBytes > 0) await giveBudget(register, cluster.shards, job.number, before?.job.number)
  const done =
    before === undefined ? register.create(JOB, { ...job }) : register.replace(JOB, { ...job }, before.revision)
  if ((await done) === undefined) throw clusterError('CLUSTER_SETTING', 'Somebody else has just begun a crawl.')
  return job
}

const RUNS = 'A crawl is running with other start pages or settings: say the same to wait for it, or wait for its end.'

function problemOf(seeds: readonly string[], shared: Message): string | undefined {
  if (seeds.length === 0) return 'Nothing to start from: name a page, such as https://example.org/.'
  if (JSON.stringify({ seeds, shared }).length <= MAX_JOB_CHARS) return undefined
  return `Start pages and settings are more than ${MAX_JOB_CHARS} characters, which is what one record holds: begin with fewer, and let links lead on.`
}

/** The limit is of the whole collection: what earlier crawls have fetched is given already. */
async function giveBudget(register: Register, shards: number, job: number, before: number | undefined): Promise<void> {
  const earlier =
    before === undefined
      ? []
      : await Promise.all(Array.from({ length: shards }, (_, shard) => register.read(summaryKey(before, shard))))
  const heldOf = (kind: 'pages' | 'bytes'): Readonly<Record<string, number>> =>
    Object.fromEntries(
      earlier.flatMap((entry, shard) => {
        const held = entry?.value[kind]
        return typeof held === 'number' ? [[shard, held] as const] : []
      }),
    )
  await changeRecord(register, budgetKey(job), () => ({ pages: heldOf('pages'), bytes: heldOf('bytes') }))
}

/** As a record says it. */
const limitOf = (most: number): number => (most === Infinity ? 0 : most)

/** The largest page must fit, or none is ever fetched; and every machine must heed it. */
function requireRoom(
  { name, format }: ClusterSettings,
  { maxBytes = Infinity, ...options }: Partial<CrawlOptions>,
): void {
  if (maxBytes === Infinity) return
  const largest = largestPageOf(options)
  if (maxBytes < largest)
    throw clusterError(
      'CLUSTER_SETTING',
      `--max-bytes must leave room for one page as large as any that is read, ${largest} bytes: with ${maxBytes} none could be fetched.`,
    )
  if (format < 2)
    throw clusterError(
      'CLUSTER_SETTING',
      `The cluster ${name} may have machines that do not heed --max-bytes: bring all to this version, then comity cluster upgrade.`,
    )
}

const MAX_EXAMPLES = 5

async function summariesOf({ register }: Road, shards: number, job: number): Promise<CrawlSummary[]> {
  const entries = await Promise.all(Array.from({ length: shards }, (_, shard) => register.read(summaryKey(job, shard))))
  return entries.flatMap((entry) => (entry === undefined ? [] : [entry.value as unknown as CrawlSummary]))
}

function sumOf(settings: ClusterSettings, job: Job, all: readonly CrawlSummary[], seconds: number): ClusterSummary {
  const sum = (of: (summary: CrawlSummary) => number): number => all.reduce((total, one) => total + of(one), 0)
  const elsewhere = sum(({ outside }) => outside['elsewhere'] ?? 0)
  const outside = totals(all.map((one) => one.outside))
  delete outside['elsewhere']
  const examples = Object.assign({}, ...all.map((one) => one.outsideExamples)) as Record<string, string>
  delete examples['elsewhere']
  return {
    cluster: settings.name,
    shards: settings.shards,
    summed: all.length,
    job: job.number,
    pages: sum(({ pages }) => pages),
    bytes: sum(({ bytes }) => bytes),
    seconds,
    pagesPerSecond: sum(({ pagesPerSecond }) => pagesPerSecond),
    requests: sum(({ requests }) => requests),
    failed: sum(({ failed }) => failed),
    // A page at home elsewhere is known and judged there.
    skipped: sum(({ skipped }) => skipped) - elsewhere,
    links: sum(({ links }) => links),
    sites: sum(({ sites }) => sites),
    known: sum(({ known }) => known) - elsewhere,
    waiting: sum(({ waiting }) => waiting),
    interrupted: false,
    seeds: job.seeds.map((url, seed) => {
      const waiting = sum((one) => one.seeds[seed]?.waiting ?? 0)
      return { url, done: waiting === 0, waiting }
    }),
    outcomes: totals(all.map((one) => one.outcomes)),
    outside,
    outsideExamples: examples,
    needsScripts: {
      pages: sum(({ needsScripts }) => needsScripts?.pages ?? 0),
      examples: all.flatMap(({ needsScripts }) => needsScripts?.examples ?? []).slice(0, MAX_EXAMPLES),
    },
    unfinishedSites: sum(({ unfinishedSites }) => unfinishedSites),
    givenUp: all.flatMap(({ givenUp }) => givenUp),
    dumps: all.flatMap(({ dumps }) => dumps),
  }
}

function totals(tables: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const table of tables)
    for (const [name, count] of Object.entries(table)) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries(sums)
}
