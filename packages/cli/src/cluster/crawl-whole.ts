/** `comity crawl --cluster`: a crawl by all machines of a cluster, waited for here. */
import { runOnCluster } from '@comity/cluster'
import type { ClusterSummary } from '@comity/cluster'
import type { CrawlOptions } from '@comity/crawler'
import { onInterrupt } from '../terminal/interrupt.ts'
import { formatBytes, formatCount } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { openCluster } from './place.ts'
import type { ClusterPlaceSettings } from './place-flags.ts'

export async function crawlWhole(
  servers: string,
  settings: ClusterPlaceSettings & { readonly json: boolean },
  options: Partial<CrawlOptions>,
  terminal: Terminal,
): Promise<number> {
  const { road, settings: cluster } = await openCluster(servers, settings)
  await using _ = road
  using interrupt = onInterrupt(() =>
    terminal.say('not waiting any longer; the machines go on. The same command waits again.'),
  )
  const onBegin = (job: number): void =>
    terminal.say(`crawl ${job} of ${cluster.name}; Ctrl-C stops waiting, not the crawl`)
  const summary = await runOnCluster({ road, settings: cluster, options, signal: interrupt.signal, onBegin })
  if (summary === undefined) return 0
  if (settings.json) terminal.print(JSON.stringify(summary))
  else terminal.print(lines(summary).join('\n'))
  return summary.pages === 0 ? 1 : 0
}

function lines({
  cluster,
  shards,
  summed,
  pages,
  bytes,
  requests,
  failed,
  waiting,
  seconds,
}: ClusterSummary): string[] {
  const part = summed === shards ? '' : `; only ${summed} of ${shards} shards have said what they have`
  return [
    `${cluster}: ${formatCount(pages)} pages, ${formatBytes(bytes)}, in ${formatCount(shards)} shards${part}`,
    `${formatCount(requests)} requests, ${formatCount(failed)} failed, ${formatCount(waiting)} waiting, ${seconds.toFixed(1)} s`,
  ]
}
