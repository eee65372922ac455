/** Streams of HTTP/2 that would mean something else once they are written as HTTP/1.1, and what an origin may hear of each. */
import type { Http2Field } from './http2-bytes-fixture.ts'
import { HOST, HOST_SPELLINGS, INNER, METHODS } from './smuggling-cases.ts'
import type { Heard } from './smuggling-cases.ts'

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

export function byHttp2(): ByHttp2[] {
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
