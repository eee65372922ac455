/** The flags of `comity gateway`. */
import { isIP } from 'node:net'
import type { PrivacyGateOptions } from '@comity/gateway'
import { behindFlag } from '../terminal/behind-proxy.ts'
import { off, on } from '../command.ts'
import type { FlagTable } from '../command.ts'
import { parseListen } from '../site/flags.ts'
import type { ListenPlace } from '../site/flags.ts'
import { countFrom, parseBytes, parseDuration } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

export interface GatewaySettings {
  readonly pcap: readonly string[]
  readonly follow: boolean
  readonly live: string | undefined
  readonly filter: string | undefined
  readonly proxy: string | undefined
  readonly behind: readonly string[]
  readonly listen: ListenPlace
  readonly cert: string | undefined
  readonly certKey: string | undefined
  readonly to: string | undefined
  readonly state: string | undefined
  readonly keys: string | undefined
  readonly hosts: readonly string[]
  readonly servers: readonly string[]
  readonly readers: PrivacyGateOptions['readers']
  readonly inside: readonly string[]
  readonly public: readonly string[]
  readonly quorum: number
  readonly query: readonly QueryRule[]
  readonly privatePath: readonly string[]
  readonly credentialHeader: readonly string[]
  readonly midstream: boolean
  readonly plainText: boolean
  readonly pdf: boolean
  readonly program: string | undefined
  readonly agents: string | undefined
  readonly forgive: string | undefined
  readonly withPages: readonly string[]
  readonly https: readonly string[]
  readonly export: string | undefined
  readonly asBrowser: boolean
  readonly every: number
  readonly batch: number
  readonly spool: number
  readonly maxPages: number
  readonly maxFlows: number
  readonly maxMemory: number
  readonly threads: number | undefined
  readonly clientsWait: boolean
  readonly for: number
  readonly name: string | undefined
  readonly json: boolean
}

interface QueryRule {
  readonly host: string
  readonly names: readonly string[]
}

// oxfmt-ignore
export const gatewayFlags: FlagTable<GatewaySettings> = {
  pcap: { argument: 'FILE', default: [], parse: (text) => [text], many: true, help: 'read a capture: pcap or pcapng, as it is or as .gz or .zst; - is standard input' },
  follow: off('with --pcap: go on as the file grows, until Ctrl-C'),
  live: { argument: 'IFACE', default: undefined, parse: String, help: 'listen on a network interface, or a mirror port, by way of tcpdump' },
  filter: { argument: 'TEXT', default: undefined, shown: 'everything', parse: String, help: 'with --live: what tcpdump is to hand on: "tcp port 80"' },
  proxy: { argument: 'ORIGIN', default: undefined, parse: originOf, help: 'stand in front of a server and index what passes: http://127.0.0.1:8080' },
  listen: { argument: '[HOST:]PORT', default: { host: '127.0.0.1', port: 8_092 }, shown: '127.0.0.1:8092', parse: parseListen, help: 'where --proxy answers' },
  behind: { ...behindFlag, help: `with --proxy: ${behindFlag.help}` },
  cert: { argument: 'FILE', default: undefined, parse: String, help: 'with --proxy: the certificate, so that clients are answered by https' },
  certKey: { argument: 'FILE', default: undefined, parse: String, help: 'with --cert: its private key' },
  to: { argument: 'URL', default: undefined, parse: receiverOf, help: 'send what was found to this repository; without it, it is only reported' },
  state: { argument: 'DIR', default: undefined, parse: String, help: 'where it is remembered which pages were shipped, and where batches wait; needed with --to' },
  keys: { argument: 'FILE', default: undefined, shown: 'DIR/keys.json of --state', parse: String, help: 'sign with the keys in this file; made when it is not there' },
  hosts: { argument: 'HOSTS', default: [], parse: hostList, many: true, help: 'index pages of these hosts alone: www.example.org,*.uni.example' },
  servers: { argument: 'NETS', default: [], parse: netList, many: true, help: 'with --pcap or --live: the servers that may speak for --hosts: 10.0.0.0/8,2001:db8::/32; needed with --to' },
  readers: { argument: 'WHO', default: 'both', shown: 'both', parse: readersOf, help: 'whose reading counts: outside, inside or both; --inside says who that is' },
  inside: { argument: 'NETS', default: [], parse: netList, many: true, help: 'networks whose readers are inside: 10.0.0.0/8' },
  public: { argument: 'HOSTS', default: [], parse: hostList, many: true, help: 'pages of these hosts are public, whatever cookies they are asked for with' },
  quorum: { argument: 'N', default: 3, shown: '3', parse: countFrom(2), help: 'with cookies: index a page once so many readers got the same' },
  query: { argument: 'HOST=NAMES', default: [], parse: queryRule, many: true, help: 'index pages of a host that have no other parameters than these: www.example.org=page,lang' },
  privatePath: { argument: 'PATH', default: [], parse: pathList, many: true, help: 'index nothing below this path of any host: /account/' },
  credentialHeader: { argument: 'NAME', default: [], parse: fieldName, many: true, help: 'a field of requests that says who asks, beside those that are known: X-Our-Reader' },
  midstream: off('index pages of connections that were not seen from their beginning, too: no server here signs readers in by their connection (NTLM, Negotiate)'),
  plainText: on('leave plain text out: index HTML and PDF alone'),
  pdf: on('leave PDF files out'),
  program: { argument: 'NAME', default: undefined, parse: programName, help: 'run this program over pages before they are indexed; the repository says which version, --agents whose programs are trusted' },
  agents: { argument: 'DIR', default: undefined, shown: '.comity-agents', parse: String, help: 'with --program: the folder of agents that it was installed in, with the keys that are trusted' },
  forgive: { argument: 'NAME', default: undefined, parse: programName, help: 'programs: versions of this program that were withdrawn may be nominated again' },
  withPages: { argument: 'HOSTS', default: [], parse: hostList, many: true, help: 'send the pages of these hosts beside their words, so that the repository has a copy' },
  https: { argument: 'HOSTS', default: [], parse: hostList, many: true, help: 'readers know these hosts by https: somebody before us takes the encryption off' },
  export: { argument: 'DIR', default: undefined, parse: String, help: 'write all bodies that were rebuilt there, private ones too, for your own eyes' },
  asBrowser: off('with --export: write bodies as Chromium shows them, doubtful ones too, and say what is doubtful in each; nothing of it is sent'),
  every: { argument: 'TIME', default: 300_000, shown: '5m', parse: parseDuration, help: 'what was seen waits for its batch no longer than this' },
  batch: { argument: 'SIZE', default: 4 << 20, shown: '4 MiB', parse: batchSize, help: 'a batch is about so large, when there is enough' },
  spool: { argument: 'SIZE', default: 256 << 20, shown: '256 MiB', parse: parseBytes, help: 'batches that wait take no more than this; then the oldest goes' },
  maxPages: { argument: 'N', default: 1_000_000, shown: '1M', parse: countFrom(1_000), help: 'so many pages are remembered; those seen longest ago go' },
  maxFlows: { argument: 'N', default: 100_000, shown: '100k', parse: countFrom(1), help: 'connections that are followed at a time' },
  maxMemory: { argument: 'SIZE', default: 512 << 20, shown: '512 MiB', parse: parseBytes, help: 'memory for connections and messages under way' },
  threads: { argument: 'N', default: undefined, shown: 'the cores less one, at most 4', parse: countFrom(0), help: 'threads that read pages; 0 reads in the main one' },
  clientsWait: off('no client asks again before it is answered, as browsers do not: then more is sure where packets were lost'),
  for: { argument: 'TIME', default: Infinity, parse: parseDuration, help: 'with --live, --proxy or --follow: stop by itself after this time' },
  name: { argument: 'NAME', default: undefined, parse: String, help: 'key: what the gateway is called at the repository' },
  json: off('print what came of it as one JSON object'),
}

const HOST = /^(?:\*\.)?(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::\d{1,5})?$/i

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

function hostList(text: string): readonly string[] {
  const hosts = listOf(text)
  const wrong = hosts.find((host) => !HOST.test(host) || (isIP(host) === 0 && host.includes('/')))
  if (hosts.length === 0 || wrong !== undefined)
    throw new BadValue('is no list of hosts: write www.example.org, *.example.org or www.example.org:8080')
  return hosts.map((host) => host.toLowerCase())
}

function netList(text: string): readonly string[] {
  const nets = listOf(text)
  if (nets.length === 0 || !nets.every(isNet))
    throw new BadValue('is no list of addresses or networks: write 192.0.2.80, 10.0.0.0/8 or 2001:db8::/32')
  return nets
}

function isNet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function readersOf(text: string): PrivacyGateOptions['readers'] {
  if (text === 'outside' || text === 'inside' || text === 'both') return text
  throw new BadValue('is none of outside, inside and both')
}

function queryRule(text: string): readonly QueryRule[] {
  const [host = '', list = '', ...more] = text.split('=')
  const names = listOf(list)
  if (more.length > 0 || names.length === 0 || !HOST.test(host) || host.startsWith('*'))
    throw new BadValue('is no rule for queries: write www.example.org=page,lang')
  return [{ host: host.toLowerCase(), names }]
}

function programName(text: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(text)) return text
  throw new BadValue('is no name of a program: it has lower-case letters, digits and dashes')
}

function pathList(text: string): readonly string[] {
  if (!text.startsWith('/')) throw new BadValue('is no path: begin it with /, as in /account/')
  return [text]
}

function fieldName(text: string): readonly string[] {
  if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(text)) throw new BadValue('is no name of a field: write X-Our-Reader')
  return [text]
}

/** Repositories take up to 16 MiB, and what it will come to is known only when it is packed. */
function batchSize(text: string): number {
  const bytes = parseBytes(text)
  if (bytes > 4 << 20) throw new BadValue('is more than a repository may take: 4 MiB at most')
  return bytes
}

function originOf(text: string): string {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
  if (!isOrigin || url.username !== '')
    throw new BadValue('is no origin: write scheme, host and port, as in http://127.0.0.1:8080')
  return url.origin
}

function receiverOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new BadValue('is no address of a repository: write https://repository.example')
  if (url.username !== '')
    throw new BadValue('has a password in it, which everybody who sees the list of processes could read')
  return url.href.replace(/\/$/, '')
}
