import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { botClaims, newKeyRing, readKeySet, rotateKeyRing, verifyBot, writeKeySet } from '@comity/protocol'
import type { HeaderList, KeyRing } from '@comity/protocol'
import { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'
import { CrawlerIdentity } from './crawler-identity.ts'
import { crawlDefaults } from '../options.ts'

const AT = Date.UTC(2026, 0, 1)
const agent = 'https://crawler.example/keys.json'
const seed = (number: number): Uint8Array => new Uint8Array(32).fill(number)

function verdictOf(message: { method: string; url: string; headers: HeaderList }, ring: KeyRing, body?: Uint8Array) {
  const claims = botClaims(message.headers)
  assert.equal(claims.kind, 'claimed')
  const set = readKeySet(Buffer.from(writeKeySet(ring)))
  assert.ok('keys' in set)
  return verifyBot(message, claims.claims[0]!, { keyOf: (id) => set.keys.get(id), at: AT, skewMs: 0, body })
}

/** A server that keeps what it was asked, and a connection to it. */
async function asked(
  identity: CrawlerIdentity | undefined,
  requests: readonly { path: string; method?: 'GET' | 'QUERY' | 'POST'; body?: string }[],
): Promise<{ message: { method: string; url: string; headers: HeaderList }; body: Buffer }[]> {
  const seen: { incoming: IncomingMessage; body: Buffer }[] = []
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      seen.push({ incoming, body: Buffer.concat(chunks) })
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { limits } = crawlDefaults
  const budget = new ByteBudget(Infinity)
  const connection = new Connection({
    origin,
    address: '127.0.0.1',
    limits,
    budget,
    now: () => AT,
    insecureTls: false,
    identity,
  })
  for (const { path, ...more } of requests) await connection.request(path, { 'user-agent': 'bot/1' }, more)
  await connection.close()
  server.close()
  server.closeAllConnections()
  return seen.map(({ incoming, body }) => {
    const { method = '', url = '', headers } = incoming
    const list = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    return { message: { method, url: origin + url, headers: list }, body }
  })
}

test('every request of a connection is signed for what it is, each with its own signature', async () => {
  const ring = newKeyRing(seed(1), 0)
  const identity = new CrawlerIdentity({ ring: () => ring, agent })
  const got = await asked(identity, [
    { path: '/robots.txt' },
    { path: '/page?a=1&b=%20' },
    { path: '/.well-known/batch', method: 'QUERY', body: '{"url":"x"}\n' },
  ])
  assert.equal(got.length, 3)
  for (const { message, body } of got) assert.equal(verdictOf(message, ring, body).kind, 'valid')
  const signatures = got.map(({ message }) => message.headers.find(([name]) => name === 'signature')?.[1])
  assert.equal(new Set(signatures).size, 3)
})

test('without an identity nothing is added', async () => {
  const [one] = await asked(undefined, [{ path: '/' }])
  assert.ok(one!.message.headers.every(([name]) => !name.startsWith('signature')))
})

test('keys that are rotated while a crawl runs are used from the next request on', async () => {
  let ring = newKeyRing(seed(1), 0)
  const identity = new CrawlerIdentity({ ring: () => ring, agent })
  const keyOf = (): string | undefined => {
    const claims = botClaims(identity.sign({ method: 'GET', url: 'https://a.example/' }, AT))
    return claims.kind === 'claimed' ? claims.claims[0]?.keyId : undefined
  }
  const before = keyOf()
  ring = rotateKeyRing(ring, seed(2), AT, { leadMs: 0, overlapMs: 1_000 })
  assert.notEqual(keyOf(), before)
})

test('nothing that is printed of an identity holds its key', () => {
  const ring = newKeyRing(seed(1), 0)
  const { d = '' } = ring[0].privateKey.export({ format: 'jwk' })
  const identity = new CrawlerIdentity({ ring: () => ring, agent })
  const printed = `${JSON.stringify(identity)} ${inspect(identity, { depth: 9, showHidden: true })} ${inspect(ring, { depth: 9 })} ${JSON.stringify(ring)}`
  assert.ok(!printed.includes(d) && !printed.includes(Buffer.from(d, 'base64url').toString('hex')))
})

for (const wrong of [
  'crawler.example',
  'ftp://crawler.example/',
  'https://u:p@crawler.example/',
  'https://crawler.example/ä',
]) {
  test(`${wrong} is no place for keys`, () => {
    const ring = newKeyRing(seed(1), 0)
    assert.throws(() => new CrawlerIdentity({ ring: () => ring, agent: wrong }), { code: 'OPTION_INVALID' })
  })
}
