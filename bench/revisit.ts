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
 *   heap   the same rule without looking at all: one binary heap by the instant a page is due; no politeness, no score
 *
 * Neither has a budget, importance for its cost, signals or trust: they are the least that such a schedule can do. Equal
 * work: each makes as many visits as were asked for, each to a page that there is. Which pages, and so how many changes are
 * found, is what they differ in, and is printed. Each run is a process of its own, and they take turns; a run again makes the
 * same visits.
 */
import { spawn } from 'node:child_process'
import { RevisitQueue, policyNamed } from '@comity/frontier'
import { createRandom } from '@comity/testbed'
import { endWith, readArguments } from './arguments.ts'
import { printRatio, proven } from './equal-work.ts'
import type { Side } from './equal-work.ts'
import { formatCount, median, ownTime, rssAnonMb, since } from './measure.ts'
import type { Took } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  pages: 1_000_000,
  sites: 10_000,
  visits: 200_000,
  rounds: 3,
  json: false,
  // Set for the processes of the acts.
  act: '',
})
const { pages, sites, visits, rounds } = flags

const DAY = 86_400_000
/** Each page once in ten days, in the mean. */
const SLOT_MS = (10 * DAY) / pages
/** Time before a site may be asked again. */
const REST_MS = 1_000
const SIGNAL_EVERY = 10
const SEGMENT = 50_000
const PER_SITE = 100

interface Told extends Took {
  /** Those that were made, and to how many pages. */
  readonly visits: number
  readonly visitedPages: number
  readonly bytesPerPage: number
  /** Of those visits, how many found a change. */
  readonly changed: number
}

const ACTS: Readonly<Record<string, () => Told>> = { ours, heap, scan }

if (flags.act === '') await direct()
else {
  const perform = ACTS[flags.act] ?? endWith(import.meta.filename, `There is no act ${flags.act}`)
  process.stdout.write(`${JSON.stringify(perform())}\n`)
}

async function direct(): Promise<void> {
  const runs = new Map(Object.keys(ACTS).map((name): [string, Told[]] => [name, []]))
  for (let round = 0; round < rounds; round++) for (const [name, done] of runs) done.push(await act(name))
  const asked = { name: 'what was asked', work: [{ visits }] }
  const made = Array.from(runs, ([name, done]) => ({ name, work: done.map((told) => ({ visits: told.visits })) }))
  const alike = Array.from(runs, ([name, done]) => ({
    name,
    work: done.map(({ visits: times, visitedPages, changed }) => ({ times, visitedPages, changed })),
  }))
  // Not beside each other: who visits what is theirs to choose.
  if (![proven('visits', [asked, ...made]), ...alike.map((one) => proven('rounds', [one]))].every((is) => is)) return
  const told = (name: string): Told => ({
    ...runs.get(name)![0]!,
    seconds: median(runs.get(name)!.map(({ seconds }) => seconds)),
    cpuSeconds: median(runs.get(name)!.map(({ cpuSeconds }) => cpuSeconds)),
    bytesPerPage: median(runs.get(name)!.map(({ bytesPerPage }) => bytesPerPage)),
  })
  const mine = told('ours')
  if (flags.json) {
    const all = Object.fromEntries(Array.from(runs.keys(), (name) => [name, jsonOf(told(name))]))
    return console.log(JSON.stringify({ pages, sites, node: process.version, ...all }))
  }
  console.log(
    `${formatCount(pages)} pages on ${formatCount(sites)} sites, ${formatCount(mine.visits)} visits each, Node ${process.version}`,
  )
  for (const [name, title] of [
    ['scan', 'generate step over all pages'],
    ['heap', 'binary heap, no politeness'],
  ] as const) {
    const peer = told(name)
    const side = (who: string, of: Told, value: number, cpuSeconds?: number): Side => ({
      name: who,
      value,
      cpuSeconds,
      work: [{ visits: of.visits }],
    })
    const rate = (who: string, of: Told): Side => side(who, of, of.visits / of.seconds, of.cpuSeconds)
    const memory = (who: string, of: Told): Side => side(who, of, of.bytesPerPage)
    const decisions = { what: 'decisions', unit: '/s', better: 'more' } as const
    printRatio({ ...decisions, ours: rate('ours', mine), peer: rate(title, peer) })
    const memories = { what: 'memory of a page', unit: 'bytes', better: 'less' } as const
    printRatio({ ...memories, ours: memory('ours', mine), peer: memory(title, peer) })
    console.log(
      `  changes found: ours ${formatCount(mine.changed)} on ${formatCount(mine.visitedPages)} pages, ` +
        `${title} ${formatCount(peer.changed)} on ${formatCount(peer.visitedPages)}`,
    )
  }
}

/** Per second of the processor, as it always was. */
function jsonOf({ cpuSeconds, ...told }: Told): object {
  return { ...told, cpuSeconds, perSecond: told.visits / cpuSeconds }
}

async function act(name: string): Promise<Told> {
  if (!flags.json) process.stderr.write(`… ${name}\n`)
  const given = ['--act', name, '--pages', `${pages}`, '--sites', `${sites}`, '--visits', `${visits}`]
  const child = spawn(process.execPath, [import.meta.filename, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
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

/** Which page was visited, and whether it had changed. */
interface Visit {
  readonly page: number
  readonly changed: boolean
}

/** Time `visits` decisions; `decide` makes one. Visits are counted as they are made, to pages that there are. */
function timed(before: number, decide: (n: number) => Visit): Told {
  const bytesPerPage = ((rssAnonMb() - before) * 1e6) / pages
  const times = new Uint32Array(pages)
  let changes = 0
  const began = ownTime()
  for (let n = 0; n < visits; n++) {
    const { page, changed } = decide(n)
    // Of a page that is not there nothing is counted: a typed array forgets it.
    times[page]!++
    if (changed) changes++
  }
  const took = since(began, ownTime())
  const made = times.reduce((sum, count) => sum + count, 0)
  const visitedPages = times.reduce((sum, count) => sum + Number(count > 0), 0)
  return { ...took, visits: made, visitedPages, bytesPerPage, changed: changes }
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
    return { page, changed }
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
    const page = order[0]!
    const changed = visit(plan, page, now, found)
    sink(0)
    return { page, changed }
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
    const page = segment[next++]!
    return { page, changed: visit(plan, page, now, found) }
  })
}
