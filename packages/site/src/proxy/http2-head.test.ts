import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WireHead } from '@comity/protocol'
import { http1Head, http2Fields, http2Trailers } from './http2-head.ts'

const HEAD = [':method', 'GET', ':scheme', 'https', ':path', '/a', ':authority', 'a.example']
const linesOf = (raw: readonly string[]): string => {
  const head = http1Head(raw)
  assert.ok(head instanceof WireHead, JSON.stringify(head))
  return [head.line, ...head.lines].join('|')
}

test('a head becomes lines, crumbs of cookies one field, and the authority its host', () => {
  assert.equal(
    linesOf([...HEAD, 'cookie', 'a=1', 'x-a', 'b', 'cookie', 'c=2', 'host', 'A.example']),
    'GET /a HTTP/1.1|host: a.example\r\n|x-a: b\r\n|cookie: a=1; c=2\r\n',
  )
  assert.equal(linesOf([...HEAD.slice(0, 6), 'host', 'b.example']), 'GET /a HTTP/1.1|host: b.example\r\n')
})

const refused: [what: string, raw: readonly string[]][] = [
  ['a line end in a value', [...HEAD, 'x-a', 'b\r\nc: d']],
  ['a NUL in a value', [...HEAD, 'x-a', '\0']],
  ['a name that is none', [...HEAD, 'x a', 'b']],
  ['a name in capitals', [...HEAD, 'X-A', 'b']],
  ['a coding', [...HEAD, 'transfer-encoding', 'chunked']],
  ['Connection', [...HEAD, 'connection', 'close']],
  ['another host', [...HEAD, 'host', 'b.example']],
  ['a second path', [...HEAD, ':path', '/b']],
  ['what nobody knows', [...HEAD, ':constructor', '/b']],
  ['a WebSocket', [...HEAD, ':protocol', 'websocket']],
  ['a whole address', HEAD.with(5, 'http://b.example/')],
  ['no path', HEAD.with(5, '')],
  ['another scheme', HEAD.with(3, 'ftp')],
]
for (const [what, raw] of refused)
  test(`${what} is refused in words`, () => assert.equal(typeof http1Head(raw), 'string'))

test('fields of one name become a list, cookies stay apart, and no name is an accident', () => {
  const fields = http2Fields('A: 1\r\nSet-Cookie: a\r\na: 2\r\nset-cookie: b\r\n__proto__: x\r\n')
  assert.deepEqual(Object.entries(fields), [
    ['a', '1, 2'],
    ['set-cookie', ['a', 'b']],
    ['__proto__', 'x'],
  ])
})

test('trailers say nothing of framing, of who asks, or of what for', () => {
  assert.deepEqual(http2Trailers(['x-sum', '1']), [['x-sum', '1']])
  for (const name of ['content-length', 'host', 'x-forwarded-for', 'x_forwarded_for', 'authorization', ':path'])
    assert.equal(typeof http2Trailers([name, '1']), 'string', name)
})
