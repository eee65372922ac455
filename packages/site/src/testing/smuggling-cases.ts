/**
 * Requests and answers that mean one thing to one reader and another to the next, and what a proxy has to make of each: refuse it,
 * or pass on what all readers take for the same.
 */
export const INNER = 'GET /smuggled HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n'
export const HOST: string = 'Host: a.example\r\n'
export const CHUNKED = 'Transfer-Encoding: chunked\r\n'
export const LENGTH: string = `Content-Length: ${INNER.length}\r\n`
const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`
export const chunked = (data: string): string => `${chunk(data)}0\r\n\r\n`
export const post = (fields: string, body = ''): string => `POST /a HTTP/1.1\r\n${HOST}${fields}\r\n${body}`
export const get = (fields = ''): string => `GET /a HTTP/1.1\r\n${HOST}${fields}\r\n`

export type Heard = readonly [method: string, target: string, body: string]

/** Ways to write a.example. */
export const HOST_SPELLINGS: readonly string[] = [
  'A.EXAMPLE',
  'a.Example',
  'a.example:80',
  'a.example.',
  'a.example.:80',
  'a.example:0080',
  'a.example..',
]
export const METHODS: readonly string[] = [
  'GET',
  'HEAD',
  'DELETE',
  'OPTIONS',
  'PUT',
  'POST',
  'PATCH',
  'QUERY',
  'PROPFIND',
  'BREW',
]
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
export function refused(): [what: string, said: string, status: number][] {
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
export function passed(): Passed[] {
  const bodies = METHODS.flatMap((method): Passed[] => {
    const line = `${method} /a HTTP/1.1\r\n${HOST}`
    const whole: Passed[] = [
      [`${method} with a body`, `${line}${LENGTH}\r\n${INNER}`, [[method, '/a', INNER]], [method]],
      [`${method} in chunks`, `${line}${CHUNKED}\r\n${chunked(INNER)}`, [[method, '/a', INNER]], [method]],
    ]
    return whole.concat(
      HOPS.flatMap((hop): Passed[] => [
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
    )
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

type Expected = RegExp | 'is refused' | 'is cut off'

/** What an origin may say, on a connection where somebody else's answer comes next. */
export function answered(): [what: string, said: string, expected: Expected, method?: string, ends?: boolean][] {
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
