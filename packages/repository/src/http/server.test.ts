import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { METRICS } from './metrics.ts'
import type { PageModel } from '../model/models.ts'
import { AT } from '../testing/sample-repository.ts'
import { copyFaults } from '../testing/copy-check.ts'
import { sampleServer } from '../testing/sample-server.ts'
import type { Reply } from '../testing/sample-server.ts'

const kindOf = ({ value }: Reply): unknown => (value as { type?: string } | undefined)?.type?.split(':').at(-1)

test('a page is told by key and by every spelling of its URL', async (t) => {
  const { ask } = await sampleServer(t)
  const byKey = (await ask('/api/v1/page?key=1')).value as PageModel
  assert.deepEqual(
    [byKey.url, byKey.title, byKey.site, byKey.visits, byKey.depth, byKey.captures.length],
    ['https://a.example/1', 'One', 'https://a.example', 2, 1, 2],
  )
  assert.deepEqual(
    byKey.linksIn.toSorted((a, b) => a.key - b.key).map(({ key, anchor }) => [key, anchor]),
    [
      [0, 'to 1'],
      [4, 'to 1'],
    ],
  )
  assert.equal(byKey.foundOn?.title, 'Home <b>of</b> A')
  for (const url of [
    'https://a.example/1',
    'a.example/1',
    'http://A.example/1#part',
    'https://a.example/1?utm_source=x',
  ]) {
    assert.deepEqual((await ask(`/api/v1/page?url=${encodeURIComponent(url)}`)).value, byKey, url)
  }
})

test('a page that was never visited has a place in the queue and no captures', async (t) => {
  const { ask } = await sampleServer(t)
  const page = (await ask('/api/v1/page?key=3')).value as PageModel
  assert.deepEqual([page.outcome, page.status, page.visits, page.captures], ['waiting', 0, 0, []])
})

test('two captures are compared line by line', async (t) => {
  const { ask } = await sampleServer(t)
  const { value } = await ask(`/api/v1/page/difference?key=1&from=${AT + 1_000}&to=${AT + 2_000}`)
  const { lines, added, removed } = value as { lines: { kind: string; text: string }[]; added: number; removed: number }
  assert.deepEqual([added, removed], [1, 1])
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind} ${text}`),
    ['same one', 'removed two', 'added changed'],
  )
})

test('a stored page is shown with nothing left that could run, load, send or steer', async (t) => {
  const { ask } = await sampleServer(t)
  const { status, headers, text } = await ask('/page/view?key=0')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  const policy = String(headers['content-security-policy'])
  assert.match(
    policy,
    /^sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:/,
  )
  assert.doesNotMatch(policy, /allow-(?!top-navigation-by-user-activation)|'self'(?!$)|http/)
  assert.match(text, /<p>hello<\/p>/)
  assert.deepEqual(copyFaults(text), [])
})

test('a page that says noarchive is not shown and not compared', async (t) => {
  const { ask } = await sampleServer(t)
  for (const path of ['/page/view?key=5', `/page/view?key=5&at=${AT + 5_000}`])
    assert.equal((await ask(path)).status, 403)
  const difference = await ask(`/api/v1/page/difference?key=5&from=${AT + 5_000}&to=${AT + 5_000}`)
  assert.deepEqual([difference.status, kindOf(difference)], [403, 'not-shown'])
})

const missing: [path: string, status: number, kind: string][] = [
  ['/api/v1/page?key=999', 404, 'page-unknown'],
  ['/api/v1/page?key=4294967295', 404, 'page-unknown'],
  ['/api/v1/page?url=https://nowhere.example/', 404, 'page-unknown'],
  ['/api/v1/page?url=:', 404, 'page-unknown'],
  ['/api/v1/page', 400, 'bad-parameter'],
  ['/api/v1/page?key=1&url=a', 400, 'bad-parameter'],
  ['/api/v1/page?key=-1', 400, 'bad-parameter'],
  ['/api/v1/page?key=1e3', 400, 'bad-parameter'],
  ['/api/v1/page?key=1&key=2', 400, 'bad-parameter'],
  ['/api/v1/page?kye=1', 400, 'bad-parameter'],
  ['/api/v1/site?origin=https://nowhere.example', 404, 'site-unknown'],
  ['/api/v1/site?origin=%00', 404, 'site-unknown'],
  ['/api/v1/site', 400, 'bad-parameter'],
  ['/api/v1/sites?sort=beauty', 400, 'bad-parameter'],
  ['/api/v1/sites?limit=501', 400, 'bad-parameter'],
  ['/api/v1/search', 400, 'bad-parameter'],
  ['/api/v1/search?q=', 400, 'bad-parameter'],
  ['/api/v1/search?q=a&limit=101', 400, 'bad-parameter'],
  ['/api/v1/search?q=a&offset=1001', 400, 'bad-parameter'],
  ['/api/v1/search?q=a&unfolded=maybe', 400, 'bad-parameter'],
  [`/api/v1/search?q=${'a'.repeat(1_001)}`, 400, 'bad-parameter'],
  [`/api/v1/search?q=${'a'.repeat(9_000)}`, 414, 'url-too-long'],
  ['/api/v1/page/difference?key=1&from=1&to=2', 404, 'capture-unknown'],
  ['/api/v1/page/difference?key=2&from=1&to=2', 404, 'capture-unknown'],
  ['/api/v1/nothing', 404, 'not-found'],
  ['/static/../server.ts', 404, 'not-found'],
  ['/static/*', 404, 'not-found'],
  ['//evil.example/', 404, 'not-found'],
]
test('what cannot be answered gets a problem that names its kind', async (t) => {
  const { ask, errors } = await sampleServer(t)
  for (const [path, status, kind] of missing) {
    const reply = await ask(path)
    assert.deepEqual([reply.status, kindOf(reply)], [status, kind], path)
    assert.match(String(reply.headers['content-type']), /^application\/problem\+json/, path)
  }
  assert.deepEqual(errors, [])
})

test('people get problems as a page, programs as JSON', async (t) => {
  const { ask } = await sampleServer(t)
  assert.match((await ask('/page?key=999')).text, /<title>problem/)
  assert.match((await ask('/nothing', { headers: { accept: 'text/html,*/*' } })).text, /<title>problem/)
  assert.equal(kindOf(await ask('/nothing', { headers: { accept: '*/*' } })), 'not-found')
})

test('a search is asked as it was meant, within its limits', async (t) => {
  const { ask, search } = await sampleServer(t)
  const { value } = await ask('/api/v1/search?q=one+two&rank=bm25&limit=5&offset=10&unfolded=1')
  assert.equal((value as { matches: number }).matches, 1)
  await ask('/search?q=caf%C3%A9&offset=&unknown=x')
  await ask('/')
  assert.deepEqual(search.asked, [
    { query: 'one two', rank: 'bm25', limit: 5, offset: 10, unfolded: true },
    { query: 'café', rank: 'default', limit: 10, offset: 0, unfolded: false },
  ])
})

test('a bug of ours is a 500 without its details, and is heard of', async (t) => {
  const { ask, search, errors } = await sampleServer(t)
  search.search = () => {
    throw new Error('secret /path')
  }
  const { status, text } = await ask('/api/v1/search?q=a')
  assert.equal(status, 500)
  assert.doesNotMatch(text, /secret/)
  assert.equal(errors.length, 1)
})

test('an answer that is known already is not sent again', async (t) => {
  const { ask } = await sampleServer(t)
  const { headers } = await ask('/static/comity.css')
  const etag = String(headers.etag)
  for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const again = await ask('/static/comity.css', { headers: { 'if-none-match': known } })
    assert.deepEqual([again.status, again.text], [304, ''], known)
  }
  assert.equal((await ask('/static/comity.css', { headers: { 'if-none-match': '"other"' } })).status, 200)
})

test('long text is packed for those who ask, and HEAD has the head alone', async (t) => {
  const { ask } = await sampleServer(t)
  const plain = await ask('/openapi.json')
  const packed = await ask('/openapi.json', { headers: { 'accept-encoding': 'br, gzip;q=0.5' } })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
  assert.ok(packed.bytes.length < plain.bytes.length / 4)
  for (const coding of ['gzip;q=0', 'br', '']) {
    const { headers } = await ask('/openapi.json', { headers: { 'accept-encoding': coding } })
    assert.equal(headers['content-encoding'], undefined, coding)
  }
  const head = await ask('/openapi.json', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', plain.headers['content-length']])
})

test('metrics have the documented names, and count by route, not by path', async (t) => {
  const { ask } = await sampleServer(t)
  await ask('/api/v1/page?key=1')
  await ask('/nothing-of-ours-123')
  const { text, headers } = await ask('/metrics')
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind])
  assert.deepEqual(
    families,
    Object.entries(METRICS).map(([name, [kind]]) => [name, kind]),
  )
  assert.match(text, /comity_http_requests_total\{method="GET",route="\/api\/v1\/page",status="200"\} 1/)
  assert.match(text, /comity_http_request_duration_seconds_bucket\{route="\/api\/v1\/page",le="\+Inf"\} 1/)
  assert.match(text, /^comity_pages\{state="held"\} 4$/m)
  assert.doesNotMatch(text, /nothing-of-ours/)
  for (const line of text.trimEnd().split('\n'))
    assert.match(line, /^(?:# (?:HELP|TYPE) .*|[a-z_]+(?:\{[^{}]*\})? [\d.e+-]+)$/)
})

test('the access log has the route and neither query nor header', async (t) => {
  const { ask, log } = await sampleServer(t)
  await ask('/api/v1/search?q=my+secret', { headers: { cookie: 'secret' } })
  const { method, route, status, bytes } = JSON.parse(log[0]!) as Record<string, unknown>
  assert.deepEqual([method, route, status, Number(bytes) > 0], ['GET', '/api/v1/search', 200, true])
  assert.doesNotMatch(log[0]!, /secret/)
})

test('a browser can search here from its address bar', async (t) => {
  const { ask } = await sampleServer(t)
  const { text } = await ask('/opensearch.xml', { headers: { host: 'search.example:81' } })
  assert.match(text, /template="http:\/\/search\.example:81\/search\?q=\{searchTerms\}/)
  const { value, headers } = await ask('/api/v1/suggest?q=on&format=opensearch')
  assert.deepEqual(value, ['on', ['ona', 'onb']])
  assert.match(String(headers['content-type']), /^application\/x-suggestions\+json/)
})
