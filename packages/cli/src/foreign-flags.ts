/** Foreign flags: what Crawlee, Scrapy, wget, wget2, Heritrix and curl call what a flag of ours does, for whoever types it here. */
import { didYouMean } from './terminal/nearest-name.ts'

// oxfmt-ignore
const OURS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  'max-depth': ['depth', 'level', 'l', 'depth-limit', 'max-crawl-depth', 'max-hops'],
  'max-pages': ['limit', 'pages', 'max-requests', 'max-requests-per-crawl', 'closespider-pagecount', 'max-documents-download'],
  'max-bytes': ['quota', 'Q', 'max-bytes-download', 'max-size'],
  parallel: ['concurrency', 'max-concurrency', 'concurrent-requests', 'concurrent', 'max-to-e-threads', 'workers', 'jobs', 'j'],
  threads: ['max-threads', 'cpus', 'cores'],
  delay: ['wait', 'w', 'download-delay', 'same-domain-delay-secs', 'min-delay-ms', 'crawl-delay', 'sleep', 'interval', 'politeness'],
  rate: ['limit-rate', 'max-requests-per-minute', 'max-tasks-per-minute', 'requests-per-second'],
  into: ['directory-prefix', 'P', 'output', 'o', 'output-dir', 'out', 'dest', 'destination', 'd', 'dir', 'storage-dir'],
  seeds: ['input-file', 'i', 'start-urls', 'urls', 'url-list', 'seed-file'],
  include: ['accept', 'A', 'accept-regex', 'allow', 'globs', 'include-pattern'],
  exclude: ['reject', 'R', 'reject-regex', 'deny', 'ignore', 'exclude-pattern', 'exclude-directories', 'X'],
  scope: ['domains', 'D', 'span-hosts', 'H', 'allowed-domains', 'enqueue-strategy', 'no-parent', 'np'],
  types: ['mime-type', 'content-types', 'filter-mime-type'],
  'user-agent': ['U', 'agent', 'ua'],
  'ignore-robots': ['no-robots', 'robots', 'no-robotstxt-obey', 'robotstxt-obey'],
  'allow-private': ['private', 'allow-local', 'local', 'localhost'],
  ca: ['ca-certificate', 'cacert', 'cafile'],
  proxy: ['proxy-server', 'http-proxy', 'x'],
  patience: ['timeout', 'T', 'max-time'],
  hook: ['script', 'plugin', 'pipeline', 'handler'],
  order: ['strategy', 'queue-order', 'priority'],
  revisit: ['refresh', 'recrawl', 'mirror', 'm', 'N', 'timestamping'],
  json: ['format', 'output-format'],
  limit: ['n', 'max', 'count', 'size', 'top', 'max-results'],
  port: ['p', 'listen-port'],
  cert: ['certificate', 'tls-cert', 'ssl-cert', 'certfile'],
  key: ['cert-key', 'private-key', 'tls-key', 'ssl-key', 'keyfile'],
  host: ['bind', 'address', 'listen'],
  jsonl: ['jsonlines', 'ndjson', 'output', 'o'],
  pcap: ['r', 'read', 'read-file', 'f', 'file'],
  live: ['interface', 'i', 'iface'],
}).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours] as const)).reduce(
  (map, [name, ours]) => map.set(name, [...(map.get(name) ?? []), ours]),
  new Map<string, readonly string[]>(),
))

/** ` Did you mean --max-pages?`: by what others call it, or by a slip of the finger; nothing when nothing is near. */
export function meantFlag(word: string, names: readonly string[]): string {
  const typed = word.replace(/^-+/, '')
  const foreign = (OURS.get(typed) ?? OURS.get(dashed(typed)) ?? []).filter((name) => names.includes(name))
  if (foreign.length > 0) return ` Did you mean ${foreign.map((name) => `--${name}`).join(' or ')}?`
  return didYouMean(typed, names, (name) => `--${name}`)
}

/** `maxRequestsPerCrawl` and `CLOSESPIDER_PAGECOUNT`. */
const dashed = (name: string): string =>
  (/[a-z]/.test(name) ? name.replaceAll(/[A-Z]/g, '-$&') : name).replaceAll('_', '-').toLowerCase()
