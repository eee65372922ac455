import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { beginsMessage, isOtherProtocol, mayBegin } from './message-start.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

test('25: a message is known by how it begins, not by its port', () => {
  assert.ok(beginsMessage(bytes('GET / HTTP/1.1\r\n'), 'request'))
  assert.ok(beginsMessage(bytes('PROPFIND / HTTP/1.1\r\n'), 'request'))
  assert.ok(beginsMessage(bytes('HTTP/1.1 200 OK\r\n'), 'response'))
  for (const text of ['', 'GETS', 'get / http/1.1', '<html>', 'HTTP/2 200', 'HTTP/1.12 200'])
    assert.ok(!beginsMessage(bytes(text), 'request') && !beginsMessage(bytes(text), 'response'), text)
})

test('what may still become a head is waited for, what cannot is not', () => {
  for (const text of ['', 'H', 'HTT', 'HTTP/1.1 200', '\r\n HTTP', 'icy 200', '\0\0'])
    assert.ok(mayBegin(bytes(text), 'response'), text)
  for (const text of ['<html>', 'HX', 'SSH-2.0']) assert.ok(!mayBegin(bytes(text), 'response'), text)
  for (const text of ['G', 'GET', 'GET /', 'BREW\t/']) assert.ok(mayBegin(bytes(text), 'request'), text)
  for (const text of ['\x16\x03\x01', '<x>', '\xff']) assert.ok(!mayBegin(bytes(text), 'request'), text)
})

test('53, 54: TLS, HTTP/2 and SSH are told at once', () => {
  for (const text of ['\x16\x03\x01\x02', 'PRI * HTTP/2.0\r\n', 'SSH-2.0-x'])
    assert.ok(isOtherProtocol(bytes(text)), text)
  assert.ok(!isOtherProtocol(bytes('GET / HTTP/1.1')))
})

test('more bytes never make a beginning out of what was none', () => {
  const words = fc.constantFrom('GET ', '/', 'HTTP', '/1.1 ', '\r\n', ' ', '\0', 'ICY', 'x', '\x16')
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 10 }),
      fc.constantFrom('request' as const, 'response' as const),
      (parts, role) => {
        const all = bytes(parts.join(''))
        for (let at = 0; at < all.length; at++) {
          if (mayBegin(all, role)) assert.ok(mayBegin(all.subarray(0, at), role) || at === 0)
        }
      },
    ),
  )
})
