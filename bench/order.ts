/**
 * What each order costs for a page visited: whole virtual crawls of a web in memory, by the frontier of a live crawl.
 *
 *   npm run bench:order -- [--web FILE] [--small FILE] [--orders depth,pagerank,…] [--rounds 3] [--json]
 *
 * The peer of `pagerank` is what it replaces: the whole system solved anew for every page, K = 1 of 004 §5, which calls it
 * "very slow". On a small web that is really done, to the end; on the large one at ten places of the crawl, for some
 * pages each, and the rest is extrapolated. Every crawl is a process of its own (`order-acts.ts`), and the orders take
 * turns. Equal work: each crawl visits the same number of pages.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { ORDERS, TOLERANCE, parseOrder } from '@comity/frontier'
import { sharedData } from '../packages/protocol/src/shared-data.ts'
import { formatCount, formatRatio, median } from './measure.ts'
import { ACTS } from './order-acts.ts'
import type { Agreed, Checked, Checkpoint, Crawled, WebFacts } from './order-acts.ts'

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: sharedData('graphs/cnr-2000.graph-txt.gz') ?? '' },
    small: { type: 'string', default: sharedData('graphs/cs-stanford') ?? '' },
    orders: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    sample: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
    // Set for the processes of the acts.
    act: { type: 'string', default: '' },
    order: { type: 'string', default: '' },
    pages: { type: 'string', default: '0' },
  },
})
const rounds = Math.max(1, Number(values.rounds) || 0)
const sample = Math.max(1, Number(values.sample) || 0)

const EXPRESSION = '0.7*pagerank + 0.3*backlink'
const EVERY_PAGE = 'batch:1'
/** The target of `pagerank` on cnr-2000. */
const MOST_SECONDS = 10
const MOST_MB = 500
/** Residuals within the tolerance let the ranks together be off by this part: the errors of all add up along links. */
const MOST_ERROR = TOLERANCE / (1 - 0.9)
/** Of two pages whose ranks are both off by that much, either may come first. */
const MOST_SHORT = 2 * MOST_ERROR

interface Row extends Crawled {
  readonly order: string
}

interface Results {
  readonly node: string
  readonly web: WebFacts
  readonly skipped: readonly string[]
  /** Medians of the rounds. */
  readonly rows: readonly Row[]
  readonly checked: Checked
  readonly extrapolatedSeconds: number
  readonly small: SmallResults | undefined
}

/** Both to the end on a small web. */
interface SmallResults {
  readonly web: WebFacts
  readonly ours: Row
  readonly peer: Row
  readonly oursAgreed: Agreed
  readonly peerAgreed: Agreed
}

if (values.act === '') await direct()
else {
  const told = await ACTS[values.act]!({ web: values.web, order: values.order, pages: Number(values.pages), sample })
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

async function direct(): Promise<void> {
  if (values.web === '') {
    console.error('Name a graph file: npm run bench:order -- --web cnr-2000.graph-txt.gz')
    process.exitCode = 2
    return
  }
  const results = await perform()
  requireEqualWork(results)
  if (values.json) console.log(JSON.stringify(results, undefined, 2))
  else report(results)
}

async function perform(): Promise<Results> {
  const web = await act<WebFacts>('facts', values.web)
  const { orders, skipped } = choose(web)
  const rows = await crawls(values.web, orders)
  const pagerank = rows.find(({ order }) => order === 'pagerank')!
  const checked = await act<Checked>('check', values.web, '', pagerank.pages)
  const small = values.small === '' ? undefined : await performSmall()
  const extrapolatedSeconds = extrapolate(checked.checkpoints, pagerank.pages)
  return { node: process.version, web, skipped, rows, checked, extrapolatedSeconds, small }
}

async function performSmall(): Promise<SmallResults> {
  const web = await act<WebFacts>('facts', values.small)
  const [ours, peer] = await crawls(values.small, ['pagerank', EVERY_PAGE])
  const oursAgreed = await act<Agreed>('agree', values.small, 'pagerank')
  const peerAgreed = await act<Agreed>('agree', values.small, EVERY_PAGE)
  return { web, ours: ours!, peer: peer!, oursAgreed, peerAgreed }
}

function choose({ hasWords }: WebFacts): { orders: readonly string[]; skipped: readonly string[] } {
  const asked = values.orders === '' ? undefined : values.orders.split(',').map((name) => name.trim())
  for (const name of asked ?? []) {
    const order = parseOrder(name)
    if (typeof order === 'string') throw new RangeError(order)
  }
  const names = ORDERS.map(({ name, parameter }) => (parameter === undefined ? name : `${name}:${parameter.byDefault}`))
  const skipped: string[] = ['perfect: it visits pages that nobody has found yet, so it is no crawl']
  const orders = (asked ?? [...names, EXPRESSION]).filter((name) => {
    if (name === 'perfect') return false
    if (hasWords || !/^(?:topic|anchor)\b/.test(name)) return true
    skipped.push(`${name}: this web has no words`)
    return false
  })
  return { orders: [...new Set(['pagerank', ...orders])].toSorted((a, b) => placeOf(a) - placeOf(b)), skipped }
}

/** In the table of orders; what is not in it comes last. */
function placeOf(order: string): number {
  const place = ORDERS.findIndex(({ name }) => name === order.split(':')[0])
  return place === -1 ? ORDERS.length : place
}

/** In turns, so that a slow minute of the machine slows all. */
async function crawls(web: string, orders: readonly string[]): Promise<Row[]> {
  const runs = new Map(orders.map((order): [string, Crawled[]] => [order, []]))
  for (let round = 0; round < rounds; round++)
    for (const [order, done] of runs) done.push(await act<Crawled>('crawl', web, order))
  return Array.from(runs, ([order, done]) => ({
    order,
    pages: done[0]!.pages,
    seconds: median(done.map(({ seconds }) => seconds)),
    cpuSeconds: median(done.map(({ cpuSeconds }) => cpuSeconds)),
    peakMb: median(done.map(({ peakMb }) => peakMb)),
    digest: done[0]!.digest,
  }))
}

/** Run one act to its end and hear what it tells. */
async function act<Told>(name: string, web: string, order = '', pages = 0): Promise<Told> {
  if (!values.json) process.stderr.write(`… ${name} ${order}\n`)
  const flags = ['--act', name, '--web', web, '--order', order, '--pages', String(pages), '--sample', String(sample)]
  const child = spawn(process.execPath, [import.meta.filename, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the act ${name} ${order} ended with ${code}`)
  return JSON.parse(out)
}

/** Milliseconds a page, on straight lines between the checkpoints, over the whole crawl; the first page costs nothing. */
function extrapolate(checkpoints: readonly Checkpoint[], pages: number): number {
  let [ms, at, cost] = [0, 0, 0]
  for (const { visited, recomputeMs } of checkpoints) {
    ms += ((cost + recomputeMs) / 2) * (visited - at)
    at = visited
    cost = recomputeMs
  }
  return (ms + cost * (pages - at)) / 1_000
}

function requireEqualWork({ rows, checked, small }: Results): void {
  const pagerank = rows.find(({ order }) => order === 'pagerank')!
  for (const { order, pages } of rows)
    if (pages !== pagerank.pages) throw new Error(`${order} visited ${pages} pages, pagerank ${pagerank.pages}`)
  if (checked.digest !== pagerank.digest) throw new Error('the crawl that was checked is not the one that was timed')
  if (small === undefined) return
  if (small.ours.pages !== small.peer.pages)
    throw new Error(`the peer visited ${small.peer.pages} pages, we ${small.ours.pages}`)
  for (const { worst } of [small.oursAgreed, small.peerAgreed])
    if (worst > MOST_SHORT) throw new Error(`a page was taken whose rank is ${worst} short of the best`)
}

function report({ web, skipped, rows, checked, extrapolatedSeconds, small }: Results): void {
  const pagerank = rows.find(({ order }) => order === 'pagerank')!
  console.log(
    `${formatCount(pagerank.pages)} of ${formatCount(web.pages)} pages visited by each, ${formatCount(web.links)} links, Node ${process.version}`,
  )
  for (const row of rows) console.log(formatRow(row))
  for (const reason of skipped) console.log(`left out: ${reason}`)

  console.log('\npagerank, K = 1')
  target('whole crawl', pagerank.seconds, 's', MOST_SECONDS)
  target('peak memory', pagerank.peakMb, 'MB', MOST_MB)
  for (const checkpoint of checked.checkpoints) console.log(formatCheckpoint(checkpoint))
  target('worst residual', 1e6 * largest(checked, 'residual'), 'millionths', 1e6 * TOLERANCE)
  target('summed error of all ranks', 1e6 * largest(checked, 'summedError'), 'millionths', 1e6 * MOST_ERROR)

  console.log('\nagainst solving the whole system again')
  for (const periodic of rows.filter(({ order }) => /^(?:batch|partial):/.test(order)))
    compare('whole crawl', pagerank.seconds, `${periodic.order}, less often`, periodic.seconds)
  const done = checked.checkpoints.reduce((sum, { recomputed }) => sum + recomputed, 0)
  compare('whole crawl', pagerank.seconds, `for every page (extrapolated from ${done} pages)`, extrapolatedSeconds)
  if (small !== undefined) reportSmall(small)
}

function reportSmall({ web, ours, peer, oursAgreed, peerAgreed }: SmallResults): void {
  const what = `${formatCount(web.pages)} pages, ${formatCount(web.links)} links, to the end`
  compare(what, ours.seconds, `for every page (${peer.order}, measured)`, peer.seconds)
  for (const [name, { worst, mean, pages }] of [
    ['ours', oursAgreed],
    ['the peer', peerAgreed],
  ] as const) {
    const [percent, usual] = [worst, mean].map((part) => `${(100 * part).toFixed(3)} %`)
    console.log(
      `  ${name}: each of ${formatCount(pages)} pages taken is the best that waits but for ${percent} of its rank at worst, ${usual} in the mean`,
    )
  }
}

function formatRow({ order, pages, seconds, cpuSeconds, peakMb }: Row): string {
  const cells = [
    `${formatCount(seconds)} s`.padStart(8),
    `${formatCount(cpuSeconds)} s of processor`.padStart(21),
    `${formatCount((1e6 * seconds) / pages)} µs a page`.padStart(17),
    `${formatCount(pages / seconds)} pages/s`.padStart(17),
    `${formatCount(peakMb)} MB`.padStart(8),
  ]
  return `${order.padEnd(28)}${cells.join('')}`
}

function formatCheckpoint(at: Checkpoint): string {
  return (
    `  after ${formatCount(at.visited)} pages, ${formatCount(at.known)} known: in millionths residual ${millionths(at.residual)}, ` +
    `worst rank ${millionths(at.worstError)}, all ranks ${millionths(at.summedError)}; ` +
    `a full recompute takes ${formatCount(at.recomputeMs)} ms, ${formatCount(at.sweeps)} sweeps`
  )
}

function millionths(part: number): string {
  return formatCount(1e6 * part)
}

function largest({ checkpoints }: Checked, key: 'residual' | 'summedError'): number {
  return Math.max(...checkpoints.map((checkpoint) => checkpoint[key]))
}

function target(what: string, ours: number, unit: string, most: number): void {
  const verdict = ours <= most ? 'met' : 'missed'
  console.log(`${formatRatio({ what, ours, unit, better: 'less' })}   (target ≤ ${formatCount(most)}, ${verdict})`)
}

function compare(what: string, ours: number, name: string, value: number): void {
  console.log(formatRatio({ what, ours, unit: 's', peer: { name, value }, better: 'less' }))
}
