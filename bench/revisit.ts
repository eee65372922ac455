/**
 * How many decisions a second does the calendar of visits make at a million pages, and what memory does a page take?
 *
 *   npm run bench:revisit -- [--pages 1000000] [--sites 10000] [--visits 200000] [--rounds 3] [--json]
 *
 * A decision is: which page next, and what its visit found. Pages change at rates of their own; every tenth visit is
 * preceded by a signal, which only ours takes. Two peers, both written here after the rule of Nutch's
 * AdaptiveFetchSchedule (an interval a page, ×0.8 when it had changed, ×1.2 when not), in flat arrays:
 *
 *   scan   as Nutch does it: a generate step looks at all pages, takes those due, best score first, at most so many of a
 *          site, and hands out a segment of 50,000; then the next step
 *   heap   the same rule without looking at all: one binary heap by the instant a page is due; no manners, no score
 *
 * Neither has a budget, importance for its cost, signals or trust: they are the least that such a schedule can do. Equal
 * work: each makes the same number of visits. Each run is a process of its own, and they take turns.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { RevisitQueue, policyNamed } from '@comity/frontier'
import { createRandom } from '@comity/lab'
import { formatCount, formatRatio, median, rssAnonMb } from './measure.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000000' },
    sites: { type: 'string', default: '10000' },
    visits: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    // Set for the processes of the acts.
    act: { type: 'string', default: '' },
  },
})
const [pages, sites, visits] = [Number(values.pages), Number(values.sites), Number(values.visits)]
const rounds = Math.max(1, Number(values.rounds) || 0)

const DAY = 86_400_000
/** Each page once in ten days, in the mean. */
const SLOT_MS = (10 * DAY) / pages
/** Time before a site may be asked again. */
const REST_MS = 1_000
const SIGNAL_EVERY = 10
const SEGMENT = 50_000
const PER_SITE = 100

interface Told {
  readonly visits: number
  /** Of processor time. */
  readonly perSecond: number
  readonly bytesPerPage: number
  /** Of those visits, how many found a change. */
  readonly changed: number
}

const ACTS: Readonly<Record<string, () => Told>> = { ours, heap, scan }

if (values.act !== '') process.stdout.write(`${JSON.stringify(ACTS[values.act]!())}\n`)
else await direct()

async function direct(): Promise<void> {
  const runs = new Map(Object.keys(ACTS).map((name): [string, Told[]] => [name, []]))
  for (let round = 0; round < rounds; round++) for (const [name, done] of runs) done.push(await act(name))
  const middle = new Map(
    Array.from(runs, ([name, done]) => [
      name,
      {
        ...done[0]!,
        perSecond: median(done.map(({ perSecond }) => perSecond)),
        bytesPerPage: median(done.map(({ bytesPerPage }) => bytesPerPage)),
      },
    ]),
  )
  const mine = middle.get('ours')!
  for (const [name, { visits: made }] of middle)
    if (made !== mine.visits) throw new Error(`${name} made ${made} visits, we ${mine.visits}`)
  if (values.json)
    return console.log(JSON.stringify({ pages, sites, node: process.version, ...Object.fromEntries(middle) }))
  console.log(
    `${formatCount(pages)} pages on ${formatCount(sites)} sites, ${formatCount(mine.visits)} visits each, Node ${process.version}`,
  )
  for (const [name, title] of [
    ['scan', 'generate step over all pages'],
    ['heap', 'binary heap, no manners'],
  ] as const) {
    const peer = middle.get(name)!
    console.log(
      formatRatio({
        what: 'decisions a second of processor',
        ours: mine.perSecond,
        unit: '/s',
        peer: { name: title, value: peer.perSecond },
        better: 'more',
      }),
    )
    console.log(
      formatRatio({
        what: 'memory of a page',
        ours: mine.bytesPerPage,
        unit: 'bytes',
        peer: { name: title, value: peer.bytesPerPage },
        better: 'less',
      }),
    )
    console.log(`  changes found: ours ${formatCount(mine.changed)}, ${title} ${formatCount(peer.changed)}`)
  }
}

async function act(name: string): Promise<Told> {
  if (!values.json) process.stderr.write(`… ${name}\n`)
  const flags = ['--act', name, '--pages', values.pages, '--sites', values.sites, '--visits', values.visits]
  const child = spawn(process.execPath, [import.meta.filename, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  return JSON.parse(out)
}

/** A third never changes; the others from once in a year to twice a day. */
function changeRates(): Float32Array {
  const random = createRandom(1)
  return Float32Array.from({ length: pages }, () => (random.next() < 1 / 3 ? 0 : 2 * 730 ** -random.next()))
}

/** Whether a page has changed since its last visit. */
function finder(rates: Float32Array): (page: number, days: number) => boolean {
  const random = createRandom(2)
  return (page, days) => random.next() < -Math.expm1(-rates[page]! * days)
}

/** Time `visits` decisions, by the processor's clock as the machine may be shared; `decide` makes one and says whether it found a change. */
function timed(before: number, decide: (n: number) => boolean): Told {
  const bytesPerPage = ((rssAnonMb() - before) * 1e6) / pages
  let changed = 0
  const began = process.cpuUsage()
  for (let n = 0; n < visits; n++) if (decide(n)) changed++
  const { user, system } = process.cpuUsage(began)
  return { visits, perSecond: (visits * 1e6) / (user + system), bytesPerPage, changed }
}

function ours(): Told {
  const [rates, random] = [changeRates(), createRandom(3)]
  const found = finder(rates)
  const freeAt = new Float64Array(sites)
  const before = rssAnonMb()
  const queue = new RevisitQueue({
    policy: policyNamed('value'),
    budget: { requestsPerSecond: 1_000 / SLOT_MS },
    random: () => random.next(),
  })
  const visitedAt = Float64Array.from({ length: pages }, () => -random.next() * 20 * DAY)
  for (let page = 0; page < pages; page++) queue.added(page, { site: page % sites, visitedAt: visitedAt[page]! }, 0)
  let now = 0
  return timed(before, (n) => {
    now += SLOT_MS + 1
    if (n % SIGNAL_EVERY === 0)
      queue.signalled(random.int(pages), { url: '', change: 'updated', channel: 'sitemap' }, now)
    let taken = queue.take(now, (site) => freeAt[site]!)
    while (taken === undefined) {
      now = Math.max(now + 1, queue.nextAt(now))
      taken = queue.take(now, (site) => freeAt[site]!)
    }
    const { page, site } = taken
    const changed = found(page, (now - visitedAt[page]!) / DAY)
    queue.visited(page, { at: now, changed, bytes: changed ? 13_000 : 300 })
    visitedAt[page] = now
    freeAt[site] = now + REST_MS
    return changed
  })
}

interface Schedule {
  readonly visitedAt: Float64Array
  readonly dueAt: Float64Array
  readonly intervalDays: Float32Array
}

function schedule(): Schedule {
  const random = createRandom(3)
  const visitedAt = Float64Array.from({ length: pages }, () => -random.next() * 20 * DAY)
  const intervalDays = new Float32Array(pages).fill(10)
  return { visitedAt, intervalDays, dueAt: visitedAt.map((at, page) => at + intervalDays[page]! * DAY) }
}

/** The rule itself: a visit, and when the page is due again. */
function visit(
  { visitedAt, dueAt, intervalDays }: Schedule,
  page: number,
  now: number,
  found: ReturnType<typeof finder>,
): boolean {
  const changed = found(page, (now - visitedAt[page]!) / DAY)
  intervalDays[page] = Math.min(365, Math.max(1 / 24, intervalDays[page]! * (changed ? 0.8 : 1.2)))
  visitedAt[page] = now
  dueAt[page] = now + intervalDays[page] * DAY
  return changed
}

function heap(): Told {
  const found = finder(changeRates())
  const before = rssAnonMb()
  const plan = schedule()
  const order = Uint32Array.from({ length: pages }, (_, page) => page)
  const sink = (at: number): void => {
    const page = order[at]!
    for (;;) {
      let child = 2 * at + 1
      if (child >= pages) break
      if (child + 1 < pages && plan.dueAt[order[child + 1]!]! < plan.dueAt[order[child]!]!) child++
      if (plan.dueAt[order[child]!]! >= plan.dueAt[page]!) break
      order[at] = order[child]!
      at = child
    }
    order[at] = page
  }
  for (let at = pages >> 1; at >= 0; at--) sink(at)
  let now = 0
  return timed(before, () => {
    now += SLOT_MS
    const changed = visit(plan, order[0]!, now, found)
    sink(0)
    return changed
  })
}

function scan(): Told {
  const found = finder(changeRates())
  const before = rssAnonMb()
  const plan = schedule()
  const perSite = new Uint16Array(sites)
  let [now, next]: [number, number] = [0, 0]
  let segment: readonly number[] = []
  const generate = (): number[] => {
    const due: number[] = []
    for (let page = 0; page < pages; page++) if (plan.dueAt[page]! <= now) due.push(page)
    due.sort((a, b) => plan.dueAt[a]! - plan.dueAt[b]!)
    perSite.fill(0)
    const taken: number[] = []
    for (const page of due) {
      if (taken.length === SEGMENT) break
      if (perSite[page % sites]!++ < PER_SITE) taken.push(page)
    }
    return taken
  }
  return timed(before, () => {
    while (next === segment.length) {
      segment = generate()
      next = 0
      // Nothing is due: an hour later something is.
      if (segment.length === 0) now += DAY / 24
    }
    now += SLOT_MS
    return visit(plan, segment[next++]!, now, found)
  })
}
