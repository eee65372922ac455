/**
 * Fields of a push: whatever is changed of a request on its way, in its head or its target, either it is not taken, or it is
 * taken as it was meant. The table below has every way to speak and every field that a receiver reads, or might be made to.
 *
 * IndexNow is not in it: its key is a password that stands in the request, so whoever can change the request can write another.
 * That is the protocol's; what it can say is that some address of the key's folder is worth a look, and no more.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  contentDigest,
  hubLinks,
  hubSignature,
  KEY_DIRECTORY_PATH,
  writeDigestField,
  GATEWAY_BATCH_TYPE,
  GATEWAY_PATH,
  signingKeyOf,
  writeGatewayBatch,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { amount } from '@comity/protocol/testing'
import { pushSigner } from '@comity/site'
import {
  AT,
  dump,
  HUB,
  notification,
  PUBLIC,
  RING,
  sampleReceiver,
  SITE,
  TOPIC,
  warc,
} from './testing/sample-receiver.ts'
import type { Question, SampleReceiver } from './testing/sample-receiver.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-receiver-fields-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
const gateways = join(scratch, 'gateways.json')
const { kty, crv, x } = signingKeyOf(RING, AT).publicKey.export({ format: 'jwk' })
writeFileSync(gateways, JSON.stringify({ gateways: [{ name: 'north', key: { kty, crv, x }, hosts: ['*.example'] }] }))

const OTHER = 'https://b.example'
const ROWS = '{"kind":"page"}\n'
const PACKAGE = dump(['/1'])

interface Sent {
  readonly path: string
  readonly method: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** What a site's own kit sends, signed by it. */
function signed(receiver: SampleReceiver, request: Omit<Sent, 'headers'>, fields: HeaderList): Sent {
  const headers: HeaderList = [...fields, ['Content-Digest', contentDigest(request.body)]]
  const sign = pushSigner({ ring: () => RING }, () => receiver.clock.now)
  const { method, path } = request
  return { ...request, headers: [...headers, ...sign({ method, url: `${PUBLIC}${path}`, headers })] }
}

const pushOf =
  (type: string, body: Uint8Array, fields: HeaderList) =>
  (receiver: SampleReceiver): Sent =>
    signed(receiver, { method: 'POST', path: '/push', body }, [['Content-Type', type], ...fields])

const self = (topic: string): [string, string] => ['Link', hubLinks([HUB], topic)]

async function begun(receiver: SampleReceiver): Promise<string> {
  const body = PACKAGE.subarray(0, 100)
  const headers: HeaderList = [
    ['Content-Type', 'application/zip'],
    self(`${SITE}/push/batches`),
    ['Upload-Complete', '?0'],
    ['Upload-Length', String(PACKAGE.length)],
  ]
  const { headers: told } = await send(receiver, signed(receiver, { method: 'POST', path: '/push', body }, headers))
  return String(told.location).slice(PUBLIC.length)
}

const callbackOf =
  (scheme: 'changes' | 'agent' | 'batches', type: string, body: Uint8Array, fields: HeaderList = []) =>
  async (receiver: SampleReceiver): Promise<Sent> => {
    const { token, secret, topic } = await receiver.subscribed(scheme)
    const own: HeaderList = [
      ['Content-Type', type],
      ['Link', hubLinks([HUB], topic)],
      ['X-Hub-Signature', hubSignature(secret, body)],
    ]
    return { method: 'POST', path: `/websub/${token}`, headers: [...own, ...fields], body }
  }

let batches = 0
/** Each number of a run is taken once. */
const batchOf = (): Uint8Array =>
  writeGatewayBatch({
    run: 'run-of-north',
    number: ++batches,
    from: AT - 60_000,
    to: AT,
    postings: new Uint8Array(0),
    pages: new Uint8Array(0),
    hits: [{ url: `${SITE}/`, readers: 1, robots: 0 }],
    seen: [],
    gone: [],
    figures: { pages: 0, htmlBytes: 0, skipped: {} },
  })

const WAYS: [way: string, make: (receiver: SampleReceiver) => Sent | Promise<Sent>][] = [
  ['pages, signed', pushOf('application/warc', warc(), [self(`${SITE}/push/differences`)])],
  ['a notice, signed', pushOf('application/xml', Buffer.from(notification()), [self(`${SITE}/push/changes`)])],
  ['a dump, signed', pushOf('application/zip', PACKAGE, [self(`${SITE}/push/batches`)])],
  ['what an agent said, signed', pushOf('application/x-ndjson', Buffer.from(ROWS), [self(`${SITE}/push/agent`)])],
  ['pages, signed, by an agent’s name', pushOf('application/warc', warc(), [['Signature-Agent', `"${SITE}"`]])],
  [
    'the beginning of an upload, signed',
    pushOf('application/zip', PACKAGE.subarray(0, 100), [
      self(`${SITE}/push/batches`),
      ['Repr-Digest', writeDigestField(PACKAGE)],
      ['Upload-Complete', '?0'],
      ['Upload-Length', String(PACKAGE.length)],
    ]),
  ],
  [
    'the rest of an upload, signed',
    async (receiver) => {
      const path = await begun(receiver)
      const fields: HeaderList = [
        ['Content-Type', 'application/partial-upload'],
        ['Upload-Complete', '?1'],
        ['Upload-Offset', '100'],
      ]
      return signed(receiver, { method: 'PATCH', path, body: PACKAGE.subarray(100) }, fields)
    },
  ],
  [
    'a middle of an upload, signed',
    async (receiver) => {
      const path = await begun(receiver)
      const fields: HeaderList = [
        ['Content-Type', 'application/partial-upload'],
        ['Upload-Complete', '?0'],
        ['Upload-Offset', '100'],
      ]
      return signed(receiver, { method: 'PATCH', path, body: PACKAGE.subarray(100, 200) }, fields)
    },
  ],
  [
    'the end of an upload, signed',
    async (receiver) =>
      signed(receiver, { method: 'DELETE', path: await begun(receiver), body: Buffer.alloc(0) }, [
        ['Content-Type', 'application/partial-upload'],
      ]),
  ],
  [
    'a batch of a gateway',
    (receiver) =>
      signed(receiver, { method: 'POST', path: GATEWAY_PATH, body: batchOf() }, [['Content-Type', GATEWAY_BATCH_TYPE]]),
  ],
  ['a notice by a callback', callbackOf('changes', 'application/xml', Buffer.from(notification()))],
  ['what an agent said by a callback', callbackOf('agent', 'application/x-ndjson', Buffer.from(ROWS))],
  ['pages by a callback', callbackOf('agent', 'application/warc', warc())],
  ['a dump by a callback', callbackOf('batches', 'application/zip', PACKAGE)],
]

// oxfmt-ignore
const FIELDS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Content-Type', ['application/xml', 'application/atom+xml', 'application/warc', 'application/zip', 'application/x-ndjson', 'application/partial-upload', 'application/vnd.comity.gateway-batch', 'text/html', 'constructor']],
  ['Content-Encoding', ['gzip', 'br', 'identity', '__proto__']],
  ['Link', [hubLinks([HUB], `${SITE}/push/site`), hubLinks([HUB], `${OTHER}/push/pages`), hubLinks([`${OTHER}/hub`], TOPIC), '<x']],
  ['Signature-Agent', [`"${OTHER}"`, `sig1="${OTHER}"`, `sig1="${SITE}", sig2="${OTHER}"`, `a="x", b="${OTHER}"`]],
  ['Upload-Complete', ['?0', '?1']],
  ['Upload-Offset', ['0', '50', '100', '150']],
  ['Upload-Length', ['50', '200', '100000']],
  ['Upload-Limit', ['max-size=1']],
  ['Content-Digest', [contentDigest(Buffer.from('another'))]],
  ['Repr-Digest', [writeDigestField(Buffer.from('another'))]],
  ['X-Hub-Signature', ['sha256=00', `sha256=${'ab'.repeat(32)}`]],
  ['X-HTTP-Method-Override', ['DELETE']], ['X-Original-URL', ['/websub/x']], ['X-Forwarded-For', ['192.0.2.9']],
  ['X-Forwarded-Host', ['b.example']], ['Forwarded', ['for=192.0.2.9;host=b.example']], ['Host', ['b.example']],
  ['Content-Location', [`${OTHER}/`]], ['Content-Range', ['bytes 0-1/2']], ['If-None-Match', ['*']], ['A-IM', ['vcdiff']],
  ['IM', ['vcdiff']], ['Delta-Base', ['"x"']], ['WARC-Target-URI', [`${OTHER}/`]], ['Date', ['Thu, 01 Jan 1970 00:00:00 GMT']],
  ['Authorization', ['Basic eDp5']], ['Cookie', ['a=b']],
]

/** All that is kept, and all that is half here. */
async function stateOf({ items, dir }: SampleReceiver): Promise<Map<string, unknown>> {
  const kept = (await items()).map(({ number, origin, door, scheme, proof, type, body }): [string, unknown] => {
    // Of batches each is another.
    const same = door === 'gateway' ? '' : hash(body)
    return [`kept ${number}`, { origin, door, scheme, proof, type, body: same }]
  })
  const folder = join(dir, 'uploads')
  const half = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return new Map([...kept, ...half.map((name): [string, unknown] => [`half ${name}`, halfOf(folder, name)])])
}

function halfOf(folder: string, name: string): unknown {
  const record = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
  const { origin, door, scheme, type, topic, digest, length, isDone } = record
  const body = isDone === true ? '' : hash(readFileSync(join(folder, name.replace('.json', '.bin'))))
  return { origin, door, scheme, type, topic, digest, length, isDone, body }
}

/** What is there that was not there before. */
function news(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>, of: string): string {
  const rows = [...now].filter(([name]) => !before.has(name) && name.startsWith(of)).map(([, row]) => row)
  return JSON.stringify(rows)
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const send = (receiver: SampleReceiver, { path, ...question }: Sent): ReturnType<SampleReceiver['ask']> =>
  receiver.ask(path, question satisfies Question)

type Change = readonly [sentence: string, change: (sent: Sent) => Sent]

const without = ({ headers, ...sent }: Sent, name: string): Sent => ({
  ...sent,
  headers: headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()),
})

/** Another in its place, another behind it. */
const changesOf = (name: string, value: string): Change[] => [
  [`${name}: ${value}`, (sent) => ({ ...sent, headers: [...without(sent, name).headers, [name, value]] })],
  [`another ${name}: ${value}`, (sent) => ({ ...sent, headers: [...sent.headers, [name, value]] })],
]

const CHANGES: readonly Change[] = [
  ...FIELDS.map(([name]): Change => [`without ${name}`, (sent) => without(sent, name)]),
  ...FIELDS.flatMap(([name, values]) => values.flatMap((value) => changesOf(name, value))),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Change => [`as ${method}`, (sent) => ({ ...sent, method })]),
  ['with a query', (sent) => ({ ...sent, path: `${sent.path}?scheme=site` })],
  ['to another path', (sent) => ({ ...sent, path: sent.path === '/push' ? '/gateway' : '/push' })],
]

/** Each way is tried with some, and among all ways each comes several times; `npm run torture:push` tries every one with each. */
const STEP = amount(3, 1)

const LIMITS = {
  stranger: { perSecond: 1e6, burst: 1e6 },
  site: { perSecond: 1e6, burst: 1e6 },
  uploadsPerSite: 1e6,
  uploadsBytes: 1e12,
}

for (const [at, [way, make]] of WAYS.entries()) {
  test(`changed on its way: ${way}`, { timeout: 300_000 }, async (t) => {
    const receiver = await sampleReceiver(t, { limits: LIMITS, gateways })
    // One who runs two sites may sign for both with one key.
    receiver.web.set(`${OTHER}${KEY_DIRECTORY_PATH}`, receiver.web.get(`${SITE}${KEY_DIRECTORY_PATH}`)!)
    // Of what comes by a callback the hub signs the body alone: what is half here proves nothing yet, and is nothing yet.
    const looked = way.includes('callback') ? 'kept' : ''
    const attempt = async (
      change: (sent: Sent) => Sent,
    ): Promise<{ status: number; none: string; outcome: string }> => {
      // A large item is read alone, so those before are done with.
      const { inbox } = await receiver.service.figures()
      await receiver.service.acknowledged(inbox.last)
      const before = await stateOf(receiver)
      const sent = await make(receiver)
      const none = news(before, await stateOf(receiver), looked)
      const { status } = await send(receiver, change(sent))
      return { status, none, outcome: news(before, await stateOf(receiver), looked) }
    }
    const meant = await attempt((sent) => sent)
    assert.ok(meant.status < 300 && (meant.outcome !== meant.none || way.startsWith('the end')), String(meant.status))
    for (const [sentence, change] of CHANGES.filter((_, n) => n % STEP === at % STEP)) {
      const { status, none, outcome } = await attempt(change)
      const isRefused = outcome === none || (status >= 400 && outcome === '[]')
      const said = `${sentence} (${status}):\n${outcome}\nwhere it meant\n${meant.outcome}`
      assert.ok(outcome === meant.outcome || isRefused, said)
    }
    assert.deepEqual(receiver.errors, [])
  })
}
