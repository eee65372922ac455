import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ControlError } from './control-error.ts'
import { MAX_LINE_BYTES, idOf, lineOf, linesOf, parseLine, readRequest } from './wire.ts'

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
const collect = async (...chunks: Uint8Array[]): Promise<string[]> =>
  await Array.fromAsync(linesOf(chunksOf(...chunks)))

test('lines come out whole, wherever they were cut', async () => {
  const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\n', ' ')))
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 50 }), async (wanted, size) => {
      const bytes = Buffer.from(wanted.map((line) => `${line}\n`).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      assert.deepEqual(await collect(...chunks), wanted)
    }),
  )
})

test('a line without an end is none, and one that never ends is refused', async () => {
  assert.deepEqual(await collect(Buffer.from('a\nb')), ['a'])
  const longest = Buffer.alloc(MAX_LINE_BYTES, 'x')
  assert.equal((await collect(longest, Buffer.from('\n')))[0]?.length, MAX_LINE_BYTES)
  await assert.rejects(collect(longest, Buffer.from('x')), { code: 'CONTROL_INVALID' })
  await assert.rejects(collect(longest, Buffer.from('x\n')), { code: 'CONTROL_INVALID' })
})

// oxfmt-ignore
const good: [line: string, request: object][] = [
  ['{"id":1,"do":"status"}',                              { id: 1, do: 'status' }],
  ['{"do":"pause"}',                                      { id: null, do: 'pause' }],
  ['{"id":"a","do":"seed","url":"https://example.org/"}', { id: 'a', do: 'seed', url: 'https://example.org/' }],
  ['{"id":2,"do":"budget","budget":{"maxPages":5,"maxBytes":null}}', { id: 2, do: 'budget', budget: { maxPages: 5, maxBytes: Infinity } }],
]
for (const [line, request] of good) {
  test(`${line} is read`, () => assert.deepEqual(readRequest(parseLine(line)), request))
}

// oxfmt-ignore
const bad: [line: string, message: RegExp][] = [
  ['hello',                        /one JSON object on one line/],
  ['[1]',                          /one JSON object on one line/],
  ['null',                         /one JSON object on one line/],
  ['{"id":1}',                     /"do" must be one of status,/],
  ['{"id":1,"do":"constructor"}',  /"do" must be one of status,/],
  ['{"id":1,"do":"seed"}',         /"seed" needs a "url"/],
  ['{"id":1,"do":"budget","budget":[]}', /"budget" needs a "budget"/],
]
for (const [line, message] of bad) {
  test(`${line} is refused`, () => {
    assert.throws(() => readRequest(parseLine(line)), { code: 'CONTROL_INVALID', message })
  })
}

test('whatever stands on a line, it is a request or a named refusal', () => {
  const words = fc.oneof(
    fc.string(),
    fc.json(),
    fc.object().map((value) => JSON.stringify({ ...value, do: 'budget' })),
  )
  fc.assert(
    fc.property(words, (line) => {
      const message = parseLine(line)
      idOf(message)
      try {
        assert.equal(lineOf(readRequest(message)).at(-1), '\n')
      } catch (error) {
        assert.ok(error instanceof ControlError && error.code === 'CONTROL_INVALID')
      }
    }),
  )
})

test('an id that would fill the answers is not sent back', () => {
  assert.equal(idOf({ id: 'x'.repeat(1_000) }), null)
  assert.equal(idOf({ id: { a: 1 } }), null)
})
