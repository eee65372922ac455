/**
 * One real site, crawled whole and without delay: comity (durable state, links, WARC) beside wget2, Crawlee and Scrapy.
 *
 *   node bench/crawl.ts [--seed URL] [--rounds N] [--only comity,wget2,crawlee,scrapy] [--orders pagerank,tiered] [--indexing] [--pages-per-connection K] [--json]
 *
 * Needs a site on loopback that no one else uses, e.g. Debian's OpenJDK manual behind nginx (bench/README.md says how).
 * Every crawler starts from the same page with empty storage. They take turns, round by round, so that a busy moment of
 * the machine hits all; Crawlee and Scrapy run once, as they take minutes. HTML pages are counted and must be equal.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Collection } from '@comity/collection'
import { formatCount, formatRatio, median } from './measure.ts'

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: 'http://127.0.0.16:8080/' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'comity,wget2,crawlee,scrapy' },
    'pages-per-connection': { type: 'string', default: '1000' },
    threads: { type: 'string' },
    /** Orders of our own crawl to be run beside the usual one. */
    orders: { type: 'string', default: '' },
    /** Also a crawl that indexes. */
    indexing: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

interface Run {
  readonly htmlPages: number
  /** Pictures, styles and scripts, where the crawler fetches them. */
  readonly otherFiles: number
  readonly seconds: number
  readonly peakMb: number
  readonly cpuSeconds: number
}

interface Contender {
  readonly name: string
  readonly version: () => Promise<string>
  /** What is missing to run it; undefined when nothing is. */
  readonly missing: () => string | undefined
  readonly rounds: number
  readonly command: (dir: string) => readonly [program: string, args: readonly string[]]
  readonly count: (dir: string, stdout: string) => Pick<Run, 'htmlPages' | 'otherFiles'>
}

const peers = join(import.meta.dirname, 'peers')
const seed = flags.seed
const rounds = Number(flags.rounds)
const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))

/** Stands for the usual order with everything searchable as it comes in. */
const INDEXING = 'indexing'

const ourselves = (order: string | undefined): Contender => ({
  name: order === undefined ? 'comity' : order === INDEXING ? 'comity, indexing' : `comity --order ${order}`,
  version: async () => '0.1.0',
  missing: () => undefined,
  rounds,
  command: (dir) => [
    join(import.meta.dirname, '../packages/cli/bin/comity.js'),
    [
      'crawl',
      seed,
      '--allow-private',
      '--json',
      `--into=${join(dir, 'c')}`,
      '--delay=0',
      '--types=page,image,style,script',
      '--site-pages=1000000',
      `--pages-per-connection=${flags['pages-per-connection']}`,
      // The others do not index. What it costs is a row of its own: --indexing.
      ...(order === INDEXING ? [] : ['--no-index']),
      ...(order === undefined || order === INDEXING ? [] : ['--order', order]),
      ...(flags.threads === undefined ? [] : ['--threads', flags.threads]),
    ],
  ],
  count: (dir) => countCollection(join(dir, 'c')),
})

const orders = flags.orders.split(',').filter((name) => name !== '')

const contenders: readonly Contender[] = [
  ourselves(undefined),
  ...(flags.indexing ? [ourselves(INDEXING)] : []),
  ...orders.map(ourselves),
  {
    name: 'wget2',
    version: async () => (await output('wget2', ['--version'])).match(/\d+\.[\d.]+/)?.[0] ?? '?',
    missing: () => (onPath('wget2') ? undefined : 'apt-get install wget2'),
    rounds,
    command: (dir) => ['wget2', ['-q', '-r', '-l', 'inf', '--max-threads=8', '-P', dir, seed]],
    count: (dir) => countFiles(dir),
  },
  {
    name: 'crawlee',
    version: async () =>
      JSON.parse(readFileSync(join(peers, 'node_modules/@crawlee/cheerio/package.json'), 'utf8')).version as string,
    missing: () => (existsSync(join(peers, 'node_modules')) ? undefined : 'npm install --prefix bench/peers'),
    rounds: 1,
    command: () => [process.execPath, [join(peers, 'crawlee.mjs'), seed]],
    count: (_, stdout) => countPrinted(stdout),
  },
  {
    name: 'scrapy',
    version: async () => (await output('scrapy', ['version'])).match(/\d+\.[\d.]+/)?.[0] ?? '?',
    missing: () => (onPath('scrapy') ? undefined : 'apt-get install python3-scrapy'),
    rounds: 1,
    // Not `python3`: Debian's scrapy belongs to Debian's python.
    command: () => ['/usr/bin/python3', [join(peers, 'scrapy_site.py'), seed]],
    count: (_, stdout) => countPrinted(stdout),
  },
]

const wanted = contenders.filter(({ name }) => flags.only.split(',').includes(name.split(/[ ,]/)[0]!))
const runs = new Map<string, Run[]>()
for (let round = 0; round < rounds; round++) {
  for (const contender of wanted) {
    const missing = contender.missing()
    if (missing !== undefined) {
      if (round === 0) console.error(`${contender.name} is not here: ${missing}`)
      continue
    }
    if (round >= contender.rounds) continue
    const run = await measure(contender)
    runs.set(contender.name, [...(runs.get(contender.name) ?? []), run])
    console.error(
      `round ${round + 1} ${contender.name.padEnd(8)} ${formatCount(run.htmlPages)} pages, ${run.otherFiles} other files, ` +
        `${run.seconds.toFixed(2)} s, ${formatCount(run.htmlPages / run.seconds)} pages/s, ` +
        `${run.cpuSeconds.toFixed(1)} s of processor, peak ${run.peakMb.toFixed(0)} MB`,
    )
  }
}
await report()

async function report(): Promise<void> {
  const rate = (name: string): number => median((runs.get(name) ?? []).map((run) => run.htmlPages / run.seconds))
  const counts = new Set([...runs.values()].flat().map((run) => run.htmlPages))
  console.log(
    counts.size === 1
      ? `equal work: ${formatCount([...counts][0]!)} HTML pages each`
      : `UNEQUAL WORK: ${[...counts].join(', ')} HTML pages`,
  )
  for (const { name, version } of wanted) {
    if (name === 'comity' || !runs.has(name) || !runs.has('comity')) continue
    const peer = { name: `${name}@${await version()}`, value: rate(name) }
    console.log(formatRatio({ what: `crawl ${seed}`, ours: rate('comity'), unit: 'pages/s', peer, better: 'more' }))
  }
  for (const [name, list] of runs)
    console.log(`peak memory ${name}: ${median(list.map((run) => run.peakMb)).toFixed(0)} MB`)
  if (flags.json) console.log(JSON.stringify(Object.fromEntries(runs)))
  if (counts.size !== 1) process.exitCode = 1
}

async function measure({ command, count }: Contender): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-bench-'))
  try {
    const [program, args] = command(dir)
    const began = performance.now()
    const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    let last = { peakMb: 0, cpuSeconds: 0 }
    const sampler = setInterval(() => (last = sample(child.pid ?? 0) ?? last), 20)
    await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
    clearInterval(sampler)
    return { seconds: (performance.now() - began) / 1000, ...last, ...count(dir, stdout) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Peak resident memory and processor time of a running process, from /proc; undefined once it is gone. */
function sample(pid: number): Pick<Run, 'peakMb' | 'cpuSeconds'> | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const peakMb = (Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6
    return Number.isNaN(peakMb) ? undefined : { peakMb, cpuSeconds: ticks / 100 }
  } catch {
    return undefined
  }
}

function countCollection(dir: string): Pick<Run, 'htmlPages' | 'otherFiles'> {
  const collection = Collection.openReadOnly(dir)
  const paths = new Set<string>()
  let otherFiles = 0
  for (const { key, value } of collection.pages()) {
    if (value.outcome !== 'ok') continue
    if (!(value.type ?? '').startsWith('text/html')) otherFiles++
    // wget2 keeps a folder's page as index.html, so the two are one page here for everybody.
    else paths.add(collection.text(key).path.replace(/\/$/, '/index.html'))
  }
  return { htmlPages: paths.size, otherFiles }
}

/** What a peer's script says in its last line; it fetches HTML alone. */
function countPrinted(stdout: string): Pick<Run, 'htmlPages' | 'otherFiles'> {
  const last = stdout.trim().split('\n').at(-1) ?? ''
  const pages = /"pages":\s*(\d+)/.exec(last)?.[1]
  if (pages === undefined) throw new Error(`the peer printed no count but "${last}"`)
  return { htmlPages: Number(pages), otherFiles: 0 }
}

function countFiles(dir: string): Pick<Run, 'htmlPages' | 'otherFiles'> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  )
  const htmlPages = files.filter((name) => name.endsWith('.html')).length
  return { htmlPages, otherFiles: files.length - htmlPages }
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.on('close', () => resolve(text)).on('error', () => resolve(''))
  })
}
