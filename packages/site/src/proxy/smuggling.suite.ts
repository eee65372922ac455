/**
 * Smuggling: what one reader of an HTTP message takes for its end and another does not (RFC 9112 §11.2), in both directions and
 * by both versions. One suite for whatever of ours passes messages on.
 *
 * After each case the judge looks at what the origin heard: only requests that the proxy wrote itself, just those that were
 * asked for, each with its own body; and at other visitors, who must get their own answers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { http2Request, isHttp2Over } from '../testing/http2-bytes-fixture.ts'
import type { Http2Field } from '../testing/http2-bytes-fixture.ts'
import { answersIn, isAnswered, judgeOrigin, visitor } from '../testing/smuggling-judge-fixture.ts'
import type { JudgeOrigin } from '../testing/smuggling-judge-fixture.ts'

interface ProxyUnderTest extends AsyncDisposable {
  readonly port: number
}

/** A proxy that goes by the name `a.example`, before this origin. */
type StartProxy = (origin: string) => Promise<ProxyUnderTest>

const TIMEOUT = { timeout: 120_000 }
/** What nobody but an attacker writes. */
const INNER = 'GET /smuggled HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n'
const HOST = 'Host: a.example\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const LENGTH = `Content-Length: ${INNER.length}\r\n`
const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`
const chunked = (data: string): string => `${chunk(data)}0\r\n\r\n`
const post = (fields: string, body = ''): string => `POST /a HTTP/1.1\r\n${HOST}${fields}\r\n${body}`
const get = (fields = ''): string => `GET /a HTTP/1.1\r\n${HOST}${fields}\r\n`

export function smugglingSuite(name: string, start: StartProxy): void {
  for (const [what, said, status] of refused())
    test(`${name}: ${what} is refused with ${status}, and nothing of it is a request`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      using attacker = visitor(proxy.port)
      attacker.say(said)
      assert.equal(Number((await attacker.until(isAnswered(1))).slice(9, 12)), status)
      await judge(proxy.port, origin, [])
    })

  for (const [what, said, heard, methods = []] of passed())
    test(`${name}: ${what} is just that`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      using attacker = visitor(proxy.port)
      attacker.say(said)
      await attacker.until(isAnswered(heard.length, methods))
      await judge(proxy.port, origin, heard)
    })

  for (const [what, fields, data, trailers, heard] of byHttp2())
    test(`${name}, HTTP/2: ${what} ${heard.length === 0 ? 'is no request' : 'is just that'}`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      using attacker = visitor(proxy.port)
      attacker.say(http2Request(fields, data, trailers).toString('latin1'))
      await attacker.until(isHttp2Over)
      await judge(proxy.port, origin, heard)
    })

  for (const [what, said, expected, method = 'GET', ends = false] of answered())
    test(
      `${name}: an answer with ${what} ${typeof expected === 'string' ? expected : 'passes as one'}`,
      TIMEOUT,
      async () => {
        await using origin = await judgeOrigin()
        await using proxy = await start(origin.url)
        origin.said.set('/odd', { bytes: said, ends })
        await ask(proxy.port, '/before')
        using reader = visitor(proxy.port)
        const asked = `${method} /odd HTTP/1.1\r\n${HOST}\r\n`
        reader.say(`${asked}GET /mine HTTP/1.1\r\n${HOST}\r\n`)
        const heard = await reader.until((text) => text.includes('<GET /mine>'))
        assert.ok(!heard.includes('poison'), heard)
        const { answers, isWhole } = answersIn(heard, [method])
        if (expected === 'is refused') assert.equal(answers[0]?.status, 502)
        else if (expected === 'is cut off') assert.ok(!isWhole || answers.length === 0, heard)
        else assert.match(`${answers[0]?.head}${answers[0]?.body}`, expected)
        if (answers.length > 1) assert.equal(answers[1]!.body, '<GET /mine>')
        for (let turn = 0; turn < 3; turn++) await ask(proxy.port, '/other')
      },
    )

  test(`${name}: what is answered before it was sent leaves nothing in a connection`, TIMEOUT, async () => {
    await using origin = await judgeOrigin()
    await using proxy = await start(origin.url)
    origin.answersEarly.add('/early')
    await ask(proxy.port, '/before')
    using attacker = visitor(proxy.port)
    attacker.say(`POST /early HTTP/1.1\r\n${HOST}${LENGTH}\r\n`)
    await attacker.until(isAnswered(1))
    attacker.say(INNER)
    await attacker.until(() => false)
    await judge(proxy.port, origin, [['POST', '/early', '']])
  })

  test(
    `${name}: whatever attacks are put together, the origin hears only what was written for it`,
    TIMEOUT,
    async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      const attack = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 })
      const cuts = fc.array(fc.nat(200), { maxLength: 3 })
      await fc.assert(
        fc.asyncProperty(attack, cuts, async (pieces, where) => {
          const said = pieces.join('')
          using attacker = visitor(proxy.port)
          let at = 0
          for (const cut of where) attacker.say(said.slice(at, (at += cut)))
          attacker.say(said.slice(at))
          attacker.end()
          await attacker.until(() => false)
          await ask(proxy.port, '/victim')
          for (const { head } of origin.heard.splice(0))
            assert.deepEqual(valuesOf(head, 'x-forwarded-for'), ['127.0.0.1'], head)
        }),
        { numRuns: 300 },
      )
    },
  )

  for (const method of ['GET', 'POST', 'DELETE'])
    test(`${name}: ${method} whose client goes in the middle of its body is no request`, TIMEOUT, async () => {
      await using origin = await judgeOrigin()
      await using proxy = await start(origin.url)
      await ask(proxy.port, '/before')
      {
        using attacker = visitor(proxy.port)
        attacker.say(`${method} /a HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length + 10}\r\n\r\n`)
        attacker.say(INNER)
        await ask(proxy.port, '/meanwhile')
      }
      await judge(proxy.port, origin, [['GET', '/meanwhile', '']])
    })
}

/** What attacks are made of. */
const PIECES = [
  'GET',
  'POST',
  'HEAD',
  'DELETE',
  'BREW',
  ' ',
  '/a',
  '//evil',
  'http://a.example/b',
  ' HTTP/1.1',
  ' HTTP/1.0',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '\0',
  '\t',
  ':',
  ';',
  ',',
  HOST,
  LENGTH,
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  CHUNKED,
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Connection: content-length, transfer-encoding, host\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'Expect: 100-continue\r\n',
  'X-Forwarded-For: 6.6.6.6\r\n',
  'constructor: 6.6.6.6\r\n',
  '__proto__: x\r\n',
  '5\r\nhello\r\n',
  '0\r\n\r\n',
  '0\r\nX: y\r\n\r\n',
  chunked(INNER),
  INNER,
  get(),
  post(LENGTH, INNER),
  post(CHUNKED, chunked(INNER)),
]

/** A visitor of its own, with an answer of its own. */
async function ask(port: number, path: string): Promise<void> {
  using one = visitor(port)
  one.say(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  const { answers, isWhole } = answersIn(await one.until(() => false), [])
  assert.deepEqual([isWhole, answers.map(({ status, body }) => `${status} ${body}`)], [true, [`200 <GET ${path}>`]])
}

type Heard = readonly [method: string, target: string, body: string]

async function judge(port: number, origin: JudgeOrigin, wanted: readonly Heard[]): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await ask(port, '/victim')
  const others = origin.heard.filter(({ target }) => target !== '/victim' && target !== '/before')
  assert.deepEqual(
    others.map(({ method, target, body }) => [method, target, body]),
    wanted,
  )
  for (const { head } of origin.heard) {
    assert.deepEqual(valuesOf(head, 'x-forwarded-for'), ['127.0.0.1'], head)
    assert.deepEqual(valuesOf(head, 'host'), ['a.example'], head)
    assert.doesNotMatch(head, /6\.6\.6\.6|evil/, head)
  }
}

const valuesOf = (head: string, name: string): string[] =>
  [...head.matchAll(/\r\n([^:\r\n]+):[ \t]*([^\r\n]*)/g)]
    .filter(([, one]) => one!.toLowerCase().replaceAll('_', '-') === name)
    .map(([, , value]) => value!)

/** Ways to write a.example. */
const HOST_SPELLINGS = [
  'A.EXAMPLE',
  'a.Example',
  'a.example:80',
  'a.example.',
  'a.example.:80',
  'a.example:0080',
  'a.example..',
]
const METHODS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'QUERY', 'PROPFIND', 'BREW']
const HOPS = [
  'close, content-length',
  'content-length',
  'transfer-encoding',
  'host',
  'x-forwarded-for',
  'forwarded',
  'via',
  'te',
  'keep-alive, upgrade, content-length, transfer-encoding, host',
]

/** What must not be passed on at all. */
function refused(): [what: string, said: string, status: number][] {
  const both = chunked('')
  return [
    ['a length and a coding', post(`Content-Length: 5\r\n${CHUNKED}`, both + INNER), 400],
    ['a coding and a length', post(`${CHUNKED}Content-Length: 5\r\n`, both + INNER), 400],
    ['a coding and a length of 0', post(`${CHUNKED}Content-Length: 0\r\n`, both + INNER), 400],
    [
      'a length and a coding that Connection takes away',
      post(`${CHUNKED}${LENGTH}Connection: content-length\r\n`, both + INNER),
      400,
    ],
    [
      'a coding and a length that Connection takes away',
      post(`${LENGTH}${CHUNKED}Connection: transfer-encoding\r\n`, both + INNER),
      400,
    ],
    ['GET with a length and a coding', get(`${LENGTH}${CHUNKED}`) + INNER, 400],
    ['the same length twice', post(`${LENGTH}${LENGTH}`, INNER), 400],
    ['two lengths', post(`Content-Length: 0\r\n${LENGTH}`, INNER), 400],
    ['a length and one in disguise', post(`Content-Length: 0\r\nContent_Length: ${INNER.length}\r\n`, INNER), 400],
    ['a coding in disguise', post(`Transfer_Encoding: chunked\r\n`, chunked(INNER)), 400],
    ...['0, 0', '0,5', '+5', '-1', '-0', '0x5', '5 5', '', '5;', '5.0', '1e1', '٥', '9'.repeat(17)].map(
      (length): [string, string, number] => [
        `the length "${length}"`,
        post(`Content-Length: ${length}\r\n`, INNER),
        400,
      ],
    ),
    ...[
      ['chunked, chunked', 501],
      ['gzip, chunked', 501],
      ['chunked, identity', 501],
      ['identity', 501],
      ['xchunked', 501],
      ['"chunked"', 501],
      ['chunked;q=1', 501],
      ['chunked,', 501],
      ['', 501],
      ['chunked\x0b', 400],
      ['\x0bchunked', 400],
      ['chunked\0', 400],
      ['\x01chunked', 400],
    ].map(([coding, status]): [string, string, number] => [
      `the coding ${JSON.stringify(coding)}`,
      post(`Transfer-Encoding: ${coding}\r\n`, chunked(INNER)),
      Number(status),
    ]),
    ['two codings', post(CHUNKED + CHUNKED, chunked(INNER)), 400],
    ['a coding and another', post(`${CHUNKED}Transfer-Encoding: identity\r\n`, chunked(INNER)), 400],
    ['a coding in HTTP/1.0', `POST /a HTTP/1.0\r\n${HOST}${CHUNKED}\r\n${chunked(INNER)}`, 400],
    ['a coding on a folded line', post(`X: y\r\n Transfer-Encoding: chunked\r\n`, chunked(INNER)), 400],
    ['a folded coding', post(`Transfer-Encoding:\r\n chunked\r\n`, chunked(INNER)), 400],
    ['a fold before the first field', `POST /a HTTP/1.1\r\n ${CHUNKED}${HOST}\r\n${chunked(INNER)}`, 400],
    ['a folded length', post(`Content-Length: 5\r\n\t0\r\n`, INNER), 400],
    ['a blank before the colon', post(`Transfer-Encoding : chunked\r\n`, chunked(INNER)), 400],
    ['a tab before the colon', post(`Content-Length\t: 5\r\n`, INNER), 400],
    ['a NUL in a name', post(`Content-Length\0: 5\r\n`, INNER), 400],
    ['a NUL in a value', post(`X: \0\r\n${LENGTH}`, INNER), 400],
    ['a field without a name', post(`: x\r\n${LENGTH}`, INNER), 400],
    ['a field without a colon', post(`Content-Length\r\n${LENGTH}`, INNER), 400],
    ['a line feed within a field', post(`X: y\nTransfer-Encoding: chunked\r\n`, chunked(INNER)), 400],
    ['a return within a field', post(`X: y\rTransfer-Encoding: chunked\r\n`, chunked(INNER)), 400],
    ['a head by line feeds', `GET /a HTTP/1.1\nHost: a.example\n\n${INNER}`, 400],
    ['a head that ends by a line feed', `GET /a HTTP/1.1\r\n${HOST}\n${INNER}`, 400],
    ['a head by returns', `GET /a HTTP/1.1\rHost: a.example\r\r${INNER}`, 400],
    ...['\x00', '\x7f', '\x1b'].map((odd): [string, string, number] => [
      `the byte ${odd.charCodeAt(0)} in a target`,
      `GET /a${odd} HTTP/1.1\r\n${HOST}\r\n${INNER}`,
      400,
    ]),
    ...[
      'GET  /a HTTP/1.1',
      'GET\t/a HTTP/1.1',
      'GET /a b HTTP/1.1',
      'GET /a http/1.1',
      'GET /a HTTP/1.1 ',
      'GET /a',
      ' GET /a HTTP/1.1',
      'GET /a HTTP/1',
      'GET /a HTTP/1.10',
      'G:T /a HTTP/1.1',
      'GET a.example:80 HTTP/1.1',
      'GET ? HTTP/1.1',
      'GET * HTTP/1.1',
      'GET /a#b HTTP/1.1',
      'GET /\\evil.example/a HTTP/1.1',
      'GET \\\\evil.example/a HTTP/1.1',
      'GET ftp://a.example/ HTTP/1.1',
      'GET http:/a HTTP/1.1',
      'GET http:///a HTTP/1.1',
      'GET http://a.example@evil.example/ HTTP/1.1',
      'GET http://evil.example/a HTTP/1.1',
      'GET http://a.example:99999999/ HTTP/1.1',
      'GET http://a.example\\@evil.example/ HTTP/1.1',
    ].map((line): [string, string, number] => [
      `the line ${JSON.stringify(line)}`,
      `${line}\r\n${HOST}\r\n${INNER}`,
      400,
    ]),
    ['HTTP/2.0 in a line', `GET /a HTTP/2.0\r\n${HOST}\r\n${INNER}`, 505],
    ['no host', `GET /a HTTP/1.1\r\n\r\n${INNER}`, 400],
    ['two hosts', get('Host: evil.example\r\n') + INNER, 400],
    ['the same host twice', get(HOST) + INNER, 400],
    ...[
      'a.example, evil.example',
      'evil@a.example',
      'a.example/x',
      'a.example:80:80',
      'a example',
      'a.example#',
      '[::1',
      'a.example?',
    ].map((host): [string, string, number] => [
      `the host "${host}"`,
      `GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n${INNER}`,
      400,
    ]),
    ...['TRACE', 'CONNECT'].flatMap((method): [string, string, number][] => [
      [`${method} with a body`, `${method} /a HTTP/1.1\r\n${HOST}${LENGTH}\r\n${INNER}`, 405],
      [`${method} in chunks`, `${method} /a HTTP/1.1\r\n${HOST}${CHUNKED}\r\n${chunked(INNER)}`, 405],
    ]),
    ['CONNECT to elsewhere', `CONNECT evil.example:80 HTTP/1.1\r\n${HOST}\r\n${INNER}`, 405],
    ['an expectation nobody knows', get('Expect: 200-ok\r\n') + INNER, 417],
    ['two expectations', post(`Expect: 100-continue\r\nExpect: x\r\n${LENGTH}`, INNER), 417],
    ...['', 'x', '0x5', '+5', '-1', ' 5', '5 ', '5\t', '5;a=\x01', '5;\0', 'f'.repeat(17), '5\r', '5;\n0', '5\n'].map(
      (size): [string, string, number] => [
        `a chunk of ${JSON.stringify(size)}`,
        post(CHUNKED, `${size}\r\nabcde\r\n0\r\n\r\n${INNER}`),
        400,
      ],
    ),
    ['a chunk longer than it says', post(CHUNKED, `3\r\nabcde\r\n0\r\n\r\n${INNER}`), 400],
    ['a chunk that ends by a line feed', post(CHUNKED, `3\r\nabc\n0\r\n\r\n${INNER}`), 400],
    ['a chunk that ends by two bytes', post(CHUNKED, `3\r\nabcXX0\r\n\r\n${INNER}`), 400],
    ['a last chunk by a line feed', post(CHUNKED, `3\r\nabc\r\n0\n\r\n${INNER}`), 400],
    ...[
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      'Host: evil.example',
      'X-Forwarded-For: 6.6.6.6',
      'Authorization: x',
      'Cookie: a=b',
      'Content-Type: a/b',
      ' folded: x',
      'no colon',
      'X : y',
      'X: \0',
      'X_Forwarded_For: 6.6.6.6',
    ].map((line): [string, string, number] => [
      `the trailer ${JSON.stringify(line)}`,
      post(CHUNKED, `3\r\nabc\r\n0\r\n${line}\r\n\r\n${INNER}`),
      400,
    ]),
    ['a backslash after two slashes', `GET //\\evil/a HTTP/1.1\r\n${HOST}\r\n${INNER}`, 400],
  ]
}

type Passed = [what: string, said: string, heard: Heard[], methods?: string[]]

/** What can be read in one way only, and goes on as such. */
function passed(): Passed[] {
  const bodies = METHODS.flatMap((method): Passed[] => {
    const line = `${method} /a HTTP/1.1\r\n${HOST}`
    return [
      [`${method} with a body`, `${line}${LENGTH}\r\n${INNER}`, [[method, '/a', INNER]], [method]],
      [`${method} in chunks`, `${line}${CHUNKED}\r\n${chunked(INNER)}`, [[method, '/a', INNER]], [method]],
      ...HOPS.flatMap((hop): Passed[] => [
        [
          `${method} with a body and Connection: ${hop}`,
          `${line}${LENGTH}Connection: ${hop}\r\n\r\n${INNER}`,
          [[method, '/a', INNER]],
          [method],
        ],
        [
          `${method} in chunks and with Connection: ${hop}`,
          `${line}Connection: ${hop}\r\n${CHUNKED}\r\n${chunked(INNER)}`,
          [[method, '/a', INNER]],
          [method],
        ],
      ]),
    ]
  })
  const plain: Heard[] = [['GET', '/a', '']]
  return [
    ...bodies,
    // The judge wants to hear of a.example: an origin may know no other spelling of it, and would say that a page is gone.
    ...HOST_SPELLINGS.map((host): Passed => [`the Host ${host}`, `GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`, plain]),
    ['a Host that is in capitals in both places', 'GET http://A.EXAMPLE/a HTTP/1.1\r\nHost: A.EXAMPLE\r\n\r\n', plain],
    ['a length with zeros before it', post(`Content-Length: 0${INNER.length}\r\n`, INNER), [['POST', '/a', INNER]]],
    ['a length of 0', post('Content-Length: 0\r\n'), [['POST', '/a', '']]],
    ['a coding in capitals', post('TRANSFER-ENCODING: \t CHUNKED \r\n', chunked(INNER)), [['POST', '/a', INNER]]],
    [
      'a body in many chunks with extensions and zeros',
      post(CHUNKED, `0003;a="b;c"\r\nabc\r\n02 ;x\r\nde\r\n000\r\nX-Sum: 1\r\n\r\n`),
      [['POST', '/a', 'abcdeX-Sum: 1\r\n']],
    ],
    ['a body in HTTP/1.0', `POST /a HTTP/1.0\r\n${HOST}${LENGTH}\r\n${INNER}`, [['POST', '/a', INNER]]],
    [
      'keep-alive in HTTP/1.0',
      `POST /a HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n${LENGTH}\r\n${INNER}`,
      [['POST', '/a', INNER]],
    ],
    ['the whole address', `GET http://a.example/a HTTP/1.1\r\n${HOST}\r\n`, plain],
    ['the whole address in capitals', `GET HTTP://A.EXAMPLE/a HTTP/1.1\r\nHost: a.example\r\n\r\n`, plain],
    ['two slashes', `GET //other/a HTTP/1.1\r\n${HOST}\r\n`, [['GET', '/other/a', '']]],
    ['many slashes', `GET ////a HTTP/1.1\r\n${HOST}\r\n`, plain],
    ['two slashes in the whole address', `GET http://a.example//a HTTP/1.1\r\n${HOST}\r\n`, plain],
    ['encoded line ends', `GET /a%0d%0aX:%20y HTTP/1.1\r\n${HOST}\r\n`, [['GET', '/a%0d%0aX:%20y', '']]],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, [['OPTIONS', '*', '']]],
    ['empty lines before a request', `\r\n\r\n${get()}`, plain],
    ...[
      'X-Forwarded-For: 6.6.6.6',
      'x-forwarded-for: 6.6.6.6, 7.7.7.7',
      'X_Forwarded_For: 6.6.6.6',
      'X-Forwarded_For: 6.6.6.6',
      'Forwarded: for=6.6.6.6;host=evil',
      'X-Real-IP: 6.6.6.6',
      'X_Real_IP: 6.6.6.6',
      'X-Forwarded-Host: evil',
      'X-Forwarded-Server: evil',
      'X-Forwarded-Prefix: /evil',
      'X-Forwarded-Proto: evil',
      'Proxy: http://evil/',
      'Proxy-Connection: evil',
      'Keep-Alive: evil',
      'TE: evil',
      'Upgrade: evil',
    ].map((line): Passed => [`the client's own ${JSON.stringify(line)}`, get(`${line}\r\n`), plain]),
    [
      'an upgrade to HTTP/2',
      get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      plain,
    ],
    [
      'an upgrade to HTTP/2 with a body',
      post(`Connection: Upgrade\r\nUpgrade: h2c\r\n${LENGTH}`, INNER),
      [['POST', '/a', INNER]],
    ],
    [
      'an upgrade that the origin does not make',
      get('Connection: Upgrade\r\nUpgrade: websocket\r\n') + get().replace('/a', '/b'),
      [
        ['GET', '/a', ''],
        ['GET', '/b', ''],
      ],
    ],
    ['100-continue', post(`Expect: 100-continue\r\n${LENGTH}`, INNER), [['POST', '/a', INNER]]],
    ['100-continue without a body', get('Expect: 100-continue\r\n'), plain],
    [
      'a row of requests',
      `${post(LENGTH, INNER)}${get()}${post(CHUNKED, chunked(INNER))}${get()}`,
      [['POST', '/a', INNER], ...plain, ['POST', '/a', INNER], ...plain],
    ],
    ['a request and one that is refused', `${get()}${get(`${LENGTH}${CHUNKED}`)}${INNER}`, plain],
  ]
}

type ByHttp2 = [what: string, fields: readonly Http2Field[], data: string[], trailers: Http2Field[], heard: Heard[]]

/** Of a request with a body; pseudo-fields are replaced, others added. */
const head = (...changes: Http2Field[]): Http2Field[] => {
  const own = new Map<string, string>([
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', '/a'],
    [':authority', 'a.example'],
  ])
  for (const [name, value] of changes) if (own.has(name)) own.set(name, value)
  return [...own, ...changes.filter(([name]) => !own.has(name))]
}

function byHttp2(): ByHttp2[] {
  const asked: Heard[] = [['POST', '/a', INNER]]
  /** The reader of HTTP/2 leaves out what is no field (RFC 9113 §8.2.1), and the rest is a request. */
  const without = (what: string, ...changes: Http2Field[]): ByHttp2 => [what, head(...changes), [INNER], [], asked]
  const none = (what: string, ...changes: Http2Field[]): ByHttp2 => [what, head(...changes), [INNER], [], []]
  const split = `/a HTTP/1.1\r\n${HOST}\r\n${INNER}`
  return [
    ...METHODS.map((method): ByHttp2 => [
      `${method} with a body`,
      head([':method', method]),
      [INNER],
      [],
      [[method, '/a', INNER]],
    ]),
    ...HOST_SPELLINGS.map((host): ByHttp2 => [
      `the authority ${host}`,
      head([':authority', host]),
      [INNER],
      [],
      [['POST', '/a', INNER]],
    ]),
    ['a body with its length', head(['content-length', String(INNER.length)]), [INNER], [], [['POST', '/a', INNER]]],
    ['a body in pieces', head(), ['abc', 'de'], [], [['POST', '/a', 'abcde']]],
    ['a body of nothing', head(), [''], [], [['POST', '/a', '']]],
    none('a body longer than it says', ['content-length', '3']),
    none('a body and a length of 0', ['content-length', '0']),
    none('a body shorter than it says', ['content-length', '999']),
    ['a length without a body', head(['content-length', '5']), [], [], []],
    none('two lengths', ['content-length', String(INNER.length)], ['content-length', '0']),
    none('a list of lengths', ['content-length', `${INNER.length}, ${INNER.length}`]),
    none('a length with a sign', ['content-length', `+${INNER.length}`]),
    none('a coding', ['transfer-encoding', 'chunked']),
    none('a coding in disguise', ['transfer_encoding', 'chunked']),
    none('Connection', ['connection', 'content-length']),
    none('Keep-Alive', ['keep-alive', '5']),
    none('Proxy-Connection', ['proxy-connection', 'keep-alive']),
    none('Upgrade', ['upgrade', 'h2c']),
    none('TE that is not trailers', ['te', 'chunked']),
    without('a line end in a value', ['x-a', `b\r\n\r\n${INNER}`]),
    without('a line feed in a value', ['x-a', 'b\ntransfer-encoding: chunked']),
    without('a return in a value', ['x-a', 'b\rtransfer-encoding: chunked']),
    without('a NUL in a value', ['x-a', 'b\0c']),
    without('a line end in a name', ['x-a: b\r\ntransfer-encoding', 'chunked']),
    without('a colon in a name', ['x:a', 'b']),
    without('a blank in a name', ['transfer-encoding ', 'chunked']),
    none('a capital in a name', ['Transfer-Encoding', 'chunked']),
    without('no name', ['', 'b']),
    none('a line end in the path', [':path', split]),
    none('a blank in the path', [':path', '/a b']),
    none('a request in the path', [':path', '/a HTTP/1.1']),
    none('the whole address as path', [':path', 'http://evil.example/a']),
    none('a path without a slash', [':path', 'a']),
    none('a star as path', [':path', '*']),
    none('no path', [':path', '']),
    none('a backslash in the path', [':path', '/\\evil.example/a']),
    none('a fragment in the path', [':path', '/a#b']),
    none('a line end in the method', [':method', `GET ${split}`]),
    none('a blank in the method', [':method', 'GET /b HTTP/1.1']),
    none('no method', [':method', '']),
    none('CONNECT with a path', [':method', 'CONNECT']),
    none('TRACE', [':method', 'TRACE']),
    none('a line end in the authority', [':authority', `a.example\r\n\r\n${INNER}`]),
    none('a user in the authority', [':authority', 'evil@a.example']),
    none('a path in the authority', [':authority', 'a.example/evil']),
    none('another host than the authority', ['host', 'evil.example']),
    none('two hosts', ['host', 'a.example'], ['host', 'evil.example']),
    none('a scheme that is none', [':scheme', 'http://evil.example/?']),
    none('a line end in the scheme', [':scheme', `http\r\n\r\n${INNER}`]),
    none('a field of HTTP/2 that is not known', [':evil', 'x']),
    none('an extended CONNECT', [':method', 'CONNECT'], [':protocol', 'websocket']),
    ['a second path', [...head(), [':path', '/b']], [INNER], [], []],
    ['a method after the fields', [...head().slice(1), ['x-a', 'b'], [':method', 'POST']], [INNER], [], []],
    [
      'no authority and no host',
      head()
        .slice(0, 3)
        .concat([['host', 'a.example']]),
      [INNER],
      [],
      asked,
    ],
    ['the same host as the authority', head(['host', 'a.example']), [INNER], [], asked],
    ['two slashes', head([':path', '//other/a']), [INNER], [], [['POST', '/other/a', INNER]]],
    [
      'spoofed addresses',
      head(['x-forwarded-for', '6.6.6.6'], ['x_forwarded_for', '6.6.6.6'], ['forwarded', 'for=6.6.6.6']),
      [INNER],
      [],
      asked,
    ],
    ['TE: trailers', head(['te', 'trailers']), [INNER], [], asked],
    ['a trailer', head(), [INNER], [['x-sum', '1']], [['POST', '/a', `${INNER}x-sum: 1\r\n`]]],
    ['a trailer of framing', head(), [INNER], [['content-length', '3']], []],
    ['a trailer that says who asks', head(), [INNER], [['x-forwarded-for', '6.6.6.6']], []],
    ['a trailer with a line end', head(), [INNER], [['x-a', `b\r\n\r\n${INNER}`]], asked],
    ['a trailer of HTTP/2', head(), [INNER], [[':path', '/b']], []],
  ]
}

type Expected = RegExp | 'is refused' | 'is cut off'

/** What an origin may say, on a connection where somebody else's answer comes next. */
function answered(): [what: string, said: string, expected: Expected, method?: string, ends?: boolean][] {
  const OK = 'HTTP/1.1 200 OK\r\n'
  const POISON = `${OK}Content-Length: 6\r\n\r\npoison`
  const long = `Content-Length: 5\r\n`
  return [
    ['a length and a coding', `${OK}${long}${CHUNKED}\r\n0\r\n\r\n${POISON}`, 'is refused'],
    ['two lengths', `${OK}Content-Length: 0\r\n${long}\r\nhello`, 'is refused'],
    ['a list of lengths', `${OK}Content-Length: 5, 5\r\n\r\nhello`, 'is refused'],
    ['a length with a sign', `${OK}Content-Length: +5\r\n\r\nhello`, 'is refused'],
    ['a folded length', `${OK}Content-Length:\r\n 5\r\n\r\nhello`, 'is refused'],
    ['a blank before the colon', `${OK}Content-Length : 5\r\n\r\nhello`, 'is refused'],
    ['a coding that is not known', `${OK}Transfer-Encoding: gzip\r\n\r\nhello`, 'is refused', 'GET', true],
    ['a coding of HTTP/1.0', `HTTP/1.0 200 OK\r\n${CHUNKED}\r\n0\r\n\r\n`, 'is refused'],
    ['a NUL in a field', `${OK}X: \0\r\n${long}\r\nhello`, 'is refused'],
    ['a return in a field', `${OK}X: y\rSet-Cookie: evil\r\n${long}\r\nhello`, 'is refused'],
    ['a line feed in a field', `${OK}X: y\nContent-Length: 0\r\n${long}\r\nhello`, 'is refused'],
    ['a head by line feeds', `HTTP/1.1 200 OK\nContent-Length: 5\n\nhello`, 'is refused'],
    ['no status', `HTTP/1.1 OK\r\n${long}\r\nhello`, 'is refused'],
    ['bytes before it', `x${OK}${long}\r\nhello`, 'is refused'],
    [
      'a change of protocol',
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n${POISON}`,
      'is refused',
    ],
    ['interim answers without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), 'is refused'],
    ['more than it says', `${OK}${long}\r\nhello${POISON}`, /hello$/],
    ['a body of 204', `HTTP/1.1 204 No Content\r\n\r\n${POISON}`, /^HTTP\/1\.1 204 /],
    ['a length of 204', `HTTP/1.1 204 No Content\r\n${long}\r\n`, /^HTTP\/1\.1 204 /],
    ['a body of 304', `HTTP/1.1 304 Not Modified\r\n${long}\r\nhello${POISON}`, /^HTTP\/1\.1 304 /],
    ['chunks of 304', `HTTP/1.1 304 Not Modified\r\n${CHUNKED}\r\n${chunked('poison')}`, /^HTTP\/1\.1 304 /],
    ['a body of HEAD', `${OK}${long}\r\nhello${POISON}`, /^HTTP\/1\.1 200 /, 'HEAD'],
    ['chunks of HEAD', `${OK}${CHUNKED}\r\n${chunked('poison')}`, /^HTTP\/1\.1 200 /, 'HEAD'],
    ['an interim answer with a length', `HTTP/1.1 103 Early Hints\r\n${long}\r\n${OK}${long}\r\nhello`, /hello$/],
    ['chunks and more', `${OK}${CHUNKED}\r\n${chunked('hello')}${POISON}`, /5\r\nhello\r\n0\r\n\r\n$/],
    [
      'chunks with extensions',
      `${OK}${CHUNKED}\r\n05;a=b\r\nhello\r\n00\r\n\r\n`,
      /\r\n\r\nhello$|\r\n5\r\nhello\r\n0\r\n\r\n$/,
    ],
    [
      'a length that Connection takes away',
      `${OK}${long}Connection: content-length\r\n\r\nhello`,
      /Content-Length: 5\r\n(?:.*\r\n)*\r\nhello$/,
    ],
    ['a body until the end', `${OK}\r\nhello`, /hello/, 'GET', true],
    ['a chunk without a size', `${OK}${CHUNKED}\r\n5\r\nhello\r\nx\r\n`, 'is cut off'],
    ['a chunk longer than it says', `${OK}${CHUNKED}\r\n3\r\nhello\r\n0\r\n\r\n`, 'is cut off'],
    ['chunks by line feeds', `${OK}${CHUNKED}\r\n5\nhello\n0\n\n`, 'is cut off'],
    ['a trailer of framing', `${OK}${CHUNKED}\r\n5\r\nhello\r\n0\r\nContent-Length: 3\r\n\r\n`, 'is cut off'],
    ['less than it says', `${OK}Content-Length: 50\r\n\r\nhello`, 'is cut off', 'GET', true],
    ['chunks that break off', `${OK}${CHUNKED}\r\n5\r\nhello\r\n`, 'is cut off', 'GET', true],
  ]
}
