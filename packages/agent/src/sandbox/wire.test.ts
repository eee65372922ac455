import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frame, FrameReader, questionFrame, readQuestion } from './wire.ts'

test('frames come out as they went in, however they are cut on the way', () => {
  const payloads = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 6 })
  fc.assert(
    fc.property(payloads, fc.array(fc.nat({ max: 60 })), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map((payload) => frame(payload)))
      const reader = new FrameReader(1_000)
      const got: Buffer[] = []
      let at = 0
      for (const cut of [...cuts, bytes.length]) {
        got.push(...reader.push(bytes.subarray(at, at + cut))!)
        at += cut
      }
      assert.deepEqual(
        got.map((one) => one.toString('hex')),
        sent.map((one) => Buffer.from(one).toString('hex')),
      )
    }),
  )
})

test('a frame that is too long is noticed by its length alone', () => {
  assert.equal(new FrameReader(10).push(frame('a'.repeat(11)).subarray(0, 4)), undefined)
})

test('a question is its name and its text', () => {
  const [one] = new FrameReader(1_000).push(questionFrame('text', '"a\nb"'))!
  assert.deepEqual(readQuestion(one!), { name: 'text', text: '"a\nb"' })
})

test('what no sandbox of ours would ask is no question', () => {
  for (const text of ['', 'text', 'exec\nrm', '\n', 'TEXT\n""'])
    assert.equal(readQuestion(Buffer.from(text)), undefined, text)
})
