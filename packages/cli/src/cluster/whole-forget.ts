/** `comity forget --cluster`: out of every shard, every copy and every folder that a shard has left behind. */
import { forgetOnCluster } from '@comity/cluster'
import { onInterrupt } from '../terminal/interrupt.ts'
import { counted, formatDuration } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'
import { openCluster } from './place.ts'
import type { WholeSettings } from './place-flags.ts'
import { jsonOfShards, shardsOf } from './whole-tasks.ts'

interface WholeForgetSettings extends WholeSettings {
  readonly dryRun: boolean
  readonly json: boolean
}

interface Found {
  readonly pages: number
}

export async function forgetWhole(
  settings: WholeForgetSettings,
  what: { readonly kind: 'page' | 'site'; readonly name: string },
  terminal: Terminal,
): Promise<number> {
  const { road, settings: made } = await openCluster(settings.cluster, settings)
  await using _ = road
  if (made.format < 2)
    throw new UsageError(`The cluster ${made.name} may have machines that cannot forget: comity cluster upgrade first.`)
  const whole = { road, settings: made }
  const { dryRun, json } = settings
  const told = { cluster: made.name, shards: made.shards, [what.kind]: what.name }
  if (dryRun) {
    const found = await jsonOfShards<Found>(whole, shardsOf(whole), { word: 'forget', name: what.name, dryRun })
    const pages = found.reduce((sum, one) => sum + one.pages, 0)
    if (json) terminal.print(JSON.stringify({ ...told, pages, forgotten: false }))
    else terminal.print(`${what.name}: ${counted(pages, 'row')} in ${counted(made.shards, 'shard')} would be forgotten`)
    return 0
  }
  using interrupt = onInterrupt(() => terminal.say('not waiting any longer; what is asked for stands, and is done'))
  // A machine that hears of it a little later is not away.
  const patienceMs = made.leaseMs
  const { machines, machinesLeft, shardsLeft } = await forgetOnCluster({
    ...whole,
    what,
    signal: interrupt.signal,
    patienceMs,
  })
  const isForgotten = machinesLeft.length + shardsLeft.length === 0
  if (json) terminal.print(JSON.stringify({ ...told, forgotten: isForgotten, machines, machinesLeft, shardsLeft }))
  else {
    terminal.print(
      isForgotten
        ? `${what.name}: forgotten in ${counted(made.shards, 'shard')} and their copies, as ${counted(machines, 'machine')} said`
        : `${what.name}: not forgotten everywhere yet`,
    )
    for (const machine of machinesLeft)
      terminal.print(
        `  machine ${machine} has not said in ${formatDuration(patienceMs)} that it is done; it forgets when it comes back`,
      )
    for (const shard of shardsLeft) terminal.print(`  shard ${shard} is nobody's now: whoever takes it forgets first`)
  }
  return isForgotten ? 0 : 1
}
