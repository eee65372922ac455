/**
 * One real site, crawled whole and without delay: comity (durable state, links, WARC) beside wget2, Crawlee and Scrapy.
 *
 *   node bench/crawl.ts [--seed URL] [--rounds 3] [--only comity,wget2,crawlee,scrapy] [--orders pagerank,tiered] [--indexing]
 *                       [--pages-per-connection 1000] [--threads N] [--json]
 *
 * Needs a site on loopback that no one else uses, e.g. Debian's OpenJDK manual behind nginx (bench/README.md says how).
 * Every crawler starts from the same page with empty storage. They take turns, round by round, so that a busy moment of
 * the machine hits all; Crawlee and Scrapy run once, as they take minutes. Equal work: the same HTML pages by their paths, and
 * but for Crawlee, which hands over text, by the SHA-256 of their bytes; where one differs there is no ratio. An order of our own
 * and `--indexing` are compared in the same way. Seconds of the processor are those of all processes of a crawler.
 */
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Collection } from '@comity/collection'
import { endWith, readArguments } from './arguments.ts'
import { printFigure, printRatio, sayMissing } from './equal-work.ts'
import type { Side } from './equal-work.ts'
import { childTime, formatCount, median, since } from './measure.ts'
import type { Took } from './measure.ts'

const NAMES = ['comity', 'wget2', 'crawlee', 'scrapy']
const { flags } = readArguments(import.meta.filename, {
  seed: 'http://127.0.0.16:8080/',
  rounds: 3,
  only: NAMES.join(','),
  'pages-per-connection': 1_000,
  threads: '',
  /** Orders of our own crawl to be run beside the usual one. */
  orders: '',
  /** Also a crawl that indexes. */
  indexing: false,
  json: false,
})
const only = flags.only.split(',')
const stranger = only.find((name) => !NAMES.includes(name))
if (stranger !== undefined)
  endWith(import.meta.filename, `There is no crawler called ${stranger}: --only ${NAMES.join(',')}`)
if (!(await isServed(flags.seed)))
  endWith(import.meta.filename, `No page is served at ${flags.seed}: bench/README.md tells of a site to crawl`)

async function isServed(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** What a crawl holds in the end. */
interface Holdings {
  /** By path, and the SHA-256 of its bytes where the crawler tells. */
  readonly htmlPages: ReadonlyMap<string, string | undefined>
  /** Pictures, styles and scripts, where the crawler fetches them. */
  readonly otherFiles: number
}

interface Run extends Holdings, Took {
  readonly peakMb: number
}

interface Contender {
  readonly name: string
  readonly version: () => Promise<string>
  /** What is missing to run it; undefined when nothing is. */
  readonly missing: () => string | undefined
  readonly rounds: number
  readonly command: (dir: string) => readonly [program: string, args: readonly string[]]
  readonly holdings: (dir: string, stdout: string) => Holdings
}

const peers = join(import.meta.dirname, 'peers')
const seed = flags.seed
const { rounds } = flags
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
      ...(flags.threads === '' ? [] : ['--threads', flags.threads]),
    ],
  ],
  holdings: (dir) => collectionHoldings(join(dir, 'c')),
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
    holdings: (dir) => fileHoldings(dir),
  },
  {
    name: 'crawlee',
    version: async () =>
      JSON.parse(readFileSync(join(peers, 'node_modules/@crawlee/cheerio/package.json'), 'utf8')).version as string,
    missing: () => (existsSync(join(peers, 'node_modules')) ? undefined : 'npm install --prefix bench/peers'),
    rounds: 1,
    command: () => [process.execPath, [join(peers, 'crawlee.mjs'), seed]],
    holdings: (_, stdout) => printedHoldings(stdout),
  },
  {
    name: 'scrapy',
    version: async () => (await output('scrapy', ['version'])).match(/\d+\.[\d.]+/)?.[0] ?? '?',
    missing: () => (onPath('scrapy') ? undefined : 'apt-get install python3-scrapy'),
    rounds: 1,
    // Not `python3`: Debian's scrapy belongs to Debian's python.
    command: () => ['/usr/bin/python3', [join(peers, 'scrapy_site.py'), seed]],
    holdings: (_, stdout) => printedHoldings(stdout),
  },
]

const wanted = contenders.filter(({ name, missing }) => {
  if (!only.includes(name.split(/[ ,]/)[0]!)) return false
  const how = missing()
  if (how !== undefined) sayMissing(name, how)
  return how === undefined
})
const runs = new Map<string, Run[]>()
for (let round = 0; round < rounds; round++) {
  for (const contender of wanted) {
    if (round >= contender.rounds) continue
    const run = await measure(contender)
    runs.set(contender.name, [...(runs.get(contender.name) ?? []), run])
    const pages = run.htmlPages.size
    console.error(
      `round ${round + 1} ${contender.name.padEnd(8)} ${formatCount(pages)} pages, ${run.otherFiles} other files, ` +
        `${run.seconds.toFixed(2)} s, ${formatCount(pages / run.seconds)} pages/s, ` +
        `${run.cpuSeconds.toFixed(1)} s of processor, peak ${run.peakMb.toFixed(0)} MB`,
    )
  }
}
await report()

async function report(): Promise<void> {
  const [first] = wanted
  if (first === undefined) return
  const what = `crawl ${seed}`
  if (wanted.length === 1 || first.name !== 'comity')
    for (const contender of wanted) printFigure(what, 'pages/s', await sideOf(contender, true))
  else
    for (const contender of wanted.slice(1)) {
      const hasBytes = [first, contender].every(({ name }) => tellsBytes(runs.get(name)!))
      const [ours, peer] = [await sideOf(first, hasBytes), await sideOf(contender, hasBytes)]
      printRatio({ what, unit: 'pages/s', better: 'more', ours: { ...ours, name: 'ours' }, peer })
    }
  for (const [name, list] of runs)
    console.log(`peak memory ${name}: ${median(list.map((run) => run.peakMb)).toFixed(0)} MB`)
  if (flags.json)
    console.log(JSON.stringify(Object.fromEntries(Array.from(runs, ([name, list]) => [name, list.map(toldOf)]))))
}

function toldOf({ htmlPages, ...run }: Run): object {
  return { ...run, htmlPages: htmlPages.size }
}

function tellsBytes(list: readonly Run[]): boolean {
  return list.every(({ htmlPages }) => htmlPages.values().every((digest) => digest !== undefined))
}

async function sideOf({ name, version }: Contender, hasBytes: boolean): Promise<Side> {
  const list = runs.get(name)!
  return {
    name: `${name}@${await version()}`,
    value: median(list.map(({ htmlPages, seconds }) => htmlPages.size / seconds)),
    cpuSeconds: median(list.map(({ cpuSeconds }) => cpuSeconds)),
    work: list.map(({ htmlPages }) => ({
      'HTML pages': Array.from(htmlPages, ([path, digest]) => (hasBytes ? `${path} ${digest}` : path)),
    })),
  }
}

async function measure({ name, command, holdings }: Contender): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'comity-bench-'))
  try {
    const [program, args] = command(dir)
    const before = childTime()
    const child = spawn(program, args, { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    let peakMb = 0
    const sampler = setInterval(() => (peakMb = peakOf(child.pid ?? 0) ?? peakMb), 20)
    const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
    clearInterval(sampler)
    // wget2 ends with 8 where a link leads nowhere, and has done its work.
    if (code !== 0) console.error(`${name} ended with code ${code}`)
    return { ...since(before, childTime()), peakMb, ...holdings(dir, stdout) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Peak resident memory of a running process, from /proc; undefined once it is gone. */
function peakOf(pid: number): number | undefined {
  try {
    const kB = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kB === undefined ? undefined : (Number(kB) * 1024) / 1e6
  } catch {
    return undefined
  }
}

/** As everybody's paths are compared: without escapes; wget2 keeps a folder's page as index.html. */
function pathOf(path: string): string {
  const whole = path.replace(/\/$/, '/index.html')
  try {
    return decodeURIComponent(whole)
  } catch {
    return whole
  }
}

function collectionHoldings(dir: string): Holdings {
  const collection = Collection.openReadOnly(dir)
  const htmlPages = new Map<string, string | undefined>()
  let otherFiles = 0
  for (const { key, value } of collection.pages()) {
    if (value.outcome !== 'ok') continue
    if (!(value.type ?? '').startsWith('text/html')) otherFiles++
    else
      htmlPages.set(
        pathOf(collection.text(key).path),
        value.contentKey && Buffer.from(value.contentKey).toString('hex'),
      )
  }
  return { htmlPages, otherFiles }
}

/** What a peer's script says in its last line: paths, and digests where it has bytes. It fetches HTML alone. */
function printedHoldings(stdout: string): Holdings {
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('{"pages"')) throw new Error(`the peer told no pages but "${last.slice(0, 200)}"`)
  const { pages } = JSON.parse(last) as { pages: Record<string, string | null> }
  const htmlPages = Object.entries(pages).map(
    ([url, digest]) => [pathOf(new URL(url).pathname + new URL(url).search), digest ?? undefined] as const,
  )
  return { htmlPages: new Map(htmlPages), otherFiles: 0 }
}

function fileHoldings(dir: string): Holdings {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  )
  const html = files.filter((name) => name.endsWith('.html'))
  // The first folder is the host's.
  const htmlPages = html.map(
    (name) => [pathOf(name.slice(name.indexOf('/'))), digestOf(readFileSync(join(dir, name)))] as const,
  )
  return { htmlPages: new Map(htmlPages), otherFiles: files.length - html.length }
}

/** As a collection has it: half of it is enough. */
function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes).slice(0, 32)
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.on('close', () => resolve(text)).on('error', () => resolve(''))
  })
}
