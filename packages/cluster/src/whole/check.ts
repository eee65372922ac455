/** Check: what of a cluster's engine and settings is unsafe, what it can cost, and what to do. */
import type { ServerFacts } from '../road/nats-road.ts'
import type { ClusterSettings } from '../settings.ts'

export interface ClusterFinding {
  readonly isUnsafe: boolean
  readonly what: string
  readonly does: string
  readonly todo: string
}

/** Kills alone could lose streams before it (nats-server#6888). */
const SAFE_VERSION = [2, 10, 23] as const
const MIN_PAYLOAD = 1 << 20

export function checkCluster(
  server: ServerFacts,
  settings: Pick<ClusterSettings, 'shards'>,
  machines: number,
): ClusterFinding[] {
  const findings: ClusterFinding[] = []
  const add = (isUnsafe: boolean, what: string, does: string, todo: string): void =>
    void findings.push({ isUnsafe, what, does, todo })
  if (isOlder(server.version)) {
    add(
      true,
      `nats-server ${server.version} is older than ${SAFE_VERSION.join('.')}`,
      'a kill of several servers at once, or a power cut, can lose or fork the register: owners then stop, and go on after a lease. No page is lost, as none passes through it',
      'use a newer nats-server where you can',
    )
  }
  add(
    true,
    'nobody outside can see whether JetStream syncs what it acknowledges',
    'by default it does so every two minutes (nats-server#7564): a power cut of its machine can take the newest records, and the crawl pauses for a lease',
    'set `sync_interval: always` below `jetstream` in its configuration; 2.9 does not know it',
  )
  if (server.servers < 3)
    add(
      true,
      `${server.servers} NATS server${server.servers === 1 ? '' : 's'}`,
      'while it is away nobody renews, and the crawl stops within two thirds of a lease',
      'run three as a cluster',
    )
  if (server.maxPayload < MIN_PAYLOAD)
    add(
      true,
      `messages are at most ${server.maxPayload} bytes`,
      'what shards tell each other may not fit',
      `set max_payload to ${MIN_PAYLOAD} or more`,
    )
  if (machines > 0 && settings.shards < 2 * machines)
    add(
      false,
      `${settings.shards} shards for ${machines} machines`,
      'the load of a machine that leaves falls on few',
      'make a cluster with two shards a machine or more: the number is fixed for good',
    )
  return findings
}

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/).slice(0, 3).map(Number)
  for (const [i, wanted] of SAFE_VERSION.entries()) {
    const part = parts[i] ?? 0
    if (part !== wanted) return !(part > wanted)
  }
  return false
}
