import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readBatchAnswer, writeBatchPage, writeClosing } from './batch-answer.ts'
import type { Closing } from './batch-answer.ts'
import { batchLimits, readBatch, writeBatch } from './batch.ts'

const AT = Date.UTC(2026, 0, 2)
const closing: Closing = { sent: 1, unchanged: 2, rest: ['https://a.example/9'], refused: [], token: 'j.7', more: true }
const page = {
  url: 'https://a.example/1',
  status: 200,
  headers: [['Content-Type', 'text/html']] as const,
  body: Buffer.from('<p>one'),
}

function answer(...records: Uint8Array[]): Uint8Array {
  return Buffer.concat(records)
}

test('what is asked for in a batch is read back as it was written', () => {
  const maybe = fc.option(fc.string(), { nil: undefined })
  const line = fc.record({ url: fc.webUrl(), etag: maybe, delta: fc.boolean() }, { noNullPrototype: true })
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const read = readBatch(Buffer.from(writeBatch(lines)))
      assert.deepEqual(
        read.lines.map(({ url, etag, delta }) => ({ url, etag, delta })),
        lines,
      )
      assert.equal(read.unreadable + read.cut, 0)
    }),
  )
})

test('lines that make no sense are counted and the others are read', () => {
  const { lines, unreadable } = readBatch(Buffer.from('{"url":"https://a.example/"}\nnonsense\n{"url":5}\n[]\n'))
  assert.equal(lines.length, 1)
  assert.equal(unreadable, 3)
})

test('a batch has no more lines than the limit, and says how many were cut', () => {
  const asked = Array.from({ length: 5 }, (_, n) => ({ url: `https://a.example/${n}` }))
  const { lines, cut } = readBatch(Buffer.from(writeBatch(asked)), { ...batchLimits, maxLines: 2 })
  assert.equal(lines.length, 2)
  assert.equal(cut, 3)
})

test('an answer gives its pages and its closing', () => {
  const read = readBatchAnswer(answer(writeBatchPage(page, AT), writeClosing(closing, page.url, AT)))
  assert.deepEqual(read.closing, closing)
  assert.deepEqual(read.problems, [])
  assert.equal(read.pages[0]?.url, page.url)
  assert.equal(Buffer.from(read.pages[0].body).toString(), '<p>one')
})

test('an answer that was cut anywhere has no closing, so nothing follows for pages that are not in it', () => {
  const whole = answer(writeBatchPage(page, AT), writeClosing(closing, page.url, AT))
  // The last four bytes are the blank lines that end a record.
  for (let end = 0; end < whole.length - 4; end++) {
    assert.equal(readBatchAnswer(whole.subarray(0, end)).closing, undefined, `cut at ${end}`)
  }
})

test('a page whose bytes were changed on the way is left out', () => {
  const bytes = Buffer.from(answer(writeBatchPage(page, AT), writeClosing(closing, page.url, AT)))
  bytes[bytes.indexOf('<p>one') + 3] = 0x78
  const { pages, problems } = readBatchAnswer(bytes)
  assert.equal(pages.length, 0)
  assert.match(problems.join(), /digest/)
})

test('no bytes, however odd, make reading an answer throw', () => {
  const whole = answer(writeBatchPage(page, AT), writeClosing(closing, page.url, AT))
  const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 })
  fc.assert(
    fc.property(edits, (changes) => {
      const bytes = Buffer.from(whole)
      for (const [at, value] of changes) bytes[at] = value
      readBatchAnswer(bytes)
      readBatch(bytes)
    }),
  )
})
