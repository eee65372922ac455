/** Forgetting over the whole: written down first, and over when every machine has said that no folder of it holds it any more. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterError } from '../errors.ts'
import { machinePlace } from '../machine/whole-records.ts'
import type { Road } from '../road/road.ts'
import { changeRecord, readMachines } from '../settings.ts'
import type { ClusterSettings } from '../settings.ts'
import { fitsRecord, forgetsIn, FORGETS, joinedForgets, MAX_FORGETS } from '../tasks/forget-list.ts'
import type { ForgetEntry } from '../tasks/forget-list.ts'
import { clusterStatus } from './status.ts'

interface ForgetCall {
  readonly road: Road
  readonly settings: ClusterSettings
  readonly what: Pick<ForgetEntry, 'kind' | 'name'>
  /** Aborted: do not wait any longer. It is forgotten nevertheless. */
  readonly signal: AbortSignal
  /** So long it is waited for who does not answer. */
  readonly patienceMs: number
}

export interface ForgottenEverywhere {
  readonly machines: number
  /** Who has not said that it is done: they forget it when they come back. */
  readonly machinesLeft: readonly string[]
  /** Shards that nobody has: whoever takes one forgets it first. */
  readonly shardsLeft: readonly number[]
}

const LOOK_MS = 250
const ANSWER_MS = 3_000

export async function forgetOnCluster(call: ForgetCall): Promise<ForgottenEverywhere> {
  const { road, settings, signal, patienceMs } = call
  const id = await written(call)
  const until = performance.now() + patienceMs
  for (;;) {
    const [{ ids }, { shards }] = await Promise.all([readMachines(road.register), clusterStatus(road, settings)])
    const answers = await Promise.all(
      ids.map(
        async (machine) =>
          await road.ask(machinePlace(machine), { kind: 'forgotten', id }, ANSWER_MS).catch(() => undefined),
      ),
    )
    const machinesLeft = ids.filter((_, n) => answers[n]?.['isDone'] !== true)
    const shardsLeft = shards.flatMap(({ shard, owner }) => (owner === undefined ? [shard] : []))
    const isPatient = !signal.aborted && performance.now() < until
    // One that answers and is not done is at it: nobody loses patience with that.
    const isAtIt = answers.some((answer) => answer !== undefined && answer['isDone'] !== true)
    if (machinesLeft.length + shardsLeft.length === 0 || !(isPatient || (isAtIt && !signal.aborted)))
      return { machines: ids.length, machinesLeft, shardsLeft }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Asked for once more it is one more entry: pages may have come since by other ways. */
async function written({ road, what }: ForgetCall): Promise<string> {
  const entry: ForgetEntry = { id: randomUUID(), ...what, at: Date.now() }
  await changeRecord(road.register, FORGETS, (value) => {
    const entries = joinedForgets(forgetsIn(value), [entry])
    if (!fitsRecord(entries))
      throw clusterError(
        'CLUSTER_SETTING',
        `A cluster remembers at most ${MAX_FORGETS} things to forget: forget whole sites, or make a new cluster.`,
      )
    return { entries }
  })
  return entry.id
}
