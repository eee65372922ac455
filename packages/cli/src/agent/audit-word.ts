/** `comity agent audit`: run a bundle over pages that were crawled, and compare with what the site sent. */
import { randomInt } from 'node:crypto'
import { auditAgent, bodyDigest } from '@comity/agent'
import type { AgentPage, AgentPages, AgentResult } from '@comity/agent'
import { Collection, storedContent } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { createRandom } from '@comity/testbed'
import type { AgentCall } from './command.ts'
import { bundleOf, resultOf } from './files.ts'
import { auditLines } from './report.ts'
import { capsOf } from './run.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { UsageError } from '../usage-error.ts'

export async function auditWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  const [bundlePath, ...resultPaths] = operands
  const { collection: dir, sample } = settings
  if (bundlePath === undefined) throw new UsageError('FILE is missing: the bundle, and what the site says it emitted.')
  if (resultPaths.length === 0)
    throw new UsageError('Name what the site says it emitted: comity agent audit BUNDLE RESULT….')
  if (dir === undefined) throw new UsageError('Say where the fetched pages are: --collection DIR.')
  const bundle = bundleOf(bundlePath)
  const results = resultPaths.map(resultOf)
  const caps = capsOf(settings)
  const origin = settings.base === undefined ? originOf(results) : new URL(settings.base).origin
  await using collection = Collection.openReadOnly(dir)
  using interrupt = onInterrupt(() => terminal.say('stopping'))
  const seed = settings.seed === 0 ? randomInt(1, 2 ** 31) : settings.seed
  terminal.say(`auditing with pages of ${origin} in ${dir}, --seed ${seed}`)
  const pages = collectionPages(collection, origin)
  const random = createRandom(seed)
  const report = await auditAgent({
    bundle,
    results,
    pages,
    sample,
    random: () => random.next(),
    caps,
    signal: interrupt.signal,
  })
  terminal.print(settings.json ? JSON.stringify({ seed, ...report }) : auditLines(report, terminal.paint).join('\n'))
  return report.kind === 'agrees' ? 0 : 1
}

function originOf(results: readonly AgentResult[]): string {
  const origins = new Set(results.flatMap(({ records }) => records.map(({ record }) => URL.parse(record.url)?.origin)))
  const [origin] = origins
  if (origin === undefined || origins.size > 1)
    throw new UsageError('The records do not name one site: say which with --base URL.')
  return origin
}

/** Pages of one site as they were fetched last. Digests are made when they are asked for: a sample needs few of them. */
function collectionPages(collection: Collection, origin: string): AgentPages {
  const bodies = new Map<string, number>()
  const read = (page: number): Uint8Array | undefined => {
    const position = collection.page(page)?.body
    const content = position === undefined ? undefined : storedContent(collection, position)
    return content?.kind === 'ok' ? content.bytes : undefined
  }
  return {
    *list() {
      for (const { key, value } of collection.pages()) {
        const url = isPublic(value) ? collection.url(key) : undefined
        if (url?.startsWith(`${origin}/`) !== true) continue
        bodies.set(url, key)
        yield lazyPage(url, value, () => read(key) ?? new Uint8Array(0))
      }
    },
    read: async ({ url }) => await Promise.resolve(bodies.has(url) ? read(bodies.get(url)!) : undefined),
  }
}

const isPublic = ({ status, body, noindex }: PageRow): boolean =>
  status === 200 && body !== undefined && noindex !== true

function lazyPage(url: string, { type, bytes, changedAt, visitedAt }: PageRow, body: () => Uint8Array): AgentPage {
  let digest: string | undefined
  return {
    url,
    type: (type ?? 'application/octet-stream').split(';', 1)[0]!.trim().toLowerCase(),
    bytes,
    modifiedAt: changedAt ?? visitedAt,
    get digest() {
      return (digest ??= bodyDigest(body()))
    },
  }
}
