/**
 * Makes what `fixtures/` keeps, by the real commands: a collection of a small site, with its index and an inbox in which
 * something waits; the journal of a document root; the state of a gateway; a folder of agents.
 *
 *   node test/formats/make-formats.ts FOLDER    makes them there, to look at
 *   node test/formats/make-formats.ts --keep    makes them in a temporary folder and writes fixtures/*-1.tar.gz
 *
 * `--keep` is for a new version alone, with another number in `kept-formats.ts`: those that are there were written by the
 * version that users have, and are never made again. Needs the ports 8781 and 8782 of 127.0.80.x.
 */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection, DeadLetters, FACTS, FileInbox, SubscriptionStore } from '@comity/collection'
import type { NewInboxItem } from '@comity/collection'
import {
  GATEWAY_BATCH_TYPE,
  writeBatchPage,
  writeClosing,
  writeGatewayBatch,
  writeSubscribeForm,
} from '@comity/protocol'
import { FileJournal, hubUrl, topicUrl } from '@comity/site'
import { comityHere } from '../../packages/cli/src/testing/spawned-comity.ts'
import { Dialogue } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import { gatewayReceiver } from '../gateway/gateway-receiver.ts'
import { during, found, until, works } from './commands.ts'
import {
  HARBOUR,
  HARBOUR_PORT,
  lecture,
  LOGBOOK,
  NEWS,
  openHarbour,
  openUniversity,
  UNIVERSITY_HOST,
} from './harbour-site.ts'
import { keep } from './kept-formats.ts'
import { openSubscriber } from './subscriber.ts'

const DOORS = '127.0.80.9:8782'
/** Nobody listens there. */
export const NOBODY = 'http://127.0.0.1:9'
const ENGINE = 'https://engine.example/keys'
/** For as long as there are tests. */
const FOR_EVER = '36500d'
/** Of the site that is published. */
export const PIER = 'https://pier.example/'

/** What people read at a university, as a capture. */
export function capture(path: string, pages: Readonly<Record<string, string>>): string {
  const packets = Object.entries(pages).flatMap(([where, text], i) => {
    const body = lecture(text)
    const client = { address: [198, 51, 100, i + 1], port: 40_000 }
    const server = { address: [127, 0, 80, 2], port: HARBOUR_PORT }
    const request = `GET ${where} HTTP/1.1\r\nHost: ${UNIVERSITY_HOST}\r\nUser-Agent: Mozilla/5.0\r\n\r\n`
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    return new Dialogue({ client, server, startAt: Date.UTC(2026, 10, 16) + i * 100 })
      .open()
      .exchange(request, answer)
      .close().packets
  })
  writeFileSync(path, pcapFile(packets))
  return path
}

/** Words of a gateway that reads such captures. */
export const gatewayWords = (state: string, to: string): string[] => [
  'gateway',
  '--state',
  state,
  '--to',
  to,
  '--hosts',
  UNIVERSITY_HOST,
  '--servers',
  '127.0.80.2',
  '--json',
]

export const RULES = `export const manifest = { name: 'rules', version: 'VERSION', about: 'Leaves forms out.', perPage: true, emits: ['meta'] }
export function onPage(page, agent) {
  if (agent.html(page).title === 'Login') agent.emit({ kind: 'meta', url: page.url, skip: 'login' })
}`

export const TELLING = `export const manifest = { name: 'telling', version: 'VERSION', about: 'Says that a page is there.', perPage: true, emits: ['meta'] }
export function onPage(page, agent) { agent.emit({ kind: 'meta', url: page.url, version: 'VERSION' }) }`

async function bundle(at: Place, source: string, version: string, out: string): Promise<void> {
  writeFileSync(at('program.js'), source.replaceAll('VERSION', version))
  await works('agent', 'build', at('program.js'), '--engine', ENGINE, '--expires', FOR_EVER, '--out', out)
  await works('agent', 'sign', out, '--key', at('engine.json'))
}

type Place = (...parts: readonly string[]) => string

/** Keys of an engine, gateways with theirs, and a program for them. */
async function makePrograms(at: Place): Promise<void> {
  mkdirSync(at('repository'), { recursive: true })
  await works('keys', 'new', at('engine.json'))
  writeFileSync(at('engine-public.json'), (await works('keys', 'show', at('engine.json'))).stdout)
  const gateways: unknown[] = []
  for (const name of ['north', 'west']) {
    const { stdout } = await works('gateway', 'key', '--state', at(name), '--name', name, '--hosts', UNIVERSITY_HOST)
    gateways.push(...(JSON.parse(stdout) as { gateways: unknown[] }).gateways)
  }
  writeFileSync(at('repository/gateways.json'), JSON.stringify({ gateways }))
  await bundle(at, RULES, '1.0.0', at('repository/rules-1.0.0.agent'))
  const versions = [{ bundle: 'rules-1.0.0.agent', share: 1 }]
  writeFileSync(at('repository/programs.json'), JSON.stringify({ programs: [{ name: 'rules', versions }] }))
  const trusted = ['--trust', at('engine-public.json'), '--agents', at('north-agents')]
  await works('agent', 'install', at('repository/rules-1.0.0.agent'), ...trusted)
}

/** Crawled, kept fresh for a while, with pages that a gateway saw, crawled again; and something that we failed on. */
async function makeCollection(at: Place): Promise<void> {
  let later = 0
  await using harbour = await openHarbour(() => later)
  await using _ = await openUniversity()
  const into = at('collection')
  const politeness = [
    '--allow-private',
    '--delay',
    '0',
    '--types',
    'page,document,text',
    '--user-agent',
    'comity-test/1.0',
  ]
  const crawl = ['crawl', `${harbour.origin}/`, '--into', into, ...politeness, '--patience', '1s']
  await works(...crawl)
  later = 1
  const heard = ['--gateways', at('repository/gateways.json'), '--programs', at('repository/programs.json')]
  const watch = ['watch', into, '--listen', DOORS, ...heard, ...politeness, '--day', '20s', '--budget', '5/s']
  await during(watch, /are heard at/, async () => {
    const read = capture(at('one.pcap'), { '/lecture': 'Lecture', '/login': 'Login', '/library': 'Library' })
    const program = ['--program', 'rules', '--agents', at('north-agents')]
    await works(...gatewayWords(at('north'), `http://${DOORS}`), '--pcap', read, ...program)
    for (const [words, path] of [
      ['library', '/library'],
      ['stolen', '/news'],
    ] as const)
      await until(`${words} is found`, async () => (await found(into, words)).includes(path))
  })
  await sleep(1_100)
  await works(...crawl, '--revisit', '1s')
  const body = Buffer.from('<p>what we failed on')
  const [url, origin] = [`${HARBOUR}/lost`, HARBOUR]
  const letter = { kind: 'page', at: Date.now(), reason: 'TypeError: a day that was bad', url, origin, body } as const
  new DeadLetters(into, 'crawl').keep({ ...letter, trace: 'at reading.ts' })
  const record = { kind: 'record', at: Date.now(), reason: 'RangeError: another', from: 'old.warc.gz, at 77' } as const
  new DeadLetters(into, 'import').keep(record)
}

/** A page and a notice of the site's, as the receiver keeps them. */
export function sentItems(origin: string, now: number): NewInboxItem[] {
  const sent = { url: `${origin}/news`, status: 200, headers: [['Content-Type', 'text/html']] as const }
  const page = writeBatchPage({ ...sent, body: Buffer.from(NEWS[2]!) }, now)
  const closing = writeClosing({ sent: 1, unchanged: 0, rest: [], refused: [] }, `${origin}/`, now)
  const notice = { url: `${origin}/ice`, change: 'updated', channel: 'websub', changedAt: now }
  const common = { at: now, origin, door: 'push', proof: 'signature' } as const
  return [
    { ...common, scheme: 'pages', type: 'application/warc', body: Buffer.concat([page, closing]) },
    { ...common, scheme: 'changes', type: 'application/x-ndjson', body: Buffer.from(`${JSON.stringify(notice)}\n`) },
  ]
}

/** A batch of a gateway's, a page and a notice of the site's; the batch as a gateway really sends it. */
async function makeInbox(at: Place): Promise<void> {
  await using receiver = await gatewayReceiver()
  receiver.trust((await works('gateway', 'key', '--state', at('west'), '--hosts', UNIVERSITY_HOST)).stdout)
  const read = capture(at('two.pcap'), { '/observatory': 'Observatory' })
  await works(...gatewayWords(at('west'), receiver.url), '--pcap', read)
  const [batch] = receiver.batches
  assert.ok(batch)
  let after = 0
  {
    await using collection = Collection.openReadOnly(at('collection'))
    after = collection.fact(FACTS.inbox) ?? 0
  }
  await using inbox = await FileInbox.open(at('collection'), after)
  const now = Date.now()
  const shipped = { door: 'gateway', scheme: 'batches', proof: 'signature', type: GATEWAY_BATCH_TYPE } as const
  const items = [
    { ...shipped, at: now, origin: 'gateway:west', body: writeGatewayBatch(batch) },
    ...sentItems(HARBOUR, now),
  ]
  for (const item of items) assert.equal((await inbox.append(item)).kind, 'kept')
  await makeLarge(inbox, now)
  const kept = SubscriptionStore.open(at('collection'))
  const hub = { origin: HARBOUR, topic: `${HARBOUR}/changes`, hub: `${HARBOUR}/hub`, scheme: 'changes' } as const
  const { token } = (await kept.ask(hub, now))!
  await kept.confirm(token, { mode: 'subscribe', topic: hub.topic, leaseSeconds: 3_650 * 86_400 }, now)
  await using pending = await FileInbox.open(at('collection'), 0, { name: 'pending' })
  const [, notice] = sentItems(HARBOUR, now)
  const claim = { key: 'a-key-of-the-harbour', keyLocation: `${HARBOUR}/a-key-of-the-harbour.txt` }
  const claimed = { ...notice!, door: 'indexnow', proof: 'pending', claim } as const
  assert.equal((await pending.append(claimed)).kind, 'kept')
}

/** A page whose bytes stand in a file of their own. */
async function makeLarge(inbox: FileInbox, now: number): Promise<void> {
  const headers = [['Content-Type', 'text/html']] as const
  const answer = { url: `${HARBOUR}/logbook`, status: 200, headers, body: Buffer.from(LOGBOOK) }
  const closing = writeClosing({ sent: 1, unchanged: 0, rest: [], refused: [] }, `${HARBOUR}/`, now)
  const spool = await inbox.spool()
  await spool.write(Buffer.concat([writeBatchPage(answer, now), closing]))
  const [item] = sentItems(HARBOUR, now)
  assert.equal((await inbox.append({ ...item!, body: Buffer.alloc(0), file: await spool.finish() })).kind, 'kept')
}

/** Which pages were shipped, and a batch that nobody took. */
async function makeGateway(at: Place): Promise<void> {
  const read = capture(at('three.pcap'), { '/lecture': 'Lecture', '/archive': 'Archive' })
  const program = ['--program', 'rules', '--agents', at('north-agents')]
  const { code, stdout } = await comityHere([...gatewayWords(at('north'), NOBODY), '--pcap', read, ...program])
  assert.equal(code, 1, stdout)
}

/** A file that was written so many seconds ago: a scan leaves younger ones for the next. */
export function edit(root: string, path: string, text: string, ago: number): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  const time = Date.now() / 1_000 - ago
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), time, time)
}

export const plank = (title: string, text = ''): string =>
  `<!doctype html><html lang=en><title>${title}</title><h1>${title}</h1><p>${'Planks of the pier, one by one. '.repeat(20)}${text}</p>`

/** Published as files and as a server, pushed to nobody, subscribed to by somebody; written anew once. */
async function makeJournal(at: Place): Promise<void> {
  const root = at('pier/www')
  const journal = at('pier/journal')
  edit(root, 'index.html', plank('The pier'), 7_200)
  edit(root, 'first.html', plank('First'), 7_200)
  edit(root, 'second.html', plank('Second'), 7_200)
  edit(root, 'third.html', plank('Third'), 7_200)
  edit(root, 'secret/plan.html', plank('Plan'), 7_200)
  edit(root, 'robots.txt', 'User-agent: *\nDisallow: /secret/\n', 7_200)
  await using crawler = await openSubscriber()
  const words = [
    'publish',
    root,
    '--base',
    PIER,
    '--journal',
    journal,
    '--push',
    crawler.url,
    '--allow-private',
    '--json',
  ]
  const files = [...words, '--into', at('pier/out')]
  await works(...files)
  edit(root, 'first.html', plank('First', 'A nail came out.'), 3_600)
  crawler.answers.push(422)
  await works(...files)
  rmSync(join(root, 'third.html'))
  const server = [...words, '--serve', '0', '--hub', '--keys', at('pier/keys.json')]
  await during(server, /"url"/, async (said) => {
    const { url }: { url: string } = JSON.parse(said)
    const asked = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }
    for (const path of ['robots.txt', 'first.html', 'first.html', 'sitemap.xml', 'nowhere.html'])
      await (await fetch(new URL(path, url), { headers: asked })).arrayBuffer()
    const topic = topicUrl(PIER, 'changes')
    const [leaseSeconds, secret] = [3_650 * 86_400, 'a secret of a subscriber']
    const body = writeSubscribeForm({
      mode: 'subscribe',
      callback: `${crawler.url}/websub`,
      topic,
      leaseSeconds,
      secret,
    })
    const hub = new URL(new URL(hubUrl(PIER)).pathname, url)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(hub, { method: 'POST', headers, body })
    assert.equal(answer.status, 202, await answer.text())
    // By both: that a page is gone.
    await until('what changed is told', async () => await Promise.resolve(crawler.received.length >= 4))
  })
  crawler.answers.push(503, 503, 503, 503)
  edit(root, 'second.html', plank('Second', 'A nail came out.'), 1_800)
  await works(...files)
  {
    await using held = await FileJournal.open(journal, { limits: { changes: 2 } })
    await held.compact(Date.now())
  }
  edit(root, 'fourth.html', plank('Fourth'), 900)
  await works(...files)
}

/** Two versions of an agent, of which one is taken back; what it said waits to be sent. */
async function makeAgents(at: Place): Promise<void> {
  const [store, base] = [
    ['--agents', at('agents')],
    ['--base', PIER],
  ]
  for (const version of ['1.0.0', '2.0.0']) {
    const file = at(`telling-${version}.agent`)
    await bundle(at, TELLING, version, file)
    await works('agent', 'install', file, '--trust', at('engine-public.json'), ...store)
    await works('agent', 'run', at('pier/www'), ...base, ...store)
  }
  await works('agent', 'rollback', 'telling', ...store)
}

export async function makeFormats(folder: string): Promise<void> {
  const at: Place = (...parts) => join(folder, ...parts)
  await makePrograms(at)
  await makeCollection(at)
  await makeGateway(at)
  await makeInbox(at)
  await makeJournal(at)
  await makeAgents(at)
}

function keepAll(folder: string): void {
  copyFileSync(join(folder, 'engine-public.json'), join(folder, 'repository/engine-public.json'))
  const inboxes = ['collection/inbox', 'collection/pending']
  keep('inbox-1', folder, ...inboxes, 'repository/gateways.json')
  for (const inbox of inboxes) rmSync(join(folder, inbox), { recursive: true })
  keep('collection-1', folder, 'collection')
  keep('journal-1', folder, 'pier')
  keep('gateway-1', folder, 'north', 'north-agents', 'repository')
  keep('agents-1', folder, 'agents')
}

if (import.meta.main) {
  const [word = ''] = process.argv.slice(2)
  if (word === '') throw new Error(`say where: node ${basename(import.meta.filename)} FOLDER, or --keep`)
  const folder = word === '--keep' ? mkdtempSync(join(tmpdir(), 'comity-formats-')) : word
  await makeFormats(folder)
  if (word === '--keep') {
    keepAll(folder)
    rmSync(folder, { recursive: true })
  }
}
