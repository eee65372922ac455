import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswerHead } from './answer-head.ts'
import type { AnswerHead } from './answer-head.ts'
import { readWireHead } from './wire-head.ts'
import type { WireHead } from './wire-head.ts'

const read = (text: string, method = 'GET'): AnswerHead | string => {
  const bytes = Buffer.from(`${text.replaceAll('\n', '\r\n')}\r\n\r\n`, 'latin1')
  return readAnswerHead(readWireHead(bytes, 0, bytes.length, 100) as WireHead, method)
}

const framed: [text: string, method: string, framing: string, keepsAlive: boolean][] = [
  ['HTTP/1.1 200 OK\nContent-Length: 3', 'GET', 'length', true],
  ['HTTP/1.1 200 OK\nContent-Length:\t3 ', 'GET', 'length', true],
  ['HTTP/1.1 200 OK\nContent-Length: 000000000000000000000000003', 'GET', 'length', true],
  ['HTTP/1.1 200 OK\nContent-Length: 3\nConnection: x, Close', 'GET', 'length', false],
  ['HTTP/1.1 200 OK\nContent-Length: 3\nConnection: x\nConnection: close', 'GET', 'length', false],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: Chunked', 'GET', 'chunked', true],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked', 'GET', 'chunked', true],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: gzip\nTransfer-Encoding: chunked', 'GET', 'chunked', true],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: chunked, gzip', 'GET', 'close', false],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: rot13', 'GET', 'close', false],
  ['HTTP/1.1 200 OK\nTransfer-Encoding:', 'GET', 'close', false],
  ['HTTP/1.0 200 OK\nTransfer-Encoding: chunked', 'GET', 'chunked', false],
  ['HTTP/1.1 200 OK', 'GET', 'close', false],
  ['HTTP/1.1 200', 'GET', 'close', false],
  ['HTTP/2.0 200 OK\nContent-Length: 3', 'GET', 'length', true],
  ['HTTP/1.0 200 OK\nContent-Length: 3', 'GET', 'length', false],
  ['HTTP/1.0 200 OK\nContent-Length: 3\nConnection: keep-alive', 'GET', 'length', true],
  ['HTTP/1.1 200 OK\nContent-Length: 3', 'HEAD', 'none', true],
  ['HTTP/1.1 204 No Content', 'GET', 'none', true],
  ['HTTP/1.1 304 Not Modified\nContent-Length: 3', 'GET', 'none', true],
  ['HTTP/1.1 103 Early Hints', 'GET', 'none', true],
]
for (const [text, method, framing, keepsAlive] of framed) {
  test(`${method}, ${JSON.stringify(text)}: ${framing}`, () => {
    const head = read(text, method) as AnswerHead
    assert.deepEqual([head.framing, head.keepsAlive], [framing, keepsAlive])
  })
}

const refused: [text: string, problem: RegExp][] = [
  ['HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 3', /more than one/],
  ['HTTP/1.1 200 OK\nContent-Length: 3\nTransfer-Encoding: chunked', /both/],
  ['HTTP/1.1 200 OK\nTransfer-Encoding: identity\nContent-Length: 3', /both/],
  ['HTTP/1.1 200 OK\nContent-Length: -3', /no number/],
  ['HTTP/1.1 200 OK\nContent-Length: 3, 3', /no number/],
  ['HTTP/1.1 200 OK\nContent-Length:', /no number/],
  ['HTTP/1.1 200 OK\nContent-Length: 1000000000000000000', /no number/],
  ['HTTP/1.1 20 OK', /status line/],
  ['HTTP/1.1 099 OK', /status line/],
  ['HTTP/1.1  200 OK', /status line/],
  ['HTTP/2 200', /status line/],
  ['http/1.1 200 OK', /status line/],
  ['ICY 200 OK', /status line/],
]
for (const [text, problem] of refused) {
  test(`${JSON.stringify(text)} is refused`, () => assert.match(read(text) as string, problem))
}

test('what else the head says is told as it was written', () => {
  const head = read('HTTP/1.0 999 Very odd\nUpgrade: h2c\nConnection: Upgrade\nContent-Length: 7') as AnswerHead
  const { version, status, phrase, length, upgrade, tokens } = head
  assert.deepEqual([version, status, phrase, length, upgrade, tokens], ['1.0', 999, ' Very odd', 7, 'h2c', ['upgrade']])
})
