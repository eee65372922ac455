/**
 * Machine: one member of a cluster: takes its share of the shards, and keepers of addresses, crawls what there is to crawl, and hands
 * over when it leaves.
 *
 * Shards move freely until the first crawl begins; after that only when their machine is drained, leaves, or is not heard of for as
 * long as `takeOverAfterMs`. A keeper has nothing to copy, so another machine is its next owner as soon as its lease is over.
 */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isText } from '@comity/collection'
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
import { budgetKey, changeRecord, FORMATS, JOB } from '../settings.ts'
import type { ClusterSettings, Job } from '../settings.ts'
import { ShardSearches } from '../search/shard-search.ts'
import { FolderVault } from '../vault/folder-vault.ts'
import type { ForgetEntry } from '../tasks/forget-list.ts'
import { ShardTasks } from '../tasks/shard-tasks.ts'
import type { CommandOf, TaskPlace } from '../tasks/shard-tasks.ts'
import { machineId, requireAdmission } from './admission.ts'
import { Ending, isShardState } from './ending.ts'
import type { Round } from './ending.ts'
import { HeldShards } from './held-shards.ts'
import type { HeldShard } from './held-shards.ts'
import { carryMark, markIn, shardDir } from './shard-folder.ts'
import { statePlace } from './shard-host.ts'
import type { ShardState } from './shard-host.ts'
import { machinePlace, WholeRecords } from './whole-records.ts'

interface MachineCall {
  readonly road: Road
  readonly settings: ClusterSettings
  readonly into: string
  /** Aborted: hand over and leave. */
  readonly signal: AbortSignal
  readonly world?: World | undefined
  /** What others may have run on a shard's folder; without it no command works on the whole through this machine. */
  readonly commandOf?: CommandOf | undefined
  readonly say: (sentence: string) => void
}

/** What a machine says of itself. */
export interface MachineState {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly at: number
  /** Of the whole, that it can speak. Machines of the first version do not say. */
  readonly formats?: readonly number[]
  readonly isDraining: boolean
  readonly shards: readonly (Partial<ShardState> & { readonly shard: number })[]
  readonly keepers: readonly { readonly keeper: number; readonly epoch: number; readonly lent: number }[]
}

/** Of what another has, one in so many is looked at in each turn. */
const WATCH_TURNS = 3
/** Folders of shards that are others' by now are looked through as often. */
const SWEEP_TURNS = 10
const isShortText = (value: unknown): value is string => isText(value) && (value as string).length <= 64

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
  readonly #holding: HeldShards
  readonly #lenders = new Map<number, AddressKeeper>()
  readonly #ending = new Ending()
  readonly #leaving = new Map<number, Promise<void>>()
  readonly #records: WholeRecords
  readonly #searches: ShardSearches
  readonly #tasks: ShardTasks | undefined
  #isDraining = false
  /** Somebody wants each machine to have its share, also while there is a crawl. */
  #isRebalancing = false
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
      vault: this.#vault,
      onJob: (job) => (job.state === 'running' ? this.#holding.begin(job) : this.#holding.end()),
    })
    const { into, settings, road, world, commandOf, say } = call
    const forgets = (): readonly ForgetEntry[] | undefined => this.#records.forgets
    const shared = { into, settings, road, world, commandOf, say, forgets }
    this.#holding = new HeldShards({ ...shared, vault: this.#vault, times: this.#times })
    this.#searches = new ShardSearches(road)
    this.#tasks = commandOf === undefined ? undefined : new ShardTasks(road, commandOf)
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
      this.#tasks?.[Symbol.dispose]()
      await this.#searches[Symbol.asyncDispose]()
    }
  }

  /** Waits for nobody: what has lapsed ends here also when the register or another machine does not answer. */
  #turn(): void {
    this.#turnTenures()
    this.#records.turn()
    for (const held of this.#held) {
      if (this.#leaving.has(held.shard)) continue
      if (this.#mustGiveUp()) void this.#handOver(held)
      else this.#holding.turn(held, this.#job)
    }
    this.#searches.turn(this.#searchable())
    this.#tasks?.turn(this.#held.map((held) => this.#taskPlace(held)))
    if (this.#turns % SWEEP_TURNS === 0) this.#sweep()
    void this.#lookForEnd()
  }

  /** What is held is looked after each time; what is another's is looked at now and then. */
  #turnTenures(): void {
    this.#turns++
    for (const [n, { tenure }] of [...this.#shards, ...this.#keepers].entries())
      if (tenure.isHeld() || tenure.mayHaveLapsed || (this.#records.isKnown && (n + this.#turns) % WATCH_TURNS === 0))
        void tenure.turn()
    this.#holding.turnHosts()
  }

  get #held(): readonly HeldShard[] {
    return this.#shards.flatMap(({ shard, tenure }) => {
      const { epoch } = tenure
      return epoch === undefined ? [] : [{ shard, epoch, isHeld: () => tenure.epoch === epoch }]
    })
  }

  #taskPlace(held: HeldShard): TaskPlace {
    const [dir, holding] = [this.#holding.dir(held.shard), this.#holding]
    return { ...held, dir, ready: () => holding.ready(held), alone: () => holding.alone(held) }
  }

  /** What is forgotten everywhere is forgotten in folders that shards have left behind, too. */
  #sweep(): void {
    const ours = new Set(this.#held.map(({ shard }) => this.#holding.dir(shard)))
    this.#holding.sweep((dir) => ours.has(dir))
  }

  /** Shards that are here as their owner has them, crawled or not. */
  #searchable(): Parameters<ShardSearches['turn']>[0] {
    return this.#held.map((held) => {
      const isHeld = (): boolean => held.isHeld() && this.#holding.isReady(held)
      return { ...held, dir: this.#holding.dir(held.shard), isHeld }
    })
  }

  get #job(): Job | undefined {
    return this.#records.job
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

  /** All, when this machine is to be empty; or too many for one, while moving them costs nothing or somebody wants it. */
  #mustGiveUp(): boolean {
    if (this.#isDraining) return true
    if (!this.#records.isKnown || this.#owned - this.#leaving.size <= this.#share) {
      this.#isRebalancing &&= !this.#records.isKnown
      return false
    }
    return this.#job === undefined || this.#isRebalancing
  }

  async #handOver(held: HeldShard): Promise<void> {
    const { shard } = held
    const before = this.#leaving.get(shard)
    if (before !== undefined) return await before
    const done = this.#holding
      .handOver(held)
      .then(() => this.#shards[shard]!.tenure.release())
      .catch((error: unknown) =>
        // What is here stays ours by its record: the same folder goes on with it.
        this.#call.say(`shard ${shard} could not be handed over: ${messageOf(error)}`),
      )
      .finally(() => this.#leaving.delete(shard))
    this.#leaving.set(shard, done)
    await done
  }

  async #leave(): Promise<void> {
    this.#isDraining = true
    const renewing = setInterval(() => this.#turnTenures(), this.#times.renewMs / 3)
    try {
      await Promise.all(this.#held.map((held) => this.#handOver(held)))
      await this.#holding.settled()
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
    if (job === undefined || (job.maxPages === 0 && (job.maxBytes ?? 0) === 0) || round.includes(undefined)) return
    const { register } = this.#call.road
    if ((await register.read(budgetKey(job.number))) !== undefined) return
    const pages = Object.fromEntries(round.map((state, shard) => [shard, state!.granted]))
    const bytes = Object.fromEntries(round.map((state, shard) => [shard, state!.grantedBytes ?? 0]))
    await register.create(budgetKey(job.number), { pages, bytes })
  }

  #answer({ kind, id, wish }: Message): Message {
    if (kind === 'drain') this.#isDraining = true
    if (kind === 'rebalance') this.#isRebalancing = true
    if (kind === 'snapshot' && isShortText(wish)) {
      this.#holding.copyAll(this.#held, wish)
      return { copies: this.#holding.copiesFor(wish) }
    }
    if (kind === 'forgotten' && isShortText(id)) return this.#forgottenAnswer(id)
    return { ...this.#state() }
  }

  #forgottenAnswer(id: string): Message {
    const isKnown = this.#records.forgets?.some((one) => one.id === id) === true
    return { isKnown, isDone: isKnown && this.#holding.hasForgotten(id) }
  }

  #state(): MachineState {
    return {
      id: this.#id,
      host: hostname(),
      pid: process.pid,
      at: Date.now(),
      formats: FORMATS,
      isDraining: this.#isDraining,
      shards: this.#held.map(({ shard, epoch }) => {
        return { shard, epoch, ...this.#holding.state(shard), taken: [], lengths: [] }
      }),
      keepers: this.#keepers.flatMap(({ keeper, tenure }) =>
        tenure.epoch === undefined ? [] : [{ keeper, epoch: tenure.epoch, lent: this.#lenders.get(keeper)?.lent ?? 0 }],
      ),
    }
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
        !this.#isDraining &&
        !this.#leaving.has(shard) &&
        !this.#holding.isBusy(shard) &&
        (from === this.#id || this.#mayClaim(shard)),
      onTaken: (epoch) => carryMark(this.#call.into, shard, epoch),
      onLost: (why) => this.#holding.lost(shard, why),
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
