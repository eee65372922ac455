import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWireHead } from './proxy-head.ts'
import type { WireHead } from './proxy-head.ts'
import type { Refusal } from './proxy-refusal.ts'
import { readProxyRequest } from './proxy-request.ts'
import type { ProxyRequest } from './proxy-request.ts'

const read = (text: string, isBehindProxy = false): ProxyRequest | Refusal => {
  const bytes = Buffer.from(`${text.replaceAll('\n', '\r\n')}\r\n\r\n`, 'latin1')
  return readProxyRequest(readWireHead(bytes, 0, bytes.length, 100) as WireHead, isBehindProxy)
}
const taken = (text: string, isBehindProxy = false): ProxyRequest => {
  const request = read(text, isBehindProxy)
  assert.ok(!('reason' in request), JSON.stringify(request))
  return request
}

const refused: [sentence: string, text: string, reason: string][] = [
  [
    'length and coding together',
    'POST / HTTP/1.1\nHost: a\nContent-Length: 3\nTransfer-Encoding: chunked',
    'ambiguous-framing',
  ],
  ['two lengths', 'POST / HTTP/1.1\nHost: a\nContent-Length: 3\nContent-Length: 4', 'ambiguous-framing'],
  ['the same length twice', 'POST / HTTP/1.1\nHost: a\nContent-Length: 3\nContent-Length: 3', 'ambiguous-framing'],
  ['a list of lengths', 'POST / HTTP/1.1\nHost: a\nContent-Length: 3, 3', 'ambiguous-framing'],
  ['a length with a sign', 'POST / HTTP/1.1\nHost: a\nContent-Length: +3', 'ambiguous-framing'],
  ['an empty length', 'POST / HTTP/1.1\nHost: a\nContent-Length:', 'ambiguous-framing'],
  ['a length that no number holds', 'POST / HTTP/1.1\nHost: a\nContent-Length: 99999999999999999', 'ambiguous-framing'],
  ['a coding in HTTP/1.0', 'POST / HTTP/1.0\nHost: a\nTransfer-Encoding: chunked', 'ambiguous-framing'],
  [
    'two codings',
    'POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked',
    'ambiguous-framing',
  ],
  ['a length in disguise', 'POST / HTTP/1.1\nHost: a\nContent_Length: 3', 'ambiguous-framing'],
  ['a coding that is not known', 'POST / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked', 'coding-unknown'],
  ['a coding that only looks like chunked', 'POST / HTTP/1.1\nHost: a\nTransfer-Encoding: xchunked', 'coding-unknown'],
  ['no host', 'GET / HTTP/1.1', 'bad-request'],
  ['two hosts', 'GET / HTTP/1.1\nHost: a\nHost: b', 'bad-request'],
  ['a host that is none', 'GET / HTTP/1.1\nHost: a/b', 'bad-request'],
  ['a host with a user', 'GET / HTTP/1.1\nHost: u@a', 'bad-request'],
  ['a target that is no path', 'GET a HTTP/1.1\nHost: a', 'bad-request'],
  ['a star for GET', 'GET * HTTP/1.1\nHost: a', 'bad-request'],
  ['two blanks in the first line', 'GET  / HTTP/1.1\nHost: a', 'bad-request'],
  ['a method that is none', 'G@T / HTTP/1.1\nHost: a', 'bad-request'],
  ['another version', 'GET / HTTP/2.0\nHost: a', 'version-unknown'],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\nHost: a', 'method-not-passed'],
  ['TRACE', 'TRACE / HTTP/1.1\nHost: a', 'method-not-passed'],
  ['an expectation that is not known', 'GET / HTTP/1.1\nHost: a\nExpect: everything', 'expectation-unknown'],
]
for (const [what, text, reason] of refused) {
  test(`${what}: refused as ${reason}`, () => assert.equal((read(text) as Refusal).reason, reason))
}

test('fields of this hop stay behind, and what a client says of where it comes from', () => {
  const text =
    'GET / HTTP/1.1\nHost: a\nConnection: keep-alive, X-Mine, Cookie\nX-Mine: 1\nKeep-Alive: 5\nProxy-Connection: x\nTE: gzip\n' +
    'Proxy: http://evil\nForwarded: for=me\nX-Forwarded-For: me\nX-Real-IP: me\nCookie: c\nAccept: */*'
  assert.equal(taken(text).fields, 'Cookie: c\r\nAccept: */*\r\n')
  assert.equal(
    taken(text, true).fields,
    'Forwarded: for=me\r\nX-Forwarded-For: me\r\nX-Real-IP: me\r\nCookie: c\r\nAccept: */*\r\n',
  )
})

test('an absolute target counts more than Host', () => {
  const { target, host } = taken('GET http://b.example:81?q HTTP/1.1\nHost: a')
  assert.deepEqual([target, host], ['/?q', 'b.example:81'])
})

const kept: [text: string, keepsAlive: boolean][] = [
  ['GET / HTTP/1.1\nHost: a', true],
  ['GET / HTTP/1.1\nHost: a\nConnection: Close', false],
  ['GET / HTTP/1.0', false],
  ['GET / HTTP/1.0\nConnection: keep-alive', true],
]
for (const [text, keepsAlive] of kept) {
  test(`${JSON.stringify(text)}: the connection ${keepsAlive ? 'goes on' : 'ends'}`, () =>
    assert.equal(taken(text).keepsAlive, keepsAlive))
}

const upgrades: [text: string, upgrade: string | undefined][] = [
  ['GET / HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: websocket', 'websocket'],
  ['GET / HTTP/1.1\nHost: a\nUpgrade: websocket', undefined],
  ['GET / HTTP/1.0\nHost: a\nConnection: Upgrade\nUpgrade: websocket', undefined],
  [
    'GET / HTTP/1.1\nHost: a\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__',
    undefined,
  ],
  ['GET / HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: TLS/1.0', undefined],
  ['POST / HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: websocket\nContent-Length: 3', undefined],
]
for (const [text, upgrade] of upgrades) {
  test(`${JSON.stringify(text)}: ${upgrade ?? 'nothing'} is offered to the origin`, () =>
    assert.equal(taken(text).upgrade, upgrade))
}
