/**
 * When is being told cheaper than asking? On one site more and more pages change within a polling period. Who polls asks once and
 * learns of all of them; who is told is sent something for each. Few changes in a period favour push, many favour polls: what
 * counts is the rate of change times the period (002 §6.1).
 *
 * Where there is less than one change a period, most polls find nothing: such a poll costs what it costs, and push nothing.
 */
import { trafficBytes } from '../../cooperating/counted-line.ts'
import type { CountedLine } from '../../cooperating/counted-line.ts'
import { CountedDeliveryWorker } from '../../cooperating/counted-delivery-worker.ts'
import type { PushKind } from '../../cooperating/counted-delivery-worker.ts'
import { CountedSite } from '../../cooperating/counted-site.ts'
import { crossingOf } from '../../crossing.ts'
import type { Crossing } from '../../crossing.ts'
import type { NamedCurve } from './site.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { countedFollower, countedPoller } from '../../cooperating/counted-poller.ts'
import type { CountedPoller } from '../../cooperating/counted-poller.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import { createRandom, seedOf } from '@comity/testbed'

export const POLLS = [
  'GET if modified on each',
  'change list, then GET',
  'metadata archives, then GET',
  'filter, differences',
] as const
export const PUSHES = ['notice, then GET', 'differences, sent', 'pages, sent', 'batch, sent'] as const
export type PushName = (typeof PUSHES)[number]

export interface PushCurves {
  readonly pages: number
  /** Bytes of a period against the changes in it. */
  readonly curves: readonly NamedCurve[]
  /** Up to how many changes a period a push is cheaper than a poll. */
  readonly crossings: readonly { readonly push: string; readonly poll: string; readonly crossing: Crossing }[]
}

interface PushPlan {
  readonly pushPages: number
  readonly meanBytes: number
  readonly pushChanges: readonly number[]
  readonly editShare: number
  readonly seed: number
}

const DAY_MS = 86_400_000
/** Changes a period, where there are fewer than one. */
const SELDOM = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
const BEGINS = Date.UTC(2026, 0, 2)

export async function pushCurves({
  pushPages,
  meanBytes,
  pushChanges,
  editShare,
  seed,
}: PushPlan): Promise<PushCurves> {
  const site = await CountedSite.open(madePages({ pages: pushPages, meanBytes, seed, isEven: true }), {
    base: SITE_BASE,
    at: BEGINS,
  })
  const polls = pollsOf(site)
  const samples = new Map<string, [number, number][]>([...POLLS, ...PUSHES].map((name) => [name, []]))
  const random = createRandom(seedOf(seed, 'push', pushPages))
  let told: Told | undefined
  const change = async (count: number): Promise<void> => {
    const at = site.now + DAY_MS
    for (const [order, path] of random.shuffle(site.paths).slice(0, count).entries()) {
      const body = editedBody(site.body(path)!, editShare, 'place', random)
      await site.put([{ path, body, modifiedAt: at + order }], at + order)
      await told?.change(path)
    }
    site.moveTo(at + DAY_MS)
  }
  for (const { poll } of polls) await poll()
  // Whoever has followed a site for a while is past the moment when all of its pages were new.
  await change(1)
  for (const { poll } of polls) await poll()
  told = await Told.open(site, PUSHES)
  for (const count of [0, ...pushChanges]) {
    await change(count)
    for (const { name, line, poll } of polls) {
      const spent = trafficBytes(line.traffic)
      await poll()
      samples.get(name)!.push([count, trafficBytes(line.traffic) - spent])
    }
    for (const push of PUSHES) samples.get(push)!.push([count, await told.taken(push)])
  }
  for (const [name, points] of samples) samples.set(name, withSeldom(points))
  return {
    pages: pushPages,
    curves: Array.from(samples, ([name, points]) => ({ name, points })),
    crossings: PUSHES.flatMap((push) =>
      POLLS.map((poll) => ({ push, poll, crossing: crossingOf(samples.get(push)!, samples.get(poll)!) })),
    ),
  }
}

/** From nothing to the first sample, by how many periods have a change at all. */
function withSeldom([nothing, first, ...rest]: readonly [number, number][]): [number, number][] {
  const [none, [count, bytes]] = [nothing![1], first!]
  const between = SELDOM.map((share): [number, number] => [share * count, none + share * (bytes - none)])
  return [...between, first!, ...rest]
}

interface Polled extends CountedPoller {
  readonly name: string
}

function pollsOf(site: CountedSite): readonly Polled[] {
  const each = countedPoller(
    site,
    {},
    async (follower, line) => {
      for (const path of site.paths) await follower.visit(line, path, site.now)
    },
    'plain',
  )
  return [
    { name: POLLS[0], ...each },
    { name: POLLS[1], ...countedFollower(site, 'change-list') },
    { name: POLLS[2], ...countedFollower(site, 'metadata-archive') },
    { name: POLLS[3], ...countedFollower(site, 'filter', { brings: 'difference', differences: 'delta' }) },
  ]
}

const KINDS: Readonly<Record<PushName, PushKind>> = {
  'notice, then GET': 'changes',
  'differences, sent': 'differences',
  'pages, sent': 'pages',
  'batch, sent': 'batches',
}

/** DeliveryWorkers of some ways to be told, and what they have sent since it was last asked. */
export class Told {
  readonly #site: CountedSite
  readonly #deliveryWorkers: ReadonlyMap<PushName, CountedDeliveryWorker>
  readonly #line: CountedLine
  #bytes = new Map<PushName, number>()

  private constructor(site: CountedSite, deliveryWorkers: ReadonlyMap<PushName, CountedDeliveryWorker>) {
    this.#site = site
    this.#deliveryWorkers = deliveryWorkers
    this.#line = site.line()
  }

  static async open(site: CountedSite, pushes: readonly PushName[]): Promise<Told> {
    const deliveryWorkers = new Map<PushName, CountedDeliveryWorker>()
    for (const push of pushes) deliveryWorkers.set(push, await CountedDeliveryWorker.open(site, KINDS[push]))
    return new Told(site, deliveryWorkers)
  }

  /** Right after a change: each is told of it, but for who waits for a batch. Whoever got a notice asks for the page. */
  async change(path: string): Promise<void> {
    for (const [push, deliveryWorker] of this.#deliveryWorkers) {
      if (push === 'batch, sent') continue
      this.#add(push, (await deliveryWorker.send()).bytes)
      if (push === 'notice, then GET') this.#add(push, await this.#get(path))
    }
  }

  /** What was sent until now, batches as well. */
  async taken(push: PushName): Promise<number> {
    if (push === 'batch, sent') this.#add(push, (await this.#deliveryWorkers.get(push)!.send()).bytes)
    const bytes = this.#bytes.get(push) ?? 0
    this.#bytes.delete(push)
    return bytes
  }

  #add(push: PushName, bytes: number): void {
    this.#bytes.set(push, (this.#bytes.get(push) ?? 0) + bytes)
  }

  async #get(path: string): Promise<number> {
    const before = trafficBytes(this.#line.traffic)
    const { status } = await this.#line.ask({ path })
    if (status !== 200) throw new Error(`${this.#site.base} answers ${status} for ${path}, of which it told`)
    return trafficBytes(this.#line.traffic) - before
  }
}
