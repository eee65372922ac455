/**
 * WholeRecords: what a machine knows of the whole: what is crawled, who is a member, and how many of them answer. Where the register
 * forgot it, or fell back to what was so before, it is written there again as it is known here.
 */
import type { Message, Road } from '../road/road.ts'
import { changeRecord, JOB, MACHINES, readJob, readMachines, SETTINGS } from '../settings.ts'
import type { ClusterSettings, Job } from '../settings.ts'
import type { FolderVault } from '../vault/folder-vault.ts'
import { FORGETS, forgetsIn, joinedForgets } from '../tasks/forget-list.ts'
import type { ForgetEntry } from '../tasks/forget-list.ts'

interface WholeRecordsParts {
  readonly id: string
  readonly road: Road
  readonly settings: ClusterSettings
  /** What another place says; undefined when nobody does. */
  readonly ask: (to: string) => Promise<Message | undefined>
  /** Where what is to be forgotten outlives the register. */
  readonly vault: Pick<FolderVault, 'kept' | 'keep'>
  /** Another crawl, or the end of this one. */
  readonly onJob: (job: Job) => void
}

/** Between two looks at what is to be forgotten. */
const FORGET_TURNS = 5

export const machinePlace = (id: string): string => `machine.${id}`

export class WholeRecords {
  readonly #parts: WholeRecordsParts
  #job: Job | undefined
  #members: readonly string[]
  #alive = 1
  #isReading = false
  #isCounting = false
  #forgets: readonly ForgetEntry[] | undefined
  #turns = 0
  #hasRead = false
  #hasCounted = false

  constructor(parts: WholeRecordsParts) {
    this.#parts = parts
    this.#members = [parts.id]
  }

  get job(): Job | undefined {
    return this.#job
  }
  get members(): readonly string[] {
    return this.#members
  }
  /** Machines that answer and are not being emptied, this one among them. */
  get alive(): number {
    return this.#alive
  }
  /** Before that nothing is to be taken: how much is ours is not known. */
  get isKnown(): boolean {
    return this.#hasRead && this.#hasCounted
  }

  /** What is to be forgotten everywhere; undefined before anybody has looked. */
  get forgets(): readonly ForgetEntry[] | undefined {
    return this.#forgets
  }

  /** To be called often; nobody waits for it. */
  turn(): void {
    if (this.#turns++ % FORGET_TURNS === 0) void this.#readForgets().catch(() => undefined)
    if (!this.#isReading) {
      this.#isReading = true
      void this.#read()
        .catch(() => undefined)
        .finally(() => (this.#isReading = false))
    }
    if (this.#isCounting) return
    this.#isCounting = true
    void this.#count()
      .catch(() => undefined)
      .finally(() => (this.#isCounting = false))
  }

  async #read(): Promise<void> {
    const { register } = this.#parts.road
    const held = await readJob(register)
    const ours = this.#job
    if (held === undefined) await this.#remind()
    else if (ours === undefined || isLater(held.job, ours)) {
      this.#job = held.job
      this.#parts.onJob(held.job)
    } else if (isLater(ours, held.job)) await register.replace(JOB, { ...ours }, held.revision)
    this.#hasRead = true
  }

  /** Wiped, or not there yet. */
  async #remind(): Promise<void> {
    const { road, settings } = this.#parts
    if ((await road.register.read(SETTINGS)) === undefined) {
      if ('makeRegister' in road)
        await (road as { makeRegister(replicas?: number): Promise<void> }).makeRegister(settings.replicas)
      await road.register.create(SETTINGS, { ...settings })
    }
    if (this.#job !== undefined) await road.register.create(JOB, { ...this.#job })
  }

  /** Of register and vault together: either may know of something that the other has lost. */
  async #readForgets(): Promise<void> {
    const { road, vault } = this.#parts
    const held = forgetsIn((await road.register.read(FORGETS))?.value)
    const kept = forgetsIn(vault.kept(FORGETS))
    const all = joinedForgets(joinedForgets(held, kept), this.#forgets ?? [])
    if (all.length > kept.length) vault.keep(FORGETS, { entries: all })
    if (all.length > held.length)
      await changeRecord(road.register, FORGETS, (value) => ({ entries: joinedForgets(all, forgetsIn(value)) }))
    this.#forgets = all
  }

  async #count(): Promise<void> {
    const { id, road, ask } = this.#parts
    const { ids } = await readMachines(road.register)
    if (ids.includes(id)) this.#members = ids
    else
      await changeRecord(road.register, MACHINES, (value) => {
        const known = (value?.['ids'] ?? []) as readonly string[]
        // Where it was wiped, whoever was there is there still.
        return known.includes(id) ? undefined : { ids: [...new Set([...known, ...this.#members])] }
      })
    const others = this.#members.filter((one) => one !== id)
    const answers = await Promise.all(others.map((one) => ask(machinePlace(one))))
    this.#alive = 1 + answers.filter((answer) => answer !== undefined && answer['isDraining'] !== true).length
    this.#hasCounted = ids.includes(id)
  }

  /** This machine is none of them any more. */
  async leave(): Promise<void> {
    const { id, road } = this.#parts
    await changeRecord(road.register, MACHINES, (value) => {
      const known = (value?.['ids'] ?? []) as readonly string[]
      return known.includes(id) ? { ids: known.filter((one) => one !== id) } : undefined
    }).catch(() => undefined)
  }
}

/** A crawl that began later, or the same one ended. */
const isLater = (a: Job, b: Job): boolean =>
  a.number > b.number || (a.number === b.number && a.state === 'ended' && b.state === 'running')
