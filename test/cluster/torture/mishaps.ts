/** Mishaps: what befalls the processes of a torture, one after the other, by a seed. Each is named, and says until when its effects last. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@comity/testbed'
import type { TortureMachine } from './machines.ts'
import type { NatsTrio } from './nats-trio.ts'
import type { Network } from './network.ts'

export type MishapKind =
  | 'kill a machine'
  | 'kill all machines'
  | 'kill a NATS server'
  | 'kill the NATS leader'
  | 'kill all NATS servers'
  | 'kill all of both'
  | 'stop all NATS servers for two leases'
  | 'wipe JetStream'
  | 'stop a process for 25/30 of a lease'
  | 'stop a process for two leases'
  | 'stop a process and its watchdog for two leases'
  | 'part an owner from NATS'
  | 'part an owner from NATS one way'
  | 'part one NATS server, with a machine, from the others'

export interface Troubled {
  readonly random: Random
  readonly network: Network
  readonly nats: NatsTrio
  readonly machines: readonly TortureMachine[]
  readonly stream: string
  readonly leaseMs: number
}

export interface Befallen {
  readonly kind: MishapKind
  readonly at: number
  /** What was learnt before then may have been lost with it. */
  readonly until: number
  /** The machine whose process and watchdog were stopped together. */
  readonly stoppedTogether?: string | undefined
}

type Act = (troubled: Troubled) => Promise<{ readonly stoppedTogether?: string } | void>

const someMachine = ({ random, machines }: Troubled): TortureMachine => random.pick(machines)
/** A machine is down for an instant, or for longer than a lease. */
const downMs = ({ random, leaseMs }: Troubled): number => (random.chance(0.5) ? 50 : random.between(0, leaseMs * 1.5))

async function killServer({ random, nats, leaseMs }: Troubled, n: number): Promise<void> {
  await nats.kill(n)
  await sleep(random.between(50, leaseMs / 2))
  nats.start(n)
}

/** Two that do not hear each other; or one that does not hear the other. */
async function part(troubled: Troubled, pairs: readonly (readonly [number, number])[], oneWay: boolean): Promise<void> {
  const { network, random, leaseMs } = troubled
  for (const [server, machine] of pairs) {
    const [a, b] = [network.nats[server]!, network.machines[machine]!]
    if (!oneWay || machine % 2 === 0) network.deafen(a, b)
    if (!oneWay || machine % 2 === 1) network.deafen(b, a)
  }
  await sleep(random.between(leaseMs / 2, leaseMs * 2))
  network.heal()
}

const SERVERS = [0, 1, 2]

const ACTS: Readonly<Record<MishapKind, Act>> = {
  'kill a machine': async (troubled) => {
    await Promise.resolve(someMachine(troubled).kill(downMs(troubled)))
  },
  'kill all machines': async (troubled) => {
    await Promise.resolve(troubled.machines.forEach((one) => one.kill(downMs(troubled))))
  },
  'kill a NATS server': async (troubled) => await killServer(troubled, troubled.random.int(troubled.nats.count)),
  'kill the NATS leader': async (troubled) =>
    await killServer(troubled, (await troubled.nats.leaderOf(troubled.stream)) ?? 0),
  'kill all NATS servers': async ({ nats, random, leaseMs }) => {
    await nats.killAll()
    await sleep(random.between(50, leaseMs))
    for (const n of SERVERS) nats.start(n)
  },
  'kill all of both': async (troubled) => {
    troubled.machines.forEach((one) => one.kill(downMs(troubled)))
    await troubled.nats.killAll()
    for (const n of SERVERS) troubled.nats.start(n)
  },
  'stop all NATS servers for two leases': async ({ nats, leaseMs }) => await nats.stopAll(leaseMs * 2),
  'wipe JetStream': async ({ nats }) => {
    await nats.killAll()
    nats.wipe()
    for (const n of SERVERS) nats.start(n)
  },
  'stop a process for 25/30 of a lease': async (troubled) => {
    someMachine(troubled).stop((troubled.leaseMs * 25) / 30, false)
    await sleep((troubled.leaseMs * 25) / 30)
  },
  'stop a process for two leases': async (troubled) => {
    someMachine(troubled).stop(troubled.leaseMs * 2, false)
    await sleep(troubled.leaseMs * 2)
  },
  'stop a process and its watchdog for two leases': async (troubled) => {
    const machine = someMachine(troubled)
    machine.stop(troubled.leaseMs * 2, true)
    await sleep(troubled.leaseMs * 2)
    return { stoppedTogether: machine.stand.address }
  },
  'part an owner from NATS': async (troubled) => {
    const machine = troubled.random.int(troubled.machines.length)
    await part(
      troubled,
      SERVERS.map((server) => [server, machine] as const),
      false,
    )
  },
  'part an owner from NATS one way': async (troubled) => {
    const machine = troubled.random.int(troubled.machines.length)
    await part(
      troubled,
      SERVERS.map((server) => [server, machine] as const),
      true,
    )
  },
  'part one NATS server, with a machine, from the others': async (troubled) => {
    const { network, random, machines } = troubled
    const [server, machine] = [random.int(SERVERS.length), random.int(machines.length)]
    for (const other of SERVERS.filter((one) => one !== server)) {
      network.deafen(network.nats[server]!, network.nats[other]!)
      network.deafen(network.nats[other]!, network.nats[server]!)
    }
    await part(
      troubled,
      SERVERS.filter((one) => one !== server).map((one) => [one, machine] as const),
      false,
    )
  },
}

const KINDS = Object.keys(ACTS) as MishapKind[]
/** Those that need a network which can be divided. */
const needsDivision = (kind: MishapKind): boolean => kind.startsWith('part')
const isFrequent = (kind: MishapKind): boolean => kind === 'kill a machine' || kind === 'kill the NATS leader'

/** What may befall, the frequent ones more often. */
export const kindsFor = (network: Network): MishapKind[] =>
  KINDS.filter((kind) => network.isDivisible || !needsDivision(kind)).flatMap((kind) =>
    isFrequent(kind) ? [kind, kind, kind] : [kind],
  )

export async function befall(kind: MishapKind, troubled: Troubled): Promise<Befallen> {
  const at = Date.now()
  const said: { readonly stoppedTogether?: string } | void = await ACTS[kind](troubled)
  return { kind, at, until: Date.now() + troubled.leaseMs * 2, stoppedTogether: said?.stoppedTogether }
}
