/** `comity gateway` as its users have it: captures in all their forms, a proxy, what is sent and what never is. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { createRandom } from '@comity/testbed'
import { missing, sharedData } from '@comity/protocol/testing'
import { comity, comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { makeCapture } from '../../packages/gateway/src/testing/capture-sample.ts'
import { Dialogue } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import type { Wire } from '../../packages/gateway/src/testing/packet-sample.ts'
import { gatewayReceiver } from './gateway-receiver.ts'
import type { GatewayReceiver } from './gateway-receiver.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const page = (n: number): string =>
  `<html lang=en><title>Page ${n}</title><h1>Heading</h1><p>unique${n} words of page ${n} <a href="/p${n + 1}">next one</a></html>`
const get = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: www.site.example\r\nUser-Agent: ${BROWSER}\r\n${more}\r\n`
const ok = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`

/** Packets of readers, each with an address of its own, who read these pages. */
function reading(
  pages: readonly [request: string, answer: string][],
  firstClient = 1,
  startAt = 1_700_000_000_000,
): Wire[] {
  return pages.flatMap(([request, answer], i) => {
    const client = { address: [198, 51, 100, firstClient + i], port: 40_000 }
    const server = { address: [192, 0, 2, 80], port: 80 }
    return new Dialogue({ client, server, startAt: startAt + i * 100 }).open().exchange(request, answer).close().packets
  })
}

const SITE: [string, string][] = [1, 2, 3, 4, 5].map((n) => [get(`/p${n}`), ok(page(n), `ETag: "v${n}"\r\n`)])
const capture = folder.at('site.pcap')
writeFileSync(capture, pcapFile(reading(SITE)))

const numbersOf = (json: Record<string, unknown>): unknown[] =>
  ['packets', 'flows', 'messages', 'captures'].map((name) => json[name])

test('a capture is reported on, as it is, packed, from a pipe, or in several files', async (t) => {
  const bytes = readFileSync(capture)
  writeFileSync(folder.at('site.pcap.gz'), gzipSync(bytes))
  writeFileSync(folder.at('site.pcap.zst'), zstdCompressSync(bytes))
  const ways: [what: string, run: () => ReturnType<typeof comity>][] = [
    ['as it is', () => comityHere(['gateway', '--pcap', capture, '--json'])],
    ['gz', () => comityHere(['gateway', '--pcap', folder.at('site.pcap.gz'), '--json'])],
    ['zst', () => comityHere(['gateway', '--pcap', folder.at('site.pcap.zst'), '--json'])],
    [
      'a pipe',
      () => comity(['gateway', '--pcap', '-', '--json'], { onStart: (child) => void child.stdin?.write(bytes) }),
    ],
  ]
  for (const [what, run] of ways) {
    await t.test(what, async () => {
      const ended = await run()
      assert.equal(ended.code, 0, ended.stderr)
      const json = lastJson(ended)
      assert.deepEqual(numbersOf(json), [40, 5, 5, 5])
      assert.equal(json['bytes'], bytes.length)
      assert.deepEqual(json['skipped'], {})
      assert.equal((json['verdicts'] as Record<string, number>)['new'], 5)
      assert.ok((json['seconds'] as number) > 0)
    })
  }
  writeFileSync(folder.at('more.pcap.gz'), gzipSync(pcapFile(reading(SITE, 50))))
  const two = lastJson(await comityHere(['gateway', '--json', '--pcap', capture, folder.at('more.pcap.gz')]))
  assert.deepEqual(numbersOf(two), [80, 10, 10, 10])
  assert.deepEqual(two['hits'], { readers: 10, robots: 0 })
})

test('conversations of all kinds, lossless ones: whatever must come out does', async () => {
  const source = createRandom(20_260_301)
  const random = (): number => source.next()
  const files: string[] = []
  let expected = 0
  for (let seed = 0; files.length < 5; seed++) {
    const sample = makeCapture(random, `e${seed}`)
    if (sample.isLossy) continue
    expected += sample.finished.size
    files.push(folder.at(`sample-${seed}.pcap`))
    writeFileSync(files.at(-1)!, sample.capture)
  }
  let found = 0
  for (const file of files)
    found += lastJson(await comityHere(['gateway', '--json', '--pcap', file]))['captures'] as number
  assert.ok(found >= expected, `${found} of ${expected}`)
})

async function trusted(state: string, receiver: GatewayReceiver): Promise<void> {
  const key = await comityHere(['gateway', 'key', '--state', state, '--name', 'test', '--hosts', 'www.site.example'])
  assert.equal(key.code, 0, key.stderr)
  assert.doesNotMatch(key.stdout, /"d":/)
  receiver.trust(key.stdout)
}

const shipping = (state: string, receiver: GatewayReceiver): string[] => [
  '--state',
  state,
  '--to',
  receiver.url,
  '--hosts',
  'www.site.example',
  '--servers',
  '192.0.2.80',
  '--json',
]

test('what was read is sent, signed, once; the second time only that it was read', async () => {
  await using receiver = await gatewayReceiver()
  const state = folder.at('state-1')
  await trusted(state, receiver)
  const first = await comityHere(['gateway', '--pcap', capture, ...shipping(state, receiver)])
  assert.equal(first.code, 0, first.stderr)
  assert.deepEqual(receiver.answers, [202])
  assert.match(receiver.words()['http://www.site.example/p3']!, /unique3 words of page 3 next one/)
  const { links, title, digest, language } = receiver.documents()[0]!
  assert.deepEqual(
    [title, language, links],
    ['Page 1', 'en', [{ url: 'http://www.site.example/p2', anchor: 'next one' }]],
  )
  assert.match(digest, /^sha-256:/)
  assert.deepEqual(receiver.batches[0]!.hits[0], { url: 'http://www.site.example/p1', readers: 1, robots: 0 })
  // Two hours later: one page is another, one is asked for by a robot, one is gone.
  const later: [string, string][] = [
    [get('/p1'), ok(page(1), 'ETag: "v1"\r\n')],
    [get('/p2'), ok(page(7), 'ETag: "v7"\r\n')],
    [get('/p3').replace(BROWSER, 'Googlebot/2.1'), 'HTTP/1.1 304 Not Modified\r\nETag: "v3"\r\n\r\n'],
    [get('/p4'), 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
  ]
  writeFileSync(folder.at('later.pcap'), pcapFile(reading(later, 100, 1_700_000_000_000 + 7_200_000)))
  const second = await comityHere(['gateway', '--pcap', folder.at('later.pcap'), ...shipping(state, receiver)])
  assert.equal(second.code, 0, second.stderr)
  const batch = receiver.batches[1]!
  assert.deepEqual([batch.run, batch.number], [receiver.batches[0]!.run, 2])
  assert.equal(receiver.documents().length, 6)
  assert.match(receiver.words()['http://www.site.example/p2']!, /unique7/)
  assert.deepEqual(
    batch.hits.map(({ url, readers, robots }) => [url.at(-1), readers, robots]),
    [
      ['1', 1, 0],
      ['2', 1, 0],
      ['3', 0, 1],
    ],
  )
  assert.deepEqual(
    batch.seen.map(({ url }) => url.at(-1)),
    ['1', '3'],
  )
  assert.deepEqual(
    batch.gone.map(({ url, status }) => [url.at(-1), status]),
    [['4', 404]],
  )
})

test('of whoever reads nothing is on the disk, nor anything of what is private', async () => {
  await using receiver = await gatewayReceiver()
  const state = folder.at('state-private')
  await trusted(state, receiver)
  const mine = (n: number): [string, string] => [
    get(`/me${n}`, `Cookie: session=cookie-of-${n}\r\nReferer: http://where.i.was.example/\r\n`),
    ok(`<p>secret-of-${n}`),
  ]
  const file = folder.at('private.pcap')
  writeFileSync(
    file,
    pcapFile(
      reading([...SITE, mine(1), mine(2), [get('/pay', 'Authorization: Basic c2VjcmV0\r\n'), ok('<p>secret')]], 201),
    ),
  )
  const ended = await comityHere(['gateway', '--pcap', file, ...shipping(state, receiver), '--batch', '1'])
  assert.deepEqual(lastJson(ended)['skipped'], { cookie: 2, authorization: 1 })
  // While batches wait, and with the names of everything.
  receiver.replies.push(...Array.from({ length: 50 }, () => ({ status: 503 })))
  const waiting = await comityHere([
    'gateway',
    '--pcap',
    file,
    ...shipping(state, receiver),
    '--public',
    'nothing.example',
  ])
  assert.equal(waiting.code, 1)
  const paths = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.ok(paths.some(({ name }) => name.endsWith('.batch')))
  const written = paths.map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
  const sent = JSON.stringify([receiver.batches, receiver.documents()])
  for (const text of [...written, sent, ended.stdout, ended.stderr]) {
    assert.doesNotMatch(text, /198\.51\.100\.2|cookie-of|secret|where\.i\.was|\/me1|\/pay/)
    for (let client = 201; client < 210; client++)
      assert.ok(!text.includes(Buffer.from([198, 51, 100, client]).toString('latin1')))
  }
  assert.ok(
    paths.every(
      (entry) => entry.name.endsWith('.lock') || (statSync(join(entry.parentPath, entry.name)).mode & 0o077) === 0,
    ),
  )
})

test('while the repository is away batches wait, over runs, and are taken when it is back', async () => {
  await using receiver = await gatewayReceiver()
  const state = folder.at('state-away')
  const refused = await comityHere(['gateway', '--pcap', capture, ...shipping(state, receiver)])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /does not know this gateway's key.*--gateways/)
  assert.equal((lastJson(refused)['sent'] as Record<string, unknown>)['waiting'], 1)
  await trusted(state, receiver)
  receiver.replies.push({ status: 503, headers: { 'Retry-After': '1' } })
  assert.equal((await comityHere(['gateway', ...shipping(state, receiver)])).code, 1)
  const sent = await comityHere(['gateway', ...shipping(state, receiver)])
  assert.equal(sent.code, 0, sent.stderr)
  assert.deepEqual(receiver.answers, [403, 503, 202])
  assert.equal(receiver.documents().length, 5)
})

test('a batch that is refused for good does not stand in the way, and its pages are sent again', async () => {
  await using receiver = await gatewayReceiver()
  const state = folder.at('state-refused')
  await trusted(state, receiver)
  // In the form of this version, and in that of the first.
  receiver.replies.push({ status: 422 }, { status: 422 })
  const first = await comityHere(['gateway', '--pcap', capture, ...shipping(state, receiver)])
  assert.equal(first.code, 0)
  assert.match(first.stderr, /refuses a batch for good/)
  await comityHere(['gateway', '--pcap', capture, ...shipping(state, receiver)])
  assert.equal(receiver.documents().length, 5)
})

test('a file that grows is followed; stopping makes what was seen durable and sends it', async () => {
  await using receiver = await gatewayReceiver()
  const state = folder.at('state-follow')
  await trusted(state, receiver)
  const file = folder.at('growing.pcap')
  const whole = readFileSync(capture)
  writeFileSync(file, whole.subarray(0, 1_000))
  const ended = await comity(['gateway', '--pcap', file, '--follow', ...shipping(state, receiver)], {
    onStart: (child) =>
      void (async () => {
        // Its batches wait for five minutes: what it knows of the rest it has read from the file.
        while (!existsSync(join(state, 'pages.table')) && child.exitCode === null) await sleep(20)
        appendFileSync(file, whole.subarray(1_000))
        await sleep(1_500)
        child.kill('SIGINT')
      })(),
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(lastJson(ended)['captures'], 5)
  assert.equal(receiver.documents().length, 5)
})

/** A server whose pages can be read. */
async function site(): Promise<AsyncDisposable & { readonly url: string; readonly host: string }> {
  const server = createServer((request, response) => {
    const n = Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? 0)
    if (request.url === '/moved') response.writeHead(301, { Location: '/p1' }).end()
    else if (n === 0) response.writeHead(404).end('no')
    else response.writeHead(200, { 'Content-Type': 'text/html', ETag: `"${n}"` }).end(page(n))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, [Symbol.asyncDispose]: close }
}

test('a creator puts a page through: fetched, judged, sent', async () => {
  await using receiver = await gatewayReceiver()
  await using origin = await site()
  const state = folder.at('state-fetch')
  await trusted(state, receiver)
  const words = ['--state', state, '--to', receiver.url, '--hosts', origin.host]
  const fetched = await comityHere(['gateway', 'fetch', `${origin.url}/p1`, `${origin.url}/p2`, ...words])
  assert.equal(fetched.code, 0, fetched.stderr)
  assert.match(fetched.stdout, /\/p1 {2}new\n.*\/p2 {2}new/)
  assert.equal(receiver.documents().length, 2)
  const again = await comityHere([
    'gateway',
    'fetch',
    `${origin.url}/p1`,
    `${origin.url}/none`,
    `${origin.url}/moved`,
    ...words,
  ])
  assert.equal(again.code, 1)
  assert.match(again.stdout, /\/p1 {2}same\n.*\/none {2}status: .*\n.*\/moved {2}leads to \/p1: fetch that/)
})

test('a proxy passes pages on and indexes them', async () => {
  await using receiver = await gatewayReceiver()
  await using origin = await site()
  const state = folder.at('state-proxy')
  await trusted(state, receiver)
  const words = [
    '--proxy',
    origin.url,
    '--listen',
    '0',
    '--hosts',
    '127.0.0.1',
    '--state',
    state,
    '--to',
    receiver.url,
    '--json',
  ]
  const read: string[] = []
  const ended = await comity(['gateway', ...words], {
    onStderr: (text, child) => {
      const url = /(http:\/\/\S+) answers for/.exec(text)?.[1]
      if (url === undefined) return
      void (async () => {
        for (const path of ['/p1', '/p2', '/p1'])
          read.push(await (await fetch(`${url}${path}`, { headers: { 'User-Agent': BROWSER } })).text())
        child.kill('SIGTERM')
      })()
    },
  })
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(read, [page(1), page(2), page(1)])
  assert.equal(receiver.documents().length, 2)
  assert.deepEqual(
    receiver.batches[0]!.hits.map(({ readers }) => readers),
    [2, 1],
  )
})

test('bodies are written for whoever wants to see them', async () => {
  const out = folder.at('bodies')
  const file = folder.at('packed.pcap')
  const body = gzipSync(page(9)).toString('latin1')
  writeFileSync(file, pcapFile(reading([...SITE, [get('/dir/..%2fodd name'), ok(body, 'Content-Encoding: gzip\r\n')]])))
  const ended = await comityHere(['gateway', '--pcap', file, '--export', out])
  assert.equal(ended.code, 0, ended.stderr)
  const files = readdirSync(out).toSorted()
  assert.equal(files.length, 6 + 1 - (ended.stdout.includes('unsure-url') || ended.stdout.includes('doubtful') ? 1 : 0))
  assert.equal(readFileSync(join(out, files[0]!), 'utf8'), page(1))
  assert.match(
    readFileSync(join(out, 'index.tsv'), 'utf8'),
    /000001-p1\t200\ttext\/html\t\d+\thttp:\/\/www\.site\.example\/p1\n/,
  )
})

test('one process uses a state at a time', async () => {
  await using receiver = await gatewayReceiver()
  await using origin = await site()
  const state = folder.at('state-held')
  let second: Awaited<ReturnType<typeof comity>> | undefined
  const words = ['--proxy', origin.url, '--listen', '0', '--hosts', '127.0.0.1', '--state', state, '--to', receiver.url]
  await comity(['gateway', ...words], {
    onStderr: (text, child) => {
      if (!text.includes('answers for')) return
      void (async () => {
        second = await comityHere(['gateway', '--pcap', capture, ...shipping(state, receiver)])
        child.kill('SIGINT')
      })()
    },
  })
  assert.equal(second?.code, 1)
  assert.match(second?.stderr ?? '', /is being written by process/)
})

test('what a live capture needs is said when it is missing', async () => {
  const ended = await comity(['gateway', '--live', 'lo'], { env: { PATH: '/nowhere' } })
  assert.match(ended.stdout, /apt-get install tcpdump/)
  assert.equal(ended.code, 1)
})

test('captures of others are read to their end, whatever is in them', async (t) => {
  const captures = sharedData('captures')
  if (captures === undefined) return missing(t, 'captures')
  const files = readdirSync(captures, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.p?cap(?:ng)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size < 300_000)
    .slice(0, 300)
  const ended = await comityHere(['gateway', '--json', '--pcap', ...files])
  const json = lastJson(ended)
  assert.ok((json['packets'] as number) > 1_000)
  const skipped = Object.values(json['skipped'] as Record<string, number>).reduce((sum, count) => sum + count, 0)
  assert.ok((json['messages'] as number) >= skipped)
  assert.ok((json['captures'] as number) > 100)
})
