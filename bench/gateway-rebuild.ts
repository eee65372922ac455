/**
 * One run of the gateway over a capture, in a process of its own, for `bench/gateway.ts`:
 *
 *   node bench/gateway-rebuild.ts CAPTURE rebuild                 objects are rebuilt, and counted
 *   node bench/gateway-rebuild.ts CAPTURE write FOLDER            and written, one file each
 *   node bench/gateway-rebuild.ts CAPTURE index FOLDER HOST…      and those of the hosts indexed, shipped into FOLDER/spool, by as many
 *                                                                 threads as `comity gateway` takes here
 *   node bench/gateway-rebuild.ts CAPTURE hosts                   whose objects they are, for the one before
 *
 * Prints as JSON how many objects there were, and their bytes; of an index also what was shipped and what was not.
 */
import type { BodyWish, ObservedExchange } from '@comity/gateway'
import { openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
// Not the whole package: its other parts take longer to load than a small capture to read.
import { codingOf } from '../packages/gateway/src/http/observed-exchange.ts'
import { Rebuilder } from '../packages/gateway/src/rebuilder.ts'
import type { NodeFigures } from '../packages/gateway/src/node/node-figures.ts'
import { decodeBody } from '../packages/protocol/src/coding/content-coding.ts'

export interface Rebuilt {
  readonly objects: number
  readonly bytes: number
  readonly verdicts: Readonly<Record<string, number>>
  /** What went wrong with the capture itself. */
  readonly problem?: string
  readonly hosts?: readonly string[]
  /** Of an index: what was shipped, and what was left out for which reason. */
  readonly figures?: NodeFigures
}

const [capture = '', how = 'rebuild', folder = '', ...hosts] = process.argv.slice(2)
const count = { objects: 0, bytes: 0, verdicts: {} as Record<string, number> }

function see({ verdict, body }: ObservedExchange): void {
  count.verdicts[verdict] = (count.verdicts[verdict] ?? 0) + 1
  if (verdict !== 'whole' || body.length === 0) return
  count.objects++
  count.bytes += body.length
}

function write(observed: ObservedExchange): void {
  see(observed)
  const { verdict, body, response } = observed
  if (verdict !== 'whole' || body.length === 0) return
  // What TShark writes: content codings off.
  const decoded = decodeBody(body, codingOf(response!), { maxBytes: 1 << 26 })
  if (decoded.kind === 'ok') writeFileSync(join(folder, String(count.objects)), decoded.body)
}

interface Run {
  readonly observed: (observed: ObservedExchange) => void
  readonly wants?: BodyWish
  /** What there is to tell besides. */
  readonly end?: () => Partial<Rebuilt>
}

function findingHosts(): Run {
  const found = new Set<string>()
  const observed = ({ verdict, body, url }: ObservedExchange): void => {
    if (verdict === 'whole' && body.length > 0 && url !== undefined) found.add(new URL(url).host)
  }
  return { observed, end: () => ({ hosts: [...found] }) }
}

async function indexing(): Promise<Run> {
  const { BatchSpool } = await import('../packages/gateway/src/node/batch-spool.ts')
  const { GatewayNode } = await import('../packages/gateway/src/node/gateway-node.ts')
  const { pageThreads } = await import('../packages/gateway/src/node/page-line.ts')
  const { PageTableFile } = await import('../packages/gateway/src/node/shipped-page-table-file.ts')
  const state = PageTableFile.open(join(folder, 'pages.table'), {
    maxPages: 1_000_000,
    newRun: () => '0'.repeat(32),
  })
  const node = new GatewayNode({
    gate: { hosts, readers: 'both' },
    salt: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    state,
    spool: new BatchSpool(join(folder, 'spool'), 1e9),
    threads: pageThreads(),
    now: () => Date.now(),
  })
  return {
    wants: node.wants,
    observed: (observed) => {
      see(observed)
      node.observed(observed)
    },
    end: () => {
      node.cut()
      node[Symbol.dispose]()
      state[Symbol.dispose]()
      return { figures: node.figures }
    },
  }
}

async function runOf(): Promise<Run> {
  if (how === 'index') return await indexing()
  if (how === 'hosts') return findingHosts()
  return { observed: how === 'write' ? write : see }
}

const run = await runOf()
const rebuilder = new Rebuilder(run, run.wants === undefined ? {} : { wants: run.wants })
const file = openSync(capture, 'r')
const room = Buffer.allocUnsafeSlow(1 << 20)
for (let read = readSync(file, room); read > 0; read = readSync(file, room)) rebuilder.write(room.subarray(0, read))
const { problem } = rebuilder.end()
const told: Rebuilt = { ...count, ...(problem === undefined ? {} : { problem }), ...run.end?.() }
console.log(JSON.stringify(told))
