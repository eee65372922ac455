/**
 * HeldShards: what a machine does with the shards that are its own. Each is brought here, forgets what is to be forgotten, is crawled
 * while there is a crawl, copied, lent to a command that writes in it, and handed over.
 *
 *   taken ──▶ ready ──▶ crawled ◀─▶ resting ──▶ handed over
 *
 * Invariant: one of these at a time is at work in a folder; a crawl begins only in one that has forgotten all that is known to be forgotten.
 */
import { once } from 'node:events'
import { Collection } from '@comity/collection'
import { VisitPlaces } from '@comity/crawler'
import type { World } from '@comity/crawler'
import { messageOf } from '@comity/protocol'
import { realClock } from '../clock.ts'
import type { LeaseTimes } from '../clock.ts'
import { clusterError } from '../errors.ts'
import type { Road } from '../road/road.ts'
import { crawlOptionsOf } from '../settings.ts'
import type { ClusterSettings, Job } from '../settings.ts'
import type { CopyFacts, FolderVault } from '../vault/folder-vault.ts'
import { toForget } from '../tasks/forget-list.ts'
import type { ForgetEntry } from '../tasks/forget-list.ts'
import { compileCacheOf, startCommand } from '../tasks/shard-tasks.ts'
import type { CommandOf } from '../tasks/shard-tasks.ts'
import { foldersOf, hasCollection, markIn, markOf, prepareShard, shardDir, writeMark } from './shard-folder.ts'
import { ShardHost } from './shard-host.ts'
import type { ShardState } from './shard-host.ts'

interface HeldShardsParts {
  readonly into: string
  readonly settings: ClusterSettings
  readonly road: Road
  readonly vault: FolderVault
  readonly times: LeaseTimes
  readonly world: World | undefined
  readonly commandOf: CommandOf | undefined
  /** What is to be forgotten; undefined as long as nobody has looked. */
  readonly forgets: () => readonly ForgetEntry[] | undefined
  readonly say: (sentence: string) => void
}

/** A shard in the hands of this machine. */
export interface HeldShard {
  readonly shard: number
  readonly epoch: number
  readonly isHeld: () => boolean
}

const MAX_FAULT_REST_MS = 300_000

export class HeldShards {
  readonly #parts: HeldShardsParts
  readonly #hosts = new Map<number, ShardHost>()
  readonly #busy = new Map<number, Promise<void>>()
  /** In which epoch its folder was made ready. */
  readonly #ready = new Map<number, number>()
  /** Shards that stopped by a fault: how often in a row, and when they are tried again. */
  readonly #faults = new Map<number, { readonly times: number; readonly againAt: number }>()
  readonly #copies = new Map<number, CopyFacts & { readonly wish: string }>()
  #places = new VisitPlaces(64)
  #isSweeping = false

  constructor(parts: HeldShardsParts) {
    this.#parts = parts
  }

  dir(shard: number): string {
    return shardDir(this.#parts.into, shard)
  }
  state(shard: number): ShardState | undefined {
    return this.#hosts.get(shard)?.state()
  }
  isBusy(shard: number): boolean {
    return this.#busy.has(shard)
  }

  /** Its folder is as its owner has it. */
  isReady({ shard, epoch }: HeldShard): boolean {
    return this.#ready.get(shard) === epoch
  }

  /** Another crawl. */
  begin(job: Job): void {
    this.#places = new VisitPlaces(crawlOptionsOf(job, this.#parts.settings.shards).parallel ?? 64)
    // Of an earlier crawl, when this machine did not hear of its end.
    this.end()
  }

  end(): void {
    for (const host of this.#hosts.values()) host.end()
  }

  turnHosts(): void {
    for (const host of this.#hosts.values()) host.turn()
  }

  /** One step of what is to be done with it now; waits for nobody. */
  turn(held: HeldShard, job: Job | undefined): void {
    const { shard } = held
    if (this.#busy.has(shard) || this.#isResting(shard)) return
    if (!this.isReady(held)) this.#while(shard, () => this.#prepare(held))
    else if (this.#unforgotten(shard).length > 0) this.#while(shard, () => this.#forget(held))
    else if (job?.state === 'running' && !this.#hosts.has(shard) && this.#parts.forgets() !== undefined)
      this.#open(held, job)
  }

  /** Nothing is at work in any folder. */
  async settled(): Promise<void> {
    await Promise.all(this.#busy.values())
  }

  /** It is not ours any more. */
  lost(shard: number, why: string): void {
    const host = this.#hosts.get(shard)
    this.#hosts.delete(shard)
    if (host === undefined) return
    this.#parts.say(`shard ${shard} is not ours any more (${why})`)
    // Not taken again before it has ended here.
    this.#while(shard, () => host.abandon())
  }

  /** Resolves when nothing is at work in it and what is here is in the vault; rejects where that could not be. */
  async handOver({ shard, epoch }: HeldShard): Promise<void> {
    await this.#busy.get(shard)
    await this.#after(shard, async () => {
      await this.#close(shard)
      if (markIn(this.dir(shard)) === epoch) await this.#copyClosed(shard, epoch)
    })
  }

  async ready(held: HeldShard): Promise<void> {
    const { shard } = held
    await this.#busy.get(shard)
    if (this.isReady(held) && hasCollection(this.dir(shard))) return
    throw clusterError('CLUSTER_SETTING', `Shard ${shard} has nothing yet: no crawl has begun there.`)
  }

  /** Nobody else is at work in its folder until it is disposed of. */
  async alone(held: HeldShard): Promise<Disposable> {
    await this.ready(held)
    const { shard } = held
    if (this.#hosts.has(shard) || this.#busy.has(shard))
      throw clusterError('CLUSTER_SETTING', `Shard ${shard} is being crawled: wait for the end of the crawl.`)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#while(shard, () => promise)
    return { [Symbol.dispose]: () => resolve(undefined) }
  }

  /** Copy all of these to the vault; what was asked for by this word and is done is told. */
  copyAll(held: readonly HeldShard[], wish: string): void {
    for (const { shard, epoch } of held) {
      if (this.#copies.get(shard)?.wish === wish || this.#busy.has(shard)) continue
      this.#while(shard, async () => {
        const host = this.#hosts.get(shard)
        const facts = host === undefined ? await this.#copyClosed(shard, epoch) : await host.copyNow()
        this.#copies.set(shard, { epoch, at: Date.now(), bytes: 0, ...facts, wish })
      })
    }
  }

  copiesFor(wish: string): { readonly shard: number; readonly at: number; readonly bytes: number }[] {
    return [...this.#copies].flatMap(([shard, { wish: of, at, bytes }]) => (of === wish ? [{ shard, at, bytes }] : []))
  }

  /** Whether no folder of this machine holds what has this number any more. */
  hasForgotten(id: string): boolean {
    return foldersOf(this.#parts.into).every((dir) => markOf(dir)?.forgotten?.includes(id) === true)
  }

  /** Folders that are not at work here, of shards that are others' by now. To be called now and then. */
  sweep(isOurs: (dir: string) => boolean): void {
    const { into, say } = this.#parts
    if (this.#isSweeping) return
    this.#isSweeping = true
    void (async () => {
      for (const dir of foldersOf(into))
        if (!isOurs(dir) && this.#unforgottenIn(dir).length > 0) await this.#forgetIn(dir)
    })()
      .catch((error: unknown) =>
        say(`what another machine has by now could not be taken out here: ${messageOf(error)}`),
      )
      .finally(() => (this.#isSweeping = false))
  }

  #while(shard: number, work: () => Promise<unknown>): void {
    void this.#after(shard, work).catch((error: unknown) => this.#parts.say(`shard ${shard}: ${messageOf(error)}`))
  }

  async #after<Value>(shard: number, work: () => Promise<Value>): Promise<Value> {
    const done = work()
    const settled = done.then(
      () => undefined,
      (error: unknown) => void (error instanceof Error && this.#failed(shard)),
    )
    this.#busy.set(shard, settled)
    void settled.finally(() => {
      if (this.#busy.get(shard) === settled) this.#busy.delete(shard)
    })
    return await done
  }

  async #prepare({ shard, epoch }: HeldShard): Promise<void> {
    const { into: machineDir, vault, say } = this.#parts
    await prepareShard({ machineDir, shard, epoch, vault, say })
    this.#ready.set(shard, epoch)
  }

  #open(held: HeldShard, job: Job): void {
    const { shard, epoch, isHeld } = held
    const { settings, into, road, world, say, vault, times } = this.#parts
    const parts = { shard, epoch, dir: into, settings, job, road, vault, clock: realClock, times, isHeld, world, say }
    const host = new ShardHost({ ...parts, places: this.#places })
    this.#hosts.set(shard, host)
    const began = realClock.monotonic()
    void host
      .start()
      .then(() => void this.#faults.delete(shard))
      // What went wrong was said.
      .catch(() => this.#failed(shard, realClock.monotonic() - began))
      .finally(() => {
        if (this.#hosts.get(shard) === host) this.#hosts.delete(shard)
      })
  }

  /** A full disk is full for a while. */
  #failed(shard: number, afterMs = 0): void {
    const before = afterMs > MAX_FAULT_REST_MS ? 0 : (this.#faults.get(shard)?.times ?? 0)
    const restMs = Math.min(this.#parts.times.renewMs * 2 ** (before + 1), MAX_FAULT_REST_MS)
    this.#faults.set(shard, { times: before + 1, againAt: realClock.monotonic() + restMs })
  }

  #isResting(shard: number): boolean {
    const fault = this.#faults.get(shard)
    return fault !== undefined && realClock.monotonic() < fault.againAt
  }

  /** No crawl is at work in it any more, nor a copy. */
  async #close(shard: number): Promise<void> {
    const host = this.#hosts.get(shard)
    if (host === undefined) return
    await host.handOver()
    await host.copied()
    this.#hosts.delete(shard)
  }

  async #copyClosed(shard: number, epoch: number): Promise<CopyFacts | undefined> {
    const dir = this.dir(shard)
    if (!hasCollection(dir)) return undefined
    await using collection = Collection.openReadOnly(dir)
    return await this.#parts.vault.copy(shard, epoch, collection, { at: Date.now(), forgotten: markOf(dir)?.forgotten })
  }

  #unforgotten(shard: number): readonly ForgetEntry[] {
    return this.#unforgottenIn(this.dir(shard))
  }

  #unforgottenIn(dir: string): readonly ForgetEntry[] {
    return hasCollection(dir) ? toForget(this.#parts.forgets() ?? [], markOf(dir)?.forgotten) : []
  }

  async #forget({ shard, epoch }: HeldShard): Promise<void> {
    await this.#close(shard)
    await this.#forgetIn(this.dir(shard))
    await this.#copyClosed(shard, epoch)
  }

  async #forgetIn(dir: string): Promise<void> {
    for (const { id, name } of this.#unforgottenIn(dir)) {
      const command = this.#parts.commandOf?.(dir, { word: 'forget', name })
      if (command === undefined)
        throw clusterError('CLUSTER_SETTING', 'This machine cannot forget: its comity is another.')
      const child = startCommand(command, compileCacheOf(this.#parts.into))
      child.stdout.resume()
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-1_000)))
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0) throw clusterError('CLUSTER_SETTING', `${name} could not be forgotten in ${dir}: ${said.trim()}`)
      const mark = markOf(dir) ?? { epoch: 0 }
      writeMark(dir, { ...mark, forgotten: [...(mark.forgotten ?? []), id] })
    }
  }
}
