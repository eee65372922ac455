/** `comity cluster`: many machines that crawl one web together, from the making of a cluster to the leaving of a machine. */
import { tableOf } from '@comity/protocol'
import {
  checkWord,
  drainWord,
  initWord,
  joinWord,
  leaveWord,
  rebalanceWord,
  snapshotWord,
  statusWord,
  upgradeWord,
} from './words.ts'
import { clusterPlaceFlags } from './place-flags.ts'
import type { ClusterPlaceSettings } from './place-flags.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { countFrom, formatDuration, parseDuration } from '../terminal/quantity.ts'
import { UsageError } from '../usage-error.ts'

export interface ClusterCommandSettings extends ClusterPlaceSettings {
  readonly shards: number | undefined
  readonly vault: string | undefined
  readonly takeOverAfter: number
  readonly lease: number
  readonly into: string | undefined
  readonly json: boolean
}

/** A call whose first operand, the word, is taken off. */
export type ClusterCall = Call<ClusterCommandSettings>

interface Word {
  readonly does: string
  run(call: ClusterCall): Promise<number>
}

// oxfmt-ignore
const WORDS: ReadonlyMap<string, Word> = tableOf({
  init:   { does: 'init URL --shards N --vault DIR: make a cluster, once',                                              run: initWord },
  join:   { does: 'join URL --into DIR: be one of its machines until Ctrl-C, which hands over; again after a crash',    run: joinWord },
  status: { does: 'status URL: machines, who has which shard, what waits',                                              run: statusWord },
  check:  { does: 'check URL: what of the engine and the settings is unsafe, and what to do',                           run: checkWord },
  drain:  { does: 'drain URL MACHINE: let a machine hand over all it has',                                              run: drainWord },
  leave:  { does: 'leave URL MACHINE: one that does not answer does not come back; others need not wait for it',        run: leaveWord },
  rebalance: { does: 'rebalance URL: each machine its share of the shards, also after the first crawl has begun',           run: rebalanceWord },
  snapshot:  { does: 'snapshot URL: a copy of every shard now, and wait for it: before a change, or to carry away',         run: snapshotWord },
  upgrade:   { does: 'upgrade URL: when every machine has a newer comity, the whole speaks what they all know',             run: upgradeWord },
})

const LEASE_MS = 30_000
const TAKE_OVER_MS = 600_000

export const clusterCommand: Command<ClusterCommandSettings> = {
  name: 'cluster',
  summary: 'crawl with many machines, on NATS JetStream: make a cluster, join it, look at it',
  operands: [
    { name: 'WORD', help: [...WORDS.keys()].join(', ') },
    { name: 'URL', help: 'where NATS is: nats://HOST:4222, several with commas between them' },
    { name: 'MACHINE', help: 'as status names it', optional: true },
  ],
  // oxfmt-ignore
  flags: {
    ...clusterPlaceFlags,
    shards: { argument: 'N', default: undefined, parse: countFrom(1), help: 'for init: parts that the web is cut into, for good: one for ten million pages, and two a machine at least' },
    vault: { argument: 'DIR', default: undefined, parse: String, help: 'for init: a folder that all machines reach, for copies of shards' },
    takeOverAfter: { argument: 'TIME', default: TAKE_OVER_MS, shown: formatDuration(TAKE_OVER_MS), parse: parseDuration,
      help: 'for init: so long a shard waits for its machine before another one goes on from the copy: longer than a reboot' },
    lease: { argument: 'TIME', default: LEASE_MS, shown: formatDuration(LEASE_MS), parse: parseDuration,
      help: 'for init: who is not heard from for so long has lost what it had; it stops by itself after two thirds of it' },
    into: { argument: 'DIR', default: undefined, parse: String, help: "for join: the machine's own folder; its shards are collections in it" },
    json: off('print what there is as one JSON object, the last line on stdout'),
  },
  tables: [{ title: 'Words', rows: Array.from(WORDS, ([name, { does }]) => [name, does.slice(name.length + 1)]) }],
  examples: [
    ['comity cluster init nats://nats.intranet:4222 --name web --shards 24 --vault /mnt/vault', 'once'],
    [
      'comity cluster join nats://nats.intranet:4222 --name web --into /data/web',
      'on each machine, again after a crash',
    ],
    ['comity cluster status nats://nats.intranet:4222 --name web', 'who has what'],
  ],
  notes: ['docs/cluster.md says what holds through crashes, and what does not.'],
  run: runClusterWord,
}

async function runClusterWord(call: Call<ClusterCommandSettings>): Promise<number> {
  const [name = '', ...operands] = call.operands
  const word = WORDS.get(name)
  if (word === undefined) {
    const names = [...WORDS.keys()]
    throw new UsageError(
      `"${name}" is nothing to do with clusters: it is one of ${names.join(', ')}.${didYouMean(name, names)}`,
    )
  }
  return await word.run({ ...call, operands })
}
