/** Upkeep: what is asked of all machines at once: a copy of everything now, fair shares, a newer format. Each waits until it is so. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCount, isInstant, isListOf, isMaybe, isRecordOf } from '@comity/collection'
import { clusterError } from '../errors.ts'
import { machinePlace } from '../machine/whole-records.ts'
import type { Message, Road } from '../road/road.ts'
import { changeRecord, FORMATS, readMachines, SETTINGS } from '../settings.ts'
import type { ClusterSettings } from '../settings.ts'
import { clusterStatus } from './status.ts'

interface UpkeepCall {
  readonly road: Road
  readonly settings: ClusterSettings
  readonly signal: AbortSignal
}

/** A shard with its newest copy. */
interface SnapshotLine {
  readonly shard: number
  readonly machine: string
  readonly at: string
  readonly bytes: number
}

const LOOK_MS = 250
const ANSWER_MS = 3_000

const isCopies = isRecordOf({ copies: isListOf(isRecordOf({ shard: isCount, at: isInstant, bytes: isCount })) })

/** Of each shard a copy that was begun after this was asked for; of one that nobody has there is none, and it is named. */
export async function snapshotCluster({ road, settings, signal }: UpkeepCall): Promise<{
  readonly copies: readonly SnapshotLine[]
  readonly away: readonly number[]
}> {
  const wish = randomUUID()
  const copies = new Map<number, SnapshotLine>()
  for (;;) {
    const { ids } = await readMachines(road.register)
    for (const { id, answer } of await askAll(road, ids, { kind: 'snapshot', wish }))
      for (const { shard, at, bytes } of isCopies(answer) ? (answer['copies'] as readonly Copied[]) : [])
        copies.set(shard, { shard, machine: id, at: new Date(at).toISOString(), bytes })
    const missing = await missingOf(road, settings, copies)
    if (missing.waitedFor.length === 0 || signal.aborted)
      return { copies: [...copies.values()].toSorted((a, b) => a.shard - b.shard), away: missing.away }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

type Copied = { readonly shard: number; readonly at: number; readonly bytes: number }

async function missingOf(
  road: Road,
  settings: ClusterSettings,
  copies: ReadonlyMap<number, unknown>,
): Promise<{ readonly waitedFor: readonly number[]; readonly away: readonly number[] }> {
  const missing = (await clusterStatus(road, settings)).shards.filter(({ shard }) => !copies.has(shard))
  const [has, nobody] = [
    missing.filter(({ owner }) => owner !== undefined),
    missing.filter(({ owner }) => owner === undefined),
  ]
  return { waitedFor: has.map(({ shard }) => shard), away: nobody.map(({ shard }) => shard) }
}

interface Share {
  readonly id: string
  readonly shards: number
}

/** Each machine has at most its share of the shards in the end: what is more is handed over, copied first. */
export async function rebalanceCluster({ road, settings, signal }: UpkeepCall): Promise<readonly Share[]> {
  for (;;) {
    const { machines, shards } = await clusterStatus(road, settings)
    const taking = machines.filter(({ answers, draining }) => answers && !draining)
    const share = Math.ceil(settings.shards / Math.max(1, taking.length))
    const shares = taking.map(({ id }) => ({ id, shards: shards.filter(({ owner }) => owner === id).length }))
    const isAll = shards.every(({ owner }) => owner !== undefined)
    const over = shares.filter((one) => one.shards > share)
    if ((isAll && over.length === 0) || signal.aborted) return shares
    await askAll(
      road,
      over.map(({ id }) => id),
      { kind: 'rebalance' },
    )
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

const isFormats = isRecordOf({ formats: isMaybe(isListOf(isCount)) })

/**
 * The whole speaks the newest format that each of its machines knows. One that does not answer is not guessed at: it may be of the
 * version that knows least.
 */
export async function upgradeCluster({ road, settings }: Pick<UpkeepCall, 'road' | 'settings'>): Promise<{
  readonly from: number
  readonly to: number
  readonly machines: readonly { readonly id: string; readonly formats: readonly number[] }[]
}> {
  const { ids } = await readMachines(road.register)
  const answers = await askAll(road, ids, {})
  const silent = ids.filter((id) => !answers.some((one) => one.id === id))
  if (silent.length > 0)
    throw clusterError(
      'CLUSTER_SETTING',
      `${silent.join(', ')} ${silent.length === 1 ? 'does' : 'do'} not answer, and may be of an older version: begin it again, or say that it does not come back with comity cluster leave.`,
    )
  const machines = answers.map(({ id, answer }) => {
    const { formats } = (isFormats(answer) ? answer : {}) as { formats?: readonly number[] }
    // Machines of the first version do not say.
    return { id, formats: formats ?? [1] }
  })
  const to = newestOfAll([FORMATS, ...machines.map(({ formats }) => formats)])
  const from = settings.format
  await changeRecord(road.register, SETTINGS, (value) => {
    const { format } = { ...settings, ...value } as ClusterSettings
    return format >= to ? undefined : { ...settings, ...value, format: to }
  })
  return { from, to: Math.max(from, to), machines }
}

/** What all of them know; the first version is known to all. */
export const newestOfAll = (known: readonly (readonly number[])[]): number =>
  Math.max(1, ...(known[0] ?? []).filter((format) => known.every((one) => one.includes(format))))

async function askAll(
  road: Road,
  ids: readonly string[],
  message: Message,
): Promise<readonly { readonly id: string; readonly answer: Message }[]> {
  const answers = await Promise.all(
    ids.map(async (id) => await road.ask(machinePlace(id), message, ANSWER_MS).catch(() => undefined)),
  )
  return ids.flatMap((id, n) => (answers[n] === undefined ? [] : [{ id, answer: answers[n] }]))
}
