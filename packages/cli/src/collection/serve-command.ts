/** `comity serve`: the repository of a collection, or all shards of a cluster, with web pages and an API, until it is stopped. */
import { textOf } from '@comity/protocol'
import { once } from 'node:events'
import type { SearchRequest } from '@comity/index'
import type { ServerOptions } from '@comity/repository'
import { wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { behindFlag } from '../terminal/behind-proxy.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { hintsFlag, readHintsFile, refuseHintsOf } from './hints-source.ts'
import { openServer, openSeveralServer, openWholeServer } from './collection-server.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { tlsFiles } from '../terminal/pem-file.ts'
import type { TlsFiles } from '../terminal/pem-file.ts'
import { countFrom, parseBytes } from '../terminal/quantity.ts'
import { BadValue, UsageError } from '../usage-error.ts'

interface ServeSettings extends WholeSettings {
  readonly port: number
  readonly host: string
  readonly hostName: readonly string[]
  readonly behind: readonly string[]
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly token: string | undefined
  readonly cache: number
  readonly programs: string | undefined
  readonly hints: string | undefined
  readonly accessLog: boolean
  readonly json: boolean
}

export const DEFAULT_PORT = 8_090

export const serveCommand: Command<ServeSettings> = {
  name: 'serve',
  summary: 'web pages and an HTTP API to search a collection or a cluster, watch its crawl, and steer it',
  operands: [
    {
      name: 'DIR',
      help: 'the collection, also while a crawl is filling it; several are searched as one; none with --cluster',
      optional: true,
      many: true,
    },
  ],
  flags: {
    port: {
      argument: 'N',
      default: DEFAULT_PORT,
      shown: `${DEFAULT_PORT}`,
      parse: parsePort,
      help: 'the port; 0 takes any that is free',
    },
    host: {
      argument: 'ADDRESS',
      default: '127.0.0.1',
      shown: '127.0.0.1',
      parse: String,
      help: 'the address to listen on; 0.0.0.0 or :: lets other machines in',
    },
    hostName: {
      argument: 'NAME',
      default: [],
      parse: (text) => [text],
      many: true,
      help: 'a name the server is asked under, besides its addresses and localhost',
    },
    behind: behindFlag,
    cert: {
      argument: 'FILE',
      default: undefined,
      parse: String,
      help: 'answer by https, with the certificate (and its chain) in this file, as PEM; with --key',
    },
    key: { argument: 'FILE', default: undefined, parse: String, help: 'the private key of --cert, as PEM' },
    token: {
      argument: 'FILE',
      default: undefined,
      parse: String,
      shown: 'DIR/serve.token, made at the first start',
      help: 'a file with the token for whatever changes a crawl',
    },
    cache: {
      argument: 'SIZE',
      default: 128 << 20,
      shown: '128 MB',
      parse: parseBytes,
      help: 'memory for parts of the index that were read lately',
    },
    programs: {
      argument: 'FILE',
      default: undefined,
      parse: String,
      help: 'show which programs gateways run: the file that `comity watch --programs` names',
    },
    hints: hintsFlag,
    accessLog: off('a line of JSON for every request, on stderr'),
    json: off('print where it listens as one JSON object'),
    ...wholeFlags,
  },
  examples: [
    ['comity serve example', 'then open http://127.0.0.1:8090/ in a browser'],
    ['comity serve example --port 0 --json', 'on a free port, for a program'],
    ['comity serve manuals wiki', 'both searched as one; collection:wiki in a question asks one alone'],
    [
      'comity serve example --host 0.0.0.0 --cert chain.pem --key key.pem',
      'for a network, by https; --host-name for each name it is asked under',
    ],
    ['comity serve --cluster nats://nats.intranet:4222 --name web', 'search all machines, and see what each is doing'],
  ],
  notes: [
    'Reading needs no token: whoever reaches the port can search. What changes a crawl (pause, resume, seeds, budgets) needs ' +
      'the token in DIR/serve.token. /openapi.json describes the API, /metrics is for Prometheus.',
    'Ctrl-C stops: what is being answered is finished first.',
  ],
  run: runServe,
}

async function runServe(call: Call<ServeSettings>): Promise<number> {
  const { settings, operands, terminal } = call
  refuseHintsOf(settings)
  if (settings.cluster !== undefined) return await serveCluster(settings, terminal)
  const [dir] = operands
  if (dir === undefined) throw new UsageError('DIR is missing: the collection to serve. comity serve DIR')
  if (operands.length > 1) return await serveSeveral(operands, settings, terminal)
  const token = settings.token === undefined ? undefined : (await readTextFile(settings.token)).trim()
  const hints = await readHintsFile(settings.hints, terminal)
  const given = { ...settings, ...tlsOf(settings), token, hints }
  await using server = await openServer({ dir, ...given, ...logsOf(settings, terminal) })
  const { url, tokenFile } = server
  if (settings.json) terminal.print(JSON.stringify({ url, collection: dir, token: tokenFile }))
  else terminal.print(`${terminal.paint('bold', url)}  ${dir}\nThe token for changes is in ${tokenFile}. Ctrl-C stops.`)
  await untilInterrupted(terminal)
  return 0
}

async function serveSeveral(dirs: readonly string[], settings: ServeSettings, terminal: Terminal): Promise<number> {
  if (settings.token !== undefined || settings.programs !== undefined)
    throw new UsageError('--token and --programs are for one collection: of several nothing can be changed.')
  if (settings.hints !== undefined)
    throw new UsageError('--hints works for one collection: name one, or leave out the hints.')
  await using server = await openSeveralServer(dirs, { ...settings, ...tlsOf(settings), ...logsOf(settings, terminal) })
  const { url } = server
  if (settings.json) terminal.print(JSON.stringify({ url, collections: dirs }))
  else terminal.print(`${terminal.paint('bold', url)}  ${dirs.join(', ')}. Ctrl-C stops.`)
  await untilInterrupted(terminal)
  return 0
}

async function serveCluster(settings: ServeSettings, terminal: Terminal): Promise<number> {
  const [{ ClusterSearch, clusterStatus }, { openCluster }] = await Promise.all([
    import('@comity/cluster'),
    import('../cluster/place.ts'),
  ])
  const { road, settings: made } = await openCluster(settings.cluster, settings)
  await using _ = road
  const search = new ClusterSearch(road, made)
  const whole = {
    search: (request: SearchRequest) => search.search(request),
    status: () => clusterStatus(road, made),
  }
  await using server = await openWholeServer(whole, { ...settings, ...tlsOf(settings), ...logsOf(settings, terminal) })
  if (settings.json) terminal.print(JSON.stringify({ url: server.url, cluster: made.name }))
  else terminal.print(`${terminal.paint('bold', server.url)}  ${made.name}, ${made.shards} shards. Ctrl-C stops.`)
  await untilInterrupted(terminal)
  return 0
}

const tlsOf = ({ cert, key }: ServeSettings): { tls: TlsFiles | undefined } => ({
  tls: tlsFiles(cert, key, ['--cert', '--key']),
})

function logsOf(
  { accessLog }: ServeSettings,
  terminal: Terminal,
): Required<Pick<ServerOptions, 'accessLog' | 'onError'>> {
  return {
    accessLog: accessLog ? (line) => terminal.draw(line) : undefined,
    onError: (error) => terminal.say(textOf(error)),
  }
}

async function untilInterrupted(terminal: Terminal): Promise<void> {
  using interrupt = onInterrupt(() => terminal.say('stopping'))
  if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
}

export function parsePort(text: string): number {
  const port = countFrom(0)(text)
  if (port > 65_535) throw new BadValue('is no port: they end at 65535')
  return port
}
