/** The flags of `comity agent`. */
import type { RollOut } from '@comity/agent'
import { off } from '../command.ts'
import type { FlagTable } from '../command.ts'
import { parseSite } from '../site/flags.ts'
import { countFrom, parseBytes, parseDuration } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

export interface AgentSettings {
  readonly agents: string
  readonly out: string | undefined
  readonly engine: string | undefined
  readonly expires: number
  readonly key: string | undefined
  readonly trust: string | undefined
  readonly rollout: RollOut
  readonly older: boolean
  readonly allowLog: boolean | undefined
  readonly base: string | undefined
  readonly name: string | undefined
  readonly bundle: string | undefined
  readonly accessLog: string | undefined
  readonly cpu: number | undefined
  readonly wall: number | undefined
  readonly memory: number | undefined
  readonly reads: number | undefined
  readonly readBytes: number | undefined
  readonly records: number | undefined
  readonly output: number | undefined
  readonly collection: string | undefined
  readonly sample: number
  readonly seed: number
  readonly to: string | undefined
  readonly reason: string
  readonly json: boolean
}

const YEAR_MS = 365 * 86_400_000
const DEFAULT_SAMPLE = 100

// oxfmt-ignore
export const agentFlags: FlagTable<AgentSettings> = {
  agents: { argument: 'DIR', default: '.comity-agents', shown: '.comity-agents', parse: String, help: 'where a site keeps its agents; never inside the document root' },
  out: { argument: 'FILE', default: undefined, parse: String, help: 'build: the bundle; sign: write it there and leave the other; run --bundle: what it emitted; revoke: the list' },
  engine: { argument: 'URL', default: undefined, parse: parseWeb, help: 'build: whose agent it is, by the address of its keys (Signature-Agent)' },
  expires: { argument: 'TIME', default: YEAR_MS, shown: '365d', parse: parseDuration, help: 'build: how long it may run' },
  key: { argument: 'FILE', default: undefined, parse: String, help: 'sign, revoke: the private keys of the engine, a file that the keys command made' },
  trust: { argument: 'FILE', default: undefined, parse: String, help: 'install: from now on believe these public keys to be of the engine that the bundle names' },
  rollout: { argument: 'HOW', default: { kind: 'all' }, shown: 'all', parse: parseRollOut, help: 'install: all, a share of the runs (25%), or canary:5 to take over after five good runs' },
  older: off('install: also when a newer version is there'),
  allowLog: { ...off('install: let it see how often each page was read; --no-allow-log takes that back'), default: undefined },
  base: { argument: 'URL', default: undefined, parse: parseSite, help: 'run, audit: the address of the home page, as visitors have it: https://example.org/' },
  name: { argument: 'NAME', default: undefined, parse: String, help: 'run: only this agent, and not all that are installed' },
  bundle: { argument: 'FILE', default: undefined, parse: String, help: 'run: try this bundle instead, installed or not, signed or not; it remembers nothing' },
  accessLog: { argument: 'FILE', default: undefined, parse: String, help: 'run: count readers in this log, common or combined, for agents that may know it; - is standard input' },
  cpu: { argument: 'TIME', default: undefined, shown: '60s', parse: parseDuration, help: 'run, audit: processor time of a run, at most' },
  wall: { argument: 'TIME', default: undefined, shown: '5m', parse: parseDuration, help: 'time of a run on the wall clock, at most; then it is killed' },
  memory: { argument: 'SIZE', default: undefined, shown: '64MiB', parse: parseBytes, help: 'memory of a run, at most; 16MiB at the least' },
  reads: { argument: 'N', default: undefined, shown: '100k', parse: countFrom(0), help: 'pages that a run may read' },
  readBytes: { argument: 'SIZE', default: undefined, shown: '1GiB', parse: parseBytes, help: 'bytes that it may read' },
  records: { argument: 'N', default: undefined, shown: '100k', parse: countFrom(0), help: 'records that it may emit' },
  output: { argument: 'SIZE', default: undefined, shown: '128MiB', parse: parseBytes, help: 'bytes that it may emit' },
  collection: { argument: 'DIR', default: undefined, parse: String, help: 'audit: the collection that holds the pages as they were fetched' },
  sample: { argument: 'N', default: DEFAULT_SAMPLE, shown: '100', parse: countFrom(1), help: 'audit: pages to look at, of an agent that works page by page' },
  seed: { argument: 'N', default: 0, shown: 'any', parse: countFrom(1), help: 'audit: choose the same pages again' },
  to: { argument: 'VERSION', default: undefined, shown: 'the one before', parse: String, help: 'rollback: the version to go back to' },
  reason: { argument: 'TEXT', default: '', parse: String, help: 'revoke: what owners are told' },
  json: off('print what was done as one JSON object, the last line on stdout'),
}

function parseWeb(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new BadValue('is no http or https URL')
  return url.href
}

function parseRollOut(text: string): RollOut {
  if (text === 'all') return { kind: 'all' }
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text) ?? []
  if (percent !== undefined && Number(percent) <= 100) return { kind: 'share', share: Number(percent) / 100 }
  const [, runs] = /^canary:(\d{1,6})$/.exec(text) ?? []
  if (runs !== undefined && Number(runs) > 0) return { kind: 'canary', runs: Number(runs) }
  throw new BadValue('is no way to roll out: write all, 25% or canary:5')
}
