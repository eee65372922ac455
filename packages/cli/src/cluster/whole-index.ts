/** `comity index --cluster`: the index of every shard brought up to date, by the machine that has it. */
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { openCluster } from './place.ts'
import type { WholeSettings } from './place-flags.ts'
import { jsonOfShards, shardsOf } from './whole-tasks.ts'

interface WholeIndexSettings extends WholeSettings {
  readonly anew: boolean
  readonly positions: boolean
  readonly json: boolean
}

/** As `comity index --json` says it of one. */
interface Indexed {
  readonly documents: number
  readonly bytes: number
  readonly read: number
  readonly unread: Readonly<Record<string, number>>
}

export async function indexWhole(settings: WholeIndexSettings, terminal: Terminal): Promise<number> {
  const { road, settings: made } = await openCluster(settings.cluster, settings)
  await using _ = road
  const whole = { road, settings: made }
  const startedAt = performance.now()
  const task = { word: 'index', anew: settings.anew, positions: settings.positions }
  const all = await jsonOfShards<Indexed>(whole, shardsOf(whole), task, ({ documents }, shard) =>
    terminal.say(`shard ${shard}: ${counted(documents, 'page')}`),
  )
  const sum = (of: (one: Indexed) => number): number => all.reduce((total, one) => total + of(one), 0)
  const unread = new Map<string, number>()
  for (const [why, count] of all.flatMap((one) => Object.entries(one.unread)))
    unread.set(why, (unread.get(why) ?? 0) + count)
  const told = {
    cluster: made.name,
    shards: made.shards,
    documents: sum(({ documents }) => documents),
    bytes: sum(({ bytes }) => bytes),
    read: sum(({ read }) => read),
    unread: Object.fromEntries(unread),
    seconds: (performance.now() - startedAt) / 1000,
  }
  if (settings.json) terminal.print(JSON.stringify(told))
  else
    terminal.print(
      [
        `${counted(told.documents, 'page')} can be found in ${counted(made.shards, 'shard')}; the indexes have ${formatBytes(told.bytes)}, made in ${formatDuration(told.seconds * 1000)}`,
        ...Array.from(unread, ([why, count]) => `  ${formatCount(count)} left out: ${why}`),
      ].join('\n'),
    )
  return 0
}
