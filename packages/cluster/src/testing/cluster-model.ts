/**
 * Cluster model: machines, shards and keepers as they are, over a simulated network and a simulated web. The parts are the real ones
 * (frontier, keeper, loans, tenure, telling, inflow); time, messages, disks and mishaps come from one seed.
 *
 * What may happen: messages are lost, doubled and overtake each other; the register loses writes, does not say what it did, answers
 * with what is old, or is wiped; processes are killed, stopped for a while, cut off; a shard goes on from any earlier copy of itself, or
 * from nothing; a site moves between addresses; a visit never ends by itself. After some minutes nothing more happens, so that it ends.
 *
 * What must hold whatever happens: see `verdict`.
 */
import { DONE } from '@comity/frontier'
import { createRandom } from '@comity/testbed'
import type { Random } from '@comity/testbed'
import { MemoryRoadNet } from '../road/memory-road.ts'
import { ModelMachine } from './model-machine.ts'
import { DELAY_MS } from './model-shard.ts'
import type { ModelDisk, ModelShard, Visited } from './model-shard.ts'
import { SimulatedTime } from './simulated-time.ts'
import { createModelWeb } from './model-web.ts'
import type { ModelWeb } from './model-web.ts'

/** Mishaps end then. */
const TROUBLE_MS = 240_000
const END_MS = 3 * 3_600_000

interface ModelVerdict {
  /** Two connections to one address that were open together, or one that came too soon. */
  readonly offences: readonly string[]
  readonly missing: readonly string[]
  readonly foreign: readonly string[]
  readonly fetches: number
  readonly pages: number
  /** Fetches of pages that had been fetched before, beyond what kills, cuts and lost copies explain. */
  readonly unexplained: number
  readonly mishaps: number
  readonly endedAt: number
}

export class ClusterModel {
  readonly #random: Random
  readonly #time = new SimulatedTime()
  readonly #web: ModelWeb
  readonly #net: MemoryRoadNet
  readonly #shards: number
  readonly #machines: ModelMachine[]
  readonly visits: Visited[] = []
  readonly fetched: Map<string, number> = new Map()
  /** By shard: copies, oldest first; and the highest epoch that anybody took. */
  readonly copies: Map<number, ModelDisk[]> = new Map()
  readonly epochs: Map<string, number> = new Map()
  /** Fetches that are explained: what was in flight or not yet durable when somebody was killed, or was lost with a disk. */
  explained = 0
  mishaps = 0

  constructor(seed: number) {
    this.#random = createRandom(seed)
    const random = this.#random
    this.#shards = random.between(2, 4)
    this.#web = createModelWeb(random)
    this.#net = new MemoryRoadNet({
      delays: (from, to) => this.#delays(from, to),
      after: (ms, act) => this.#time.after(ms, act),
      write: (from) =>
        this.#isCut(from)
          ? 'lost'
          : this.isTroubled && random.chance(0.02)
            ? random.pick(['untold', 'lost'] as const)
            : 'told',
      isCutOff: (from) => this.#isCut(from),
      staleness: () => (this.isTroubled && random.chance(0.05) ? random.int(3) : 0),
    })
    this.#machines = Array.from({ length: random.between(2, 3) }, (_, n) => new ModelMachine(this, `m${n}`))
  }

  get time(): SimulatedTime {
    return this.#time
  }
  get web(): ModelWeb {
    return this.#web
  }
  get net(): MemoryRoadNet {
    return this.#net
  }
  get random(): Random {
    return this.#random
  }
  get shards(): number {
    return this.#shards
  }
  get isTroubled(): boolean {
    return this.#time.now < TROUBLE_MS
  }
  get machines(): readonly ModelMachine[] {
    return this.#machines
  }

  async run(): Promise<ModelVerdict> {
    for (const machine of this.#machines) machine.start()
    const random = this.#random
    const trouble = (): void => {
      if (!this.isTroubled) return
      this.#befall()
      this.#time.after(random.between(500, 40_000), trouble)
    }
    this.#time.after(random.between(0, 20_000), trouble)
    let lookAt = TROUBLE_MS
    while ((await this.#time.step()) && this.#time.now < END_MS) {
      if (this.#time.now < lookAt) continue
      if (this.#isOver()) break
      lookAt = this.#time.now + 5_000
    }
    return this.#verdict()
  }

  #befall(): void {
    const random = this.#random
    this.mishaps++
    const machine = random.pick(this.#machines)
    const kind = random.int(8)
    if (kind <= 2) machine.kill(random.chance(0.5) ? random.between(0, 500) : random.between(0, 60_000))
    else if (kind === 3) machine.stop(random.between(1_000, 40_000))
    else if (kind <= 5) machine.cutOffUntil = this.#time.now + random.between(1_000, 120_000)
    else if (kind === 6) this.#net.wipe()
    else for (const one of this.#machines) one.kill(random.between(0, 30_000))
  }

  #isCut(name: string): boolean {
    return this.#machines.some((one) => one.name === name && one.isCutOff)
  }

  #delays(from: string, to: string): readonly number[] {
    const random = this.#random
    if (from !== to && (this.#isCut(from) || this.#isCut(to))) return []
    if (!this.isTroubled) return [random.between(0, 5)]
    if (random.chance(0.04)) return []
    const late = (): number => (random.chance(0.05) ? random.between(100, 45_000) : random.between(0, 40))
    return random.chance(0.05) ? [late(), late()] : [late()]
  }

  #isOver(): boolean {
    const owned = Array.from({ length: this.#shards }, (_, n) =>
      this.#machines.flatMap((machine) => machine.shardIfHeld(n) ?? []),
    )
    return owned.every((owners) => owners.length === 1 && isIdle(owners[0]!)) && this.#missing().length === 0
  }

  #done(): Set<string> {
    const done = new Set<string>()
    for (const machine of this.#machines) {
      for (let n = 0; n < this.#shards; n++) {
        const frontier = machine.shardIfHeld(n)?.frontier
        if (frontier === undefined) continue
        for (let page = 0; page < frontier.pages.count; page++)
          if (frontier.pages.stateOf(page) === DONE) done.add(frontier.urlOf(page))
      }
    }
    return done
  }

  #missing(): string[] {
    const done = this.#done()
    return [...this.#web.reachable].filter((url) => !done.has(url))
  }

  #verdict(): ModelVerdict {
    const { reachable } = this.#web
    const fetches = [...this.fetched.values()].reduce((sum, times) => sum + times, 0)
    const again = fetches - this.fetched.size
    return {
      offences: offencesIn(this.visits),
      missing: this.#missing(),
      foreign: [...this.#done()].filter((url) => !reachable.has(url)),
      fetches,
      pages: reachable.size,
      unexplained: Math.max(0, again - this.explained),
      mishaps: this.mishaps,
      endedAt: this.#time.now,
    }
  }
}

const isIdle = ({ frontier, inflow }: ModelShard): boolean =>
  frontier.count('waiting') === 0 && frontier.count('leased') === 0 && inflow.lag === 0

/** Pairs of connections to one address that overlap, or follow each other too soon. */
function offencesIn(visits: readonly Visited[]): string[] {
  return [...Map.groupBy(visits, ({ address }) => address)].flatMap(([address, list]) => {
    let before = -Infinity
    return list
      .toSorted((a, b) => a.from - b.from)
      .flatMap((visit) => {
        const gap = visit.from - before
        before = Math.max(before, visit.to)
        return gap >= DELAY_MS ? [] : [`${address} at ${visit.from}: ${gap} ms after the one before ended`]
      })
  })
}
