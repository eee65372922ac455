import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxySet, readWireHead } from '@comity/protocol'
import type { WireHead } from '@comity/protocol'
import type { Refusal } from './refusal.ts'
import { readProxyRequest } from './proxy-request.ts'
import type { ProxyRequest, RequestRules } from './proxy-request.ts'

const FROM = { address: '10.0.0.1', scheme: 'http' } as const
const behind = proxySet(['10.0.0.2'])
const read = (text: string, isBehindProxy = false, knownAs?: RequestRules['knownAs']): ProxyRequest | Refusal => {
  const bytes = Buffer.from(`${text.replaceAll('\n', '\r\n')}\r\n\r\n`, 'latin1')
  return readProxyRequest(
    readWireHead(bytes, 0, bytes.length, 100) as WireHead,
    { isBehindProxy, behind, knownAs },
    FROM,
  )
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
  ['two hosts in target and field', 'GET http://b/ HTTP/1.1\nHost: a', 'bad-request'],
  ['a backslash in a path', 'GET /\\b HTTP/1.1\nHost: a', 'bad-request'],
  ['a fragment', 'GET /a#b HTTP/1.1\nHost: a', 'bad-request'],
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

const places: [text: string, target: string, host: string][] = [
  ['GET http://b.example:81?q HTTP/1.1\nHost: b.example:81', '/?q', 'b.example:81'],
  ['GET HTTP://B.example HTTP/1.1\nHost: b.example', '/', 'b.example'],
  ['GET http://b.example/x HTTP/1.0', '/x', 'b.example'],
  ['GET //b.example/x HTTP/1.1\nHost: a', '/b.example/x', 'a'],
  ['GET http://a///x HTTP/1.1\nHost: a', '/x', 'a'],
  ['GET /x?a=b\\c|d HTTP/1.1\nHost: a', '/x?a=b\\c|d', 'a'],
]
for (const [text, target, host] of places) {
  test(`${JSON.stringify(text)}: ${target} of ${host}`, () => {
    const request = taken(text)
    assert.deepEqual([request.target, request.host], [target, host])
  })
}

const asked = (text: string): ProxyRequest | Refusal => read(text, false, { host: 'own.example', scheme: 'https' })

test('who goes by one name is asked for that, and is no proxy for others', () => {
  assert.equal((asked('GET / HTTP/1.1\nHost: a') as ProxyRequest).host, 'own.example')
  assert.equal((asked('GET http://OWN.example/ HTTP/1.1\nHost: own.example') as ProxyRequest).host, 'own.example')
  assert.equal((asked('GET http://a/ HTTP/1.1\nHost: a') as Refusal).reason, 'misdirected')
  assert.equal((asked('GET http://a/ HTTP/1.0') as Refusal).reason, 'misdirected')
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
