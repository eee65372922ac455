import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readShipment } from '@comity/index'
import { GatewayNode } from './gateway-node.ts'
import type { CutBatch } from './batch-maker.ts'
import { PageLine } from './page-line.ts'
import { PageTable } from './shipped-page-table.ts'
import { PageThreads } from './page-threads.ts'
import { PageReader } from './page-reading.ts'
import type { PageSource } from './page-reading.ts'
import { sampleExchange, seenExchange } from '../testing/observed-exchange-sample.ts'
import type { ExchangeChange } from '../testing/observed-exchange-sample.ts'
import type { SeenExchange } from './seen-exchange.ts'

const LIMIT = { timeout: 60_000 }
const SITE = 'http://www.site.example/'

const bodyOf = (n: number, version = 0): string =>
  `<html lang=en><title>Page ${n}</title><h1>Of the ${n}th café</h1><p>Words ${'of a page '.repeat(n % 40)} ${version} 猫 🐈
   <a href="page-${n + 1}">the next</a> <a href="/">home</a>${n % 17 === 0 ? '<meta name=robots content=nofollow>' : ''}`

/** Many pages, packed ones among them; some come again, change, are not for everybody, or go. */
function* traffic(): Generator<ExchangeChange> {
  for (let n = 0; n < 240; n++) {
    const at = 1_000_000 + n * 1_000
    const page = { url: `${SITE}page-${n}`, at, body: bodyOf(n) }
    if (n % 5 === 0) yield { ...page, body: gzipSync(page.body), answer: { 'Content-Encoding': 'gzip' } }
    else yield page
    if (n % 7 === 0) yield { ...page, body: bodyOf(n, 1), at: at + 100 }
    if (n % 11 === 0) yield { ...page, status: 404, at: at + 200 }
    if (n % 13 === 0) yield { ...page, url: `${SITE}mine-${n}`, answer: { 'Cache-Control': 'private' } }
    if (n % 19 === 0) yield { ...page, url: `${SITE}in-${n}`, body: `${page.body}<form><input type=password>` }
    if (n % 23 === 0) yield { ...page, url: `${SITE}out-${n}`, body: `<meta name=robots content=noindex>${page.body}` }
    if (n % 29 === 0) yield { ...page, at: at + 300 }
  }
}

function batchesWith(threads: number): { readonly batches: CutBatch[]; readonly figures: GatewayNode['figures'] } {
  const batches: CutBatch[] = []
  let last = 0
  const state = {
    table: new PageTable(10_000),
    run: 'run-00000001',
    get number() {
      return last
    },
    commit: (number: number) => void (last = number),
  }
  using node = new GatewayNode({
    gate: { hosts: ['www.site.example'] },
    salt: Uint8Array.of(1),
    state,
    schedule: { everyMs: 60_000, batchBytes: 1 << 20, batchRows: 1_000 },
    now: () => 2_000_000,
    onBatch: (cut) => batches.push(cut),
    threads,
  })
  for (const change of traffic()) node.observed(sampleExchange(change))
  node.cut()
  return { batches, figures: node.figures }
}

test('whether threads read the pages or none, the batches are the same, to the byte', LIMIT, () => {
  const [one, other] = [batchesWith(0), batchesWith(2)]
  assert.deepEqual(other.figures, one.figures)
  assert.ok(one.figures.skipped['private']! > 10 && one.figures.skipped['password']! > 10)
  assert.deepEqual(
    other.batches.map(({ bytes }) => hash('sha256', bytes)),
    one.batches.map(({ bytes }) => hash('sha256', bytes)),
  )
  const read = readShipment(other.batches.at(-1)!.batch.postings)
  assert.ok(read.kind === 'shipment' && read.documents.length > 10)
})

const worthwhile = ({ observed }: SeenExchange): boolean => observed.response?.status === 200

test('what goes by is told in its order, however long its pages take', LIMIT, () => {
  const told: string[] = []
  using line = new PageLine(
    1,
    (seen) => {
      told.push(seen.url!)
      if (worthwhile(seen)) assert.equal(seen.reading()?.digest, hash('sha256', seen.observed.body, 'hex'))
    },
    worthwhile,
  )
  const urls: string[] = []
  for (const change of traffic()) {
    const { url = '', answer } = change
    if (answer !== undefined) continue
    urls.push(url)
    line.take(seenExchange(change))
  }
  line.end()
  assert.deepEqual(told, urls)
})

const sourceOf = (n: number): PageSource => ({
  url: `${SITE}page-${n}`,
  at: 0,
  type: 'text/html',
  coding: undefined,
  body: Buffer.from(bodyOf(n)),
  maxBytes: 1 << 20,
})

test('what a thread does not read, as it was ended, is read here', LIMIT, () => {
  const threads = new PageThreads(1, () => undefined)
  const jobs = Array.from({ length: 30 }, (_, n) => threads.begin(sourceOf(n))!)
  threads[Symbol.dispose]()
  const reader = new PageReader()
  for (const [n, job] of jobs.entries()) {
    const [reading, own] = [job.result(), reader.read(sourceOf(n))]
    assert.ok(reading.kind === 'ok' && own.kind === 'ok')
    assert.equal(reading.digest, own.digest)
  }
  assert.equal(threads.begin(sourceOf(0)), undefined, 'nobody has room any more')
})
