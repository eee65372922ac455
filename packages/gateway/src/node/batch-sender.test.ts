import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { readShipment, shipDocument, shipmentFormat } from '@comity/index'
import { readGatewayBatch } from '@comity/protocol'
import { BatchMaker } from './batch-maker.ts'
import { BatchSender } from './batch-sender.ts'
import type { PostedAnswer } from './batch-sender.ts'
import { BatchSpool } from './batch-spool.ts'

const SCHEDULE = { everyMs: 60_000, batchBytes: 1_000, batchRows: 50 }
type Reply = number | Error | (PostedAnswer & { readonly retry?: string })

function place(t: TestContext, replies: Reply[]) {
  const folder = mkdtempSync(join(tmpdir(), 'comity-sender-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const spool = new BatchSpool(folder, 10_000)
  for (let number = 1; number <= 3; number++) spool.add('run-00000001', number, Buffer.from(`batch ${number}`))
  const clock = { now: 1_000_000 }
  const [posted, told, refused]: [string[], string[], string[]] = [[], [], []]
  const sender = new BatchSender(spool, {
    post: (batch) => {
      posted.push(Buffer.from(batch).toString())
      const reply = replies.shift() ?? 202
      if (reply instanceof Error) return Promise.reject(reply)
      return Promise.resolve(typeof reply === 'number' ? { status: reply, headers: [], body: Buffer.alloc(0) } : reply)
    },
    now: () => clock.now,
    backOff: (failures, now, askedAt) => Math.max(now + 1_000 * failures, askedAt ?? 0),
    schedule: SCHEDULE,
    onRefused: (batch) => void refused.push(Buffer.from(batch).toString()),
    tell: (sentence) => void told.push(sentence),
  })
  return { sender, spool, clock, posted, told, refused }
}

test('batches leave one by one, evenly, the oldest first', async (t) => {
  const { sender, clock, posted, spool } = place(t, [])
  const left: number[] = []
  for (const begin = clock.now; clock.now < begin + 200_000; clock.now += 1_000) {
    if (await sender.tick()) left.push(clock.now - begin)
  }
  assert.deepEqual(posted, ['batch 1', 'batch 2', 'batch 3'])
  // Two wait after the first: half a period; then one: a whole one.
  assert.deepEqual(left, [0, 30_000, 90_000])
  assert.equal(spool.waiting.length, 0)
  assert.equal(sender.nextAt(), Infinity)
})

test('a batch that was not taken is sent again, later and later, and said once', async (t) => {
  const down = new Error('nobody there')
  const { sender, clock, posted, told } = place(t, [down, down, down, 202])
  for (let i = 0; i < 3; i++) {
    assert.equal(await sender.tick(), false)
    assert.equal(sender.nextAt(), clock.now + 1_000 * (i + 1))
    assert.equal(await sender.tick(), false, 'not before its time')
    clock.now = sender.nextAt()
  }
  assert.equal(await sender.tick(), true)
  assert.deepEqual(posted, Array<string>(4).fill('batch 1'))
  assert.equal(told.filter((sentence) => sentence.includes('nobody there')).length, 1)
  assert.match(told.at(-1)!, /again, after 3 failures/)
  assert.equal(sender.figures.failures, 3)
})

test('Retry-After is kept to', async (t) => {
  const { sender, clock } = place(t, [{ status: 503, headers: [['Retry-After', '100']], body: Buffer.alloc(0) }])
  await sender.tick()
  assert.equal(sender.nextAt(), clock.now + 100_000)
})

test('a gateway that is not trusted keeps everything, and is told what to do', async (t) => {
  const body = Buffer.from('{"title":"no","detail":"key abc is unknown"}')
  const { sender, spool, told } = place(t, [{ status: 403, headers: [], body }])
  assert.equal(await sender.drain(), false)
  assert.equal(spool.waiting.length, 3)
  assert.match(told[0]!, /key abc is unknown.*--gateways/)
  assert.match(sender.trouble, /does not know/)
})

test('what is refused for good goes, and the next is sent', async (t) => {
  const { sender, spool, refused, told } = place(t, [422, 413, 202])
  assert.equal(await sender.drain(), true)
  assert.equal(spool.waiting.length, 0)
  assert.deepEqual(refused, ['batch 1', 'batch 2'])
  assert.equal(told.length, 2)
  assert.deepEqual(sender.figures, { sent: 1, bytes: 7, seenAlready: 0, refused: 2, setAside: 0, failures: 0 })
})

test('a batch that the repository has already counts as taken', async (t) => {
  const { sender } = place(t, [200, 202, 202])
  assert.equal(await sender.drain(), true)
  assert.equal(sender.figures.seenAlready, 1)
})

test('what is stopped in the middle stays', async (t) => {
  const { sender, spool } = place(t, [new Error('stopped')])
  const stop = new AbortController()
  stop.abort()
  assert.equal(await sender.drain(stop.signal), false)
  assert.equal(spool.waiting.length, 3)
})

test('a repository of the first version is sent what it reads, and asked again after a day', async (t) => {
  const { sender, spool, clock, told } = place(t, [])
  const folder = spool.folder
  for (const { name } of spool.waiting) spool.remove(name)
  for (let number = 1; number <= 3; number++) spool.add('run-00000001', number, batchOf(number))
  const formats: (number | undefined)[] = []
  const older = new BatchSender(new BatchSpool(folder, 1 << 20), {
    post: (bytes) => {
      const read = readGatewayBatch(bytes)
      assert.ok(read.kind === 'batch')
      const format = shipmentFormat(read.batch.postings)
      formats.push(format)
      const isRead = format === 1 && readShipment(read.batch.postings).kind === 'shipment'
      return Promise.resolve({ status: isRead ? 202 : 422, headers: [], body: Buffer.alloc(0) })
    },
    now: () => clock.now,
    backOff: (_failures, now) => now + 1_000,
    schedule: SCHEDULE,
    onRefused: () => assert.fail('nothing is given up'),
    tell: (sentence) => void told.push(sentence),
  })
  assert.ok(await older.tick())
  clock.now += 60_000
  assert.ok(await older.tick())
  clock.now += 86_400_000
  assert.ok(await older.tick())
  assert.deepEqual(formats, [2, 1, 1, 2, 1])
  assert.match(told[0]!, /earlier version alone/)
  assert.equal(sender.figures.refused, 0)
})

function batchOf(number: number): Uint8Array {
  const maker = new BatchMaker()
  const url = `https://a.example/${number}`
  const page = { url, title: 'A', headings: [], text: 'a cat', type: 'text/html', language: undefined, at: 1_000 }
  maker.ship(shipDocument({ ...page, digest: `sha-256:${'0'.repeat(64)}` }))
  return maker.cut('run-00000001', number, () => assert.fail())!.bytes
}
