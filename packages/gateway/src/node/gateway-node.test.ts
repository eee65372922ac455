import { readShipment, shippedFromRecord, shippedText } from '@comity/index'
import { readBatchAnswer, readGatewayBatch } from '@comity/protocol'
import type { GatewayBatch } from '@comity/protocol'
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { BatchSpool } from './batch-spool.ts'
import { GatewayNode } from './gateway-node.ts'
import type { GatewayNodeOptions } from './gateway-node.ts'
import type { Judgement, PageProgram } from './gateway-program.ts'
import { shippedShares, skippedShare } from './node-figures.ts'
import { PageTableFile } from './shipped-page-table-file.ts'
import type { SeenPage } from './page-words.ts'
import { sampleExchange } from '../testing/observed-exchange-sample.ts'
import type { ExchangeChange } from '../testing/observed-exchange-sample.ts'

const START = 1_700_000_000_000
const HOUR = 3_600_000

interface Bench {
  readonly node: GatewayNode
  readonly batches: GatewayBatch[]
  readonly told: string[]
  readonly folder: string
  readonly see: (...changes: ExchangeChange[]) => void
  /** What was gathered. */
  readonly cut: () => GatewayBatch | undefined
}

function bench(
  t: TestContext,
  options: Partial<GatewayNodeOptions> & { folder?: string; spoolBytes?: number } = {},
): Bench {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'comity-node-'))
  if (options.folder === undefined) t.after(() => rmSync(folder, { recursive: true }))
  let runs = 0
  const state = PageTableFile.open(join(folder, 'pages.table'), {
    maxPages: 10_000,
    newRun: () => String(++runs).padStart(32, '0'),
  })
  t.after(() => state[Symbol.dispose]())
  const [batches, told]: [GatewayBatch[], string[]] = [[], []]
  const node = new GatewayNode({
    salt: Uint8Array.of(1, 2, 3),
    state,
    spool: new BatchSpool(join(folder, 'spool'), options.spoolBytes ?? 1_000_000),
    now: () => START + 1_000 * HOUR,
    onBatch: ({ bytes }) => {
      const read = readGatewayBatch(bytes)
      assert.equal(read.kind, 'batch')
      if (read.kind === 'batch') batches.push(read.batch)
    },
    tell: (sentence) => void told.push(sentence),
    ...options,
    gate: { hosts: ['www.site.example'], ...options.gate },
  })
  const cut = (): GatewayBatch | undefined => {
    const before = batches.length
    node.cut()
    return batches[before]
  }
  return {
    node,
    batches,
    told,
    folder,
    see: (...changes) => changes.forEach((one) => node.observed(sampleExchange(one))),
    cut,
  }
}

const shipped = (batch: GatewayBatch | undefined): string[] => {
  const read = readShipment(batch?.postings ?? new Uint8Array())
  return read.kind === 'shipment' ? read.documents.map((document) => `${document.url} ${shippedText(document)}`) : []
}

test('a page is shipped once, and again when it changed; each reader is counted', (t) => {
  const { see, cut, node } = bench(t)
  see(
    { body: '<p>first words' },
    { body: '<p>first words' },
    { ask: { 'User-Agent': 'curl/8' }, body: '<p>first words' },
  )
  const first = cut()
  assert.deepEqual(shipped(first), ['http://www.site.example/page first words'])
  assert.deepEqual(first?.hits, [{ url: 'http://www.site.example/page', readers: 2, robots: 1 }])
  assert.equal(first?.number, 1)
  see({ at: START + 10 * HOUR, body: '<p>first words' })
  const second = cut()
  assert.equal(second?.postings.length, 0)
  assert.equal(second?.seen.length, 1)
  assert.equal(second?.hits[0]?.readers, 1)
  see({ at: START + 11 * HOUR, body: '<p>other words' })
  assert.deepEqual(shipped(cut()), ['http://www.site.example/page other words'])
  assert.deepEqual([node.figures.verdicts.new, node.figures.verdicts.same, node.figures.verdicts.changed], [1, 3, 1])
  assert.equal(cut(), undefined)
})

test('304 counts as a hit and HEAD does not; both say that the page is as it was', (t) => {
  const { see, cut } = bench(t)
  const tag = { ETag: '"v1"' }
  see({ answer: tag })
  cut()
  see({ at: START + 2 * HOUR, method: 'HEAD', answer: tag })
  assert.deepEqual([cut()].map((batch) => [batch?.hits.length, batch?.seen.length])[0], [0, 1])
  see(
    { at: START + 4 * HOUR, status: 304, answer: tag },
    { at: START + 4 * HOUR, status: 304, answer: { ETag: '"v0"' } },
  )
  const batch = cut()
  assert.equal(batch?.hits[0]?.readers, 2)
  assert.equal(batch?.seen.length, 1)
})

test('304 of a page that nobody saw before is nothing', (t) => {
  const { see, cut, node } = bench(t)
  see({ status: 304, answer: { ETag: '"v1"' } })
  assert.equal(cut(), undefined)
  assert.deepEqual(node.figures.skipped, { status: 1 })
})

test('a page that is gone, or asks to be left out by now, is told as gone and is new when it comes back', (t) => {
  const { see, cut } = bench(t)
  see({}, { url: 'http://www.site.example/other' })
  cut()
  see({ at: START + HOUR, status: 410 })
  see({ at: START + HOUR, url: 'http://www.site.example/other', answer: { 'X-Robots-Tag': 'noindex' } })
  see({ at: START + HOUR, url: 'http://www.site.example/never-there', status: 404 })
  assert.deepEqual(
    cut()?.gone.map(({ url, status }) => [url, status]),
    [
      ['http://www.site.example/other', 200],
      ['http://www.site.example/page', 410],
    ],
  )
  see({ at: START + 2 * HOUR })
  assert.equal(shipped(cut()).length, 1)
})

test('a page with a cookie or a query is read, but never shipped, and counted only if everybody may read it', (t) => {
  const { see, cut } = bench(t)
  see({ url: 'http://www.site.example/me', ask: { Cookie: 'id=1' }, body: '<p>hello Ann' })
  assert.equal(cut(), undefined)
  see({})
  cut()
  see(
    { ask: { Cookie: 'id=1' }, body: '<p>hello Ann' },
    { url: 'http://www.site.example/page?utm_source=mail', body: '<p>hello' },
  )
  const batch = cut()
  assert.equal(batch?.postings.length, 0)
  assert.deepEqual(batch?.hits, [{ url: 'http://www.site.example/page', readers: 2, robots: 0 }])
  assert.deepEqual(batch?.figures.skipped, { cookie: 1, query: 1 })
})

test('robots.txt that went by keeps pages out', (t) => {
  const { see, cut, node } = bench(t, { gate: { hosts: ['www.site.example'] } })
  see(
    {
      url: 'http://www.site.example/robots.txt',
      body: 'User-agent: *\nDisallow: /page',
      answer: { 'Content-Type': 'text/plain' },
    },
    {},
  )
  assert.equal(cut(), undefined)
  assert.deepEqual(node.figures.skipped, { 'media-type': 1, robots: 1 })
  const url = 'http://www.site.example/later'
  const rules = { url: 'http://www.site.example/robots.txt', answer: { 'Content-Type': 'text/plain' } }
  see({ url }, { ...rules, body: 'User-agent: *\nDisallow: /later' }, { url })
  assert.equal(node.figures.skipped['robots'], 2)
})

test('what cannot be rebuilt, is not ours or has no sure address is left out by name', (t) => {
  const { see, node } = bench(t)
  see(
    { verdict: 'hole' },
    { verdict: 'not-wanted', status: 404 },
    { verdict: 'not-wanted', answer: { 'Content-Type': 'image/png' } },
  )
  see({ url: 'http://elsewhere.example/' })
  node.observed({ ...sampleExchange(), url: 'http://www.site.example:99999/' })
  assert.deepEqual(node.figures.skipped, { hole: 1, status: 1, 'media-type': 1, 'foreign-server': 1, 'unsure-url': 1 })
  assert.equal(node.figures.messages, 5)
  assert.equal(node.figures.captures, 4)
  assert.equal(skippedShare(node.figures), 1)
})

test('hosts behind somebody who takes the encryption off are known by https', (t) => {
  const { see, cut } = bench(t, { https: ['www.site.example'] })
  see({})
  assert.match(shipped(cut())[0]!, /^https:\/\/www.site.example\/page /)
})

test('owners may have their pages shipped beside the words; what they want no copies of is not', (t) => {
  const { see, cut } = bench(t, { withPages: ['www.site.example'] })
  see(
    { answer: { ETag: '"1"', Connection: 'close', Server: 'x' } },
    { url: 'http://www.site.example/no', body: '<meta name=robots content=noarchive>' },
  )
  const batch = cut()
  assert.equal(shipped(batch).length, 2)
  const { pages } = readBatchAnswer(batch!.pages)
  assert.deepEqual(
    pages.map(({ url, status }) => [url, status]),
    [['http://www.site.example/page', 200]],
  )
  assert.deepEqual(
    pages[0]!.headers.map(([name]) => name).filter((name) => /connection|server/i.test(name)),
    [],
  )
})

test('batches are cut by the clock of what passes', (t) => {
  const { see, batches } = bench(t, { schedule: { everyMs: 60_000, batchBytes: 1 << 20, batchRows: 1_000 } })
  for (let i = 0; i < 10; i++) see({ at: START + i * 20_000, url: `http://www.site.example/${i}` })
  assert.equal(batches.length, 2)
  assert.ok(batches.every(({ from, to }) => to - from <= 80_000))
})

test('after a restart pages are known, numbers go on, and what was not in a batch is shipped again', (t) => {
  const first = bench(t)
  first.see({})
  first.cut()
  first.see({ url: 'http://www.site.example/lost' })
  const second = bench(t, { folder: first.folder })
  second.see({}, { url: 'http://www.site.example/lost' })
  const batch = second.cut()
  assert.equal(batch?.number, 2)
  assert.equal(batch?.run, first.batches[0]?.run)
  assert.deepEqual(shipped(batch).length, 1)
  assert.match(shipped(batch)[0]!, /lost/)
})

test('pages of a batch that had to go are shipped again when they come by', (t) => {
  const { see, cut, told, node } = bench(t, { spoolBytes: 400 })
  see({})
  cut()
  see({
    url: 'http://www.site.example/more',
    body: `<p>${Array.from({ length: 300 }, (_, i) => `word${i * 7919}`).join(' ')}`,
  })
  cut()
  assert.equal(node.figures.droppedBatches, 1)
  assert.match(told[0]!, /given up/)
  see({ at: START + HOUR })
  assert.deepEqual(shipped(cut()).length, 1)
})

test('pages of a batch that was refused are new, after a restart too', (t) => {
  const first = bench(t)
  first.see({})
  first.cut()
  const [name] = readdirSync(join(first.folder, 'spool'))
  first.node.forget(readFileSync(join(first.folder, 'spool', name!)))
  const second = bench(t, { folder: first.folder })
  second.see({ at: START + HOUR })
  assert.equal(shipped(second.cut()).length, 1)
})

test('clocks that are ahead make no page newer than now', (t) => {
  const { see, cut } = bench(t, { now: () => START })
  see({ at: START + 1_000 * HOUR })
  assert.ok(cut()!.to <= START)
})

test('of whoever reads nothing is written anywhere', (t) => {
  const { see, cut, folder, batches } = bench(t, { withPages: ['www.site.example'] })
  const clients = Array.from({ length: 50 }, (_, i) => `198.51.100.${i + 100}`)
  for (const [i, client] of clients.entries()) {
    const ask = { Cookie: `session=private-${i}`, Referer: 'http://private.example/', 'X-Forwarded-For': client }
    see({ client, at: START + i }, { client, at: START + i, ask }, { client, at: START + i, status: 304, ask })
    see({ client, ask, url: `http://www.site.example/account/${client}`, body: `<p>for ${client}` })
  }
  cut()
  const written = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  assert.ok(written.length >= 2)
  const unpacked = batches.flatMap((batch) => [
    JSON.stringify(batch),
    Buffer.from(batch.pages),
    JSON.stringify(readShipment(batch.postings)),
  ])
  const all = [...written, ...unpacked].map((one) => Buffer.from(one as string).toString('latin1')).join('\n')
  for (const client of clients) {
    const bytes = Buffer.from(client.split('.').map(Number)).toString('latin1')
    assert.ok(!all.includes(client), client)
    assert.ok(!all.includes(bytes), `${client} as bytes`)
  }
  assert.doesNotMatch(all, /private|session/)
  assert.match(all, /everybody/)
})

const page = (i: number): string =>
  `<html><head><title>Page ${i}</title></head><body>${'<div class="row"><span class="cell"></span></div>'.repeat(60)}` +
  `<p>${Array.from({ length: 80 }, (_, j) => `<b>word${(i * j) % 500}</b>`).join(' ')}</p></body></html>`

test('words and links of pages cost less than a tenth of their HTML, and what is unchanged next to nothing', (t) => {
  const { see, cut, node } = bench(t)
  const visit = (at: number): void => {
    for (let i = 0; i < 300; i++) see({ url: `http://www.site.example/${i}`, body: page(i), at })
  }
  visit(START)
  cut()
  const first = shippedShares(node.figures)
  assert.ok(first.firstSight < 0.1, `${first.firstSight}`)
  const bytes = node.figures.batchBytes
  const html = node.figures.htmlBytes
  for (let i = 1; i <= 20; i++) {
    visit(START + i * 600_000)
    cut()
  }
  const steady = (node.figures.batchBytes - bytes) / (node.figures.htmlBytes - html)
  assert.ok(steady < 0.01, `${steady}`)
})

/** As a program does it. */
function judge({ url, digest, at }: SeenPage): Promise<Judgement> {
  if (url.endsWith('/login')) return Promise.resolve({ kind: 'skip', reason: 'program-login' })
  if (!url.endsWith('/draft')) return Promise.resolve({ kind: 'index' })
  const read = shippedFromRecord({ kind: 'postings', url, title: 'Draft', text: 'only this' }, `sha-256:${digest}`, at)
  return Promise.resolve({ kind: 'replace', document: (read as Extract<typeof read, { kind: 'document' }>).document })
}

const pageAt = (path: string): ExchangeChange => ({ url: `http://www.site.example/${path}` })

test('a program has pages left out or puts words in their place, and its faults are told though nothing is shipped', async (t) => {
  const faults: Record<string, number>[] = [{ 'program-fault-abc': 2 }]
  const program: PageProgram = { judge, takeFaults: () => faults.shift() ?? {} }
  const { see, cut, node } = bench(t, { program, withPages: ['www.site.example'] })
  see(pageAt('login'))
  await node.settle()
  const first = cut()
  assert.deepEqual(first?.figures.skipped, { 'program-login': 1, 'program-fault-abc': 2 })
  assert.deepEqual([shipped(first), first?.hits], [[], []])
  see(pageAt('login'), pageAt('draft'), pageAt('plain'), pageAt('plain'))
  await node.settle()
  const second = cut()
  assert.deepEqual(shipped(second), [
    'http://www.site.example/draft only this',
    'http://www.site.example/plain for everybody',
  ])
  assert.deepEqual(
    second?.hits.map(({ readers }) => readers),
    [1, 2],
  )
  // Whoever had the page itself would index that.
  assert.deepEqual(
    readBatchAnswer(second.pages).pages.map(({ url }) => url),
    ['http://www.site.example/plain'],
  )
  assert.deepEqual(node.figures.skipped, { 'program-login': 2 })
})

test('nobody who was known, or asked for something else, takes a page away', (t) => {
  const { see, cut, node } = bench(t)
  see({ at: START })
  cut()
  const gone = { status: 404, at: START + HOUR }
  see({ ...gone, ask: { 'X-Original-URL': '/nowhere' } })
  see({ ...gone, ask: { 'X-Api-Key': '1' } }, { ...gone, authentication: 'known' })
  assert.equal(node.figures.gone, 0)
  assert.deepEqual(node.figures.skipped, { steered: 1, authorization: 1, authenticated: 1 })
  see(gone)
  assert.equal(node.figures.gone, 1)
})
