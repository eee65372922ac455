import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import { fieldLines, fieldsIn, madeResponse } from './response.ts'
import type { SiteAnswer } from '../site-request.ts'

const answer = (body: SiteAnswer['body'], status = 200, headers: HeaderList = []): SiteAnswer => ({
  status,
  headers,
  body,
})
const hello = Buffer.from('hello')
async function* stream(): AsyncGenerator<Uint8Array> {
  yield hello
}

const framed: [what: string, answer: SiteAnswer, method: string, framing: string, length: number][] = [
  ['a body has its length, whatever was said', answer(hello, 200, [['Content-Length', '99']]), 'GET', 'length', 5],
  ['no body is a length of 0', answer(Buffer.alloc(0)), 'GET', 'length', 0],
  ['a stream ends when it ends', answer(stream()), 'GET', 'close', -1],
  ['a stream that says how long it is', answer(stream(), 200, [['content-length', '5']]), 'GET', 'length', 5],
  ['a length that is none is not believed', answer(stream(), 200, [['content-length', '5, 5']]), 'GET', 'close', -1],
  ['HEAD says how long it would be', answer(hello), 'HEAD', 'none', 5],
  ['304 has no body', answer(Buffer.alloc(0), 304), 'GET', 'none', -1],
  ['204 has no body', answer(Buffer.alloc(0), 204), 'GET', 'none', -1],
]
for (const [what, given, method, framing, length] of framed) {
  test(what, () => {
    const response = madeResponse(given, method, 0)
    assert.deepEqual([response.framing, response.length], [framing, length])
  })
}

test('fields of the connection are not the answer’s to write, and it is dated', () => {
  const headers: HeaderList = [
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'x'],
    ['Content-Length', '1'],
    ['ETag', '"a"'],
    ['Set-Cookie', 'a'],
    ['Set-Cookie', 'b'],
  ]
  const { fields } = madeResponse(answer(hello, 200, headers), 'GET', 0)
  assert.equal(fields, 'Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nETag: "a"\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n')
  assert.deepEqual(fieldsIn(fields).slice(1), [
    ['ETag', '"a"'],
    ['Set-Cookie', 'a'],
    ['Set-Cookie', 'b'],
  ])
})

for (const [name, value] of [
  ['X', 'a\r\nSet-Cookie: b'],
  ['X', 'a\0'],
  ['X: a\r\nY', 'b'],
  ['', 'a'],
  ['X', '\u{1F600}'],
] as const)
  test(`${JSON.stringify([name, value])} is no field, and is not sent`, () =>
    assert.throws(() => fieldLines([[name, value]]), TypeError))
