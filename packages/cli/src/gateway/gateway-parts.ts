/**
 * Gateway parts: a node with its state, spool and sender, as the flags of `comity gateway` have it.
 *
 *   DIR/pages.table   which pages were shipped, without their addresses
 *   DIR/spool/        batches that wait
 *   DIR/keys.json     what batches are signed with, unless --keys names another file
 *   DIR/faults.jsonl  what could not be worked on for a fault of ours
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import { BatchSender, BatchSpool, FaultLog, GatewayNode, pageThreads, PageTable, PageTableFile } from '@comity/gateway'
import type { CutBatch, PrivacyGateOptions, NodeState } from '@comity/gateway'
import type { PdfReader } from '@comity/index'
import { GATEWAY_BATCH_TYPE, GATEWAY_PATH } from '@comity/protocol'
import type { GatewaySettings } from './flags.ts'
import type { ProgramKeeper } from './program.ts'
import { UsageError } from '../usage-error.ts'
import { versionLine } from '../version.ts'

export interface GatewayParts extends AsyncDisposable {
  readonly node: GatewayNode
  readonly spool: BatchSpool | undefined
  readonly sender: BatchSender | undefined
  readonly program: ProgramKeeper | undefined
  readonly faults: FaultLog
}

interface PartsOptions {
  readonly tell: (sentence: string) => void
  /** Instead of what --readers says. */
  readonly readers?: PrivacyGateOptions['readers']
  readonly onBatch?: (cut: CutBatch) => void
}

/** Throws for what cannot be meant. */
export function checkShipping(settings: GatewaySettings): void {
  const { to, state, keys, servers, proxy, readers, inside, program, agents } = settings
  checkExport(settings)
  if (to !== undefined && state === undefined)
    throw new UsageError('What was shipped has to be remembered: say where with --state DIR.')
  if (keys !== undefined && to === undefined)
    throw new UsageError('--keys says what --to is signed with: name a repository with --to URL.')
  if (servers.length > 0 && proxy !== undefined)
    throw new UsageError('--servers is for packets: a proxy knows its server. Leave it out.')
  if (agents !== undefined && program === undefined)
    throw new UsageError('--agents says where the program is that --program names: give both.')
  if (readers !== 'both' && inside.length === 0)
    throw new UsageError(`--readers ${readers} needs to know who is inside: --inside 10.0.0.0/8.`)
}

function checkExport({ asBrowser, export: folder, to, proxy }: GatewaySettings): void {
  if (!asBrowser) return
  if (folder === undefined)
    throw new UsageError('--as-browser says how bodies are written: name a folder for them with --export DIR.')
  if (to !== undefined)
    throw new UsageError(
      '--as-browser shows what is in doubt, and nothing of that may be sent: leave out --to, and export in a run of its own.',
    )
  if (proxy !== undefined)
    throw new UsageError(
      '--as-browser reads packets: it goes with --pcap or --live. What passes a proxy is never in doubt.',
    )
}

/** Throws where it is not said whose pages may leave this machine. `isPackets`: anybody on the way may have sent them. */
export function checkSpeakers({ to, hosts, servers }: GatewaySettings, isPackets: boolean): void {
  if (to === undefined) return
  if (hosts.length === 0)
    throw new UsageError(
      'Say whose pages may be indexed: --hosts www.example.org,*.uni.example. Whoever asks can write any host into a request.',
    )
  if (isPackets && servers.length === 0)
    throw new UsageError(
      'Say which servers may speak for --hosts: --servers 10.0.0.0/8,2001:db8::/32, the addresses they have on this line. ' +
        'Any server on the way could answer in their name otherwise.',
    )
}

export async function openGateway(settings: GatewaySettings, options: PartsOptions): Promise<GatewayParts> {
  const { every: everyMs, batch: batchBytes, state: dir, to, withPages, https, quorum } = settings
  const { tell, onBatch } = options
  const schedule = { everyMs, batchBytes, batchRows: 50_000 }
  const held = dir === undefined ? undefined : await openState(dir, settings)
  const spool = dir === undefined || to === undefined ? undefined : new BatchSpool(join(dir, 'spool'), settings.spool)
  if (held !== undefined) {
    if (held.file.found === 'damaged') tell(`${held.file.path} was damaged: pages in it are shipped once more.`)
    held.file.skipTo(spool?.lastNumber(held.file.run) ?? 0)
  }
  const state: NodeState = held?.file ?? memoryState(settings.maxPages)
  const pdf = settings.pdf ? new (await import('@comity/index')).PdfReader() : undefined
  const program =
    settings.program === undefined ? undefined : (await import('./program.ts')).openProgram(settings, tell)
  const faults = new FaultLog({
    path: dir === undefined ? undefined : join(dir, 'faults.jsonl'),
    version: versionLine(),
    tell,
  })
  const node = new GatewayNode({
    gate: gateOf(settings, options.readers ?? settings.readers),
    salt: randomBytes(16),
    quorum,
    state,
    spool,
    schedule,
    withPages,
    https,
    pdf,
    program: program?.program,
    faults,
    threads: settings.threads ?? pageThreads(),
    now: Date.now,
    onBatch,
    tell,
  })
  const sender =
    spool === undefined
      ? undefined
      : new BatchSender(spool, {
          ...(await postingTo(settings)),
          now: Date.now,
          schedule,
          onRefused: (batch) => node.forget(batch),
          tell,
        })
  return { node, spool, sender, program, faults, [Symbol.asyncDispose]: () => closed(node, pdf, held) }
}

async function closed(node: Disposable, pdf: PdfReader | undefined, held: HeldState | undefined): Promise<void> {
  node[Symbol.dispose]()
  await pdf?.[Symbol.asyncDispose]()
  held?.file[Symbol.dispose]()
  held?.lock[Symbol.dispose]()
}

interface HeldState {
  readonly file: PageTableFile
  readonly lock: Disposable
}

async function openState(dir: string, { maxPages }: GatewaySettings): Promise<HeldState> {
  const { takeWriteLock } = await import('@comity/site')
  makePrivateFolder(dir)
  const lock = takeWriteLock(dir)
  try {
    return { lock, file: PageTableFile.open(join(dir, 'pages.table'), { maxPages, newRun }) }
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

const newRun = (): string => randomBytes(16).toString('hex')

/** For as long as this process lives. */
function memoryState(maxPages: number): NodeState {
  let last = 0
  const table = new PageTable(maxPages)
  return {
    table,
    run: newRun(),
    get number() {
      return last
    },
    commit: (number) => {
      last = number
      // Nobody asks which rows changed.
      for (const _ of table.takeChanged());
    },
  }
}

function gateOf(settings: GatewaySettings, readers: PrivacyGateOptions['readers']): Partial<PrivacyGateOptions> {
  const { hosts, servers, inside, plainText, pdf, midstream, privatePath: privatePaths } = settings
  const queries = new Map<string, readonly string[]>()
  for (const { host, names } of settings.query) queries.set(host, [...(queries.get(host) ?? []), ...names])
  return {
    // Nobody said whose pages: then nothing leaves this machine.
    hosts: hosts.length === 0 ? ['*'] : hosts,
    servers,
    inside,
    readers,
    publicHosts: settings.public,
    credentialFields: settings.credentialHeader,
    midstream,
    queries,
    privatePaths,
    plainText,
    pdf,
  }
}

/** Where the keys stand: made when they are not there. */
export async function keyFileOf({ keys, state }: GatewaySettings): Promise<import('@comity/site').KeyFile> {
  const { KeyFile } = await import('@comity/site')
  if (keys === undefined && state === undefined)
    throw new UsageError('Say where the keys are: --state DIR, or --keys FILE.')
  if (state !== undefined) makePrivateFolder(state)
  return KeyFile.openOrMake(keys ?? join(state!, 'keys.json'), { now: Date.now })
}

async function postingTo(settings: GatewaySettings) {
  const { httpPost, nextTryAt, pushSigner } = await import('@comity/site')
  const sign = pushSigner(await keyFileOf(settings), Date.now)
  const call = httpPost({ sign, userAgent: 'comity-gateway' })
  const to = settings.to!
  const url = to.endsWith(GATEWAY_PATH) ? to : `${to}${GATEWAY_PATH}`
  return {
    post: (body: Uint8Array, signal?: AbortSignal) =>
      call({ url, method: 'POST', headers: [['Content-Type', GATEWAY_BATCH_TYPE]], body, isOwners: true }, signal),
    backOff: (failures: number, now: number, askedAt: number | undefined) =>
      nextTryAt(failures, now, Math.random(), askedAt),
  }
}
