/** The acts of `bench/order.ts`. Each runs in a process of its own, so that its memory is its own, and tells JSON. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PageRank, TOLERANCE, orderNamed } from '@comity/frontier'
import type { Order } from '@comity/frontier'
import { loadWeb } from '../packages/lab/src/webs/graph/graph-file.ts'
import { createRandom } from '../packages/testbed/src/seeded-random.ts'
import { trueRanks } from '../packages/lab/src/simulate/oracle.ts'
import { VirtualCrawl, noPoliteness } from '../packages/lab/src/simulate/virtual-crawl.ts'
import { linksOf } from '../packages/lab/src/webs/graph/web-graph.ts'
import type { WebGraph } from '../packages/lab/src/webs/graph/web-graph.ts'

export interface ActOptions {
  readonly web: string
  readonly order: string
  /** Pages that a whole crawl visits. */
  readonly pages: number
  /** Pages really done by a full recompute at each checkpoint. */
  readonly sample: number
}

export interface Crawled {
  readonly pages: number
  readonly seconds: number
  /** Of the processor, collecting garbage included: what is left of the time when others use the machine as well. */
  readonly cpuSeconds: number
  /** VmHWM of the process: the web, its loading and the crawl. */
  readonly peakMb: number
  /** Of the pages in the order visited. */
  readonly digest: string
  /** Of the same, whatever the order. */
  readonly visited: string
}

export interface Checkpoint {
  readonly visited: number
  readonly known: number
  readonly links: number
  /** The worst residual, as a part of its page's rank. */
  readonly residual: number
  /** Against a solution to a billionth: the worst rank, and all of them together. */
  readonly worstError: number
  readonly summedError: number
  /** A full recompute, warm-started, for each of the next pages: how many, sweeps and milliseconds of one. */
  readonly recomputed: number
  readonly sweeps: number
  readonly recomputeMs: number
}

export interface Checked {
  readonly digest: string
  readonly checkpoints: readonly Checkpoint[]
}

export interface Agreed {
  readonly pages: number
  /** How far the page taken fell short of the best that waited: the most, and the mean, as parts of the best. */
  readonly worst: number
  readonly mean: number
}

export interface WebFacts {
  readonly pages: number
  readonly links: number
  readonly sites: number
  readonly hasWords: boolean
}

export const ACTS: Readonly<Record<string, (options: ActOptions) => Promise<object>>> = {
  facts,
  crawl,
  check,
  agree,
}

const EXACT = 1e-9
/** Exact enough to judge a thousandth by, for every single page of a crawl. */
const JUDGE = 1e-6
const CHECKPOINTS = 10

async function facts({ web: path }: ActOptions): Promise<WebFacts> {
  const web = await loadWeb(path)
  return { pages: web.pages, links: web.targets.length, sites: web.sites, hasWords: hasWords(web) }
}

function hasWords({ words, pages, targets }: WebGraph): boolean {
  if (words === undefined) return false
  for (let link = 0; link < targets.length; link++) if (words.anchorOf(link) !== '') return true
  for (let page = 0; page < pages; page++) if (words.titleOf(page) !== '' || words.bodyOf(page) !== '') return true
  return false
}

async function crawl({ web: path, order: name }: ActOptions): Promise<Crawled> {
  const web = await loadWeb(path)
  const oracle = name === 'optimal' ? trueRanks(web) : undefined
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const visits = visitsOf(start(web, orderNamed(name), oracle), web.pages)
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  return {
    pages: visits.length,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    peakMb: peakMb(),
    digest: digestOf(visits),
    visited: digestOf(visits.toSorted()),
  }
}

/** A pass beside the timed one: the same order with its ranks in hand, stopped at every tenth. */
async function check({ web: path, pages, sample }: ActOptions): Promise<Checked> {
  const web = await loadWeb(path)
  const ranks = new PageRank()
  const checkpoints: Checkpoint[] = []
  let visited = 0
  let peer: Recompute | undefined
  const order = held(ranks, (page, links, known) => {
    visited++
    peer?.visited(page, links, known)
    if (peer !== undefined && peer.count < sample) return
    if (peer !== undefined) checkpoints.push({ ...checkpoints.pop()!, ...peer.told() })
    peer = undefined
    const next = Math.min(Math.round((pages * (checkpoints.length + 1)) / CHECKPOINTS), pages - sample)
    if (visited !== next || checkpoints.length === CHECKPOINTS) return
    checkpoints.push({ visited, known, links: ranks.graph.links, ...errorsOf(ranks, known), ...NOT_RECOMPUTED })
    peer = new Recompute(copyOf(ranks, known, TOLERANCE))
  })
  const visits = visitsOf(start(web, order), web.pages)
  return { digest: digestOf(visits), checkpoints }
}

/** On a small web every step is judged: how good is the page that was taken, by ranks solved anew at that moment? */
async function agree({ web: path, order: name }: ActOptions): Promise<Agreed> {
  const web = await loadWeb(path)
  const exact = new PageRank()
  exact.grow(web.pages)
  // Pages that nobody has found have no say: x of the others does not depend on how many there are.
  const waiting = new Set(web.homes)
  const known = new Set(web.homes)
  let [steps, worst, sum] = [0, 0, 0]
  for (const page of start(web, orderNamed(name)).inOrder()) {
    let best = 0
    for (const one of waiting) best = Math.max(best, exact.valueOf(one))
    const short = 1 - exact.valueOf(page) / best
    worst = Math.max(worst, short)
    sum += short
    steps++
    waiting.delete(page)
    for (const to of linksOf(web, page)) if (known.size < known.add(to).size) waiting.add(to)
    exact.set(page, linksOf(web, page))
    exact.solve(JUDGE)
  }
  return { pages: steps, worst, mean: sum / steps }
}

function start(web: WebGraph, order: Order, oracle?: Float64Array): VirtualCrawl {
  const random = createRandom(1)
  return new VirtualCrawl(web, {
    order,
    politeness: noPoliteness,
    random: () => random.next(),
    oracle: oracle && ((page) => oracle[page]!),
  })
}

function visitsOf(virtual: VirtualCrawl, most: number): Uint32Array {
  const visits = new Uint32Array(most)
  let count = 0
  for (const page of virtual.inOrder()) visits[count++] = page
  return visits.subarray(0, count)
}

const digestOf = (visits: Uint32Array): string => createHash('sha256').update(visits).digest('hex')

/** The order `pagerank`, with its ranks in our hands; equal digests prove that it is the same. */
function held(ranks: PageRank, onVisit: (page: number, links: ArrayLike<number>, known: number) => void): Order {
  return {
    name: 'pagerank',
    description: 'highest PageRank first',
    start: (web) => {
      const onMoved = (page: number): void => web.moved(page)
      return {
        rankPage: (page) => -ranks.valueOf(page),
        visited: (page, { links }) => {
          ranks.link(page, links, onMoved)
          onVisit(page, links, web.count)
        },
      }
    },
  }
}

/** The same graph, solved from nothing. */
function copyOf({ graph }: PageRank, known: number, tolerance: number): PageRank {
  const copy = new PageRank()
  copy.grow(known)
  for (let page = 0; page < known; page++) if (graph.countOf(page) > 0) copy.set(page, graph.linksOf(page))
  copy.solve(tolerance)
  return copy
}

function errorsOf(ranks: PageRank, known: number): Pick<Checkpoint, 'residual' | 'worstError' | 'summedError'> {
  const exact = copyOf(ranks, known, EXACT)
  let [worstError, errors, sum] = [0, 0, 0]
  for (let page = 0; page < known; page++) {
    const value = exact.valueOf(page)
    const error = Math.abs(ranks.valueOf(page) - value)
    worstError = Math.max(worstError, error / value)
    errors += error
    sum += value
  }
  return { residual: ranks.worstResidual(), worstError, summedError: errors / sum }
}

const NOT_RECOMPUTED = { recomputed: 0, sweeps: 0, recomputeMs: 0 }

/** The whole system solved anew for each page, from where it stood. Taking the best page then is not even counted. */
class Recompute {
  readonly #ranks: PageRank
  #ms = 0
  #sweeps = 0
  count = 0

  constructor(ranks: PageRank) {
    this.#ranks = ranks
  }

  visited(page: number, links: ArrayLike<number>, known: number): void {
    const began = performance.now()
    this.#ranks.grow(known)
    this.#ranks.set(page, links)
    this.#sweeps += this.#ranks.solve()
    this.#ms += performance.now() - began
    this.count++
  }

  told(): Pick<Checkpoint, 'recomputed' | 'sweeps' | 'recomputeMs'> {
    return { recomputed: this.count, sweeps: this.#sweeps / this.count, recomputeMs: this.#ms / this.count }
  }
}

/** The most memory this process has ever had, in MB (10⁶ bytes). NaN where there is no /proc. */
function peakMb(): number {
  try {
    return (Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}
