import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { hubLinks, hubSignature, writeDigestField } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { SIGNED_PARTS } from '../proof/speaker-proof.ts'
import { HUB, PUBLIC, sampleReceiver, SITE, signedQuestion, warc } from '../testing/sample-receiver.ts'
import type { Reply, SampleReceiver, SignedPush } from '../testing/sample-receiver.ts'

const body = warc(
  Array.from({ length: 30 }, (_, i) => `/${i}`),
  SITE,
  'words '.repeat(3_000),
)
const THIRD = Math.ceil(body.length / 3)
const PARTIAL = 'application/partial-upload'

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const pathOf = ({ headers }: Reply): string => String(headers.location).slice(PUBLIC.length)

const begin = (receiver: SampleReceiver, bytes: number, more: Partial<SignedPush> = {}): Promise<Reply> =>
  receiver.push({
    body: body.subarray(0, bytes),
    headers: [
      ['Upload-Complete', bytes === body.length ? '?1' : '?0'],
      ['Upload-Length', String(body.length)],
    ],
    ...more,
  })

const patch = (
  receiver: SampleReceiver,
  path: string,
  from: number,
  to: number,
  more: Partial<SignedPush> = {},
): Promise<Reply> =>
  receiver.push({
    method: 'PATCH',
    path,
    type: PARTIAL,
    body: body.subarray(from, to),
    headers: [
      ['Upload-Complete', to === body.length ? '?1' : '?0'],
      ['Upload-Offset', String(from)],
    ],
    ...more,
  })

test('an upload in three parts ends in the inbox, as if it had come at once', async (t) => {
  const receiver = await sampleReceiver(t)
  const { headers } = await receiver.ask('/push', { method: 'OPTIONS' })
  assert.match(String(headers['upload-limit']), /max-size=\d+.*max-age=\d+/)
  const interim: string[] = []
  const begun = await begin(receiver, THIRD, { onInterim: (status, location) => interim.push(`${status} ${location}`) })
  assert.deepEqual([begun.status, begun.headers['upload-offset']], [201, String(THIRD)])
  assert.deepEqual(interim, [`104 ${begun.headers.location}`])
  const path = pathOf(begun)
  const second = await patch(receiver, path, THIRD, 2 * THIRD)
  assert.deepEqual([second.status, second.headers['upload-complete']], [204, '?0'])
  const head = await receiver.ask(path, { method: 'HEAD' })
  assert.deepEqual(
    [head.status, head.headers['upload-offset'], head.headers['upload-length']],
    [204, String(2 * THIRD), String(body.length)],
  )
  const last = await patch(receiver, path, 2 * THIRD, body.length)
  assert.deepEqual([last.status, last.headers['upload-complete']], [202, '?1'])
  const [item] = await receiver.items()
  assert.deepEqual([item?.door, item?.proof, item?.scheme], ['push', 'signature', 'pages'])
  assert.ok(Buffer.from(item!.body).equals(body))
  assert.deepEqual((await receiver.service.figures()).uploads, { count: 0, bytes: 0 })
})

test('whoever did not hear that it is whole asks again and is told, and it is kept once', async (t) => {
  const receiver = await sampleReceiver(t)
  const path = pathOf(await begin(receiver, THIRD))
  await patch(receiver, path, THIRD, body.length)
  const head = await receiver.ask(path, { method: 'HEAD' })
  assert.deepEqual([head.headers['upload-complete'], head.headers['upload-offset']], ['?1', String(body.length)])
  const again = await patch(receiver, path, body.length, body.length)
  assert.deepEqual([again.status, again.headers['upload-complete']], [202, '?1'])
  assert.equal((await receiver.items()).length, 1)
})

test('everything at once with Upload-Complete is kept at once', async (t) => {
  const receiver = await sampleReceiver(t)
  const whole = await begin(receiver, body.length)
  assert.deepEqual([whole.status, whole.headers['upload-complete']], [202, '?1'])
  assert.equal((await receiver.items()).length, 1)
})

test('an upload goes on after a restart of the receiver', async (t) => {
  const first = await sampleReceiver(t)
  const path = pathOf(await begin(first, THIRD))
  await first.service.close()
  const second = await sampleReceiver(t, { dir: first.dir })
  assert.equal((await second.ask(path, { method: 'HEAD' })).headers['upload-offset'], String(THIRD))
  assert.equal((await patch(second, path, THIRD, body.length, { sign: { nonce: 'after' } })).status, 202)
  assert.equal((await second.items()).length, 1)
})

/** Send the head and half of the body of a request, then break the connection; resolves when the receiver has noticed. */
async function cut(
  { port, ask }: SampleReceiver,
  path: string,
  headers: HeaderList,
  half: Uint8Array,
  whole: number,
  at: string,
): Promise<Reply> {
  const lines = [...headers, ['Content-Length', String(whole)]].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${path} HTTP/1.1\r\nHost: crawler.example\r\n${lines}\r\n`)
      socket.write(half, () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  return await ask(at, { method: 'HEAD' })
}

test('of a part that was cut nothing is believed, unless the digest of the whole was signed', async (t) => {
  const receiver = await sampleReceiver(t)
  const vouched: HeaderList = [['Repr-Digest', writeDigestField(body)]]
  for (const [more, isKept] of [
    [{}, false],
    [{ headers: vouched }, true],
  ] as const) {
    const begun = await begin(receiver, THIRD, {
      ...more,
      headers: [
        ['Upload-Complete', '?0'],
        ['Upload-Length', String(body.length)],
        ...('headers' in more ? more.headers : []),
      ],
    })
    const path = pathOf(begun)
    const part = body.subarray(THIRD)
    const fields: HeaderList = [
      ['Upload-Complete', '?1'],
      ['Upload-Offset', String(THIRD)],
    ]
    const { headers } = signedQuestion(
      { method: 'PATCH', path, type: PARTIAL, body: part, headers: fields },
      receiver.clock.now,
      `cut ${isKept}`,
    )
    const head = await cut(receiver, `PATCH ${path}`, headers!, part.subarray(0, 5_000), part.length, path)
    const offset = Number(head.headers['upload-offset'])
    if (isKept) assert.ok(offset >= THIRD && offset <= THIRD + 5_000, String(offset))
    else assert.equal(offset, THIRD)
    assert.equal((await patch(receiver, path, offset, body.length)).status, 202)
  }
  assert.equal((await receiver.items()).length, 1)
})

test('a hub uploads by its callback: its signature of the whole decides at the end', async (t) => {
  const receiver = await sampleReceiver(t)
  const topic = `${SITE}/push/site`
  const { token, secret } = await receiver.subscribed('site', topic)
  const send = async (signature: string): Promise<Reply> => {
    const headers: HeaderList = [
      ['Content-Type', 'application/warc'],
      ['Link', hubLinks([HUB], topic)],
      ['X-Hub-Signature', signature],
      ['Upload-Complete', '?0'],
      ['Upload-Length', String(body.length)],
    ]
    const begun = await receiver.ask(`/websub/${token}`, { method: 'POST', headers, body: body.subarray(0, THIRD) })
    const fields: HeaderList = [
      ['Content-Type', PARTIAL],
      ['Upload-Offset', String(THIRD)],
      ['Upload-Complete', '?1'],
    ]
    return await receiver.ask(pathOf(begun), { method: 'PATCH', headers: fields, body: body.subarray(THIRD) })
  }
  assert.equal((await send(hubSignature(secret, body))).status, 202)
  const forged = await send(hubSignature('another secret', body))
  assert.deepEqual([forged.status, forged.kind], [403, 'forged'])
  const [item, ...more] = await receiver.items()
  assert.deepEqual([item?.proof, item?.scheme, more.length], ['subscription', 'site', 0])
})

const refusals: [sentence: string, act: (receiver: SampleReceiver, path: string) => Promise<Reply>, status: number][] =
  [
    [
      'a part that is not signed',
      (r, path) =>
        r.ask(path, {
          method: 'PATCH',
          headers: [
            ['Content-Type', PARTIAL],
            ['Upload-Offset', String(THIRD)],
            ['Upload-Complete', '?0'],
          ],
          body: 'x',
        }),
      401,
    ],
    [
      'a part with another digest',
      (r, path) =>
        patch(r, path, THIRD, 2 * THIRD, {
          headers: [
            ['Upload-Offset', String(THIRD)],
            ['Upload-Complete', '?0'],
            ['Content-Digest', writeDigestField(Buffer.from('x'))],
          ],
        }),
      403,
    ],
    ['a part for another place', (r, path) => patch(r, path, 5, 10), 409],
    ['a part of the wrong type', (r, path) => patch(r, path, THIRD, 2 * THIRD, { type: 'text/plain' }), 415],
    [
      'a part whose place is not signed',
      (r, path) => patch(r, path, THIRD, 2 * THIRD, { sign: { covered: [...SIGNED_PARTS, 'upload-complete'] } }),
      403,
    ],
    ['a part that says nothing of its place', (r, path) => patch(r, path, THIRD, 2 * THIRD, { headers: [] }), 400],
    [
      'more than was said at the beginning',
      (r, path) => patch(r, path, THIRD, 2 * THIRD, { body: Buffer.alloc(body.length) }),
      413,
    ],
    [
      'a beginning that is too long',
      (r) =>
        begin(r, THIRD, {
          headers: [
            ['Upload-Complete', '?0'],
            ['Upload-Length', '999999999999'],
          ],
        }),
      413,
    ],
    [
      'two lengths',
      (r) =>
        begin(r, THIRD, {
          headers: [
            ['Upload-Complete', '?1'],
            ['Upload-Length', '7'],
          ],
        }),
      400,
    ],
    ['a second upload where one is allowed', (r) => begin(r, THIRD), 429],
    ['an upload that is not there', (r) => r.ask('/push/uploads/nothing', { method: 'HEAD' }), 404],
    ['an end that is not signed', (r, path) => r.ask(path, { method: 'DELETE' }), 401],
  ]
for (const [sentence, act, status] of refusals) {
  test(`refused with ${status}, and the upload is as it was: ${sentence}`, async (t) => {
    const receiver = await sampleReceiver(t, { limits: { uploadsPerSite: 1 } })
    const path = pathOf(await begin(receiver, THIRD))
    assert.equal((await act(receiver, path)).status, status)
    assert.equal((await receiver.ask(path, { method: 'HEAD' })).headers['upload-offset'], String(THIRD))
    assert.deepEqual(receiver.errors, [])
  })
}

test('an upload that is given up is gone', async (t) => {
  const receiver = await sampleReceiver(t)
  const path = pathOf(await begin(receiver, THIRD))
  assert.equal((await receiver.push({ method: 'DELETE', path })).status, 204)
  assert.equal((await receiver.ask(path, { method: 'HEAD' })).status, 404)
})

test('an upload that finds no room is kept, and finished when there is', async (t) => {
  const receiver = await sampleReceiver(t, { limits: { queueBytes: 1_500_000, queueItems: 90 } })
  for (let i = 0; i < 4; i++) await receiver.push({ body: warc(['/x'], SITE, 'y'.repeat(50_000)) })
  const path = pathOf(await begin(receiver, THIRD))
  const last = await patch(receiver, path, THIRD, body.length)
  assert.deepEqual([last.status, last.kind], [429, 'over-share'])
  await receiver.service.acknowledged(4)
  assert.equal((await patch(receiver, path, body.length, body.length)).status, 202)
  const items = await receiver.service.read(4, 10)
  assert.deepEqual(
    items.map((item) => digest(item.body)),
    [digest(body)],
  )
})
