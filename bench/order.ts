/**
 * What each order costs for a page visited: whole virtual crawls of a web in memory, by the frontier of a live crawl.
 *
 *   npm run bench:order -- [--web FILE] [--small FILE] [--orders depth,pagerank,…] [--rounds 3] [--json]
 *
 * The peer of `pagerank` is what it replaces: the whole system solved anew for every page, K = 1 of 004 §5, which calls it
 * "very slow". On a small web that is really done, to the end; on the large one at ten places of the crawl, for some
 * pages each, and the rest is extrapolated, which is told and makes no ratio. Every crawl is a process of its own (`order-acts.ts`), and the orders take
 * turns. Equal work: each crawl visits the same pages, by a digest of their set, and each round of an order the same in the same
 * turn; the crawl that is checked is the one that was timed; and on the small web no page is taken that is much worse than the
 * best that waits.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ORDERS, TOLERANCE, parseOrder } from '@comity/frontier'
import { sharedData } from '@comity/protocol/testing'
import { endWith, readArguments } from './arguments.ts'
import { printRatio, proven } from './equal-work.ts'
import type { Side, Work, Worked } from './equal-work.ts'
import { formatCount, median } from './measure.ts'
import { ACTS } from './order-acts.ts'
import type { Agreed, Checked, Checkpoint, Crawled, WebFacts } from './order-acts.ts'

const { flags } = readArguments(import.meta.filename, {
  web: sharedData('graphs/cnr-2000.graph-txt.gz') ?? '',
  small: sharedData('graphs/cs-stanford') ?? '',
  orders: '',
  rounds: 3,
  sample: 100,
  json: false,
  // Set for the processes of the acts.
  act: '',
  order: '',
  pages: { value: 0, least: 0 },
})
const { rounds, sample } = flags

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
  /** Of each round. */
  readonly work: readonly Work[]
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

if (flags.act === '') await direct()
else {
  const chosen = ACTS[flags.act] ?? endWith(import.meta.filename, `There is no act ${flags.act}`)
  const told = await chosen({ web: flags.web, order: flags.order, pages: flags.pages, sample })
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

async function direct(): Promise<void> {
  if (flags.web === '') endWith(import.meta.filename, 'Name a graph file: --web cnr-2000.graph-txt.gz')
  for (const path of [flags.web, flags.small])
    if (path !== '' && !existsSync(path)) endWith(import.meta.filename, `There is no ${path}`)
  const results = await perform()
  if (!isEqualWork(results)) return
  if (flags.json) console.log(JSON.stringify(results, undefined, 2))
  else report(results)
}

async function perform(): Promise<Results> {
  const web = await act<WebFacts>('facts', flags.web)
  const { orders, skipped } = choose(web)
  const rows = await crawls(flags.web, orders)
  const pagerank = rows.find(({ order }) => order === 'pagerank')!
  const checked = await act<Checked>('check', flags.web, '', pagerank.pages)
  const small = flags.small === '' ? undefined : await performSmall()
  const extrapolatedSeconds = extrapolate(checked.checkpoints, pagerank.pages)
  return { node: process.version, web, skipped, rows, checked, extrapolatedSeconds, small }
}

async function performSmall(): Promise<SmallResults> {
  const web = await act<WebFacts>('facts', flags.small)
  const [ours, peer] = await crawls(flags.small, ['pagerank', EVERY_PAGE])
  const oursAgreed = await act<Agreed>('agree', flags.small, 'pagerank')
  const peerAgreed = await act<Agreed>('agree', flags.small, EVERY_PAGE)
  return { web, ours: ours!, peer: peer!, oursAgreed, peerAgreed }
}

function choose({ hasWords }: WebFacts): { orders: readonly string[]; skipped: readonly string[] } {
  const asked = flags.orders === '' ? undefined : flags.orders.split(',').map((name) => name.trim())
  for (const name of asked ?? []) {
    const order = parseOrder(name)
    if (typeof order === 'string') endWith(import.meta.filename, order)
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
    visited: done[0]!.visited,
    work: done.map(({ pages, visited, digest }) => ({ pages, visited, 'in this turn': digest })),
  }))
}

/** Run one act to its end and hear what it tells. */
async function act<Told>(name: string, web: string, order = '', pages = 0): Promise<Told> {
  if (!flags.json) process.stderr.write(`… ${name} ${order}\n`)
  const given = ['--act', name, '--web', web, '--order', order, '--pages', String(pages), '--sample', String(sample)]
  const child = spawn(process.execPath, [import.meta.filename, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
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

/** Said where it is not so; nothing is printed then. */
function isEqualWork({ rows, checked, small }: Results): boolean {
  const pagerank = rows.find(({ order }) => order === 'pagerank')!
  const timed = { name: 'the crawl that was timed', work: [{ digest: pagerank.digest }] }
  const proofs = [
    ...rows.map((row) => proven('rounds', [{ name: row.order, work: row.work }])),
    ...rows.map((row) => proven('pages visited', [visitedBy(pagerank), visitedBy(row)])),
    proven('check', [timed, { name: 'the crawl that was checked', work: [{ digest: checked.digest }] }]),
  ]
  if (small !== undefined) proofs.push(...smallProofs(small))
  return proofs.every((is) => is)
}

function smallProofs({ ours, peer, oursAgreed, peerAgreed }: SmallResults): boolean[] {
  const agreed = Object.entries({ ours: oursAgreed, 'the peer': peerAgreed }).map(([name, { pages, worst }]) => {
    const isGood = worst <= MOST_SHORT
    if (!isGood) console.error(`${name} took a page whose rank is ${worst} short of the best`)
    // Those that were judged are all that were visited.
    const judged = { name, work: [{ pages, 'good pages': isGood ? pages : 0 }] }
    const all = { name: 'all', work: [{ pages: ours.pages, 'good pages': ours.pages }] }
    return proven('pages taken', [all, judged])
  })
  return [
    ...[ours, peer].map((row) => proven('rounds, small', [{ name: row.order, work: row.work }])),
    proven('pages visited, small', [visitedBy(ours), visitedBy(peer)]),
    ...agreed,
  ]
}

/** In whatever turn. */
function visitedBy({ order, pages, visited }: Row): Worked {
  return { name: order, work: [{ pages, visited }] }
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
  target('whole crawl, of the processor', pagerank.cpuSeconds, 's', MOST_SECONDS)
  target('peak memory', pagerank.peakMb, 'MB', MOST_MB)
  for (const checkpoint of checked.checkpoints) console.log(formatCheckpoint(checkpoint))
  target('worst residual', 1e6 * largest(checked, 'residual'), 'millionths', 1e6 * TOLERANCE)
  target('summed error of all ranks', 1e6 * largest(checked, 'summedError'), 'millionths', 1e6 * MOST_ERROR)

  console.log('\nagainst solving the whole system again')
  for (const periodic of rows.filter(({ order }) => /^(?:batch|partial):/.test(order)))
    compare('whole crawl', pagerank, `${periodic.order}, less often`, periodic)
  const done = checked.checkpoints.reduce((sum, { recomputed }) => sum + recomputed, 0)
  if (proven('solving anew', [{ name: 'for every page', work: [{ recomputed: done }] }]))
    console.log(
      `for every page it would take some ${formatCount(extrapolatedSeconds)} s, extrapolated from ${done} pages: no ratio, as it was not done`,
    )
  if (small !== undefined) reportSmall(small)
}

function reportSmall({ web, ours, peer, oursAgreed, peerAgreed }: SmallResults): void {
  const what = `${formatCount(web.pages)} pages, ${formatCount(web.links)} links, to the end`
  compare(what, ours, `for every page (${peer.order}, measured)`, peer)
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
  console.log(`${what.padEnd(52)} ours ${formatCount(ours)} ${unit}   (target ≤ ${formatCount(most)}, ${verdict})`)
}

/** What each order visited was proven before; they visit it in another turn, which is what an order is. */
function compare(what: string, ours: Row, name: string, peer: Row): void {
  const side = (row: Row, called: string): Side => ({
    ...visitedBy(row),
    name: called,
    value: row.seconds,
    cpuSeconds: row.cpuSeconds,
  })
  printRatio({ what, unit: 's', better: 'less', ours: side(ours, 'ours'), peer: side(peer, name) })
}
