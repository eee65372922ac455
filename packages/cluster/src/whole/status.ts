/** What the whole is doing, as its machines say: for people and monitors. Nothing is decided by it. */
import { isCount, isText, isListOf, isRecordOf } from '@comity/collection'
import { clusterError } from '../errors.ts'
import { machinePlace } from '../machine/whole-records.ts'
import type { MachineState } from '../machine/machine.ts'
import type { Road } from '../road/road.ts'
import { changeRecord, MACHINES, readJob, readMachines } from '../settings.ts'
import type { ClusterSettings } from '../settings.ts'
import { FolderVault } from '../vault/folder-vault.ts'

interface ShardLine {
  readonly shard: number
  /** A machine; undefined when nobody has it now. */
  readonly owner: string | undefined
  readonly epoch: number
  readonly pages: number
  readonly waiting: number
  /** Pages that others have found for it and that it has not taken yet, as far as it knows. */
  readonly lag: number
  readonly idle: boolean
  /** The newest copy in the vault. */
  readonly copy?: { readonly epoch: number; readonly at: string; readonly bytes: number } | undefined
}

export interface ClusterStatus {
  readonly cluster: string
  readonly shards: readonly ShardLine[]
  readonly machines: readonly {
    readonly id: string
    readonly host: string
    readonly answers: boolean
    readonly draining: boolean
    readonly keepers: readonly number[]
    readonly lent: number
  }[]
  readonly job: { readonly number: number; readonly state: string; readonly seeds: number } | undefined
  readonly leaseMs: number
  readonly takeOverAfterMs: number
}

const ANSWER_MS = 2_000
const isMachineState = isRecordOf({
  id: isText,
  host: isText,
  shards: isListOf(isRecordOf({ shard: isCount })),
  keepers: isListOf(isRecordOf({ keeper: isCount, lent: isCount })),
})

export async function clusterStatus(road: Road, settings: ClusterSettings): Promise<ClusterStatus> {
  const [{ ids }, held] = await Promise.all([readMachines(road.register), readJob(road.register)])
  const states = await Promise.all(ids.map((id) => stateOf(road, id)))
  const vault = new FolderVault(settings.vault)
  const shards = Array.from({ length: settings.shards }, (_, shard): ShardLine => {
    const owner = states.find((state) => state?.shards.some((one) => one.shard === shard))
    const found = owner?.shards.find((one) => one.shard === shard)
    const copy = vault.newest(shard)
    return {
      shard,
      owner: owner?.id,
      epoch: found?.epoch ?? 0,
      pages: found?.pages ?? 0,
      waiting: found?.waiting ?? 0,
      lag: found?.lag ?? 0,
      idle: found?.isIdle ?? false,
      copy:
        copy === undefined ? undefined : { epoch: copy.epoch, at: new Date(copy.at).toISOString(), bytes: copy.bytes },
    }
  })
  return {
    cluster: settings.name,
    shards,
    machines: ids.map((id, n) => {
      const state = states[n]
      return {
        id,
        host: state?.host ?? '',
        answers: state !== undefined,
        draining: state?.isDraining ?? false,
        keepers: state?.keepers.map(({ keeper }) => keeper) ?? [],
        lent: state?.keepers.reduce((sum, { lent }) => sum + lent, 0) ?? 0,
      }
    }),
    job:
      held === undefined ? undefined : { number: held.job.number, state: held.job.state, seeds: held.job.seeds.length },
    leaseMs: settings.leaseMs,
    takeOverAfterMs: settings.takeOverAfterMs,
  }
}

/** A machine hands over all it has, and takes nothing any more until it joins again. */
export async function drainMachine(road: Road, id: string): Promise<void> {
  const { ids } = await readMachines(road.register)
  if (!ids.includes(id)) throw unknownMachine(id, ids)
  if ((await stateOf(road, id, 'drain')) === undefined)
    throw clusterError(
      'CLUSTER_UNREACHABLE',
      `Machine ${id} does not answer, so it cannot hand anything over. When it does not come back: comity cluster leave URL ${id}`,
    )
}

/** A machine that does not come back: its shards are taken as soon as their leases are over. */
export async function forgetMachine(road: Road, id: string): Promise<void> {
  const { ids } = await readMachines(road.register)
  if (!ids.includes(id)) throw unknownMachine(id, ids)
  if ((await stateOf(road, id)) !== undefined)
    throw clusterError(
      'CLUSTER_SETTING',
      `Machine ${id} answers: drain it instead, or stop it with Ctrl-C, which hands over.`,
    )
  await changeRecord(road.register, MACHINES, (value) => ({
    ids: ((value?.['ids'] ?? []) as readonly string[]).filter((one) => one !== id),
  }))
}

const unknownMachine = (id: string, ids: readonly string[]): Error =>
  clusterError(
    'CLUSTER_SETTING',
    `There is no machine "${id}" here; there ${ids.length === 0 ? 'is none' : `are ${ids.join(', ')}`}.`,
  )

async function stateOf(road: Road, id: string, kind?: string): Promise<MachineState | undefined> {
  const answer = await road.ask(machinePlace(id), kind === undefined ? {} : { kind }, ANSWER_MS).catch(() => undefined)
  return isMachineState(answer) ? (answer as unknown as MachineState) : undefined
}
