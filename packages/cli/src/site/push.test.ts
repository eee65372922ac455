import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { checkHubSignature, decodeBody, readBatchAnswer, writeSubscribeForm } from '@comity/protocol'
import { readResult } from '@comity/agent'
import { placeAgent } from '../agent/placement.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const base = 'https://a.example/'
const LONG = 'words that stay the same, '.repeat(50)

function docroot(name: string, files: Readonly<Record<string, string>>): string {
  const root = folder.at(join(name, 'html'))
  mkdirSync(root, { recursive: true })
  for (const [path, text] of Object.entries(files)) edit(root, path, text, 3_600)
  return root
}

/** A file that was written so many seconds ago: a scan leaves younger ones for the next. */
function edit(root: string, path: string, text: string, ago: number): void {
  const at = Date.now() / 1_000 - ago
  writeFileSync(join(root, path), text)
  utimesSync(join(root, path), at, at)
}

interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** What the next request is answered with; 202 otherwise. */
  answers: number[]
  /** Resolves with the next that is posted. */
  next(): Promise<Received>
}

/** Echoes what hubs ask, and takes what is sent. */
async function receiver(t: TestContext): Promise<Receiver> {
  const received: Received[] = []
  const answers: number[] = []
  let waiting: ((one: Received) => void) | undefined
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '', headers } = request
    const challenge = new URL(url, 'http://x').searchParams.get('hub.challenge')
    if (method === 'GET') return void response.end(challenge)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const one = { url, headers, body: Buffer.concat(chunks) }
    received.push(one)
    response.writeHead(answers.shift() ?? 202).end('seen')
    waiting?.(one)
    return undefined
  }
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => (server.closeAllConnections(), server.close()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    received,
    answers,
    next: () => new Promise((resolve) => (waiting = resolve)),
  }
}

function records({ body, headers }: Received): string[] {
  const decoded = decodeBody(body, headers['content-encoding'], { maxBytes: 1 << 24 })
  assert.equal(decoded.kind, 'ok')
  const { pages, closing } = readBatchAnswer(decoded.kind === 'ok' ? decoded.body : body)
  assert.ok(closing)
  return pages.map(({ status, url }) => `${status} ${new URL(url).pathname}`)
}

test('by cron: a crawler is sent what changed since the last time, signed, and what failed is said', async (t) => {
  const crawler = await receiver(t)
  const root = docroot('cron', { 'index.html': `<p>${LONG}home</p>`, 'a.html': `<p>${LONG}a</p>` })
  const words = ['publish', root, '--base', base, '--push', crawler.url]
  const first = await comityHere(words)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /1 subscriber: 2 pages told in 1 delivery, 1 requests/)
  assert.deepEqual(records(crawler.received[0]!).toSorted(), ['200 /', '200 /a.html'])
  const { headers } = crawler.received[0]!
  assert.match(String(headers['signature-input']), /"content-digest".*tag="comity-push"/)
  assert.match(String(headers['link']), /<https:\/\/a\.example\/push\/differences>; rel="self"/)
  crawler.answers.push(503)
  edit(root, 'a.html', `<p>${LONG}a, edited</p>`, 1_800)
  const second = lastJson(await comityHere([...words, '--json']))
  const push = second['push'] as { subscribers: Record<string, unknown>[]; deliveries: number; deadLetters: unknown[] }
  assert.deepEqual([push.deliveries, push.deadLetters], [0, []])
  assert.deepEqual([push.subscribers[0]?.['failures'], push.subscribers[0]?.['waiting']], [1, 1])
  assert.match(String(push.subscribers[0]?.['trouble']), /^It answered 503: seen/)
  // Whoever comes too early is told so; the wait is shorter than it takes to start a process twice.
  const told: string[] = []
  while (crawler.received.length < 3 && told.length < 10) told.push((await comity(words)).stdout)
  assert.deepEqual(records(crawler.received[2]!), ['226 /a.html'])
  assert.match(told.at(-1) ?? '', /1 subscriber: 1 page told in 1 delivery/)
  assert.ok(told.slice(0, -1).every((text) => /did not take what was sent, once\. It answered 503/.test(text)))
})

test('a page that is refused for good is told with the reason', async (t) => {
  const crawler = await receiver(t)
  crawler.answers.push(422)
  const root = docroot('refused', { 'a.html': 'page a' })
  const ended = lastJson(
    await comityHere(['publish', root, '--base', base, '--push', crawler.url, '--push-scheme', 'pages', '--json']),
  )
  const { deadLetters } = ended['push'] as { deadLetters: Record<string, unknown>[] }
  assert.deepEqual(
    deadLetters.map(({ path, reason, status, message }) => [path, reason, status, message]),
    [['/a.html', 'refused', 422, 'seen']],
  )
})

test('a search engine is told of addresses, and finds the key in the document root', async (t) => {
  const engine = await receiver(t)
  const root = docroot('engine', { 'a.html': 'page a' })
  const { code, stderr } = await comityHere(['publish', root, '--base', base, '--indexnow', engine.url])
  assert.equal(code, 0, stderr)
  const { key, urlList }: { key: string; urlList: string[] } = JSON.parse(engine.received[0]!.body.toString())
  assert.deepEqual(urlList, ['https://a.example/a.html'])
  assert.equal(readFileSync(join(root, `${key}.txt`), 'utf8'), key)
  await comityHere(['publish', root, '--base', base, '--indexnow', engine.url])
  assert.equal(engine.received.length, 1)
  assert.equal(readdirSync(root).filter((name) => name.endsWith('.txt') && name !== 'robots.txt').length, 1)
})

/** Runs until it is told to stop, and gives the first line of what it prints. */
async function serving(t: TestContext, words: readonly string[]): Promise<Record<string, string>> {
  const started = Promise.withResolvers<Record<string, string>>()
  let child: ChildProcess | undefined
  const ended = comity(words, {
    onStart: (one) => {
      child = one
      createInterface(one.stdout!).once('line', (line) => started.resolve(JSON.parse(line)))
    },
  })
  void ended.then(({ stderr }) => started.reject(new Error(stderr)))
  t.after(async () => {
    child?.kill('SIGTERM')
    await ended
  })
  return await started.promise
}

test('a crawler subscribes to the hub, and is called when a file changes', async (t) => {
  const crawler = await receiver(t)
  const root = docroot('hub', { 'index.html': `<p>${LONG}home</p>` })
  const place = await serving(t, [
    'publish',
    root,
    '--base',
    base,
    '--serve',
    '0',
    '--hub',
    '--allow-private',
    '--json',
  ])
  assert.equal(place['hub'], 'https://a.example/push/hub')
  const topic = `${base}push/pages`
  const form = writeSubscribeForm({ mode: 'subscribe', callback: `${crawler.url}/1`, topic, secret: 'sesame' })
  const asked = await fetch(new URL('/push/hub', place['url']), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  assert.equal(asked.status, 202, await asked.text())
  const coming = crawler.next()
  const push = new URL('push.json', place['ledger'])
  // Subscribed once the callback was asked; what changes then is sent.
  while (((await (await fetch(push)).json()) as { subscribers: unknown[] }).subscribers.length === 0);
  edit(root, 'b.html', `<p>${LONG}b</p>`, 60)
  let one = await coming
  // Whoever subscribes before the first look at the files is over is sent what it finds.
  while (records(one).join() === '200 /') one = await crawler.next()
  assert.ok(records(one).includes('200 /b.html'))
  assert.equal(checkHubSignature('sesame', String(one.headers['x-hub-signature']), one.body), 'good')
  const { subscribers } = (await (await fetch(push)).json()) as { subscribers: Record<string, unknown>[] }
  assert.deepEqual([subscribers[0]?.['scheme'], subscribers[0]?.['by']], ['pages', 'websub'])
  assert.doesNotMatch(JSON.stringify(subscribers), /sesame|\/push\/1/)
})

test('an agent that is installed runs as files change, and the engine is sent what it says', async (t) => {
  const engine = await receiver(t)
  const site = docroot('agents', {
    'index.html': `<p>${LONG}home</p>`,
    'secret.html': '<meta name=robots content=noindex>',
  })
  const agents = folder.at(join('agents', 'store'))
  const source = `export const manifest = { name: 'lengths', version: '1.0.0', about: 'Tells lengths.', perPage: true, emits: ['meta'] }
    export function onPage(page, agent) {
      if (agent.previous(page) === page.digest) return
      agent.remember(page, page.digest)
      agent.emit({ kind: 'meta', url: page.url, length: agent.html(page).text.length })
    }`
  const bundles = folder.at(join('agents', 'bundles'))
  await placeAgent({ source, engine: 'https://engine.example/', agents, bundles, at: Date.now() })
  const coming = engine.next()
  const push = ['--push', engine.url, '--push-scheme', 'agent']
  const how = ['--serve', '0', '--agents', agents, '--agents-every', '200ms', '--json']
  await serving(t, ['publish', site, '--base', base, ...push, ...how])
  const first = readResult((await coming).body.toString())
  assert.ok(first.kind === 'result', JSON.stringify(first))
  assert.deepEqual(
    first.result.records.map(({ record }) => record.url),
    [base],
  )
  const next = engine.next()
  edit(site, 'b.html', `<p>${LONG}b</p>`, 60)
  const second = readResult((await next).body.toString())
  assert.ok(second.kind === 'result')
  assert.deepEqual(
    second.result.records.map(({ record }) => record.url),
    [`${base}b.html`],
  )
})

const root = docroot('wrong', { 'a.html': 'page a' })
// oxfmt-ignore
const wrong: [words: string[], message: RegExp][] = [
  [['--hub'],                                                    /A hub has to answer those who subscribe: --hub goes with --serve or --proxy/],
  [['--push', 'crawler.example'],                                /--push "crawler\.example" is no address that can be called: write https:\/\/crawler\.example\/push/],
  [['--push', 'https://me:secret@crawler.example/'],             /has a password in it/],
  [['--push-scheme', 'pages'],                                   /--push-scheme says what --push sends/],
  [['--push', 'https://c.example/', '--push-scheme', 'page'],    /is nothing that is sent: changes, differences.*Did you mean "?pages/],
  [['--push', 'https://c.example/', '--push-scheme', 'agent'],   /What agents say is sent where agents run: --agents DIR/],
  [['--agents', 'agents', '--hub'],                              /--agents goes with --serve or --proxy/],
  [['--agents', 'agents', '--serve', '0'],                       /Nobody would hear what the agents say/],
  [['--agents', join(root, 'agents'), '--serve', '0', '--hub'],  /is inside the document root/],
  [['--access-log', 'log', '--serve', '0', '--hub'],             /--access-log is for agents/],
  [['--agents', 'agents', '--agents-every', '1ms'],              /is too often: from 100ms on/],
  [['--push', 'https://c.example/', '--push-schedule', 'never'], /--push-schedule: "never" is no schedule: write "every 6h"/],
  [['--push', 'https://c.example/', '--announce-batches'],       /--announce-batches is for batches/],
  [['--indexnow', 'bing'],                                       /--indexnow "bing" is no address that can be called/],
  [['--outside-hub', 'ftp://hub.example/'],                      /--outside-hub "ftp:\/\/hub\.example\/" is no address/],
]
test('wrong use is said in one sentence, with what to do', async (t) => {
  await Promise.all(
    wrong.map(([words, message]) =>
      t.test(words.join(' '), async () => {
        const ended = await comityHere(['publish', root, '--base', base, ...words])
        assert.match(ended.stderr, message)
        assert.doesNotMatch(ended.stderr, /\n {4}at /)
        assert.deepEqual([ended.code, ended.stdout], [2, ''])
      }),
    ),
  )
})
