/** `comity serve`: the repository of a collection with its web pages and its API, until it is stopped. */
import { textOf } from '@comity/protocol'
import { once } from 'node:events'
import { behindFlag } from '../terminal/behind-proxy.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { openServer } from './collection-server.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { countFrom, parseBytes } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly hostName: readonly string[]
  readonly behind: readonly string[]
  readonly token: string | undefined
  readonly cache: number
  readonly programs: string | undefined
  readonly accessLog: boolean
  readonly json: boolean
}

export const DEFAULT_PORT = 8_090

export const serveCommand: Command<ServeSettings> = {
  name: 'serve',
  summary: 'web pages and an HTTP API to search a collection, watch its crawl, and steer it',
  operands: [{ name: 'DIR', help: 'the collection, also while a crawl is filling it' }],
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
    accessLog: off('a line of JSON for every request, on stderr'),
    json: off('print where it listens as one JSON object'),
  },
  examples: [
    ['comity serve example', 'then open http://127.0.0.1:8090/ in a browser'],
    ['comity serve example --port 0 --json', 'on a free port, for a program'],
    ['comity serve example --host 0.0.0.0 --host-name search.intranet', 'for a network; put TLS in front'],
  ],
  notes: [
    'Reading needs no token: whoever reaches the port can search. What changes a crawl (pause, resume, seeds, budgets) needs ' +
      'the token in DIR/serve.token. /openapi.json describes the API, /metrics is for Prometheus.',
    'Ctrl-C stops: what is being answered is finished first.',
  ],
  run: runServe,
}

async function runServe({ settings, operands: [dir = ''], terminal }: Call<ServeSettings>): Promise<number> {
  const token = settings.token === undefined ? undefined : (await readTextFile(settings.token)).trim()
  const log = settings.accessLog ? (line: string): void => terminal.draw(line) : undefined
  await using server = await openServer({
    dir,
    ...settings,
    token,
    accessLog: log,
    onError: (error) => terminal.say(textOf(error)),
  })
  const { url, tokenFile } = server
  if (settings.json) terminal.print(JSON.stringify({ url, collection: dir, token: tokenFile }))
  else terminal.print(`${terminal.paint('bold', url)}  ${dir}\nThe token for changes is in ${tokenFile}. Ctrl-C stops.`)
  using interrupt = onInterrupt(() => terminal.say('stopping'))
  if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort')
  return 0
}

export function parsePort(text: string): number {
  const port = countFrom(0)(text)
  if (port > 65_535) throw new BadValue('is no port: they end at 65535')
  return port
}
