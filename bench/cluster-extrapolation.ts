/**
 * From figures to sizes: what a cluster needs for so many pages, multiplied out of what was measured, of what the code does,
 * of what a simulation counted, and of what is assumed. What grows with the square of the shards is said to.
 */

/** Each with the command that prints it. */
export const MEASURED = {
  /** `npm run bench:cluster`: processor a page in a cluster of three, milliseconds of one core. */
  cpuMsAPage: 3.7,
  /** The same: questions to keepers a page, each with its answer. */
  grantsAPage: 0.37,
  /** `npm run bench:frontier`: 763 MB for ten million known URLs, and opened again in so many seconds a million. */
  memoryAUrl: 76,
  openSecondsAMillion: 0.4,
} as const

/** As the code has it: a row of a page elsewhere, how often shards ask each other at least, and how often an owner renews. */
export const IN_CODE = { memoryAForeignUrl: 36, lookSeconds: 2, renewSeconds: 3, maxShards: 4_096 } as const

/** Nobody measured these: they are what the sizes below stand on. */
export const ASSUMED = {
  days: 30,
  /** As docs/cluster.md advises. */
  pagesAShard: 1e7,
  knownAPage: 5,
  /** Of a page on disk: its archive, packed, and its rows and words. */
  archiveAPage: 10_000,
  stateAPage: 3_000,
  /** A machine as it is rented; euros a month, about. */
  machine: { cores: 16, memory: 64e9, disk: 8e12, euros: 150 },
  /** Of its cores and memory, as far as they are to be filled. */
  filled: 0.5,
} as const

interface Counted {
  readonly entriesAPage: number
  readonly entryBytes: number
}

interface Line {
  readonly name: string
  readonly values: readonly number[]
}

export function extrapolated(sizes: readonly number[], counted: Counted): Line[] {
  const needs = sizes.map((pages) => needOf(pages, counted))
  return Object.keys(needs[0] ?? {}).map((name) => ({
    name,
    values: needs.map((need) => need[name] ?? 0),
  }))
}

function needOf(pages: number, { entriesAPage, entryBytes }: Counted): Readonly<Record<string, number>> {
  const { machine, filled, days, knownAPage, pagesAShard, archiveAPage, stateAPage } = ASSUMED
  const { cpuMsAPage, grantsAPage, memoryAUrl, openSecondsAMillion } = MEASURED
  const { memoryAForeignUrl, lookSeconds, renewSeconds, maxShards } = IN_CODE
  const rate = pages / (days * 86_400)
  const shards = Math.min(maxShards, Math.max(2, Math.ceil(pages / pagesAShard)))
  const memory = pages * (knownAPage * memoryAUrl + entriesAPage * memoryAForeignUrl)
  const disk = pages * (archiveAPage + stateAPage)
  const byCpu = (rate * cpuMsAPage) / 1_000 / (machine.cores * filled)
  const byMemory = memory / (machine.memory * filled)
  const byDisk = disk / machine.disk
  const machines = Math.max(3, Math.ceil(Math.max(byCpu, byMemory, byDisk)))
  const polls = (shards * (shards - 1)) / lookSeconds
  return {
    'pages a second': rate,
    shards,
    'pages of a mean shard': pages / shards,
    'machines by processor': byCpu,
    'machines by memory': byMemory,
    'machines by disk': byDisk,
    machines,
    'memory of a mean shard, GB': memory / shards / 1e9,
    'disk of all, TB': disk / 1e12,
    'copies in the vault, TB': disk / 1e12,
    'entries a second': rate * entriesAPage,
    'bytes of entries a second, MB': (rate * entriesAPage * entryBytes) / 1e6,
    'questions to keepers a second': rate * grantsAPage,
    'questions among shards a second': polls,
    'writes to the register a second': (2 * shards) / renewSeconds,
    'a shard opened again, seconds': (pages / shards) * knownAPage * (openSecondsAMillion / 1e6),
    'euros a month': machines * machine.euros,
  }
}
