import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dechunk } from './chunked-body.ts'

const cases: [sentence: string, chunked: string, plain: string | undefined][] = [
  ['chunks are joined', '5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n', 'hello!'],
  ['extensions and trailers are left out', '5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n', 'hello'],
  ['bare line feeds are taken', '5\nhello\n0\n\n', 'hello'],
  ['a body that is no chunks is not touched', '<html>\n<body>', undefined],
  ['a chunk longer than the body is refused', 'ff\r\nhello', undefined],
  ['a missing last chunk is refused', '5\r\nhello\r\n', undefined],
  ['a chunk without a line end is refused', '5\r\nhelloX0\r\n\r\n', undefined],
]
for (const [sentence, chunked, plain] of cases) {
  test(sentence, () => assert.equal(dechunk(Buffer.from(chunked))?.toString(), plain))
}
