/**
 * Machine: one member of a cluster: takes its share of the shards, and keepers of addresses, crawls what there is to crawl, and hands
 * over when it leaves.
 *
 * Shards move freely until the first crawl begins; after that only when their machine is drained, leaves, or is not heard of for as
 * long as `takeOverAfterMs`. A keeper has nothing to copy, so another machine is its next owner as soon as its lease is over.
 */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { VisitPlaces } from '@comity/crawler'
import type { World } from '@comity/crawler'
import { messageOf } from '@comity/protocol'
import { makePrivateFolder, takeFolderLock } from '@comity/disk'
import { AddressKeeper } from '../addresses/keeper.ts'
import { serveKeeper } from '../addresses/keeper-service.ts'
import { leaseTimes, realClock } from '../clock.ts'
import type { LeaseTimes } from '../clock.ts'
import { clusterError } from '../errors.ts'
import { Tenure } from '../ownership/tenure.ts'
import type { Epochs } from '../ownership/tenure.ts'
import type { Message, Road } from '../road/road.ts'
import { budgetKey, changeRecord, crawlOptionsOf, JOB } from '../settings.ts'
import type { ClusterSettings, Job } from '../settings.ts'
import { ShardSearches } from '../search/shard-search.ts'
import { FolderVault } from '../vault/folder-vault.ts'
import { machineId, requireAdmission } from './admission.ts'
import { Ending, isShardState } from './ending.ts'
import type { Round } from './ending.ts'
import { carryMark, markIn, shardDir } from './shard-folder.ts'
import { ShardHost, statePlace } from './shard-host.ts'
import type { ShardState } from './shard-host.ts'
import { machinePlace, WholeRecords } from './whole-records.ts'

interface MachineCall {
  readonly road: Road
  readonly settings: ClusterSettings
  readonly into: string
  /** Aborted: hand over and leave. */
  readonly signal: AbortSignal
  readonly world?: World | undefined
  readonly say: (sentence: string) => void
}

/** What a machine says of itself. */
export interface MachineState {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly at: number
  readonly isDraining: boolean
  readonly shards: readonly (Partial<ShardState> & { readonly shard: number })[]
  readonly keepers: readonly { readonly keeper: number; readonly epoch: number; readonly lent: number }[]
}

/** Of what another has, one in so many is looked at in each turn. */
const WATCH_TURNS = 3
const MAX_FAULT_REST_MS = 300_000

export async function joinCluster(call: MachineCall): Promise<void> {
  makePrivateFolder(call.into)
  const lock = takeFolderLock(call.into, 'machine')
  if ('heldBy' in lock)
    throw clusterError(
      'MACHINE_FOLDER',
      `${call.into} is in use by process ${lock.heldBy}: a machine has a folder of its own.`,
    )
  try {
    const id = machineId(call.into, call.settings.name)
    await requireAdmission(call.road, id)
    await new Machine(call, id).run()
  } finally {
    lock[Symbol.dispose]()
  }
}

class Machine {
  readonly #call: MachineCall
  readonly #id: string
  readonly #times: LeaseTimes
  readonly #vault: FolderVault
  readonly #shards: { readonly shard: number; readonly tenure: Tenure }[]
  readonly #keepers: { readonly keeper: number; readonly tenure: Tenure }[]
  readonly #hosts = new Map<number, ShardHost>()
  readonly #lenders = new Map<number, AddressKeeper>()
  readonly #ending = new Ending()
  readonly #handingOver = new Map<number, Promise<void>>()
  readonly #records: WholeRecords
  /** Shards that stopped by a fault: how often in a row, and when they are tried again. */
  readonly #faults = new Map<number, { readonly times: number; readonly againAt: number }>()
  readonly #searches: ShardSearches
  #places = new VisitPlaces(64)
  #isDraining = false
  /** In which turn each shard was asked for. */
  readonly #claims = new Map<number, number>()
  #turns = 0

  constructor(call: MachineCall, id: string) {
    this.#call = call
    this.#id = id
    this.#times = leaseTimes(call.settings.leaseMs)
    this.#vault = new FolderVault(call.settings.vault)
    this.#records = new WholeRecords({
      id,
      road: call.road,
      settings: call.settings,
      ask: async (to) => await this.#ask(to, {}),
      onJob: (job) => (job.state === 'running' ? this.#begin(job) : this.#end()),
    })
    this.#searches = new ShardSearches(call.road)
    const numbers = Array.from({ length: call.settings.shards }, (_, n) => n)
    this.#shards = numbers.map((shard) => ({ shard, tenure: this.#shardTenure(shard) }))
    this.#keepers = numbers.map((keeper) => ({ keeper, tenure: this.#keeperTenure(keeper) }))
  }

  async run(): Promise<void> {
    const { road, signal, say } = this.#call
    const end = road.answerAt(machinePlace(this.#id), (message) => this.#answer(message))
    try {
      say(`machine ${this.#id} has joined`)
      while (!signal.aborted) {
        this.#turn()
        await sleep(this.#times.renewMs / 3, undefined, { signal }).catch(() => undefined)
      }
      await this.#leave()
    } finally {
      end()
      await this.#searches[Symbol.asyncDispose]()
    }
  }

  /** Waits for nobody: what has lapsed ends here also when the register or another machine does not answer. */
  #turn(): void {
    this.#turnTenures()
    this.#records.turn()
    for (const { shard, tenure } of this.#shards) {
      const epoch = tenure.epoch
      if (epoch === undefined) continue
      if (this.#mustGiveUp()) void this.#handOver(shard)
      else this.#open(shard, epoch, tenure)
    }
    this.#searches.turn(this.#searchable())
    void this.#lookForEnd()
  }

  /** What is held is looked after each time; what is another's is looked at now and then. */
  #turnTenures(): void {
    this.#turns++
    for (const [n, { tenure }] of [...this.#shards, ...this.#keepers].entries())
      if (tenure.isHeld() || tenure.mayHaveLapsed || (this.#records.isKnown && (n + this.#turns) % WATCH_TURNS === 0))
        void tenure.turn()
    for (const host of this.#hosts.values()) host.turn()
  }

  /** Shards that are here as their owner has them, crawled or not. */
  #searchable(): Parameters<ShardSearches['turn']>[0] {
    return this.#shards.flatMap(({ shard, tenure }) => {
      const { epoch } = tenure
      if (epoch === undefined) return []
      const dir = shardDir(this.#call.into, shard)
      return [{ shard, epoch, dir, isHeld: () => tenure.epoch === epoch && markIn(dir) === epoch }]
    })
  }

  get #job(): Job | undefined {
    return this.#records.job
  }

  #begin(job: Job): void {
    this.#places = new VisitPlaces(crawlOptionsOf(job, this.#shards.length).parallel ?? 64)
    // Of an earlier crawl, when this machine did not hear of its end.
    this.#end()
  }

  #end(): void {
    for (const host of this.#hosts.values()) host.end()
  }

  get #isCrawling(): boolean {
    return this.#job?.state === 'running'
  }

  get #share(): number {
    return Math.ceil(this.#shards.length / this.#records.alive)
  }

  get #owned(): number {
    return this.#shards.filter(({ tenure }) => tenure.isHeld()).length
  }

  /** Several are taken at once, and each counts from when it is asked for. */
  #mayClaim(shard: number): boolean {
    const asked = this.#shards.filter(
      ({ shard: one, tenure }) => !tenure.isHeld() && (this.#claims.get(one) ?? -Infinity) > this.#turns - WATCH_TURNS,
    )
    const others = asked.filter((one) => one.shard !== shard).length
    if (this.#owned + others >= this.#share) return false
    this.#claims.set(shard, this.#turns)
    return true
  }

  /** Too many for one, while moving them costs nothing; or all, when this machine is to be empty. */
  #mustGiveUp(): boolean {
    return this.#isDraining || (this.#records.isKnown && this.#job === undefined && this.#owned > this.#share)
  }

  #open(shard: number, epoch: number, tenure: Tenure): void {
    const job = this.#job
    if (job?.state !== 'running' || this.#hosts.has(shard) || this.#handingOver.has(shard)) return
    const fault = this.#faults.get(shard)
    if (fault !== undefined && realClock.monotonic() < fault.againAt) return
    const { settings, into, road, world, say } = this.#call
    const host = new ShardHost({
      shard,
      epoch,
      dir: into,
      settings,
      job,
      road,
      vault: this.#vault,
      clock: realClock,
      times: this.#times,
      isHeld: () => tenure.epoch === epoch,
      places: this.#places,
      world,
      say,
    })
    this.#hosts.set(shard, host)
    const over = (): void => {
      if (this.#hosts.get(shard) === host) this.#hosts.delete(shard)
    }
    const began = realClock.monotonic()
    void host
      .start()
      .then(() => void this.#faults.delete(shard))
      .catch(() => {
        // What went wrong was said. A full disk is full for a while.
        const times = realClock.monotonic() - began > MAX_FAULT_REST_MS ? 1 : (fault?.times ?? 0) + 1
        const restMs = Math.min(this.#times.renewMs * 2 ** times, MAX_FAULT_REST_MS)
        this.#faults.set(shard, { times, againAt: realClock.monotonic() + restMs })
      })
      .finally(over)
  }

  async #handOver(shard: number): Promise<void> {
    const before = this.#handingOver.get(shard)
    if (before !== undefined) return await before
    const done = this.#handedOver(shard)
      .catch((error: unknown) =>
        // What is here stays ours by its record: the same folder goes on with it.
        this.#call.say(`shard ${shard} could not be handed over: ${messageOf(error)}`),
      )
      .finally(() => this.#handingOver.delete(shard))
    this.#handingOver.set(shard, done)
    await done
  }

  async #handedOver(shard: number): Promise<void> {
    const tenure = this.#shards[shard]!.tenure
    const epoch = tenure.epoch
    const host = this.#hosts.get(shard)
    if (host !== undefined && epoch !== undefined) {
      await host.handOver()
      await host.copied()
      await this.#copyClosed(shard, epoch, host.dir)
      this.#hosts.delete(shard)
    }
    await tenure.release()
  }

  async #copyClosed(shard: number, epoch: number, dir: string): Promise<void> {
    if (!existsSync(join(dir, 'collection.json'))) return
    const { Collection } = await import('@comity/collection')
    await using collection = Collection.openReadOnly(dir)
    await this.#vault.copy(shard, epoch, collection, Date.now())
  }

  async #leave(): Promise<void> {
    this.#isDraining = true
    const renewing = setInterval(() => this.#turnTenures(), this.#times.renewMs / 3)
    try {
      await Promise.all(this.#shards.map(({ shard }) => this.#handOver(shard)))
    } finally {
      clearInterval(renewing)
    }
    await Promise.all(this.#keepers.map(({ tenure }) => tenure.release()))
    await this.#records.leave()
  }

  /** Whoever has shard 0 asks all of them. */
  async #lookForEnd(): Promise<void> {
    if (!this.#isCrawling || !this.#shards[0]!.tenure.isHeld() || this.#isEnding) return
    this.#isEnding = true
    try {
      const round: Round = await Promise.all(
        this.#shards.map(async ({ shard }) => {
          const answer = await this.#ask(statePlace(shard), {})
          return isShardState(answer) ? (answer as unknown as ShardState) : undefined
        }),
      )
      await this.#remindOfBudget(round)
      if (!this.#ending.isOver(round)) return
      await changeRecord(this.#call.road.register, JOB, (value) =>
        value?.['number'] === this.#job?.number && value?.['state'] === 'running'
          ? { ...value, state: 'ended' }
          : undefined,
      )
    } catch {
      // The next round says the same.
    } finally {
      this.#isEnding = false
    }
  }
  #isEnding = false

  /** The register was wiped: what each shard says that it has is what was given. Nobody is given any before that. */
  async #remindOfBudget(round: Round): Promise<void> {
    const job = this.#job
    if (job === undefined || job.maxPages === 0 || round.includes(undefined)) return
    const { register } = this.#call.road
    if ((await register.read(budgetKey(job.number))) !== undefined) return
    const pages = Object.fromEntries(round.map((state, shard) => [shard, state!.granted]))
    await register.create(budgetKey(job.number), { pages })
  }

  async #answer(message: Message): Promise<Message> {
    if (message['kind'] === 'drain') {
      this.#isDraining = true
      await Promise.resolve()
    }
    const state: MachineState = {
      id: this.#id,
      host: hostname(),
      pid: process.pid,
      at: Date.now(),
      isDraining: this.#isDraining,
      shards: this.#shards.flatMap(({ shard, tenure }) => {
        const { epoch } = tenure
        if (epoch === undefined) return []
        return [{ shard, epoch, ...this.#hosts.get(shard)?.state(), taken: [], lengths: [] }]
      }),
      keepers: this.#keepers.flatMap(({ keeper, tenure }) =>
        tenure.epoch === undefined ? [] : [{ keeper, epoch: tenure.epoch, lent: this.#lenders.get(keeper)?.lent ?? 0 }],
      ),
    }
    return { ...state }
  }

  async #ask(to: string, message: Message): Promise<Message | undefined> {
    return await this.#call.road.ask(to, message, this.#times.answerMs).catch(() => undefined)
  }

  #shardTenure(shard: number): Tenure {
    const { road, settings } = this.#call
    return new Tenure({
      key: `shard.${shard}`,
      machine: this.#id,
      register: road.register,
      clock: realClock,
      times: this.#times,
      // One that has left for good is not waited for.
      takeOverAfterMs: (owner) => (this.#records.members.includes(owner) ? settings.takeOverAfterMs : 0),
      epochs: this.#epochs(`shard.${shard}`, () => markIn(shardDir(this.#call.into, shard)) ?? 0),
      wants: (from) =>
        !this.#isDraining && !this.#handingOver.has(shard) && (from === this.#id || this.#mayClaim(shard)),
      onTaken: (epoch) => carryMark(this.#call.into, shard, epoch),
      onLost: (why) => {
        const host = this.#hosts.get(shard)
        this.#hosts.delete(shard)
        if (host === undefined) return
        this.#call.say(`shard ${shard} is not ours any more (${why})`)
        const gone = host.abandon().finally(() => this.#handingOver.delete(shard))
        // Not taken again before it has ended here.
        this.#handingOver.set(shard, gone)
      },
    })
  }

  /** In the vault, and on the own disk: whoever comes later has a higher one, whatever the register forgets. */
  #epochs(key: string, own: () => number): Epochs {
    return {
      known: () => Math.max(this.#vault.epochOf(key), own()),
      mark: (epoch) => {
        try {
          this.#vault.markEpoch(key, epoch)
        } catch (error) {
          this.#call.say(`${key} is not taken, as the vault cannot be written: ${messageOf(error)}`)
          throw error
        }
      },
    }
  }

  #keeperTenure(keeper: number): Tenure {
    const { road } = this.#call
    const key = `keeper.${keeper}`
    let end = nothing
    const tenure: Tenure = new Tenure({
      key,
      machine: this.#id,
      register: road.register,
      clock: realClock,
      times: this.#times,
      takeOverAfterMs: () => 0,
      epochs: this.#epochs(key, () => 0),
      // Where nobody has it, whoever has the shard of the same number: so they are spread as shards are.
      wants: (from) =>
        this.#isCrawling &&
        !this.#isDraining &&
        (from !== '' && from !== undefined ? true : this.#shards[keeper]!.tenure.isHeld()),
      onTaken: (epoch) => {
        const born = { leaseMs: this.#times.leaseMs, bornAt: realClock.monotonic(), isFirst: epoch === 1 }
        const addresses = new AddressKeeper(born)
        this.#lenders.set(keeper, addresses)
        end = serveKeeper({ road, keeper, addresses, epoch, isHeld: () => tenure.epoch === epoch, clock: realClock })
      },
      onLost: () => end(),
    })
    return tenure
  }
}

const nothing = (): void => undefined
