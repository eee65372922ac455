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
import { hash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { endWith, readArguments } from './arguments.ts'
import {
  crawlee,
  onPath,
  output,
  ownProgram,
  peersFolder,
  python,
  runContender,
  scrapy,
  sideOf,
  tellsBytes,
  toldOf,
} from './crawlers/contender.ts'
import type { Contender, Holdings, Run } from './crawlers/contender.ts'
import { collectionHoldings, printedHoldings } from './crawlers/holdings.ts'
import type { Naming } from './crawlers/holdings.ts'
import { printFigure, printRatio, sayMissing } from './equal-work.ts'
import { formatCount, median } from './measure.ts'

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

const seed = flags.seed
const { rounds } = flags
/** Each is a page of the one site. */
const nameOf: Naming = ({ pathname, search }) => pathOf(pathname + search)

/** Stands for the usual order with everything searchable as it comes in. */
const INDEXING = 'indexing'

const ourselves = (order: string | undefined): Contender => ({
  name: order === undefined ? 'comity' : order === INDEXING ? 'comity, indexing' : `comity --order ${order}`,
  version: async () => '0.1.0',
  missing: () => undefined,
  rounds,
  command: (dir) => [
    ownProgram,
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
  holdings: (dir) => collectionHoldings(join(dir, 'c'), nameOf),
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
    ...crawlee,
    rounds: 1,
    command: () => [process.execPath, [join(peersFolder, 'crawlee.mjs'), seed]],
    holdings: (_, stdout) => printedHoldings(stdout, nameOf),
  },
  {
    name: 'scrapy',
    ...scrapy,
    rounds: 1,
    command: () => [python, [join(peersFolder, 'scrapy_site.py'), seed]],
    holdings: (_, stdout) => printedHoldings(stdout, nameOf),
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
    const run = await runContender(contender)
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
    for (const contender of wanted) printFigure(what, 'pages/s', await side(contender, true))
  else
    for (const contender of wanted.slice(1)) {
      const hasBytes = [first, contender].every(({ name }) => tellsBytes(runs.get(name)!))
      const [ours, peer] = [await side(first, hasBytes), await side(contender, hasBytes)]
      printRatio({ what, unit: 'pages/s', better: 'more', ours: { ...ours, name: 'ours' }, peer })
    }
  for (const [name, list] of runs)
    console.log(`peak memory ${name}: ${median(list.map((run) => run.peakMb)).toFixed(0)} MB`)
  if (flags.json)
    console.log(JSON.stringify(Object.fromEntries(Array.from(runs, ([name, list]) => [name, list.map(toldOf)]))))
}

function side(contender: Contender, hasBytes: boolean): ReturnType<typeof sideOf> {
  return sideOf(contender, runs.get(contender.name)!, hasBytes)
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
