/** One machine of the model: its processes one after the other, with the real tenures and keepers. */
import { AddressKeeper } from '../addresses/keeper.ts'
import { serveKeeper } from '../addresses/keeper-service.ts'
import type { Clock } from '../clock.ts'
import { Tenure } from '../ownership/tenure.ts'
import type { Road } from '../road/road.ts'
import type { ClusterModel } from './cluster-model.ts'
import { inFlight, ModelDisk, openModelShard, TIMES } from './model-shard.ts'
import type { ModelShard } from './model-shard.ts'
import { SimulatedProcess } from './simulated-time.ts'

const TURN_MS = 1_500

const nothing = (): void => undefined

export class ModelMachine {
  readonly name: string
  readonly #model: ClusterModel
  readonly #disks = new Map<number, ModelDisk>()
  #process: SimulatedProcess
  #road: Road | undefined
  #shards = new Map<number, ModelShard>()
  #tenures: { readonly shard: number; readonly tenure: Tenure }[] = []
  #keepers: Tenure[] = []
  cutOffUntil = 0

  constructor(model: ClusterModel, name: string) {
    this.#model = model
    this.name = name
    this.#process = new SimulatedProcess(model.time)
  }

  get isCutOff(): boolean {
    return this.#model.time.now < this.cutOffUntil
  }

  shardIfHeld(number: number): ModelShard | undefined {
    const tenure = this.#tenures.find(({ shard }) => shard === number)?.tenure
    return tenure?.isHeld() === true ? this.#shards.get(number) : undefined
  }

  kill(downMs: number): void {
    if (!this.#process.isAlive) return
    for (const shard of this.#shards.values()) this.#model.explained += inFlight(shard)
    this.#process.kill()
    void this.#road?.[Symbol.asyncDispose]()
    this.#model.time.after(downMs, () => this.start())
  }

  /** As by SIGSTOP: its watchdog kills it when that lasts. */
  stop(ms: number): void {
    const process = this.#process
    if (!process.isAlive) return
    process.stop(ms)
    if (ms <= TIMES.watchdogMs) return
    this.#model.time.after(TIMES.watchdogMs, () => {
      if (this.#process === process) this.kill(this.#model.random.between(0, 20_000))
    })
  }

  start(): void {
    const { time, net, random } = this.#model
    const process = new SimulatedProcess(time)
    this.#process = process
    this.#shards = new Map()
    const started = time.now
    const skew = random.between(-1_000, 1_000)
    const clock: Clock = { monotonic: () => time.now - started, wall: () => time.now + skew }
    const road = liveRoad(net.road(this.name), process)
    this.#road = road
    const numbers = Array.from({ length: this.#model.shards }, (_, n) => n)
    this.#tenures = numbers.map((shard) => ({ shard, tenure: this.#shardTenure(shard, road, clock, process) }))
    this.#keepers = numbers.map((keeper) => this.#keeperTenure(keeper, road, clock, process))
    const turn = (): void => {
      for (const { tenure } of this.#tenures) void tenure.turn()
      for (const tenure of this.#keepers) void tenure.turn()
      for (const { loans, inflow } of this.#shards.values()) {
        loans.turn()
        void inflow.turn()
      }
      process.after(TURN_MS + random.int(1_000), turn)
    }
    turn()
  }

  #keeperTenure(keeper: number, road: Road, clock: Clock, process: SimulatedProcess): Tenure {
    const key = `keeper.${keeper}`
    let end = nothing
    const tenure: Tenure = new Tenure({
      key,
      machine: this.name,
      register: road.register,
      clock,
      times: TIMES,
      takeOverAfterMs: () => 0,
      epochs: {
        known: () => this.#model.epochs.get(key) ?? 0,
        mark: (epoch) => void this.#model.epochs.set(key, Math.max(this.#model.epochs.get(key) ?? 0, epoch)),
      },
      wants: () => true,
      onTaken: (epoch) => {
        const options = { leaseMs: TIMES.leaseMs, bornAt: clock.monotonic(), isFirst: epoch === 1 }
        const addresses = new AddressKeeper(options)
        end = serveKeeper({
          road,
          keeper,
          addresses,
          epoch,
          isHeld: () => process.isAlive && tenure.epoch === epoch,
          clock,
        })
      },
      onLost: () => end(),
    })
    return tenure
  }

  #shardTenure(shard: number, road: Road, clock: Clock, process: SimulatedProcess): Tenure {
    const key = `shard.${shard}`
    const model = this.#model
    const most = Math.ceil(model.shards / 2)
    const tenure: Tenure = new Tenure({
      key,
      machine: this.name,
      register: road.register,
      clock,
      times: TIMES,
      takeOverAfterMs: () => 40_000,
      epochs: {
        known: () => Math.max(model.epochs.get(key) ?? 0, this.#disks.get(shard)?.epoch ?? 0),
        mark: (epoch) => void model.epochs.set(key, Math.max(model.epochs.get(key) ?? 0, epoch)),
      },
      // In the end whoever is there takes what is left.
      wants: (from) => from !== '' || this.#shards.size < most || !model.isTroubled,
      onTaken: (epoch) => {
        const disk = this.#diskFor(shard, epoch)
        this.#disks.set(shard, disk)
        const isHeld = (): boolean => process.isAlive && tenure.epoch === epoch
        this.#shards.set(shard, openModelShard(model, { shard, epoch, disk, isHeld }, { road, clock, process }))
      },
      onLost: () => {
        const held = this.#shards.get(shard)
        if (held !== undefined) model.explained += inFlight(held)
        held?.end()
        this.#shards.delete(shard)
      },
    })
    return tenure
  }

  /** From the own disk where this machine was its last owner; else from some copy, or from nothing. */
  #diskFor(shard: number, epoch: number): ModelDisk {
    const { random, copies } = this.#model
    const own = this.#disks.get(shard)
    const isOwn = own !== undefined && own.epoch === epoch - 1 && !(this.#model.isTroubled && random.chance(0.3))
    if (isOwn) return own
    const known = copies.get(shard) ?? []
    const all = [...known, ...(random.chance(0.3) ? [new ModelDisk()] : [])]
    // Whatever is not in it is fetched again: everything may have been.
    this.#model.explained = Infinity
    return all.length === 0 ? new ModelDisk() : random.pick(all).copy()
  }
}

/** A road whose answers come while its process lives and is not stopped. */
function liveRoad(road: Road, process: SimulatedProcess): Road {
  const soon = <Value>(value: Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      value.then(
        (one) => process.after(0, () => resolve(one)),
        (error: unknown) => process.after(0, () => reject(error)),
      )
    })
  return {
    ask: (to, message, timeoutMs) => soon(road.ask(to, message, timeoutMs)),
    answerAt: (place, answer) =>
      road.answerAt(place, (message) =>
        process.isAlive ? soon(Promise.resolve()).then(() => answer(message)) : undefined,
      ),
    register: {
      read: (key) => soon(road.register.read(key)),
      create: (key, value) => soon(road.register.create(key, value)),
      replace: (key, value, revision) => soon(road.register.replace(key, value, revision)),
    },
    [Symbol.asyncDispose]: () => road[Symbol.asyncDispose](),
  }
}
