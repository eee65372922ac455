/** Round: one crawl of a cluster with mishaps by one seed, from its making to the judgement. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@comity/testbed'
import { comity, lastJson } from '../../../packages/cli/src/testing/spawned-comity.ts'
import { holdingsOf } from '../../crawl/holdings.ts'
import { comesTrue } from '../../crawl/quick-crawl.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judge.ts'
import { machinesOf } from './machines.ts'
import type { TortureMachine } from './machines.ts'
import { befall, kindsFor } from './mishaps.ts'
import type { Befallen, MishapKind } from './mishaps.ts'
import { NatsTrio } from './nats-trio.ts'
import { dividedNetwork, endWithUs, loopbackNetwork } from './network.ts'
import type { Network } from './network.ts'
import { createTortureWeb } from './torture-web.ts'

export interface RoundSettings {
  readonly seed: number
  readonly dir: string
  readonly leaseMs: number
  readonly machines: number
  readonly shards: number
  readonly hosts: number
  readonly addresses: number
  readonly pages: number
  readonly delayMs: number
  /** No more mishaps after so long. */
  readonly troubleMs: number
  readonly pauseMs: number
  readonly isDivided: boolean
  /** These, one after the other, and none after them; else any, until `troubleMs` have passed. */
  readonly course?: readonly MishapKind[]
  readonly say: (sentence: string) => void
}

export interface RoundReport extends Judgement {
  readonly seed: number
  readonly mishaps: readonly Befallen[]
  readonly pages: number
  readonly mayMove: boolean
  readonly seconds: number
}

/** Without mishaps a crawl ends within so many leases. */
const END_LEASES = 40

const AGENT = ['--user-agent', 'comity-test/1.0 (+https://example.org/bot)']

export async function runRound(settings: RoundSettings): Promise<RoundReport> {
  const { seed, dir, leaseMs, say } = settings
  const random = createRandom(seed)
  const began = performance.now()
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  await using network = await networkFor(settings)
  await using web = await createTortureWeb({
    ...network,
    pages: settings.pages,
    latencyMs: 30,
    slowMs: leaseMs * 1.3,
  })
  await using nats = new NatsTrio(network.nats, dir)
  const place = [nats.url, '--name', 'torture']
  const mayMove = random.chance(0.5)
  const takeOver = mayMove ? leaseMs : 600_000
  const times = ['--lease', `${leaseMs}ms`, '--take-over-after', `${takeOver}ms`]
  await made(['cluster', 'init', ...place, '--shards', `${settings.shards}`, '--vault', join(dir, 'vault'), ...times])
  const machines = machinesOf(network.machines, dir, place)
  const mishaps: Befallen[] = []
  try {
    for (const machine of machines) machine.start()
    await spread(place, machines.length)
    const speed = [
      '--allow-private',
      '--delay',
      `${settings.delayMs}ms`,
      '--scope',
      'any',
      '--no-index',
      '--threads',
      '0',
    ]
    const started = performance.now()
    const crawl = ['crawl', web.home, '--cluster', ...place, '--json', ...speed, ...AGENT]
    const begun = Promise.withResolvers<void>()
    const whole = comity(crawl, {
      onStart: endWithUs,
      onStderr: (text) => void (/^crawl \d/m.test(text) && begun.resolve()),
    })
    const progress = { hasEnded: false }
    void whole.finally(() => (progress.hasEnded = true)).catch(() => undefined)
    const troubled = { random, network, nats, machines, stream: 'COMITY_torture', leaseMs }
    const { course } = settings
    const kinds = kindsFor(network)
    await Promise.race([begun.promise, whole])
    await comesTrue(() => progress.hasEnded || web.log.read().requests.length > 5, 8 * leaseMs)
    while (!progress.hasEnded && mishaps.length < (course?.length ?? Infinity)) {
      if (performance.now() - started > settings.troubleMs) break
      const kind = course?.[mishaps.length] ?? random.pick(kinds)
      say(
        `  ${((performance.now() - started) / 1000).toFixed(0)} s, ${web.log.read().requests.length} requests: ${kind}`,
      )
      mishaps.push(await befall(kind, troubled))
      // What befalls a crawl that does nothing shows nothing.
      const before = web.log.read().requests.length
      await comesTrue(() => progress.hasEnded || web.log.read().requests.length > before + 5, 3 * leaseMs)
      await sleep(random.between(settings.pauseMs / 2, settings.pauseMs * 1.5))
    }
    network.heal()
    for (let n = 0; n < nats.count; n++) nats.start(n)
    for (const machine of machines) machine.start()
    const ended = await Promise.race([whole, sleep(END_LEASES * leaseMs, undefined, { ref: false })])
    if (ended === undefined) throw new Error(`seed ${seed}: the crawl did not end`)
    if (ended.code !== 0) throw new Error(`seed ${seed}: the crawl failed: ${ended.stderr}`)
    const owners = await ownersOf(place, settings.shards)
    for (const machine of machines) await machine.leave(60_000)
    const held = await heldBy(owners, machines)
    const toleranceMs = 60 + lag.max / 1e6
    const judged = judge({
      log: web.log.read(),
      mishaps,
      wanted: web.urls,
      held,
      delayMs: settings.delayMs,
      toleranceMs,
      mayMove,
      peerOf: (id) => web.peerOf(id),
    })
    const summary = lastJson(ended)
    const wrong = summary['waiting'] === 0 ? [] : [`the summary says that ${String(summary['waiting'])} pages wait`]
    return {
      ...judged,
      offences: [...judged.offences, ...wrong],
      seed,
      mishaps,
      pages: web.urls.size,
      mayMove,
      seconds: (performance.now() - began) / 1000,
    }
  } finally {
    for (const machine of machines) machine.end()
    lag.disable()
  }
}

async function networkFor(settings: RoundSettings): Promise<Network> {
  const part = process.pid + settings.seed
  const divided = settings.isDivided ? await dividedNetwork(settings, part) : undefined
  return divided ?? loopbackNetwork(settings, part)
}

/** JetStream takes a moment to choose who leads. */
async function made(words: readonly string[]): Promise<void> {
  for (let tries = 0; ; tries++) {
    const told = await comity(words)
    if (told.code === 0 || /CLUSTER_EXISTS|already/.test(told.stderr)) return
    if (tries === 20) throw new Error(told.stderr)
    await sleep(500)
  }
}

interface Status {
  readonly shards: readonly { readonly shard: number; readonly owner?: string }[]
}

async function statusOf(place: readonly string[]): Promise<Status> {
  return lastJson(await comity(['cluster', 'status', ...place, '--json'])) as unknown as Status
}

async function spread(place: readonly string[], machines: number): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const owners = new Set(
      (await statusOf(place).catch((): Status => ({ shards: [] }))).shards.map(({ owner }) => owner),
    )
    if (!owners.has(undefined) && owners.size === machines) return
    await sleep(1_000)
  }
  throw new Error('shards were not shared by the machines')
}

/** Who has each shard in the end; asked until all have an owner. */
async function ownersOf(place: readonly string[], shards: number): Promise<ReadonlyMap<number, string>> {
  for (let tries = 0; tries < 60; tries++) {
    const status = await statusOf(place).catch((): Status => ({ shards: [] }))
    const owned = status.shards.flatMap(({ shard, owner }) => (owner === undefined ? [] : [[shard, owner] as const]))
    if (owned.length === shards) return new Map(owned)
    await sleep(1_000)
  }
  throw new Error('some shards have no owner in the end')
}

/** Pages that were fetched, of the shards as their last owners have them. */
async function heldBy(owners: ReadonlyMap<number, string>, machines: readonly TortureMachine[]): Promise<Set<string>> {
  const folders = new Map(
    machines.map(({ into }) => [
      (JSON.parse(readFileSync(join(into, 'machine.json'), 'utf8')) as { id: string }).id,
      into,
    ]),
  )
  const held = new Set<string>()
  for (const [shard, owner] of owners) {
    const dir = join(folders.get(owner)!, `shard-${shard}`)
    if (!existsSync(join(dir, 'collection.json'))) continue
    for (const [url, page] of await holdingsOf(dir))
      if (page.state === 'done' && page.row?.outcome === 'ok') held.add(url)
  }
  return held
}
