/** What each word of `comity cluster` does. */
import { resolve } from 'node:path'
import {
  checkCluster,
  clusterStatus,
  drainMachine,
  forgetMachine,
  joinCluster,
  leaseTimes,
  rebalanceCluster,
  snapshotCluster,
  startWatchdog,
  upgradeCluster,
  writeSettings,
} from '@comity/cluster'
import type { ClusterStatus } from '@comity/cluster'
import { makePrivateFolder } from '@comity/disk'
import { onInterrupt } from '../terminal/interrupt.ts'
import { yieldToPeople } from '../terminal/process-priority.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import { UsageError } from '../usage-error.ts'
import { openCluster, openRoad } from './place.ts'
import { shardCommandOf } from './shard-command.ts'
import type { ClusterCall } from './command.ts'

export async function initWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { name, shards, vault, takeOverAfter, lease, json } = settings
  if (shards === undefined)
    throw new UsageError(
      'Say into how many parts: --shards 24. One for ten million pages, two a machine at least; the number is fixed for good.',
    )
  if (vault === undefined)
    throw new UsageError('Say where copies of shards go: --vault DIR, a folder that all machines reach.')
  await using road = await openRoad(url, settings)
  await road.makeRegister()
  const dir = resolve(vault)
  const made = {
    name: name!,
    shards,
    vault: dir,
    leaseMs: lease,
    takeOverAfterMs: takeOverAfter,
    replicas: road.replicas,
  }
  await writeSettings(road.register, made)
  makePrivateFolder(dir)
  if (json) terminal.print(JSON.stringify(made))
  else
    terminal.print(
      `The cluster ${name} has ${formatCount(shards)} shards. On each machine: comity cluster join ${url} --name ${name} --into DIR`,
    )
  return 0
}

export async function joinWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { into } = settings
  if (into === undefined) throw new UsageError("Say where this machine's shards go: --into DIR.")
  const { road, settings: cluster } = await openCluster(url, settings)
  await using _ = road
  using watchdog = startWatchdog(leaseTimes(cluster.leaseMs).watchdogMs)
  yieldToPeople()
  using interrupt = onInterrupt(() => terminal.say('leaving: what is here is handed over; Ctrl-C again stops at once'))
  const say = (sentence: string): void => terminal.say(sentence)
  say(`watched over by process ${watchdog.pid}`)
  const commandOf = shardCommandOf(cluster.shards)
  await joinCluster({ road, settings: cluster, into: resolve(into), signal: interrupt.signal, commandOf, say })
  return 0
}

export async function statusWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { road, settings: cluster } = await openCluster(url, settings)
  await using _ = road
  const status = await clusterStatus(road, cluster)
  if (settings.json) terminal.print(JSON.stringify(status))
  else terminal.print(statusLines(status).join('\n'))
  return 0
}

export async function checkWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { road, settings: cluster } = await openCluster(url, settings)
  await using _ = road
  const { machines } = await clusterStatus(road, cluster)
  const findings = checkCluster(road.facts, cluster, machines.length)
  if (settings.json) terminal.print(JSON.stringify({ server: road.facts, findings }))
  else for (const { what, does, todo } of findings) terminal.print(`${what}\n  ${does}\n  do: ${todo}`)
  return 0
}

export async function drainWord({ settings, operands: [url, machine], terminal }: ClusterCall): Promise<number> {
  if (machine === undefined) throw new UsageError('Say which machine, as comity cluster status names it.')
  const { road } = await openCluster(url, settings)
  await using _ = road
  await drainMachine(road, machine)
  terminal.say(`${machine} hands over what it has; comity cluster status shows when it is empty`)
  return 0
}

export async function leaveWord({ settings, operands: [url, machine], terminal }: ClusterCall): Promise<number> {
  if (machine === undefined) throw new UsageError('Say which machine, as comity cluster status names it.')
  const { road } = await openCluster(url, settings)
  await using _ = road
  await forgetMachine(road, machine)
  terminal.say(`${machine} is gone for good: others take its shards when their leases are over`)
  return 0
}

export async function snapshotWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { road, settings: cluster } = await openCluster(url, settings)
  await using _ = road
  using interrupt = onInterrupt(() => terminal.say('not waiting any longer; copies that were begun are finished'))
  const { copies, away } = await snapshotCluster({ road, settings: cluster, signal: interrupt.signal })
  if (settings.json) terminal.print(JSON.stringify({ cluster: cluster.name, copies, away }))
  else {
    const bytes = copies.reduce((sum, one) => sum + one.bytes, 0)
    terminal.print(`${counted(copies.length, 'shard')} copied to ${cluster.vault}, ${formatBytes(bytes)}`)
    if (away.length > 0) terminal.print(`nobody has ${away.join(', ')}: their older copies stay`)
  }
  return away.length === 0 ? 0 : 1
}

export async function rebalanceWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { road, settings: cluster } = await openCluster(url, settings)
  await using _ = road
  using interrupt = onInterrupt(() => terminal.say('not waiting any longer; machines go on handing over'))
  const machines = await rebalanceCluster({ road, settings: cluster, signal: interrupt.signal })
  if (settings.json) terminal.print(JSON.stringify({ cluster: cluster.name, machines }))
  else for (const { id, shards } of machines) terminal.print(`machine ${id}: ${counted(shards, 'shard')}`)
  return 0
}

export async function upgradeWord({ settings, operands: [url], terminal }: ClusterCall): Promise<number> {
  const { road, settings: cluster } = await openCluster(url, settings)
  await using _ = road
  const { from, to, machines } = await upgradeCluster({ road, settings: cluster })
  if (settings.json) terminal.print(JSON.stringify({ cluster: cluster.name, from, to, machines }))
  else {
    terminal.print(
      from === to
        ? `${cluster.name} speaks format ${to}, as before`
        : `${cluster.name} spoke format ${from}, and speaks ${to} now`,
    )
    for (const { id, formats } of machines) terminal.print(`  machine ${id} knows ${formats.join(', ')}`)
  }
  return 0
}

function statusLines({ cluster, job, machines, shards, takeOverAfterMs }: ClusterStatus): string[] {
  const crawl =
    job === undefined
      ? 'nothing to crawl yet'
      : `crawl ${job.number}, ${job.state}, ${formatCount(job.seeds)} start pages`
  return [
    `${cluster}: ${crawl}`,
    ...machines.map(
      ({ id, answers, draining, keepers, lent }) =>
        `  machine ${id}${answers ? '' : ', which does not answer'}${draining ? ', draining' : ''}: keepers ${keepers.join(' ') || 'none'}, ${formatCount(lent)} addresses lent so far`,
    ),
    ...shards.map(({ shard, owner, epoch, pages, waiting, lag, copy }) => {
      const who =
        owner ?? `nobody; another machine takes it ${formatDuration(takeOverAfterMs)} after its owner was heard last`
      const kept = copy === undefined ? 'no copy' : `copy of ${copy.at}, ${formatBytes(copy.bytes)}`
      return `  shard ${shard}: ${who}, epoch ${epoch}, ${formatCount(pages)} pages, ${formatCount(waiting)} waiting, ${formatCount(lag)} to take; ${kept}`
    }),
  ]
}
