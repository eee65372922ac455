/** Whatever a request is, it gets an answer, soon, and never one that says that we failed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TOKEN, askRaw, sampleServer } from '../testing/sample-server.ts'

const HANG_MS = 5_000
const RUNS = 400

const paths = fc.oneof(
  fc.constantFrom(
    '/',
    '/search',
    '/sites',
    '/site',
    '/page',
    '/page/view',
    '/page/copy',
    '/page/difference',
    '/graph',
    '/static/comity.css',
  ),
  fc
    .constantFrom(
      'search',
      'suggest',
      'page',
      'page/difference',
      'sites',
      'site',
      'graph',
      'crawl/seeds',
      'crawl/pause',
    )
    .map((name) => `/api/v1/${name}`),
  fc.webPath(),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
  fc.string({ maxLength: 60 }),
)
/** What every object answers to. */
const inherited = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype))
const values = fc.oneof(
  inherited,
  fc.constantFrom(
    '0',
    '1',
    '5',
    '-1',
    '1e9',
    '4294967295',
    '4294967296',
    '%00',
    '%ff',
    '%E2%80%AE',
    '..',
    'null',
    '<script>',
  ),
  fc.nat().map(String),
  fc.webUrl().map(encodeURIComponent),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ maxLength: 50 }),
)
const names = fc.oneof(
  { arbitrary: inherited, weight: 1 },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      'q',
      'key',
      'url',
      'at',
      'from',
      'to',
      'origin',
      'sort',
      'limit',
      'offset',
      'rank',
      'unfolded',
      'format',
      '__proto__',
    ),
  },
)
const queries = fc
  .array(
    fc.tuple(names, values).map(([name, value]) => `${name}=${value}`),
    { maxLength: 5 },
  )
  .map((all) => all.join('&'))
const headers = fc.array(
  fc.tuple(
    fc.constantFrom(
      'Host',
      'Origin',
      'Sec-Fetch-Site',
      'Authorization',
      'If-None-Match',
      'Accept-Encoding',
      'Last-Event-ID',
      'Content-Type',
      'Content-Length',
      'Transfer-Encoding',
      'Expect',
      'Upgrade',
      'Connection',
      'X-Any',
    ),
    fc.oneof(
      fc.constantFrom(
        '127.0.0.1',
        `Bearer ${TOKEN}`,
        'Bearer x',
        'null',
        'gzip',
        '*',
        '0',
        '9',
        'chunked',
        '100-continue',
        'application/json',
        'websocket',
        'upgrade',
      ),
      fc.string({ unit: 'binary', maxLength: 60 }),
    ),
  ),
  { maxLength: 6 },
)
const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('POST', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'TRACE', 'PATCH', 'CONNECT', 'PRI'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
)
const bodies = fc.oneof(fc.constant(''), fc.json(), fc.string({ unit: 'binary', maxLength: 300 }))

const requests = fc
  .record({ method: methods, path: paths, query: queries, headers, body: bodies, hasHost: fc.boolean() })
  .map(({ method, path, query, headers: fields, body, hasHost }) => {
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const host = hasHost ? 'Host: 127.0.0.1\r\n' : ''
    const target = query === '' ? path : `${path}?${query}`
    return `${method} ${target} HTTP/1.1\r\n${host}${lines}Connection: close\r\n\r\n${body}`
  })

async function answers(port: number, request: string | Uint8Array): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the server hangs')), HANG_MS)
  })
  const text = await Promise.race([askRaw(port, request), late])
  clearTimeout(timer)
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status!)
}

test('random requests are answered, never with a 5xx, and the server lives on', async (t) => {
  const { port, ask, errors } = await sampleServer(t)
  let answered = 0
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const statuses = await answers(port, request)
      for (const status of statuses) assert.match(status, /^[1234]/)
      answered += Math.min(1, statuses.length)
    }),
    { numRuns: RUNS },
  )
  // The rest are those that HTTP lets close without a word, as CONNECT.
  assert.ok(answered > 0.8 * RUNS, `${answered} of ${RUNS}`)
  assert.deepEqual(errors, [])
  assert.equal((await ask('/healthz')).status, 200)
})

test('random bytes are answered with a 400 or nothing', async (t) => {
  const { port, errors } = await sampleServer(t)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 500 }), async (bytes) => {
      for (const status of await answers(port, bytes)) assert.match(status, /^4/)
    }),
    { numRuns: 100 },
  )
  assert.deepEqual(errors, [])
})
