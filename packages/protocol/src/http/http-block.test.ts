import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '../capture.ts'
import { entityBody, parseHttpBlock, requestHead, responseHead } from './http-block.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const heads: [sentence: string, headers: HeaderList, expected: string][] = [
  [
    'fields keep their order and spelling',
    [
      ['ETag', '"a"'],
      ['x-b', 'c'],
    ],
    'ETag: "a"\r\nx-b: c\r\n',
  ],
  [
    'a transfer coding that is off is kept under another name',
    [['Transfer-Encoding', 'chunked']],
    'X-Archive-Orig-Transfer-Encoding: chunked\r\n',
  ],
  ['a value cannot begin a field of its own', [['A', 'b\r\nC: d']], 'A: b C: d\r\n'],
  ['a name cannot begin a field of its own', [['A: b\r\nC', 'd']], 'AbC: d\r\n'],
  [
    'HTTP/2 pseudo-fields are left out',
    [
      [':status', '200'],
      ['a', 'b'],
    ],
    'a: b\r\n',
  ],
  ['bytes read as Latin-1 stay the bytes they were', [['A', 'Zürich']], 'A: Zürich\r\n'],
  ['wider characters are written as UTF-8', [['A', '→']], 'A: \xe2\x86\x92\r\n'],
]
for (const [sentence, headers, expected] of heads) {
  test(sentence, () => {
    const head = responseHead({ httpVersion: '2', status: 200, statusText: 'OK', headers })
    assert.equal(text(head), `HTTP/1.1 200 OK\r\n${expected}\r\n`)
  })
}

test('a request line holds three words, whatever its target', () => {
  const head = requestHead({ method: 'GET', target: '/a b\r\nX: y', httpVersion: '1.0', headers: [] })
  assert.equal(text(head), 'GET /a%20b%20X:%20y HTTP/1.0\r\n\r\n')
})

const blocks: [sentence: string, block: string, status: number | undefined, headers: HeaderList, body: string][] = [
  ['a plain answer', 'HTTP/1.1 200 OK\r\nA: b\r\n\r\nhello', 200, [['A', 'b']], 'hello'],
  ['line feeds alone', 'HTTP/1.0 404\nA:b\n\nhello', 404, [['A', 'b']], 'hello'],
  ['folded lines', 'HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\n  d\r\n\r\n', 200, [['A', 'b c d']], ''],
  ['lines without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\nA: b\r\n\r\nx', 200, [['A', 'b']], 'x'],
  ['a head without an end', 'HTTP/1.1 200 OK\r\nA: b', 200, [['A', 'b']], ''],
  ['a request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', undefined, [['Host', 'a']], ''],
  ['no head at all', '<html>\n<p>', undefined, [], '<html>\n<p>'],
  ['nothing', '', undefined, [], ''],
]
for (const [sentence, block, status, headers, body] of blocks) {
  test(`reads ${sentence}`, () => {
    const read = parseHttpBlock(Buffer.from(block))
    assert.deepEqual([read.status, read.headers, text(read.body)], [status, headers, body])
  })
}

test('chunks are taken off only where head and body agree that there are some', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  assert.equal(text(entityBody(parseHttpBlock(Buffer.from(`${chunked}2\r\nhi\r\n0\r\n\r\n`)))), 'hi')
  assert.equal(text(entityBody(parseHttpBlock(Buffer.from(`${chunked}no chunks here`)))), 'no chunks here')
})

test('what we write we read', () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/).filter((n) => n.toLowerCase() !== 'transfer-encoding')
  const value = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/)
  const headers = fc.array(fc.tuple(name, value), { maxLength: 20 })
  const property = fc.property(headers, fc.integer({ min: 100, max: 999 }), fc.uint8Array(), (list, status, body) => {
    const read = parseHttpBlock(Buffer.concat([responseHead({ status, headers: list }), body]))
    assert.deepEqual([read.status, read.headers, [...read.body]], [status, list, [...body]])
  })
  fc.assert(property)
})

test('no bytes make it throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => entityBody(parseHttpBlock(bytes)).length >= 0))
})
