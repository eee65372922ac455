/**
 * Every command that has `--json`, called for real on sites of this machine, and what it printed, by the words it was called
 * with. One set-up for all: two sites are crawled and kept fresh, and the rest is done with what came of it.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DeadLetters, FileInbox } from '@comity/collection'
import { startNats } from '../../packages/cluster/src/testing/nats-server.ts'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { during, found, until, works } from '../formats/commands.ts'
import { HARBOUR, openHarbour, UNIVERSITY_HOST } from '../formats/harbour-site.ts'
import { unpack } from '../formats/kept-formats.ts'
import { capture, edit, gatewayWords, plank, sentItems, TELLING } from '../formats/make-formats.ts'
import { openSubscriber } from '../formats/subscriber.ts'
import { gatewayReceiver } from '../gateway/gateway-receiver.ts'

/** By command, and by what was asked of it. */
export type Printed = ReadonlyMap<string, ReadonlyMap<string, readonly unknown[]>>

type Place = (...parts: readonly string[]) => string

/** What was printed so far. */
class Notes {
  readonly printed = new Map<string, Map<string, unknown[]>>()

  /** `title`: the words without what differs from one run to the next. */
  note(title: string, ...values: readonly unknown[]): void {
    const [command = ''] = title.split(' ')
    const cases = this.printed.get(command) ?? new Map<string, unknown[]>()
    this.printed.set(command, cases)
    cases.set(title, [...(cases.get(title) ?? []), ...values])
  }

  /** Runs it in this process, and notes the JSON on its last line. Some end with 1 when all is well. */
  async run(title: string, words: readonly string[], code = 0): Promise<Readonly<Record<string, unknown>>> {
    const ended = await comityHere([...words, '--json'])
    assert.equal(ended.code, code, `${words.join(' ')}\n${ended.stderr}${ended.stdout}`)
    const json = lastJson(ended)
    this.note(title, json)
    return json
  }
}

const MANNERS = ['--allow-private', '--delay', '0', '--types', 'page,document,text', '--user-agent', 'comity-test/1.0']
const ENGINE = 'https://engine.example/keys'

/** `folder` is empty, and the caller's. */
export async function printedJson(folder: string): Promise<Printed> {
  const at: Place = (...parts) => join(folder, ...parts)
  const notes = new Notes()
  let later = 1
  await using harbour = await openHarbour(() => later, 0)
  await withSite(at, notes, async (pier) => {
    await crawled(at, notes, harbour.origin, pier)
    later = 2
    await keptFresh(at, notes, harbour.origin)
  })
  await lookedAt(at, notes, harbour.origin)
  await observed(at, notes, harbour.origin)
  await keysAndAgents(at, notes)
  await experiments(at, notes)
  await changed(at, notes, harbour.origin)
  await clustered(at, notes, harbour.origin)
  return notes.printed
}

/** Published as files and as a server, at an address that is free. */
async function withSite(at: Place, notes: Notes, work: (origin: string) => Promise<void>): Promise<void> {
  const host = '127.0.80.7'
  const port = await freePort(host)
  const origin = `http://${host}:${port}`
  const root = at('www')
  edit(root, 'robots.txt', 'User-agent: *\nDisallow: /secret/\n', 7_200)
  for (const name of ['index', 'first', 'secret/plan']) edit(root, `${name}.html`, plank(name), 7_200)
  await using crawler = await openSubscriber(0)
  const words = ['publish', root, '--base', `${origin}/`, '--journal', at('journal'), '--allow-private']
  await notes.run('publish --dry-run', [...words, '--dry-run'])
  const files = [...words, '--into', at('out'), '--push', crawler.url, '--push-scheme', 'pages']
  await notes.run('publish', files)
  crawler.answers.push(422)
  edit(root, 'first.html', plank('first', 'A nail came out.'), 3_600)
  await notes.run('publish', files)
  crawler.answers.push(503)
  edit(root, 'second.html', plank('second'), 1_800)
  await notes.run('publish', files)
  await notes.run('publish --no-robots', [...words, '--into', at('other'), '--no-robots'])
  const unpublish = ['unpublish', root, '--into', at('other'), '--journal', at('journal')]
  await notes.run('unpublish --dry-run', [...unpublish, '--dry-run', '--forget'])
  await notes.run('unpublish', unpublish)
  const asked = '203.0.113.7 - - [19/Nov/2026:10:05:03 +0000] "GET /first.html HTTP/1.1" 200 2030 "-" "Googlebot/2.1"'
  writeFileSync(at('access.log'), `${asked}\n${asked}\nnothing\n`)
  await notes.run('costs', ['costs', at('access.log')])
  const server = [...words, '--serve', `${host}:${port}`, '--hub', '--json']
  await during(server, /"url"/, async (said) => {
    notes.note('publish --serve', JSON.parse(said))
    await work(origin)
  })
}

async function freePort(host: string): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => void probe.listen(0, host, resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise<void>((resolve) => void probe.close(() => resolve()))
  return port
}

async function crawled(at: Place, notes: Notes, harbour: string, pier: string): Promise<void> {
  await notes.run('check', ['check', `${pier}/`, '--allow-private', '--user-agent', 'comity-test/1.0'])
  await notes.run('crawl --estimate', ['crawl', `${pier}/`, '--estimate', ...MANNERS])
  const crawl = ['crawl', `${harbour}/`, `${pier}/`, '--into', at('collection'), ...MANNERS, '--patience', '1s']
  await notes.run('crawl', crawl)
  await notes.run('crawl --estimate --into', [...crawl, '--estimate'])
  // One site that is not there, and more pages than are wanted.
  const bounds = ['--into', at('bounded'), '--batch', '2', '--max-pages', '4', '--no-index', '--patience', '10ms']
  await notes.run('crawl --batch --max-pages', ['crawl', `${harbour}/`, 'http://127.0.80.6:9/', ...MANNERS, ...bounds])
}

/** With what a gateway and a site sent, in the inbox when it begins. */
async function keptFresh(at: Place, notes: Notes, harbour: string): Promise<void> {
  const dir = at('collection')
  unpack(at('kept'), 'collection-1', 'inbox-1', 'gateway-1')
  {
    await using kept = await FileInbox.open(at('kept/collection'), 1)
    await using inbox = await FileInbox.open(dir, 0)
    const [{ number: _, ...batch } = assert.fail('the inbox is empty')] = await kept.read(1, 1)
    for (const item of [batch, ...sentItems(harbour, Date.now())]) assert.equal((await inbox.append(item)).kind, 'kept')
  }
  const [gateways, programs] = ['gateways', 'programs'].map((name) => at(`kept/repository/${name}.json`))
  const heard = ['--listen', '127.0.80.9:0', '--gateways', gateways!, '--programs', programs!]
  const ended = await during(['watch', dir, ...heard, ...MANNERS, '--json'], /are heard at/, async () => {
    for (const words of ['observatory', '"found again"'])
      await until(`${words} is found`, async () => (await found(dir, words)).length > 0)
    await until('a channel of the site is known', async () => (await channelsOf(dir, `${harbour}/`)) > 0)
  })
  notes.note('watch', lastJson(ended))
  unpack(at('heard'), 'collection-1', 'inbox-1', 'gateway-1')
  const receive = ['receive', at('heard/collection'), ...heard, ...MANNERS, '--json']
  const received = await during(receive, /are heard at/, async () => {
    await until('observatory is found', async () => (await found(at('heard/collection'), 'observatory')).length > 0)
  })
  notes.note('receive', lastJson(received))
}

/** How many ways a site's signals came by, as it is told of one of its pages. */
async function channelsOf(dir: string, url: string): Promise<number> {
  const { freshness } = lastJson(await comityHere(['inspect', dir, url, '--json'])) as {
    readonly freshness?: { readonly site?: { readonly channels?: readonly unknown[] } }
  }
  return freshness?.site?.channels?.length ?? 0
}

async function lookedAt(at: Place, notes: Notes, harbour: string): Promise<void> {
  const dir = at('collection')
  new DeadLetters(dir, 'crawl').keep({
    kind: 'page',
    at: Date.now(),
    reason: 'TypeError: x',
    trace: 'at y',
    url: `${harbour}/lost`,
    origin: harbour,
    body: Buffer.from('it'),
  })
  new DeadLetters(dir, 'import').keep({ kind: 'record', at: Date.now(), reason: 'RangeError: z', from: 'a.warc, at 3' })
  await notes.run('inspect', ['inspect', dir])
  await notes.run('inspect', ['inspect', at('kept/collection')])
  await notes.run('inspect --broken', ['inspect', dir, '--broken'], 1)
  for (const path of ['/', '/news', '/fog-again', '/moved', '/lost', '/private/plan'])
    await notes.run('inspect URL', ['inspect', dir, `${harbour}${path}`])
  const library = `http://${UNIVERSITY_HOST}/library`
  for (const url of [library, `${HARBOUR}/news`])
    await notes.run('inspect URL', ['inspect', at('kept/collection'), url])
  for (const words of ['fog', 'harbuor', 'AND title:']) await notes.run('search', ['search', dir, words])
  await notes.run('letters', ['letters', dir])
  for (const name of ['crawl-1', 'import-1']) await notes.run('letters NAME', ['letters', dir, name])
  await notes.run('letters --retry', ['letters', dir, '--retry', 'all'])
  await notes.run('letters --drop', ['letters', dir, '--drop', 'all'])
  const graph = ['--graph', at('links.tsv'), '--nodes', at('pages.tsv')]
  const files = ['--jsonl', at('rows.jsonl'), '--all', '--text', '--csv', at('rows.csv'), ...graph]
  await notes.run('export', ['export', dir, ...files, '--wacz', at('all.wacz')])
  notes.note('export --jsonl', ...linesOf(at('rows.jsonl')).map((line): unknown => JSON.parse(line)))
  const columns = linesOf(at('rows.csv'))[0]!.trim().split(',')
  notes.note('export --csv', Object.fromEntries(columns.map((name) => [name, 'a column'])))
  await notes.run('import', ['import', at('all.wacz'), '--into', at('imported')])
  await during(['serve', dir, '--port', '0', '--json'], /"url"/, async (said) => {
    const json = JSON.parse(said) as { url: string }
    notes.note('serve', json)
    // It says where it is before it hears that it is to stop.
    await (await fetch(json.url)).text()
  })
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

async function observed(at: Place, notes: Notes, harbour: string): Promise<void> {
  const state = at('kept/north')
  const { host } = new URL(harbour)
  await using receiver = await gatewayReceiver()
  const key = await notes.run('gateway key', ['gateway', 'key', '--state', state, '--name', 'north', '--hosts', host])
  receiver.trust(JSON.stringify(key))
  const read = capture(at('read.pcap'), { '/lecture': 'Lecture', '/login': 'Login', '/new': 'News' })
  const program = ['--program', 'rules', '--agents', at('kept/north-agents')]
  const words = gatewayWords(state, receiver.url).filter((word) => word !== '--json')
  await notes.run('gateway', [...words, '--pcap', read, ...program, '--export', at('bodies')])
  await notes.run('gateway --pcap alone', ['gateway', '--pcap', read])
  const shown = ['--export', at('shown'), '--as-browser']
  await notes.run('gateway --as-browser', ['gateway', '--pcap', read, ...shown])
  const to = ['--state', state, '--to', receiver.url, '--hosts', host]
  await notes.run('gateway fetch', ['gateway', 'fetch', `${harbour}/fog`, `${harbour}/listed`, ...to])
  await notes.run('gateway programs', ['gateway', 'programs', at('kept/repository/programs.json')])
}

/** Keys of an engine, and an agent of its own from its making to its end. */
async function keysAndAgents(at: Place, notes: Notes): Promise<void> {
  const [keys, shown] = [at('engine.json'), at('public.json')]
  await notes.run('keys new', ['keys', 'new', keys])
  await notes.run('keys show', ['keys', 'show', keys])
  writeFileSync(shown, (await works('keys', 'show', keys)).stdout)
  const agent = async (word: string, words: readonly string[], code = 0): Promise<Readonly<Record<string, unknown>>> =>
    await notes.run(`agent ${word}`, ['agent', word.split(' ', 1)[0]!, ...words], code)
  const store = ['--agents', at('agents')]
  const origin = (
    JSON.parse(linesOf(at('rows.jsonl')).findLast((line) => line.includes('/first.html'))!) as { url: string }
  ).url
  const base = ['--base', new URL('/', origin).href]
  const bundles: string[] = []
  for (const version of ['1.0.0', '2.0.0']) {
    const bundle = at(`telling-${version}.agent`)
    bundles.push(bundle)
    writeFileSync(at('telling.js'), TELLING.replaceAll('VERSION', version))
    await agent('build', [at('telling.js'), '--engine', ENGINE, '--out', bundle])
    await agent('sign', [bundle, '--key', keys])
    await agent('install', [bundle, '--trust', shown, ...store])
  }
  const [first = '', second = ''] = bundles
  await agent('list BUNDLE', [second])
  await agent('run', [at('www'), ...base, ...store])
  await agent('run --bundle', [at('www'), ...base, '--bundle', second, '--out', at('tried.ndjson')])
  await agent('audit', [second, at('agents/results/telling-1.ndjson'), '--collection', at('collection'), '--seed', '7'])
  const told = readFileSync(at('agents/results/telling-1.ndjson'), 'utf8')
  writeFileSync(at('lie.ndjson'), told.replace('"version":"2.0.0"}', '"version":"3.0.0"}'))
  await agent('audit', [second, at('lie.ndjson'), '--collection', at('collection'), '--seed', '7'], 1)
  await agent('rollback', ['telling', ...store])
  await agent('list', store)
  const { digest } = await agent('list BUNDLE', [first])
  await agent('revoke --key', [String(digest), '--key', keys, '--out', at('list'), '--reason', 'a bad day'])
  await agent('revoke', [at('list'), ...store])
  await agent('list', store)
  await agent('remove', ['telling', ...store])
  await notes.run('keys rotate', ['keys', 'rotate', keys])
}

const LOG = (agent: string, n: number): string =>
  `192.0.2.${n % 9} - - [${17 + (n % 3)}/May/2015:10:05:03 +0000] "GET /p${n % 5}.html HTTP/1.1" 200 ${5_000 + n} "-" "${agent}"\n`

async function experiments(at: Place, notes: Notes): Promise<void> {
  const log = at('access.log')
  const lines = Array.from({ length: 60 }, (_, n) =>
    LOG(n % 4 === 0 ? 'Mozilla/5.0 Firefox/140.0' : 'Googlebot/2.1', n),
  )
  writeFileSync(log, lines.join(''))
  const into = ['--into', at('report')]
  await notes.run('lab EXPERIMENT', ['lab', 'ordering', '--web', 'generated:pages=100,sites=4', ...into])
  await notes.run('lab papers', ['lab', 'papers', 'coverage', '--web', 'generated:pages=100,sites=4', ...into])
  await notes.run('lab advise', ['lab', 'advise', at('collection'), ...into])
  const quick = ['--set', 'samplePages=10', '--set', 'sampleChanges=3']
  await notes.run('lab advise-site', ['lab', 'advise-site', log, ...quick, ...into])
  await notes.run('lab crawler-share', ['lab', 'crawler-share', log, ...into])
}

/** Last, for it takes away. */
async function changed(at: Place, notes: Notes, harbour: string): Promise<void> {
  const dir = at('imported')
  await notes.run('index', ['index', dir, '--anew'])
  await notes.run('repair', ['repair', dir, '--dry-run'])
  await notes.run('forget --dry-run', ['forget', dir, harbour, '--dry-run'])
  await notes.run('forget PAGE', ['forget', dir, `${harbour}/news`])
  await notes.run('forget SITE', ['forget', dir, harbour])
}

/** One machine is a cluster, too. */
async function clustered(at: Place, notes: Notes, harbour: string): Promise<void> {
  await using nats = await startNats({ skip: () => undefined })
  // Where there is no NATS the names of these are not asked for.
  if (nats === undefined) return
  const place = [nats.url, '--name', 'contract']
  const own = ['--shards', '2', '--vault', at('vault'), '--lease', '6s']
  await notes.run('cluster init', ['cluster', 'init', ...place, ...own])
  await during(['cluster', 'join', ...place, '--into', at('machine')], /has joined/, async () => {
    await notes.run('crawl --cluster', ['crawl', `${harbour}/`, '--cluster', ...place, ...MANNERS])
    await notes.run('search --cluster', ['search', '--cluster', ...place, 'type:html'])
    await during(['serve', '--cluster', ...place, '--port', '0', '--json'], /"url"/, async (said) => {
      const json = JSON.parse(said) as { url: string }
      notes.note('serve --cluster', json)
      await (await fetch(json.url)).text()
    })
    await notes.run('cluster status', ['cluster', 'status', ...place])
    await notes.run('cluster check', ['cluster', 'check', ...place])
    await notes.run('cluster snapshot', ['cluster', 'snapshot', ...place])
    await notes.run('cluster rebalance', ['cluster', 'rebalance', ...place])
    await notes.run('cluster upgrade', ['cluster', 'upgrade', ...place])
    await notes.run('inspect --cluster', ['inspect', '--cluster', ...place])
    await notes.run('inspect URL --cluster', ['inspect', '--cluster', ...place, `${harbour}/`])
    await notes.run('export --cluster', ['export', '--cluster', ...place, '--jsonl', at('whole.jsonl')])
    await notes.run('index --cluster', ['index', '--cluster', ...place])
    await notes.run('forget --cluster --dry-run', ['forget', '--cluster', ...place, `${harbour}/news`, '--dry-run'])
    await notes.run('forget --cluster', ['forget', '--cluster', ...place, `${harbour}/news`])
  })
}
