/** Everything that a receiver refuses, with its status and what it says; and whatever is sent, it answers and lives on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { PUSH_REFUSALS } from '../../packages/receiver/src/admit/push-refusal.ts'
import {
  AT,
  askRaw,
  dump,
  file,
  KEY,
  notification,
  sampleReceiver,
  signedQuestion,
  SITE,
  STRANGER,
  TOPIC,
  warc,
} from '../../packages/receiver/src/testing/sample-receiver.ts'
import type { Question, Reply, SampleReceiver } from '../../packages/receiver/src/testing/sample-receiver.ts'
import { signingKeyOf } from '@comity/protocol'
import type { ReceiverSettings } from '@comity/receiver'
import { INHERITED } from '../fuzz/fuzz-dictionary.ts'
import { read, rowsIn } from '../repository-tree.ts'

const JSON_TYPE = [['Content-Type', 'application/json']] as const
const post = (body: string | Uint8Array, headers: Question['headers'] = JSON_TYPE): Question => ({
  method: 'POST',
  headers,
  body,
})
const notice = (more: object = {}): string =>
  JSON.stringify({ host: 'a.example', key: KEY, urlList: [`${SITE}/1`], ...more })
const XML = { type: 'application/xml', body: notification() } as const

interface Refused {
  readonly sentence: string
  readonly act: (receiver: SampleReceiver) => Promise<Reply>
  readonly kind: string
  /** Something that `detail` has to say. */
  readonly says: RegExp
  readonly settings?: Partial<ReceiverSettings>
}

/** Send the same until the answer is another; the last counts. */
async function untilRefused(act: () => Promise<Reply>): Promise<Reply> {
  for (let i = 0; i < 100; i++) {
    const reply = await act()
    if (reply.status >= 400) return reply
  }
  throw new Error('it is never refused')
}

/** What five other sites have sent fills most of the room. */
async function fillWithOthers({ service }: SampleReceiver): Promise<void> {
  const item = {
    at: AT,
    door: 'stream',
    scheme: 'changes',
    proof: 'subscription',
    type: 'application/x-ndjson',
  } as const
  for (let n = 0; n < 5; n++) {
    const origin = `https://other${n}.example`
    while ((await service.append({ ...item, origin, body: Buffer.from('{}') })).kind === 'kept');
  }
}

// oxfmt-ignore
const refusals: readonly Refused[] = [
  // ── IndexNow ──────────────────────────────────────────────────────────────────────────────────────────────────
  { sentence: 'IndexNow: no JSON', act: (r) => r.ask('/indexnow', post('{')), kind: 'malformed', says: /JSON/ },
  { sentence: 'IndexNow: another type', act: (r) => r.ask('/indexnow', post(notice(), [['Content-Type', 'text/html']])), kind: 'malformed', says: /application\/json/ },
  { sentence: 'IndexNow: no key', act: (r) => r.ask('/indexnow?url=https://a.example/'), kind: 'malformed', says: /8 to 128/ },
  { sentence: 'IndexNow: a key that is too short', act: (r) => r.ask('/indexnow', post(notice({ key: 'short' }))), kind: 'malformed', says: /8 to 128/ },
  { sentence: 'IndexNow: no addresses', act: (r) => r.ask('/indexnow', post(notice({ urlList: [] }))), kind: 'malformed', says: /urlList/ },
  { sentence: 'IndexNow: too many addresses', act: (r) => r.ask('/indexnow', post(notice({ urlList: Array(10_001).fill(`${SITE}/`) }))), kind: 'malformed', says: /10000/ },
  { sentence: 'IndexNow: an address of another host', act: (r) => r.ask('/indexnow', post(notice({ urlList: ['https://b.example/'] }))), kind: 'foreign', says: /b\.example/ },
  { sentence: 'IndexNow: an address of a subdomain', act: (r) => r.ask('/indexnow', post(notice({ urlList: ['https://www.a.example/'] }))), kind: 'foreign', says: /www/ },
  { sentence: 'IndexNow: an address outside the key’s folder', act: (r) => r.ask('/indexnow', post(notice({ keyLocation: `${SITE}/shop/${KEY}.txt` }))), kind: 'foreign', says: /folder/ },
  { sentence: 'IndexNow: a key file with a query', act: (r) => { r.web.set(`${SITE}/echo.txt?${KEY}`, file(KEY)); return r.ask('/indexnow', post(notice({ keyLocation: `${SITE}/echo.txt?${KEY}` }))) }, kind: 'malformed', says: /without a query/ },
  { sentence: 'IndexNow: a key in a page', act: (r) => { r.web.set(`${SITE}/${KEY}.txt`, { status: 200, headers: [['Content-Type', 'text/html']], body: Buffer.from(KEY) }); return r.ask('/indexnow', post(notice())) }, kind: 'key-file-wrong', says: /text\/plain/ },
  { sentence: 'IndexNow: a key that is not there', act: (r) => r.ask('/indexnow', post(notice({ key: 'invented-key' }))), kind: 'key-file-wrong', says: /answered 404/ },
  { sentence: 'IndexNow: a file that holds another key', act: (r) => { r.web.set(`${SITE}/${KEY}.txt`, file('another')); return r.ask('/indexnow', post(notice())) }, kind: 'key-file-wrong', says: /something else/ },
  { sentence: 'IndexNow: too large', act: (r) => r.ask('/indexnow', post(' '.repeat(20_000))), kind: 'too-large', says: /10000 bytes/, settings: { limits: { maxNoticeBytes: 10_000 } } },
  { sentence: 'IndexNow: another method', act: (r) => r.ask('/indexnow', { method: 'PUT' }), kind: 'method-not-allowed', says: /GET, POST/ },
  // ── WebSub ────────────────────────────────────────────────────────────────────────────────────────────────────
  { sentence: 'WebSub: an unknown callback', act: (r) => r.ask('/websub/guessed', post('<x/>')), kind: 'unknown-callback', says: /Nothing was subscribed/ },
  { sentence: 'WebSub: a verification of what nobody asked for', act: async (r) => { const { token } = await r.subscribed(); return r.ask(`/websub/${token}?hub.mode=unsubscribe&hub.topic=${TOPIC}&hub.challenge=c`) }, kind: 'unknown-callback', says: /not asked for/ },
  { sentence: 'WebSub: a verification of another topic', act: async (r) => { const { token } = await r.subscribed(); return r.ask(`/websub/${token}?hub.mode=subscribe&hub.topic=https://b.example/&hub.challenge=c&hub.lease_seconds=5`) }, kind: 'unknown-callback', says: /not asked for/ },
  { sentence: 'WebSub: a verification without a challenge', act: async (r) => { const { token } = await r.subscribed(); return r.ask(`/websub/${token}?hub.mode=subscribe&hub.topic=${TOPIC}`) }, kind: 'malformed', says: /challenge/ },
  { sentence: 'WebSub: content before it is verified', act: async (r) => { const one = await r.service.subscribe({ origin: SITE, topic: TOPIC, hub: SITE, scheme: 'changes' }); return r.deliver(one!, notification()) }, kind: 'unknown-callback', says: /not verified/ },
  { sentence: 'WebSub: content after the lease', act: async (r) => { const one = await r.subscribed(); r.clock.now += 2 * 86_400_000; return r.deliver(one, notification()) }, kind: 'ended', says: /has ended/ },
  { sentence: 'WebSub: content of another topic', act: async (r) => r.deliver(await r.subscribed(), notification(), { headers: [['Link', `<${SITE}/other>; rel="self"`]] }), kind: 'wrong-topic', says: /other/ },
  { sentence: 'WebSub: content of the wrong type', act: async (r) => r.deliver(await r.subscribed(), 'x', { type: 'text/html' }), kind: 'wrong-type', says: /application\/xml/ },
  { sentence: 'WebSub: a page of another site', act: async (r) => r.deliver(await r.subscribed(), notification(['/'], 'https://b.example')), kind: 'foreign', says: /b\.example/ },
  { sentence: 'WebSub: no notification', act: async (r) => r.deliver(await r.subscribed(), '<html/>'), kind: 'malformed', says: /neither/ },
  // ── signed push ───────────────────────────────────────────────────────────────────────────────────────────────
  { sentence: 'push: not signed', act: (r) => r.ask('/push', post(warc(), [['Content-Type', 'application/warc']])), kind: 'not-signed', says: /http-message-signatures-directory.*IndexNow.*WebSub/s },
  { sentence: 'push: named, and not signed', act: (r) => r.ask('/push', post(warc(), [['Content-Type', 'application/warc'], ['Signature-Agent', `"${SITE}"`]])), kind: 'not-signed', says: /Ed25519/ },
  { sentence: 'push: half a signature', act: (r) => r.ask('/push', post(warc(), [['Content-Type', 'application/warc'], ['Signature-Agent', `"${SITE}"`], ['Signature', 'x']])), kind: 'signature-malformed', says: /two fields/ },
  { sentence: 'push: a stranger’s key', act: (r) => r.push({ body: warc(), sign: { key: signingKeyOf(STRANGER, AT) } }), kind: 'key-unknown', says: /no such key/ },
  { sentence: 'push: forged', act: (r) => r.ask('/push', { ...signedQuestion({ body: warc(), path: '/elsewhere' }, AT, 'n') }), kind: 'forged', says: /not of this message/ },
  { sentence: 'push: an old signature', act: (r) => r.push({ body: warc(), sign: { at: AT - 7_200_000 } }), kind: 'stale', says: /expired/ },
  { sentence: 'push: a signature from the future', act: (r) => r.push({ body: warc(), sign: { at: AT + 7_200_000 } }), kind: 'stale', says: /clock/ },
  { sentence: 'push: one that is good for a day', act: (r) => r.push({ body: warc(), sign: { lifeMs: 86_400_000 } }), kind: 'stale', says: /hour/ },
  { sentence: 'push: the body is not covered', act: (r) => r.push({ body: warc(), sign: { covered: ['@method', '@target-uri', 'content-type'] } }), kind: 'covers-too-little', says: /content-digest/ },
  { sentence: 'push: another body', act: (r) => r.ask('/push', { ...signedQuestion({ body: warc() }, AT, 'n'), body: warc(['/2']) }), kind: 'wrong-digest', says: /Content-Digest/ },
  { sentence: 'push: the same request again', act: async (r) => { const one = signedQuestion({ body: warc() }, AT, 'n'); await r.ask('/push', one); return r.ask('/push', one) }, kind: 'replayed', says: /sign each one anew/ },
  { sentence: 'push: a page of another site', act: (r) => r.push({ body: warc(['/'], 'https://b.example') }), kind: 'foreign', says: /b\.example/ },
  { sentence: 'push: a dump of another site', act: (r) => r.push({ body: dump(['/'], 'changedump-manifest', 'https://b.example'), type: 'application/zip' }), kind: 'foreign', says: /b\.example/ },
  { sentence: 'push: members without end that hold nothing', act: (r) => r.push({ body: Buffer.alloc(20 * 60_000, gzipSync('')) }), kind: 'too-much-work', says: /Send less at a time/ },
  { sentence: 'push: no WARC', act: (r) => r.push({ body: 'words' }), kind: 'malformed', says: /WARC/ },
  { sentence: 'push: the wrong type', act: (r) => r.push({ body: 'words', type: 'text/html' }), kind: 'wrong-type', says: /text\/html/ },
  { sentence: 'push: a coding that nobody asked for', act: (r) => r.push({ ...XML, headers: [['Content-Encoding', 'br']] }), kind: 'wrong-type', says: /Content-Encoding/ },
  { sentence: 'push: too large', act: (r) => r.push({ body: warc(['/'], SITE, 'x'.repeat(30_000)) }), kind: 'too-large', says: /20000 bytes/, settings: { limits: { maxBodyBytes: 20_000 } } },
  { sentence: 'push: keys that cannot be had', act: (r) => { r.web.clear(); return r.push(XML) }, kind: 'unreachable', says: /answered 404/ },
  { sentence: 'push: signed before the receiver started', act: (r) => r.push({ ...XML, sign: { at: AT - 10_000 } }), kind: 'unreachable', says: /sign it again/ },
  // ── control stays with the crawler ────────────────────────────────────────────────────────────────────────────
  { sentence: 'a site that nobody wants to hear', act: (r) => r.push(XML), kind: 'not-wanted', says: /does not listen/, settings: { strangersPriority: 0 } },
  { sentence: 'a site that sends too much', act: (r) => untilRefused(() => r.push(XML)), kind: 'too-often', says: /several changes in one request/, settings: { limits: { site: { perSecond: 1, burst: 2 } } } },
  { sentence: 'a site whose share is full', act: (r) => untilRefused(() => r.push(XML)), kind: 'over-share', says: /still to be read/, settings: { limits: { queueItems: 10, queueBytes: 100_000 } } },
  { sentence: 'a site that matters little, when much waits', act: async (r) => { await fillWithOthers(r); await r.service.setPriorities([[SITE, 0.01]]); return r.push(XML) }, kind: 'busy', says: /matter most/, settings: { limits: { queueItems: 100, queueBytes: 100_000 } } },
  { sentence: 'an inbox that is full', act: (r) => untilRefused(() => r.push(XML)), kind: 'full', says: /takes all the room/, settings: { inbox: { maxItems: 3 } } },
  { sentence: 'an address from which nothing good comes', act: async (r) => { for (let i = 0; i < 3; i++) await r.ask('/nothing'); return r.ask('/indexnow?url=https://a.example/&key=aaaaaaaa') }, kind: 'stranger', says: /Read why/, settings: { limits: { stranger: { perSecond: 1, burst: 3 } } } },
  { sentence: 'an address that names host after host', act: async (r) => { await r.ask('/indexnow?url=https://one.example/&key=aaaaaaaa'); return r.ask('/indexnow?url=https://two.example/&key=aaaaaaaa') }, kind: 'too-many-look-ups', says: /nobody here knows/, settings: { limits: { strangeHosts: { one: { perSecond: 1, burst: 1 }, all: { perSecond: 1, burst: 9 } } } } },
  { sentence: 'no room for bodies', act: (r) => r.ask('/indexnow', post(' '.repeat(20_000))), kind: 'busy', says: /at once/, settings: { limits: { memoryBytes: 10_000 } } },
  // ── the rest ──────────────────────────────────────────────────────────────────────────────────────────────────
  { sentence: 'a place that is not there', act: (r) => r.ask('/admin'), kind: 'not-found', says: /GET \// },
  { sentence: 'an upload that is not there', act: (r) => r.ask('/push/uploads/guessed'), kind: 'not-found', says: /begin it again/ },
  { sentence: 'a URL that is too long', act: (r) => r.ask(`/${'x'.repeat(9_000)}`), kind: 'url-too-long', says: /8192/ },
]

for (const { sentence, act, kind, says, settings } of refusals) {
  const [status] = PUSH_REFUSALS[kind as keyof typeof PUSH_REFUSALS]
  test(`${sentence}: ${status} ${kind}`, async (t) => {
    const receiver = await sampleReceiver(t, settings)
    const reply = await act(receiver)
    assert.deepEqual([reply.kind, reply.status], [kind, status])
    const problem = JSON.parse(reply.text) as { readonly detail: string; readonly status: number }
    assert.match(problem.detail, says)
    assert.equal(problem.status, status)
    assert.equal(reply.headers['content-type'], 'application/problem+json; charset=utf-8')
    if (status === 429 || status === 503) assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/)
    if (status === 401) assert.match(String(reply.headers['accept-signature']), /tag="comity-push"/)
    const { totals } = await receiver.service.figures()
    assert.ok((totals.refused[kind as keyof typeof PUSH_REFUSALS] ?? 0) >= 1, 'it is counted')
    assert.deepEqual(receiver.errors, [])
  })
}

test('every kind of refusal is in the table above, but for our own faults', () => {
  const shown = new Set(refusals.map(({ kind }) => kind))
  // Those of gateways are in `routes/gateway.test.ts`.
  const elsewhere = new Set(['internal', 'stopping', 'gateway-unknown', 'host-refused', 'unreadable'])
  // Those of who comes too slowly or too much at once in `receiver-strangers.test.ts`, with what never becomes a request.
  elsewhere.add('too-slow').add('too-much-at-once').add('head-too-large').add('too-many-connections')
  assert.deepEqual(
    Object.keys(PUSH_REFUSALS).filter((kind) => !shown.has(kind) && !elsewhere.has(kind)),
    [],
  )
})

test('docs/receive.md lists every kind of refusal with its status, and no other', () => {
  const listed = rowsIn(read('docs/receive.md')).flatMap(([status = '', kinds = '']) =>
    /^\d{3}$/.test(status) ? [...kinds.matchAll(/`([a-z-]+)`/g)].map(([, kind]) => `${status} ${kind}`) : [],
  )
  const known = Object.entries(PUSH_REFUSALS).map(([kind, [status]]) => `${status} ${kind}`)
  assert.deepEqual(listed.toSorted(), known.toSorted())
})

test('a receiver that stops finishes what it is doing, and says that it stops', async (t) => {
  const receiver = await sampleReceiver(t)
  const sending = Promise.all(
    Array.from({ length: 20 }, (_, i) => receiver.push({ body: warc([`/${i}`]) }).catch(() => undefined)),
  )
  await receiver.service.close()
  const replies = await sending
  const kept = replies.filter((reply) => reply?.status === 202).length
  const again = await sampleReceiver(t, { dir: receiver.dir })
  assert.ok((await again.items()).length >= kept)
  for (const reply of replies) if (reply !== undefined) assert.match(String(reply.status), /^(?:202|503)$/)
})

test('a bug of ours, or a disk that fails, is a 500 that says nothing, and is told to whoever watches', async (t) => {
  const receiver = await sampleReceiver(t)
  // The inbox is closed under it, as a disk that fails would be.
  const { service } = receiver
  await service.append({
    at: AT,
    origin: SITE,
    door: 'stream',
    scheme: 'changes',
    proof: 'subscription',
    type: 'x',
    body: Buffer.from(''),
  })
  Object.defineProperty(receiver.web, 'get', {
    value: () => {
      throw new Error('secret words of the inside')
    },
  })
  const reply = await receiver.ask('/indexnow', post(notice()))
  assert.deepEqual([reply.status, reply.kind], [500, 'internal'])
  assert.doesNotMatch(reply.text, /secret/)
  assert.match(String(receiver.errors[0]), /secret words/)
})

// ── fuzz ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const HANG_MS = 5_000
const RUNS = 400

const places = (token: string, upload: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      '/indexnow',
      `/websub/${token}`,
      '/push',
      upload,
      '/',
      '/.well-known/http-message-signatures-directory',
    ),
    fc.constantFrom('/websub/', '/push/', '/push/uploads/', '/push/uploads/../../x', '//', '/%00', '*'),
    fc.webPath(),
    fc.string({ maxLength: 40 }),
  )
const queries = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'url',
        'key',
        'keyLocation',
        'hub.mode',
        'hub.topic',
        'hub.challenge',
        'hub.lease_seconds',
        'hub.reason',
      ),
      fc.oneof(
        fc.constantFrom('subscribe', 'denied', KEY, SITE, TOPIC, '-1', '1e99', '%ff'),
        fc.constantFrom(...INHERITED),
        fc.webUrl(),
        fc.string({ maxLength: 50 }),
      ),
    ),
    { maxLength: 5 },
  )
  .map((all) =>
    new URLSearchParams(all.map(([name, value]): [string, string] => [name, value.toWellFormed()])).toString(),
  )
const fields = fc.array(
  fc.tuple(
    fc.constantFrom(
      'Content-Type',
      'Content-Encoding',
      'Content-Digest',
      'Repr-Digest',
      'Signature',
      'Signature-Input',
      'Signature-Agent',
      'Link',
      'X-Hub-Signature',
      'Upload-Complete',
      'Upload-Offset',
      'Upload-Length',
      'Upload-Limit',
      'Expect',
      'Transfer-Encoding',
      'X-Forwarded-For',
    ),
    fc.oneof(
      fc.constantFrom(...INHERITED),
      fc.constantFrom(
        'application/json',
        'application/xml',
        'application/warc',
        'application/zip',
        'application/partial-upload',
        'gzip',
        '?0',
        '?1',
        '0',
        '7',
        '99999999999999999999',
        'sha-256=:AAAA:',
        'sig1=:AAAA:',
        'sig1=("@method");created=1;keyid="a"',
        `"${SITE}"`,
        `sig1="${SITE}"`,
        `<${TOPIC}>; rel="self"`,
        'sha256=00',
        '100-continue',
        'chunked',
      ),
      fc.string({ unit: 'binary', maxLength: 60 }),
    ),
  ),
  { maxLength: 8 },
)
const methods = fc.oneof(
  fc.constantFrom('GET', 'POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'PUT', 'TRACE'),
  fc.string({ maxLength: 8 }),
)
const bodies = fc.oneof(
  fc.constant(''),
  fc.json(),
  fc.constantFrom(notice(), notification(), warc().toString('latin1'), dump().toString('latin1')),
  fc.string({ unit: 'binary', maxLength: 300 }),
)

async function answers(port: number, request: string | Uint8Array): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the receiver hangs')), HANG_MS)
  })
  const text = await Promise.race([askRaw(port, request), late])
  clearTimeout(timer)
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status!)
}

test('random requests to every door are answered, never with a 500, and the receiver lives on', async (t) => {
  const limits = { stranger: { perSecond: 1e6, burst: 1e6 }, idleTimeoutMs: 1_000 }
  const receiver = await sampleReceiver(t, { limits })
  const { token } = await receiver.subscribed()
  const begun = await receiver.push({
    body: warc(),
    headers: [
      ['Upload-Complete', '?0'],
      ['Upload-Length', '5000'],
    ],
  })
  const upload = new URL(String(begun.headers.location)).pathname
  const requests = fc
    .record({ method: methods, path: places(token, upload), query: queries, lines: fields, body: bodies })
    .map(({ method, path, query, lines, body }) => {
      const target = query === '' ? path : `${path}?${query}`
      const bytes = Buffer.from(body, 'latin1')
      const length = lines.some(([name]) => name === 'Transfer-Encoding') ? '' : `Content-Length: ${bytes.length}\r\n`
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      return Buffer.concat([
        Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${head}${length}Connection: close\r\n\r\n`, 'latin1'),
        bytes,
      ])
    })
  let answered = 0
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const statuses = await answers(receiver.port, request)
      for (const status of statuses) assert.notEqual(status, '500')
      answered += Math.min(1, statuses.length)
    }),
    { numRuns: RUNS },
  )
  assert.ok(answered > 0.7 * RUNS, `${answered} of ${RUNS}`)
  assert.deepEqual(receiver.errors, [])
  assert.equal((await receiver.push(XML)).status, 202)
  for (const item of await receiver.items()) assert.equal(item.origin, SITE)
})

test('random bytes are answered with a 400 or nothing', async (t) => {
  const receiver = await sampleReceiver(t)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
      for (const status of await answers(receiver.port, bytes)) assert.match(status, /^4/)
    }),
    { numRuns: 60 },
  )
  assert.deepEqual(receiver.errors, [])
})

test('whatever is changed of a signed request, it is refused or says the same', async (t) => {
  const receiver = await sampleReceiver(t, {
    limits: { stranger: { perSecond: 1e6, burst: 1e6 }, site: { perSecond: 1e6, burst: 1e6 } },
  })
  let count = 0
  const change = fc.record({
    at: fc.nat(),
    value: fc.integer({ min: 33, max: 126 }),
    field: fc.nat(5),
    isBody: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ at, value, field, isBody }) => {
      const question = signedQuestion({ body: warc([`/${count}`]) }, AT, `fuzz ${count++}`)
      const body = Buffer.from(question.body ?? '')
      const headers = (question.headers ?? []).map(([name, text]) => [name, text] as [string, string])
      if (isBody) body[at % body.length] = value
      else {
        const chosen = headers[field % headers.length]!
        const place = at % chosen[1].length
        chosen[1] = chosen[1].slice(0, place) + String.fromCharCode(value) + chosen[1].slice(place + 1)
      }
      const reply = await receiver.ask('/push', { ...question, headers, body })
      // Nothing was changed after all, or only what is not signed: the agent's label.
      if (reply.status === 202) return
      assert.ok(reply.status >= 400 && reply.status < 600 && reply.status !== 500, String(reply.status))
    }),
    { numRuns: 150 },
  )
  for (const item of await receiver.items())
    assert.ok(Buffer.from(item.body).toString('latin1').includes(`WARC-Target-URI: ${SITE}/`))
  assert.deepEqual(receiver.errors, [])
})
