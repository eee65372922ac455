/** Gateway source: where observed exchanges come from, as the flags of `comity gateway` say: captures, an interface, a proxy. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  conversationLimits,
  flowLimits,
  RangeJoin,
  readCaptureFile,
  readCaptureStream,
  readLiveCapture,
  Rebuilder,
} from '@comity/gateway'
import type {
  BodyWish,
  BrowserViewSink,
  CaptureTaker,
  ObservedExchangeSink,
  RebuildOptions,
  SourceEnd,
} from '@comity/gateway'
import type { GatewaySettings } from './flags.ts'
import type { SourceFigures } from './report.ts'
import { tlsFiles } from '../terminal/pem-file.ts'
import { UsageError } from '../usage-error.ts'

/** Disposed of, nothing of it is left, whatever happened. */
interface GatewaySource extends AsyncDisposable {
  /** As far as it got. */
  figures(): Omit<SourceFigures, 'seconds'>
  /** Until it ends, or `signal`. What was in its way. */
  run(signal: AbortSignal): Promise<readonly string[]>
}

interface SourceOptions {
  readonly sink: ObservedExchangeSink
  /** Who wants to see what Chromium would show, beside that. */
  readonly asBrowser?: BrowserViewSink | undefined
  /** Which bodies are worth rebuilding; all unless given. */
  readonly wants?: BodyWish | undefined
  /** A fault of ours, contained. */
  readonly onFault?: RebuildOptions['onFault']
  readonly say: (text: string) => void
}

/** It goes on until somebody stops it. */
export const isEndless = ({ live, proxy, follow }: GatewaySettings): boolean =>
  live !== undefined || proxy !== undefined || follow

/** Throws for what cannot be meant. */
export function checkSources(settings: GatewaySettings): void {
  const { pcap, live, proxy, behind, follow, filter, cert, certKey } = settings
  const kinds = [pcap.length > 0, live !== undefined, proxy !== undefined].filter(Boolean).length
  if (kinds > 1) throw new UsageError('One source at a time: --pcap, --live or --proxy.')
  if (follow && pcap.length !== 1) throw new UsageError('--follow goes with one --pcap FILE that is still growing.')
  if (follow && pcap[0] === '-') throw new UsageError('Standard input is read to its end anyway: leave out --follow.')
  if (filter !== undefined && live === undefined)
    throw new UsageError('--filter is for tcpdump: it goes with --live IFACE.')
  if ((cert === undefined) !== (certKey === undefined))
    throw new UsageError('A certificate has a key: give both --cert and --cert-key.')
  if (cert !== undefined && proxy === undefined) throw new UsageError('--cert is for clients of --proxy ORIGIN.')
  if (behind.length > 0 && proxy === undefined)
    throw new UsageError('--behind is for what stands in front of --proxy ORIGIN.')
}

/** Undefined when the flags name none. */
export async function sourceOf(settings: GatewaySettings, options: SourceOptions): Promise<GatewaySource | undefined> {
  const { pcap, live, proxy } = settings
  if (proxy !== undefined) return await proxySource(settings, proxy, options)
  return pcap.length === 0 && live === undefined ? undefined : captureSource(settings, options)
}

function captureSource(settings: GatewaySettings, options: SourceOptions): GatewaySource {
  const { sink, wants, asBrowser, onFault, say } = options
  const { pcap, live, follow, filter, maxFlows, maxMemory, clientsWait, credentialHeader } = settings
  const share = Math.floor(maxMemory / (asBrowser === undefined ? 2 : 3))
  const maxBodyBytes = Math.min(share, conversationLimits.maxBodyBytes)
  const rebuilder = new Rebuilder(new RangeJoin(sink, {}, credentialHeader), {
    ...(wants === undefined ? {} : { wants }),
    onFault,
    flows: {
      flows: maxFlows,
      bytes: share,
      flowBytes: Math.min(share, flowLimits.flowBytes),
      seed: randomBytes(4).readUInt32LE(),
    },
    messages: { bytes: share, maxBodyBytes, clientsWait },
    asBrowser,
    browser: { bytes: share, maxBodyBytes },
  })
  let [bytes, dropped]: [number, number | undefined] = [0, undefined]
  /** What is damaged is read no further: whoever goes on writing it would never be heard again. */
  let over = new AbortController()
  const taker: CaptureTaker = {
    write: (chunk) => {
      bytes += chunk.length
      rebuilder.write(chunk)
      if (rebuilder.isOver) over.abort()
    },
    restart: () => void rebuilder.restart(),
  }
  const read = async (path: string, signal: AbortSignal): Promise<SourceEnd> =>
    path === '-'
      ? await readCaptureStream(process.stdin, taker, signal)
      : await readCaptureFile(path, taker, { signal, follow })
  return {
    figures: () => {
      const { packets, flows } = rebuilder.counters
      return { packets: packets.packets, flows: flows.flows, bytes, dropped, details: detailsOf(rebuilder) }
    },
    run: async (signal) => {
      const problems: (string | undefined)[] = []
      using _ = live !== undefined || follow ? ticking(rebuilder) : undefined
      if (live !== undefined) {
        const onListening = (): void => say(`listening on ${live}; Ctrl-C stops`)
        const ends = AbortSignal.any([signal, over.signal])
        const end = await readLiveCapture(taker, { iface: live, filter, signal: ends, onListening })
        dropped = end.dropped
        problems.push(end.problem)
      }
      for (const [i, path] of pcap.entries()) {
        if (signal.aborted) break
        // Connections go on from one file of a row to the next, and one that is damaged does not stop the others.
        if (i > 0) problems.push(namedProblem(pcap[i - 1]!, rebuilder.restart()))
        over = new AbortController()
        problems.push((await read(path, AbortSignal.any([signal, over.signal]))).problem)
      }
      problems.push(rebuilder.end().problem)
      return problems.filter((problem) => problem !== undefined)
    },
    // What it reads ends with `run`.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

const namedProblem = (path: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${path}: ${problem}`

/** Packets are handed over a moment after they passed. */
const LAG_MS = 1_000
const TICK_MS = 250

function ticking(rebuilder: Rebuilder): Disposable {
  const timer = setInterval(() => rebuilder.tick(Date.now() - LAG_MS), TICK_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function detailsOf({ counters }: Rebuilder): Record<string, number> {
  const all = [counters.packets, counters.flows, counters.messages].flatMap((layer) => Object.entries(layer))
  return Object.fromEntries(all.filter(([, count]) => count !== 0))
}

async function proxySource(
  settings: GatewaySettings,
  origin: string,
  { sink, wants, say }: SourceOptions,
): Promise<GatewaySource> {
  const { ProxySource } = await import('@comity/gateway')
  const { listen, behind, cert, certKey } = settings
  const tls = tlsFiles(cert, certKey, ['--cert', '--cert-key'])
  const proxy = new ProxySource({ origin, ...listen, behind, tls }, { sink, ...(wants === undefined ? {} : { wants }) })
  const { url } = await proxy.listen().catch((error: unknown) => {
    throw listenFailed(error, listen)
  })
  say(`${url} answers for ${origin}; Ctrl-C stops`)
  const { counters } = proxy
  return {
    figures: () => {
      const { refused, connections, bodyBytes, ...details } = counters
      const left = Object.entries({ ...details, ...refused }).filter(([, count]) => count !== 0)
      return { packets: 0, flows: connections, bytes: bodyBytes, details: Object.fromEntries(left) }
    },
    run: async (signal) => {
      if (!signal.aborted) await once(signal, 'abort')
      await proxy.stop()
      return []
    },
    [Symbol.asyncDispose]: () => proxy.stop(0),
  }
}

function listenFailed(error: unknown, { host, port }: GatewaySettings['listen']): unknown {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  if (code === 'EADDRINUSE')
    return new UsageError(`--listen: port ${port} of ${host} is taken. Choose another; 0 takes any that is free.`)
  if (code === 'EACCES')
    return new UsageError(`--listen: port ${port} may not be listened on: below 1024 only root may.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UsageError(`--listen: ${host} is no address of this machine.`)
  return error
}
