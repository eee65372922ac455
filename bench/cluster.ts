/**
 * Bench: what several machines gain where sites are slow, and what a cluster costs where there is one machine.
 *
 *   npm run bench:cluster [-- --machines 1,3,6] [--latency 150] [--parallel 8]
 *   npm run bench:cluster -- --pauses      how long nothing is asked after the NATS leader, or a machine, was killed with -9
 *
 * Sites on loopback answer after 150 ms, each at an address of its own; a machine visits 8 at once, so that its speed is what the
 * latency lets through, and three machines on one computer are three times as fast if nothing is one after the other. Pages a second are
 * the sites' own count between the first tenth and the last; the same pages come in each run of a size, which is checked. Processor time is
 * that of all machines, between their start and the last page.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { comity, lastJson, mainPath } from '../packages/cli/src/testing/spawned-comity.ts'
import { machinesOf } from '../test/cluster/torture/machines.ts'
import type { TortureMachine } from '../test/cluster/torture/machines.ts'
import { NatsTrio } from '../test/cluster/torture/nats-trio.ts'
import { endWithUs, loopbackNetwork } from '../test/cluster/torture/network.ts'
import { createTortureWeb } from '../test/cluster/torture/torture-web.ts'
import type { TortureWeb } from '../test/cluster/torture/torture-web.ts'
import { endWith, readArguments } from './arguments.ts'
import { formatCount } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  machines: '1,3,6',
  latency: 150,
  parallel: 8,
  pauses: false,
})
const SITES = 120
/** For each machine, so that all runs take as long. */
const PAGES_A_SITE = flags.pauses ? 12 : 5
const SHARDS = 12
const LATE_MS = 90_000
const PAUSE_MS = 60_000
const TICKS_A_SECOND = 100
const part = process.pid
const dir = mkdtempSync(join(tmpdir(), 'comity-bench-'))
const addresses = Array.from({ length: SITES }, (_, n) => `127.${20 + (part % 50)}.9.${n + 1}`)
const speed = [
  '--allow-private',
  '--delay',
  '0',
  '--scope',
  'any',
  '--no-index',
  '--threads',
  '0',
  '--parallel',
  String(flags.parallel),
]
const agent = ['--user-agent', 'comity-bench/1.0 (+https://example.org/bot)']

interface Run {
  readonly name: string
  readonly pages: number
  readonly pagesPerSecond: number
  readonly processorMs: number
  readonly lent: number
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(130))
const sizes = flags.machines.split(',').map(Number)
if (!sizes.every((size) => Number.isInteger(size) && size > 0))
  endWith(import.meta.filename, `--machines is a list of numbers, such as 1,3,6, and not ${flags.machines}`)
if (flags.pauses) {
  await clustered(3, async (web, nats) => {
    const leader = (await nats.leaderOf('COMITY_bench')) ?? 0
    const at = Date.now()
    await nats.kill(leader)
    return await pause(web, at, `the NATS leader (server ${leader + 1}) killed`)
  })
  await clustered(1, async (web, _, [machine]) => {
    const at = Date.now()
    machine!.kill(0)
    return await pause(web, at, 'the one machine killed and begun again with its folder')
  })
  rmSync(dir, { recursive: true, force: true })
  process.exit()
}
const runs: Run[] = [await plain(1)]
for (const size of sizes) runs.push(await clustered(size))
rmSync(dir, { recursive: true, force: true })
const single = runs.find(({ name }) => name === 'cluster of 1')
for (const { name, pages, pagesPerSecond, processorMs, lent } of runs) {
  const ratio = single === undefined ? '' : `${(pagesPerSecond / single.pagesPerSecond).toFixed(2)} x cluster of 1`
  const figures = `${formatCount(pagesPerSecond)} pages/s, ${(processorMs / pages).toFixed(2)} ms of processor a page`
  process.stdout.write(
    `${name.padEnd(14)} ${pages} pages, ${figures}, ${(lent / pages).toFixed(2)} grants a page  ${ratio}\n`,
  )
}
process.exit()

/** One machine without a broker. */
async function plain(size: number): Promise<Run> {
  await using web = await webFor(size)
  const words = [mainPath, 'crawl', web.home, '--into', join(dir, 'plain'), ...speed, ...agent]
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  endWithUs(child)
  await all(web)
  const run = figuresOf('one, plain', web, processorOf([child.pid!]), 0)
  child.kill('SIGKILL')
  return run
}

/** Prints the longest time without a request, of the next forty seconds. */
async function pause(web: TortureWeb, at: number, what: string): Promise<void> {
  const answered = (): number => pagesOf(web).size
  while (Date.now() < at + PAUSE_MS && answered() < web.urls.size) await sleep(200)
  const times = [at, ...[...pagesOf(web).values()].filter((one) => one > at).toSorted((a, b) => a - b)]
  const longest = Math.max(...times.slice(1).map((one, n) => one - times[n]!))
  process.stdout.write(`${what}: the longest pause was ${(longest / 1_000).toFixed(1)} s\n`)
}

type Meanwhile = (web: TortureWeb, nats: NatsTrio, machines: readonly TortureMachine[]) => Promise<void>

async function clustered(size: number, meanwhile?: Meanwhile): Promise<Run> {
  await using web = await webFor(size)
  const network = loopbackNetwork({ machines: size, hosts: 1, addresses: 1 }, part + size)
  const own = join(dir, `of-${size}`)
  execFileSync('mkdir', ['-p', own])
  await using nats = new NatsTrio(network.nats, own)
  const place = [nats.url, '--name', 'bench']
  const init = ['cluster', 'init', ...place, '--shards', `${SHARDS}`, '--vault', join(own, 'vault')]
  for (let tries = 0; tries < 20 && (await comity(init)).code !== 0; tries++) await sleep(500)
  const machines = machinesOf(network.machines, own, place)
  try {
    for (const machine of machines) machine.start()
    await spread(place, size)
    const before = processorOf(machines.map(({ pid }) => pid!))
    void comity(['crawl', web.home, '--cluster', ...place, '--json', ...speed, ...agent], { onStart: endWithUs }).catch(
      () => undefined,
    )
    if (meanwhile !== undefined) {
      while (pagesOf(web).size < web.urls.size / 4) await sleep(100)
      const owners = (await statusOf(place)).shards
      await meanwhile(web, nats, machines)
      const now = (await statusOf(place)).shards
      const moved = now.filter(({ owner }, n) => owner !== owners[n]?.owner).length
      process.stdout.write(`  ${moved} of ${SHARDS} shards moved; pages ${pagesOf(web).size} of ${web.urls.size}\n`)
      return figuresOf('', web, 0, 0)
    }
    await all(web)
    const took = processorOf(machines.map(({ pid }) => pid!)) - before
    const status = (await statusOf(place)).machines.reduce((sum, { lent }) => sum + lent, 0)
    return figuresOf(`cluster of ${size}`, web, took, status)
  } finally {
    for (const machine of machines) machine.end()
  }
}

async function webFor(size: number): Promise<TortureWeb> {
  return await createTortureWeb({
    hosts: addresses,
    addresses,
    pages: PAGES_A_SITE * size,
    latencyMs: flags.latency,
    slowMs: 0,
  })
}

/** Until every page was fetched. */
async function all(web: TortureWeb): Promise<void> {
  const end = performance.now() + LATE_MS
  while (pagesOf(web).size < web.urls.size) {
    if (performance.now() > end)
      throw new Error(`only ${pagesOf(web).size} of ${web.urls.size} pages were fetched in time`)
    await sleep(200)
  }
}

/** When each page was asked for first. */
function pagesOf(web: TortureWeb): Map<string, number> {
  const found = new Map<string, number>()
  for (const { site, path, status, startedAt } of web.log.read().requests)
    if (status === 200 && !found.has(site + path)) found.set(site + path, startedAt)
  return found
}

function figuresOf(name: string, web: TortureWeb, processor: number, lent: number): Run {
  const times = [...pagesOf(web).values()].toSorted((a, b) => a - b)
  const [from, to] = [Math.floor(times.length * 0.1), Math.floor(times.length * 0.9)]
  const pagesPerSecond = ((to - from) * 1_000) / (times[to]! - times[from]!)
  return { name, pages: times.length, pagesPerSecond, processorMs: processor, lent }
}

/** Of processes that run, and of their threads. */
function processorOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return (ticks.reduce((sum, one) => sum + one, 0) * 1_000) / TICKS_A_SECOND
}

interface Status {
  readonly shards: readonly { readonly owner?: string }[]
  readonly machines: readonly { readonly lent: number }[]
}

async function statusOf(place: readonly string[]): Promise<Status> {
  return lastJson(await comity(['cluster', 'status', ...place, '--json'])) as unknown as Status
}

async function spread(place: readonly string[], machines: number): Promise<void> {
  const wanted = SHARDS / machines
  for (let tries = 0; tries < 60; tries++) {
    const { shards } = await statusOf(place).catch((): Status => ({ shards: [], machines: [] }))
    const owned = Map.groupBy(shards, ({ owner }) => owner)
    if (owned.size === machines && [...owned.values()].every((some) => some.length === wanted)) return
    await sleep(1_000)
  }
  throw new Error('shards were not shared by the machines')
}
