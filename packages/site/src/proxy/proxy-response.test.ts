import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWireHead } from '@comity/protocol'
import type { WireHead } from '@comity/protocol'
import { readProxyResponse } from './proxy-response.ts'
import type { ProxyResponse } from './proxy-response.ts'

const read = (text: string, method = 'GET'): ProxyResponse | string => {
  const bytes = Buffer.from(`${text.replaceAll('\n', '\r\n')}\r\n\r\n`, 'latin1')
  return readProxyResponse(readWireHead(bytes, 0, bytes.length, 100) as WireHead, method)
}

const framed: [text: string, method: string, framing: string, keepsAlive: boolean][] = [
  ['HTTP/1.1 200 OK\nContent-Length: 3', 'GET', 'length', true],
  ['HTTP/1.1 200 OK\nContent-Length: 3\nConnection: close', 'GET', 'length', false],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: Chunked', 'GET', 'chunked', true],
  ['HTTP/1.1 200 OK', 'GET', 'close', false],
  ['HTTP/1.1 200', 'GET', 'close', false],
  ['HTTP/1.0 200 OK\nContent-Length: 3', 'GET', 'length', false],
  ['HTTP/1.0 200 OK\nContent-Length: 3\nConnection: keep-alive', 'GET', 'length', true],
  ['HTTP/1.1 200 OK\nContent-Length: 3', 'HEAD', 'none', true],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: chunked', 'HEAD', 'none', true],
  ['HTTP/1.1 204 No Content', 'GET', 'none', true],
  ['HTTP/1.1 304 Not Modified\nContent-Length: 3', 'GET', 'none', true],
  ['HTTP/1.1 103 Early Hints', 'GET', 'none', true],
]
for (const [text, method, framing, keepsAlive] of framed) {
  test(`${method}, ${JSON.stringify(text)}: ${framing}`, () => {
    const response = read(text, method) as ProxyResponse
    assert.deepEqual([response.framing, response.keepsAlive], [framing, keepsAlive])
  })
}

const refused: [text: string, problem: RegExp][] = [
  ['HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 3', /more than one/],
  ['HTTP/1.1 200 OK\nContent-Length: 3\nTransfer-Encoding: chunked', /both/],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: gzip', /not chunked/],
  ['HTTP/1.0 200 OK\nTransfer-Encoding: chunked', /1\.0/],
  ['HTTP/1.1 200 OK\nContent-Length: -3', /no number/],
  ['HTTP/1.1 20 OK', /status line/],
  ['HTTP/1.1 600 OK', /status line/],
  ['HTTP/2 200', /status line/],
  ['ICY 200 OK', /status line/],
]
for (const [text, problem] of refused) {
  test(`${JSON.stringify(text)} is refused`, () => assert.match(read(text) as string, problem))
}

test('fields of this hop stay behind', () => {
  const response = read('HTTP/1.1 200 OK\nConnection: keep-alive, x-a\nX-A: 1\nKeep-Alive: 5\nETag: "a"\nUpgrade: h2c')
  assert.equal((response as ProxyResponse).fields, 'ETag: "a"\r\n')
})
