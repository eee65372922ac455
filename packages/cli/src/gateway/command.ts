/** `comity gateway`: index what people read, as it passes, with no crawling. */
import type { Call, Command } from '../command.ts'
import { gatewayFlags } from './flags.ts'
import type { GatewaySettings } from './flags.ts'
import { DOUBTS, REASONS } from './reasons.ts'
import { UsageError } from '../usage-error.ts'

export const gatewayCommand: Command<GatewaySettings> = {
  name: 'gateway',
  summary: 'index what people read as it passes a gateway or a proxy, with no crawling',
  operands: [
    {
      name: 'WORD',
      help: 'fetch URL…: put pages through, as their creator; key: what a repository has to be told; programs FILE: for its operator, which programs gateways run; or more captures',
      optional: true,
      many: true,
    },
  ],
  flags: gatewayFlags,
  tables: [
    { title: 'Why something is left out', rows: [...REASONS] },
    { title: 'Why others could see something else than --as-browser shows', rows: [...DOUBTS] },
  ],
  examples: [
    ['comity gateway --pcap capture.pcap', 'what would be indexed of it, and what not?'],
    [
      'comity gateway key --state /var/lib/gateway --name campus --hosts "*.uni.example"',
      'what the repository has to be told',
    ],
    [
      'comity gateway --live eth1 --hosts "*.uni.example" --servers 192.0.2.0/24 --state /var/lib/gateway --to https://repository.example',
      'beside a router, until Ctrl-C',
    ],
    [
      'comity gateway --proxy http://127.0.0.1:8080 --listen 0.0.0.0:80 --hosts www.uni.example --state /var/lib/gateway --to https://repository.example',
      'in front of a server',
    ],
    ['comity gateway --pcap -', 'from a pipe: tcpdump -i eth1 -w - | …'],
    [
      'comity gateway fetch http://www.uni.example/new --state /var/lib/gateway --to https://repository.example --hosts www.uni.example',
      'a page that nobody has read yet',
    ],
    [
      'comity gateway --live eth1 --hosts "*.uni.example" --servers 192.0.2.0/24 --state /var/lib/gateway --to https://repository.example --program news-rules --agents /var/lib/gateway/agents',
      "with rules of the repository's, if you trust whose they are",
    ],
    [
      'comity gateway --pcap capture.pcap --export bodies --as-browser',
      'what did readers see, and what of it is in doubt?',
    ],
    ['comity gateway programs programs.json', 'at the repository: who runs what?'],
  ],
  notes: [
    'Private stays private: pages asked for with credentials or cookies, or on a connection where somebody signed in, ' +
      'pages that say private, no-store or noindex, ' +
      'forms and addresses with parameters are left out unless you say otherwise. No address of a reader and no packet ' +
      'is written to disk.',
    'The repository has to know the gateway: `comity watch … --listen PORT --gateways FILE`, with what ' +
      '`comity gateway key` prints in the list of that file. docs/gateway.md tells more.',
  ],
  run: runGateway,
}

async function runGateway(call: Call<GatewaySettings>): Promise<number> {
  const [word, ...rest] = call.operands
  if (word === 'fetch') return await (await import('./fetch.ts')).fetchWord({ ...call, operands: rest })
  if (word === 'key') return await (await import('./key.ts')).keyWord(call)
  if (word === 'programs') return await (await import('./programs.ts')).programsWord({ ...call, operands: rest })
  const { settings } = call
  if (word !== undefined && settings.pcap.length === 0)
    throw new UsageError(`"${word}" is nothing to do: it is fetch, key or programs, or captures behind --pcap FILE.`)
  // Loaded only when asked for: rebuilding and indexing are large programs.
  const { watchExchange } = await import('./watch.ts')
  return await watchExchange({ ...call, settings: { ...settings, pcap: [...settings.pcap, ...call.operands] } })
}
