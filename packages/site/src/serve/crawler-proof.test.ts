import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { signMessage, WEB_BOT_AUTH_TAG, newKeyRing } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { CrawlerProof } from './crawler-proof.ts'
import type { CrawlerProofOptions, CrawlerVerdict } from './crawler-proof.ts'
import { SignedCrawler } from '../testing/signed-crawler-fixture.ts'

const AT = Date.UTC(2026, 0, 1)
const ORIGIN = 'https://a.example'

function bench(options: CrawlerProofOptions = {}) {
  let now = AT
  const crawler = new SignedCrawler(1, AT)
  const fetchKeys = async (): ReturnType<NonNullable<CrawlerProofOptions['fetchKeys']>> => crawler.directory(now)
  const proof = new CrawlerProof(ORIGIN, { fetchKeys, skewMs: 5_000, ...options })
  const ask = async (headers: HeaderList, path = '/sitemap.xml', method = 'GET'): Promise<CrawlerVerdict> =>
    await proof.verdict({ method, path, headers }, now)
  return { crawler, proof, ask, go: (ms: number) => (now += ms), at: () => now }
}

const proven = { kind: 'proven', agent: 'https://crawler.example/keys.json', host: 'crawler.example' }

test('a crawler that signs is known by the place of its keys, which are fetched once', async () => {
  const { crawler, ask, at } = bench()
  assert.deepEqual(await ask(crawler.sign(at())), proven)
  assert.deepEqual(await ask(crawler.sign(at())), proven)
  assert.equal(crawler.fetched, 1)
})

test('whoever does not sign is nobody, and no keys are fetched', async () => {
  const { crawler, ask } = bench()
  assert.deepEqual(await ask([['User-Agent', 'Googlebot']]), { kind: 'unsigned' })
  assert.equal(crawler.fetched, 0)
})

test('a signature with a nonce is taken once, also for what is safe', async () => {
  const { crawler, ask, at, go } = bench()
  const headers = crawler.sign(at())
  assert.equal((await ask(headers)).kind, 'proven')
  go(1_000)
  assert.equal((await ask(headers)).kind, 'replayed')
})

test('while clocks may differ a signature that has expired is still taken, and still once', async () => {
  const { crawler, ask, at, go } = bench()
  const headers = crawler.sign(at(), { lifeMs: 10_000 })
  assert.equal((await ask(headers)).kind, 'proven')
  go(14_000)
  assert.equal((await ask(headers)).kind, 'replayed')
  go(2_000)
  assert.equal((await ask(headers)).kind, 'refused')
})

test('a signature from before the site started may have been seen, so it is not taken', async () => {
  const crawler = new SignedCrawler(1, AT)
  const fetchKeys = async (): Promise<ReturnType<SignedCrawler['directory']>> => crawler.directory(AT)
  const proof = new CrawlerProof(ORIGIN, { fetchKeys }, AT)
  const ask = async (headers: HeaderList): Promise<string> =>
    (await proof.verdict({ method: 'GET', path: '/sitemap.xml', headers }, AT)).kind
  assert.equal(await ask(crawler.sign(AT - 1_000)), 'replayed')
  assert.equal(await ask(crawler.sign(AT)), 'proven')
})

/** As the draft allows: for the host alone, and without a nonce. */
function reusable(number: number, agent: string): HeaderList {
  const key = newKeyRing(new Uint8Array(32).fill(number), AT)[0]
  const headers: HeaderList = [['Signature-Agent', `sig1="${agent}"`]]
  const covered = ['@authority', 'signature-agent;key="sig1"']
  const message = { method: 'GET', url: `${ORIGIN}/`, headers }
  return [...headers, ...signMessage(message, { key, at: AT, lifeMs: 60_000, covered, tag: WEB_BOT_AUTH_TAG })]
}

test('a signature without a nonce may come again for what is safe, and not for what is not', async () => {
  const { crawler, ask } = bench()
  const headers = reusable(1, crawler.agent)
  assert.equal((await ask(headers)).kind, 'proven')
  assert.equal((await ask(headers, '/metadata/changelist.xml')).kind, 'proven')
  assert.equal((await ask(headers, '/.well-known/x', 'POST')).kind, 'proven')
  assert.equal((await ask(headers, '/.well-known/x', 'POST')).kind, 'replayed')
})

test('after a rotation both keys are known for a while, then only the new one', async () => {
  const { crawler, ask, at, go } = bench()
  const before = crawler.sign(at(), { lifeMs: 3_600_000, nonce: 'before' })
  const late = crawler.sign(at(), { lifeMs: 3_600_000, nonce: 'late' })
  await ask(crawler.sign(at()))
  go(61_000)
  crawler.rotate(2, at())
  assert.equal((await ask(crawler.sign(at()))).kind, 'proven')
  assert.equal((await ask(before)).kind, 'proven')
  assert.equal(crawler.fetched, 2)
  go(61_000)
  assert.equal((await ask(crawler.sign(at()))).kind, 'proven')
  assert.equal((await ask(late)).kind, 'refused')
})

const refusals: [sentence: string, make: (crawler: SignedCrawler) => HeaderList, message: RegExp][] = [
  ['by a key that is not published there', () => reusable(9, 'https://crawler.example/keys.json'), /has no such key/],
  ['for another page', (crawler) => crawler.sign(AT, { path: '/other' }), /not of this message/],
  ['for another site', (crawler) => crawler.sign(AT, { origin: 'https://b.example' }), /not of this message/],
  ['for another method', (crawler) => crawler.sign(AT, { method: 'POST' }), /not of this message/],
  ['of yesterday', (crawler) => crawler.sign(AT - 86_400_000), /has expired/],
  ['of tomorrow', (crawler) => crawler.sign(AT + 86_400_000), /from the future/],
  ['for a week', (crawler) => crawler.sign(AT, { lifeMs: 7 * 86_400_000 }), /more than a day/],
  ['without the fields that belong to it', () => [['Signature', 'sig1=:AAAA:']], /two fields/],
]
for (const [sentence, make, message] of refusals) {
  test(`a signature is refused: ${sentence}`, async () => {
    const { crawler, ask } = bench()
    const verdict = await ask(make(crawler))
    assert.equal(verdict.kind, 'refused')
    assert.match(verdict.message, message)
  })
}

test('whose keys cannot be fetched is not refused: nobody can tell, and it is said when to come again', async () => {
  const { crawler, ask, at } = bench()
  crawler.instead = new Error('down')
  const verdict = await ask(crawler.sign(at()))
  assert.equal(verdict.kind, 'unverified')
  assert.equal(verdict.retryAt, AT + 5_000)
})

test('a crawler is recognised without waiting once its keys are held, and they are fetched for the next time', async () => {
  const { crawler, proof, at } = bench()
  const request = { method: 'GET', path: '/page', headers: crawler.sign(at(), { path: '/page' }) }
  assert.equal(proof.recognised(request, at()), undefined)
  await new Promise((resolve) => void setImmediate(resolve))
  assert.deepEqual(proof.recognised(request, at()), proven)
  assert.equal(proof.recognised({ ...request, path: '/another' }, at()), undefined)
  assert.equal(proof.recognised({ ...request, headers: [] }, at()), undefined)
})

test('a stranger cannot make the site knock at private doors', async () => {
  const knocks: string[] = []
  const server = createServer((request, response) => {
    knocks.push(request.url ?? '')
    response.end('{"keys":[]}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const inside = new SignedCrawler(1, AT, `http://127.0.0.1:${port}/admin`)
    const guarded = new CrawlerProof(ORIGIN, { mayBeHttp: true })
    const path = '/sitemap.xml'
    const verdict = await guarded.verdict({ method: 'GET', path, headers: inside.sign(AT) }, AT)
    assert.equal(verdict.kind, 'unverified')
    assert.match(verdict.message, /private or reserved address/)
    assert.deepEqual(knocks, [])
    const own = new CrawlerProof(ORIGIN, { mayBeHttp: true, allowPrivate: ['127.0.0.0/8'] })
    assert.equal((await own.verdict({ method: 'GET', path, headers: inside.sign(AT) }, AT)).kind, 'refused')
    assert.deepEqual(knocks, ['/admin'])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a directory without TLS speaks for nobody unless that is allowed', async () => {
  const plain = new SignedCrawler(1, AT, 'http://crawler.example/keys.json')
  const { ask } = bench({ fetchKeys: async () => plain.directory(AT) })
  assert.equal((await ask(plain.sign(AT))).kind, 'refused')
  assert.equal(plain.fetched, 0)
})

test('whatever stands in the fields, nobody is proven by it and nothing is thrown', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'sig1="https://crawler.example/keys.json"',
      'sig1=("@authority" "signature-agent";key="sig1");created=1767225600;expires=1767225700;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0V";tag="web-bot-auth"',
      'sig1=:AAAA:',
    ),
  )
  await fc.assert(
    fc.asyncProperty(text, text, text, async (agent, input, signature) => {
      const { ask } = bench()
      const verdict = await ask([
        ['Signature-Agent', agent],
        ['Signature-Input', input],
        ['Signature', signature],
      ])
      assert.notEqual(verdict.kind, 'proven')
    }),
  )
})
