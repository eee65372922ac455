import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shipDocument, writeShipment } from '@comity/index'
import { GATEWAY_BATCH_TYPE, signingKeyOf, writeGatewayBatch } from '@comity/protocol'
import type { GatewayBatch } from '@comity/protocol'
import { AT, notification, RING, sampleReceiver, SITE, STRANGER } from '../testing/sample-receiver.ts'
import type { Reply, SampleReceiver, SignedPush } from '../testing/sample-receiver.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-receiver-gateway-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const gateways = join(scratch, 'gateways.json')
const key = signingKeyOf(RING, AT)
const { kty, crv, x } = key.publicKey.export({ format: 'jwk' })
writeFileSync(gateways, JSON.stringify({ gateways: [{ name: 'north', key: { kty, crv, x }, hosts: ['*.example'] }] }))

const digest = `sha-256:${'ab'.repeat(32)}`
const page = { title: 'A', headings: [], text: 'badger', language: undefined, type: 'text/html', at: AT, digest }
const postings = writeShipment([shipDocument({ ...page, url: 'http://a.example/' })])

function batch(number: number, changes: Partial<GatewayBatch> = {}): Uint8Array {
  return writeGatewayBatch({
    run: 'run-of-north',
    number,
    from: AT - 60_000,
    to: AT,
    postings,
    pages: new Uint8Array(0),
    hits: [{ url: 'http://a.example/', readers: 1, robots: 0 }],
    seen: [],
    gone: [],
    figures: { pages: 1, htmlBytes: 900, skipped: {} },
    ...changes,
  })
}

const send = (receiver: SampleReceiver, body: Uint8Array, more: SignedPush = {}): Promise<Reply> =>
  receiver.push({ path: '/gateway', type: GATEWAY_BATCH_TYPE, body, ...more })

test('a batch is on the disk when it is answered, and one that comes again is not kept again', async (t) => {
  const receiver = await sampleReceiver(t, { gateways })
  const replies = [await send(receiver, batch(1)), await send(receiver, batch(2)), await send(receiver, batch(1))]
  assert.deepEqual(
    replies.map(({ status, text }) => [status, JSON.parse(text)]),
    [
      [202, { refusedRows: 0 }],
      [202, { refusedRows: 0 }],
      [200, { repeated: true }],
    ],
  )
  const items = await receiver.items()
  assert.deepEqual(
    items.map(({ origin, door, scheme, proof, type }) => [origin, door, scheme, proof, type]),
    Array.from({ length: 2 }, () => ['gateway:north', 'gateway', 'batches', 'signature', GATEWAY_BATCH_TYPE]),
  )
  assert.ok(Buffer.from(items[0]!.body).equals(batch(1)))
  const { totals, fill } = await receiver.service.figures()
  assert.deepEqual([totals.accepted, totals.byDoor], [2, { gateway: 2 }])
  await receiver.service.acknowledged(2)
  assert.ok(
    fill > 0 && (await receiver.service.figures()).fill === 0,
    'room is given back, also of the one that came again',
  )
})

const foreign = { url: 'http://a.test/', readers: 1, robots: 0 }
const refused: [sentence: string, body: Uint8Array, more: SignedPush, status: number, kind: string][] = [
  ['a stranger', batch(1), { sign: { key: signingKeyOf(STRANGER, AT) } }, 403, 'gateway-unknown'],
  ['a signature that is too old', batch(1), { sign: { at: AT - 7_200_000 } }, 403, 'stale'],
  ['one that is good for too long', batch(1), { sign: { lifeMs: 90_000_000 } }, 403, 'stale'],
  ['one from before the receiver was started', batch(1), { sign: { at: AT - 30_000 } }, 503, 'unreachable'],
  ['one for something else', batch(1), { sign: { tag: 'web-bot-auth' } }, 401, 'not-signed'],
  ['one that covers too little', batch(1), { sign: { covered: ['@method'] } }, 403, 'covers-too-little'],
  ['a body of another type', batch(1), { type: 'application/json' }, 415, 'wrong-type'],
  ['what is no batch', Buffer.from('x'.repeat(50)), {}, 422, 'unreadable'],
  ['a batch whose postings are torn', batch(1, { postings: postings.subarray(0, -4) }), {}, 422, 'unreadable'],
  ['one whose pages are no WARC', batch(1, { pages: Buffer.from('WARC/1.1\r\nnothing') }), {}, 422, 'unreadable'],
  ['one whose pages are packed twice', batch(1, { pages: Buffer.from([0x1f, 0x8b, 8, 0]) }), {}, 422, 'unreadable'],
  ['one of foreign hosts alone', batch(1, { postings: new Uint8Array(0), hits: [foreign] }), {}, 403, 'host-refused'],
]
for (const [sentence, body, more, status, kind] of refused) {
  test(`${sentence} is refused, and nothing is kept`, async (t) => {
    const receiver = await sampleReceiver(t, { gateways })
    const reply = await send(receiver, body, more)
    assert.deepEqual([reply.status, reply.kind], [status, kind])
    assert.deepEqual(await receiver.items(), [])
    assert.deepEqual(receiver.errors, [])
    const { fill, totals } = await receiver.service.figures()
    assert.deepEqual([fill, totals.refused], [0, { [kind]: 1 }])
  })
}

test('what is too large is refused before it is read', async (t) => {
  const receiver = await sampleReceiver(t, { gateways, limits: { maxBatchBytes: 100 } })
  const reply = await send(receiver, batch(1))
  assert.deepEqual([reply.status, reply.kind], [413, 'too-large'])
})

test('the same request twice is a replay, and a batch without rows is taken: its figures count', async (t) => {
  const receiver = await sampleReceiver(t, { gateways })
  const empty = batch(1, { postings: new Uint8Array(0), hits: [] })
  assert.equal((await send(receiver, empty, { sign: { nonce: 'once' } })).status, 202)
  assert.equal((await send(receiver, empty, { sign: { nonce: 'once' } })).kind, 'replayed')
})

test('where nobody listed gateways there is nothing here', async (t) => {
  const receiver = await sampleReceiver(t)
  const reply = await send(receiver, batch(1))
  assert.deepEqual([reply.status, reply.kind], [404, 'not-found'])
})

test('a loud gateway fills its own share, is told to wait, and sites are heard all the same', async (t) => {
  const limits = { queueItems: 60, queueBytes: 600_000, site: { perSecond: 1_000, burst: 1_000 } }
  const receiver = await sampleReceiver(t, { gateways, limits })
  let last: Reply | undefined
  let kept = 0
  for (let number = 1; number <= 60; number++) {
    last = await send(receiver, batch(number))
    if (last.status === 202) kept++
  }
  assert.deepEqual([last?.status, last?.kind], [429, 'over-share'])
  assert.ok(Number(last?.headers['retry-after']) > 0)
  assert.ok(kept > 5 && kept <= 30, `${kept} of 60`)
  const site = await receiver.push({ type: 'application/xml', body: notification(), origin: SITE })
  assert.equal(site.status, 202)
})
