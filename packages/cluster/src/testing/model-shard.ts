/** One shard of the model: the real frontier, loans and lists, over a disk of its own and a simulated web. */
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import type { FrontierBatch, Lease } from '@comity/frontier'
import { MemoryStore } from '@comity/frontier/testing'
import type { Opening, Taken } from '@comity/collection'
import { Loans } from '../addresses/loans.ts'
import type { Loan } from '../addresses/loans.ts'
import { leaseTimes } from '../clock.ts'
import type { Clock, LeaseTimes } from '../clock.ts'
import { Inflow } from '../lists/inflow.ts'
import { serveLists } from '../lists/list-service.ts'
import { withOpening } from '../lists/telling.ts'
import type { ListSource, Told } from '../lists/telling.ts'
import { shardOf } from '../placement.ts'
import type { Road } from '../road/road.ts'
import type { ClusterModel } from './cluster-model.ts'
import type { SimulatedProcess } from './simulated-time.ts'

export const TIMES: LeaseTimes = leaseTimes(30_000)
export const DELAY_MS = 2_000
const PARALLEL = 4
const COMMIT_MS = 400

export interface Visited {
  readonly address: string
  readonly from: number
  to: number
}

/** What one shard has on one disk, or in a copy. */
export class ModelDisk {
  batches: FrontierBatch[] = []
  lists: Map<number, number[]> = new Map()
  taken: readonly Taken[] = []
  openings: readonly Opening[] = []

  copy(): ModelDisk {
    const copy = new ModelDisk()
    copy.batches = [...this.batches]
    copy.lists = new Map([...this.lists].map(([shard, pages]) => [shard, [...pages]]))
    copy.taken = this.taken
    copy.openings = this.openings
    return copy
  }

  get epoch(): number {
    return this.openings.at(-1)?.epoch ?? 0
  }
}

export interface ModelShard {
  readonly frontier: Frontier
  readonly disk: ModelDisk
  readonly end: () => void
  readonly loans: Loans
  readonly inflow: Inflow
}

/** A process of a machine, and what it has of the world. */
interface ModelLife {
  readonly road: Road
  readonly clock: Clock
  readonly process: SimulatedProcess
}

interface Opened {
  readonly shard: number
  readonly epoch: number
  readonly disk: ModelDisk
  readonly isHeld: () => boolean
}

export function openModelShard(
  model: ClusterModel,
  { shard, epoch, disk, isHeld }: Opened,
  { road, clock, process }: ModelLife,
): ModelShard {
  const { time, web, random, shards } = model
  const store = new MemoryStore()
  for (const batch of disk.batches) store.store(batch)
  const now = (): number => clock.wall()
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => ({ ...politeDefaults, delayMs: DELAY_MS, slowdown: 0, backoffMs: DELAY_MS }),
    budgetOf: () => ({ maxPages: 1e6, maxBytes: 1e12, maxKnown: 1e6 }),
    maxTries: 1_000,
    random: () => random.next(),
    gates: false,
    textOf: (page) => store.textOf(page),
    shard: {
      homeOf: (origin) => {
        const home = shardOf(origin, shards)
        return home === shard ? undefined : home
      },
    },
  })
  frontier.restore(store, now(), false)
  const lengths = Array.from({ length: shards }, (_, n) => disk.lists.get(n)?.length ?? 0)
  disk.openings = withOpening(disk.openings, { epoch, lengths })
  let taken = disk.taken
  let isEnded = false
  const commit = (): void => {
    if (isEnded) return
    const batch = structuredClone(frontier.drain())
    store.store(batch)
    frontier.stored()
    disk.batches.push(batch)
    disk.taken = taken
    for (const [to, page] of batch.elsewhere ?? []) disk.lists.set(to, [...(disk.lists.get(to) ?? []), page])
    uncommitted.clear()
    process.after(COMMIT_MS, commit)
  }
  const uncommitted = new Set<number>()
  const source: ListSource = {
    epoch,
    get openings() {
      return disk.openings
    },
    lengthFor: (to) => disk.lists.get(to)?.length ?? 0,
    pagesFor: (to, from, most) => (disk.lists.get(to) ?? []).slice(from, from + most),
    told: (page) => ({
      url: frontier.urlOf(page),
      depth: frontier.pages.depthOf(page),
      seed: frontier.pages.seedOf(page),
    }),
  }
  const offer = (told: readonly Told[]): number => {
    for (const { url, depth, seed } of told) frontier.offer(url, { depth, seed })
    crawl()
    return 0
  }
  const inflow = new Inflow({
    shard,
    shards,
    road,
    answerMs: TIMES.answerMs,
    taken,
    offer,
    keep: (all) => (taken = all),
  })
  const loans = new Loans({ shard, shards, epoch, road, clock, times: TIMES })
  const endLists = serveLists(road, shard, source, isHeld)
  const open = new Set<Visited>()
  process.onKill(() => {
    for (const visit of open) visit.to = time.now
    open.clear()
  })
  const visit = async (lease: Lease): Promise<void> => {
    await process.sleep(random.between(0, 20))
    const address = web.addressOf(lease.site.origin, time.now)
    if (isEnded || !frontier.place(lease, address, now())) return
    const borrowed = await loans.borrow(address, DELAY_MS)
    if (borrowed.kind === 'wait') return frontier.postpone(lease, now() + borrowed.waitMs, now())
    await connected(lease, address, borrowed.loan)
    const restMs = Math.max(DELAY_MS, frontier.addressRestsUntil(address) - now())
    borrowed.loan.giveBack(restMs)
  }
  const connected = async (lease: Lease, address: string, loan: Loan): Promise<void> => {
    if (isEnded || !loan.isGood()) {
      putBack(lease)
      return frontier.postpone(lease, now(), now())
    }
    const one: Visited = { address, from: time.now, to: Infinity }
    model.visits.push(one)
    open.add(one)
    let isCut = false
    const close = (): void => {
      if (open.delete(one)) one.to = time.now
    }
    loan.whenOver(() => {
      isCut = true
      close()
    })
    const { task } = lease
    if (task.kind === 'page' && loan.isGood()) {
      model.fetched.set(task.url, (model.fetched.get(task.url) ?? 0) + 1)
      // Now and then a server says nothing for minutes.
      await process.sleep(random.chance(0.1) ? random.between(1_000, 120_000) : random.between(20, 400))
      if (isCut || isEnded) {
        model.explained++
        frontier.settle(task.page, 'waiting')
      } else {
        for (const url of web.linksOf(task.url))
          frontier.offer(url, { depth: task.depth + 1, seed: 0, parent: task.page })
        uncommitted.add(task.page)
        frontier.answered(lease, { endedAt: now(), tookMs: 1, overloaded: false })
        frontier.settle(task.page, 'done')
      }
    }
    close()
    frontier.release(lease, now())
  }
  const putBack = (lease: Lease): void => {
    if (lease.task.kind === 'page') frontier.settle(lease.task.page, 'waiting')
  }
  let out = 0
  const crawl = (): void => {
    while (isHeld() && out < PARALLEL) {
      if (isEnded) return
      const lease = frontier.lease(now())
      if (lease === undefined) return
      out++
      void visit(lease).finally(() => {
        out--
        crawl()
      })
    }
  }
  const look = (): void => {
    crawl()
    if (!isEnded) process.after(700, look)
  }
  const keepCopy = (): void => {
    if (isEnded) return
    const known = model.copies.get(shard) ?? []
    model.copies.set(shard, [...known, disk.copy()])
    process.after(random.between(10_000, 60_000), keepCopy)
  }
  for (const url of web.seeds) if (shardOf(originOf(url), shards) === shard) frontier.offer(url, { depth: 0, seed: 0 })
  commit()
  look()
  process.after(random.between(1_000, 60_000), keepCopy)
  return {
    frontier,
    disk,
    loans,
    inflow,
    end: () => {
      isEnded = true
      loans.end()
      endLists()
      for (const one of open) one.to = time.now
      open.clear()
      model.explained += uncommitted.size
    },
  }
}

/** What may be fetched again when it is killed now. */
export const inFlight = ({ frontier }: ModelShard): number => frontier.count('leased') + PARALLEL * 4

const originOf = (url: string): string => url.slice(0, url.indexOf('/', 8))
