import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKEN, askRaw, sampleServer } from '../testing/sample-server.ts'
import type { AskOptions, Reply } from '../testing/sample-server.ts'

const kindOf = ({ value }: Reply): unknown => (value as { type?: string } | undefined)?.type?.split(':').at(-1)

test('every answer, good or bad, has the security headers', async (t) => {
  const { ask, port } = await sampleServer(t)
  const paths = [
    '/',
    '/search?q=a',
    '/api/v1/statistics',
    '/nothing',
    '/page/view?key=0',
    '/healthz',
    '/static/comity.css',
  ]
  for (const path of paths) {
    const { headers } = await ask(path)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/, path)
    assert.match(String(headers['content-security-policy']), /frame-ancestors/, path)
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.equal(headers['referrer-policy'], 'no-referrer', path)
    assert.match(String(headers['x-frame-options']), /^(?:DENY|SAMEORIGIN)$/, path)
    assert.equal(headers['access-control-allow-origin'], undefined, path)
  }
  assert.match(await askRaw(port, 'not http\r\n\r\n'), /^HTTP\/1\.1 400 .*Content-Security-Policy/s)
})

const hosts: [host: string, status: number][] = [
  ['127.0.0.1', 200],
  ['127.0.0.1:1', 200],
  ['localhost:8080', 200],
  ['LOCALHOST', 200],
  ['[::1]:8080', 200],
  ['192.0.2.7', 200],
  ['search.example', 200],
  ['evil.example', 421],
  ['localhost.evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['evil@127.0.0.1', 421],
  ['127.0.0.1/x', 421],
  ['a b', 421],
]
test('only addresses, localhost and given names are believed to be us (DNS rebinding)', async (t) => {
  const { ask } = await sampleServer(t)
  for (const [host, status] of hosts) assert.equal((await ask('/healthz', { headers: { host } })).status, status, host)
})

const origins: [sentence: string, headers: Record<string, string>, status: number][] = [
  ['no browser', {}, 200],
  ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1' }, 200],
  ['typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 200],
  ['a link from elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200],
  ['a script elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
  ['a picture elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
  ['an origin elsewhere', { origin: 'https://evil.example' }, 403],
  ['no origin at all', { origin: 'null' }, 403],
]
test('pages of other sites may lead here and not ask', async (t) => {
  const { ask } = await sampleServer(t)
  for (const [sentence, headers, status] of origins) {
    assert.equal(
      (await ask('/api/v1/statistics', { headers: { host: '127.0.0.1', ...headers } })).status,
      status,
      sentence,
    )
  }
})

const control = (body: unknown, headers: Record<string, string> = {}): AskOptions => ({
  method: 'POST',
  headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

test('with the token a crawl is paused, resumed, stopped, given a seed and another budget', async (t) => {
  const { ask, control: crawl } = await sampleServer(t)
  assert.equal(
    (await ask('/api/v1/crawl/pause', { method: 'POST', headers: { authorization: `bearer ${TOKEN}` } })).status,
    200,
  )
  await ask('/api/v1/crawl/resume', control({}))
  await ask('/api/v1/crawl/seeds', control({ url: 'https://New.example' }))
  await ask('/api/v1/crawl/budget', control({ maxPages: 10 }))
  await ask('/api/v1/crawl/budget', control({ maxBytes: 20 }))
  const { value } = await ask('/api/v1/crawl/stop', control({}))
  assert.equal((value as { kind: string }).kind, 'running')
  assert.deepEqual(crawl.calls, [
    'pause',
    'resume',
    'seed https://new.example/',
    'budget 10 undefined',
    'budget undefined 20',
    'stop',
  ])
})

const refused: [sentence: string, path: string, options: AskOptions, status: number][] = [
  ['no token', 'pause', { method: 'POST' }, 401],
  ['a wrong token', 'pause', control({}, { authorization: 'Bearer a-token-of-other-letters' }), 403],
  ['half a token', 'pause', control({}, { authorization: `Bearer ${TOKEN.slice(0, -1)}` }), 403],
  ['a token in the query', `pause?token=${TOKEN}`, { method: 'POST' }, 401],
  ['another scheme', 'pause', control({}, { authorization: `Basic ${TOKEN}` }), 401],
  [
    'another site with the token',
    'pause',
    control({}, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    403,
  ],
  ['another origin with the token', 'pause', control({}, { origin: 'http://evil.example' }), 403],
  ['a form', 'seeds', control('url=https://a.example', { 'content-type': 'application/x-www-form-urlencoded' }), 415],
  ['no JSON', 'seeds', control('{'), 400],
  ['no object', 'seeds', control('[]'), 400],
  ['no URL', 'seeds', control({ url: 'javascript:alert(1)' }), 400],
  ['a number for a URL', 'seeds', control({ url: 1 }), 400],
  ['too much', 'seeds', control({ url: 'https://a.example', extra: 1 }), 400],
  ['a large body', 'seeds', control({ url: 'x'.repeat(70_000) }), 413],
  ['no budget', 'budget', control({}), 400],
  ['a budget of nothing', 'budget', control({ maxPages: 0 }), 400],
  ['an endless budget', 'budget', control('{"maxPages":1e400}'), 400],
  ['a budget of words', 'budget', control({ maxPages: '10' }), 400],
  ['a pause with more', 'pause', control({ now: true }), 400],
  ['a GET', 'pause', { headers: { authorization: `Bearer ${TOKEN}` } }, 405],
]
test('what would change the crawl and is not as it must be changes nothing', async (t) => {
  const { ask, control: crawl, log } = await sampleServer(t)
  for (const [sentence, path, options, status] of refused) {
    assert.equal((await ask(`/api/v1/crawl/${path}`, options)).status, status, sentence)
  }
  assert.deepEqual(crawl.calls, [])
  assert.ok(
    log.every((line) => !line.includes(TOKEN)),
    'the token is in the log',
  )
})

test('without a crawl there is nothing to control, and a crawl that fails is told', async (t) => {
  const { ask, control: crawl } = await sampleServer(t)
  crawl.pause = () => Promise.reject(new Error('it has ended'))
  const failed = await ask('/api/v1/crawl/pause', control({}))
  assert.deepEqual([failed.status, kindOf(failed)], [502, 'crawl-failed'])
  crawl.condition = 'none'
  assert.equal(kindOf(await ask('/api/v1/crawl/pause', control({}))), 'no-crawl')
  crawl.state = () => Promise.reject(new Error('gone'))
  assert.equal(((await ask('/api/v1/statistics')).value as { crawl: { kind: string } }).crawl.kind, 'none')
})
