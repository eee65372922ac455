/**
 * A cluster to look at: three NATS servers and three machines as processes on loopback, slow sites, and who has which shard. A key
 * kills a machine with -9 or a NATS server, or begins the machine again; others take over what it had.
 *
 *   npm run demo:cluster
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { violations } from '@comity/testbed'
import { NatsRoad, clusterStatus, readSettings } from '@comity/cluster'
import type { ClusterStatus } from '@comity/cluster'
import { isNatsHere } from '../../packages/cluster/src/testing/nats-server.ts'
import { comity } from '../../packages/cli/src/testing/spawned-comity.ts'
import { machinesOf } from './torture/machines.ts'
import { NatsTrio } from './torture/nats-trio.ts'
import { endWithUs, loopbackNetwork } from './torture/network.ts'
import { createTortureWeb } from './torture/torture-web.ts'

const [MACHINES, SHARDS, SITES, PAGES] = [3, 6, 60, 40]
const DELAY_MS = 300
const LEASE_MS = 6_000
const NAME = 'demo'
const said: string[] = []
const note = (sentence: string): void => void said.push(`${new Date().toISOString().slice(11, 19)} ${sentence}`)

if (!isNatsHere()) {
  process.stderr.write('nats-server is not here: apt-get install nats-server\n')
  process.exit(2)
}
const dir = mkdtempSync(join(tmpdir(), 'comity-demo-cluster-'))
const leaving = new AbortController()
process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(130))

const part = process.pid
const network = loopbackNetwork({ machines: MACHINES, hosts: 1, addresses: 1 }, part)
const addresses = Array.from({ length: SITES }, (_, n) => `127.${30 + (part % 40)}.7.${n + 1}`)
await using web = await createTortureWeb({ hosts: addresses, addresses, pages: PAGES, latencyMs: 150, slowMs: 2_000 })
await using nats = new NatsTrio(network.nats, dir)
const place = [nats.url, '--name', NAME]
const times = ['--lease', `${LEASE_MS}ms`, '--take-over-after', `${LEASE_MS}ms`]
process.stdout.write('three NATS servers choose who leads …\n')
for (let tries = 0; tries < 40; tries++) {
  const init = ['cluster', 'init', ...place, '--shards', `${SHARDS}`, '--vault', join(dir, 'vault'), ...times]
  if ((await comity(init)).code === 0) break
  await sleep(500)
}
const machines = machinesOf(network.machines, dir, place)
for (const machine of machines) machine.start()
await using road = await NatsRoad.open({ servers: nats.url, name: NAME })
const settings = await readSettings(road.register, NAME)

process.stdout.write('three machines share six shards …\n')
for (let tries = 0; tries < 60; tries++) {
  const owners = new Set((await clusterStatus(road, settings)).shards.map(({ owner }) => owner))
  if (!owners.has(undefined) && owners.size === MACHINES) break
  await sleep(500)
}
const speed = ['--allow-private', '--delay', `${DELAY_MS}ms`, '--scope', 'any', '--no-index', '--parallel', '8']
const agent = ['--user-agent', 'comity-demo/1.0 (+https://example.org/bot)']
const crawl = ['crawl', web.home, '--cluster', ...place, '--json', ...speed, ...agent]
void comity(crawl, { onStart: endWithUs }).then(({ code }) => note(`the crawl has ended (${String(code)}); q leaves`))
listen()

let before = { requests: 0, at: performance.now() }
while (!leaving.signal.aborted) {
  const status = await clusterStatus(road, settings).catch(() => undefined)
  const { requests } = web.log.read()
  const now = performance.now()
  const rate = ((requests.length - before.requests) * 1_000) / (now - before.at)
  before = { requests: requests.length, at: now }
  const broken = violations(web.log.read(), { connectionGapMs: DELAY_MS, toleranceMs: 100 }).filter(({ rule }) =>
    /address/.test(rule),
  )
  process.stdout.write(`\u001B[2J\u001B[H${view(status, requests.length, rate, broken.length).join('\n')}\n`)
  await sleep(1_000, undefined, { signal: leaving.signal }).catch(() => undefined)
}
for (const machine of machines) machine.end()
process.exit()

function view(status: ClusterStatus | undefined, requests: number, rate: number, broken: number): string[] {
  const names = new Map(status?.machines.map(({ id }, n) => [id, String.fromCodePoint('A'.codePointAt(0)! + n)]))
  const shard = (of: ClusterStatus['shards'][number]): string =>
    `  shard ${of.shard}  ${(of.owner === undefined ? '— nobody —' : `machine ${names.get(of.owner) ?? '?'}`).padEnd(12)} epoch ${`${of.epoch}`.padEnd(3)} ${`${of.pages}`.padStart(5)} pages  ${`${of.waiting}`.padStart(5)} waiting  ${`${of.lag}`.padStart(4)} to take`
  return [
    `${SITES} slow sites, ${requests} of ${web.urls.size + SITES} answers, ${rate.toFixed(0)} a second, ${broken} broken promises by the sites' own log`,
    '',
    ...(status?.shards.map(shard) ?? ['  the register does not answer']),
    '',
    ...(status?.machines ?? []).map(
      ({ id, answers, keepers, lent }) =>
        `  machine ${names.get(id)}  ${answers ? 'answers' : 'silent '}  keepers ${keepers.join(' ').padEnd(12)} ${lent} addresses lent`,
    ),
    '',
    `  1 2 3 kill a machine (again: begin it)   n kills the NATS leader (it begins again)   q leaves`,
    '',
    ...said.slice(-8).map((sentence) => `  ${sentence}`),
  ]
}

/** Keys of a terminal; lines of a pipe. */
function listen(): void {
  if (process.stdin.isTTY) process.stdin.setRawMode(true)
  process.stdin.setEncoding('utf8').on('data', (text: string) => text.split('').forEach(press))
  process.stdin.on('end', () => undefined)
}

function press(key: string): void {
  const machine = machines[Number(key) - 1]
  if (machine !== undefined) {
    note(`${machine.isRunning ? 'kill -9 of' : 'again'} process ${key}`)
    if (machine.isRunning) machine.end()
    else machine.start()
  } else if (key === 'n') void killLeader()
  else if (key === 'q' || key === '\u0003') leaving.abort()
}

async function killLeader(): Promise<void> {
  const leader = (await nats.leaderOf(`COMITY_${NAME}`)) ?? 0
  note(`kill -9 of NATS server ${leader + 1}, which leads`)
  await nats.kill(leader)
  await sleep(3_000)
  nats.start(leader)
}
