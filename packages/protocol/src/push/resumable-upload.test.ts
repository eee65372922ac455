import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '../capture.ts'
import {
  appendVerdict,
  nextUploadPart,
  PARTIAL_UPLOAD_TYPE,
  readUploadFields,
  statedLength,
  writeUploadFields,
} from './resumable-upload.ts'
import type { UploadFields } from './resumable-upload.ts'

const count = fc.nat({ max: 999_999_999_999_999 })
const limits = fc.record(
  { maxSize: count, minSize: count, maxAppendSize: count, minAppendSize: count, maxAgeSeconds: count },
  { requiredKeys: ['minSize'], noNullPrototype: true },
)

test('whatever fields are written, they are read as they were', () => {
  const fields = fc.record(
    { offset: count, isComplete: fc.boolean(), length: count, limits },
    { requiredKeys: [], noNullPrototype: true },
  )
  fc.assert(
    fc.property(fields, (given) => {
      const read = readUploadFields(writeUploadFields(given))
      const { limits: found, ...others } = read
      assert.deepEqual(others, { offset: given.offset, isComplete: given.isComplete, length: given.length })
      assert.deepEqual(found, given.limits)
    }),
  )
})

test('no header, however odd, makes reading throw', () => {
  const name = fc.constantFrom('Upload-Offset', 'upload-complete', 'UPLOAD-LENGTH', 'Upload-Limit', 'Content-Type')
  const headers = fc.array(fc.tuple(name, fc.oneof(fc.string(), fc.constantFrom('?1', '5', 'max-size=7', '5;a=1'))))
  fc.assert(
    fc.property(headers, (list) => {
      readUploadFields(list)
      appendVerdict(list, { offset: 3, length: undefined, maxSize: 10 }, undefined)
    }),
  )
})

// oxfmt-ignore
const fields: [sentence: string, headers: HeaderList, expected: UploadFields][] = [
  ['the offset and the rest of a HEAD answer', [['Upload-Complete', '?0'], ['Upload-Offset', '25'], ['Upload-Length', '100'], ['Upload-Limit', 'max-age=3600']], { offset: 25, isComplete: false, length: 100, limits: { maxAgeSeconds: 3_600 } }],
  ['parameters are passed over', [['Upload-Offset', '25;a=1'], ['Upload-Complete', '?1;b']], { offset: 25, isComplete: true }],
  ['a decimal is no offset', [['Upload-Offset', '25.0']], {}],
  ['neither is a date', [['Upload-Offset', '@25']], {}],
  ['neither is a number below zero', [['Upload-Offset', '-1']], {}],
  ['two offsets are none', [['Upload-Offset', '1'], ['Upload-Offset', '2']], {}],
  ['a word is no boolean', [['Upload-Complete', 'true']], {}],
  ['limits that are not known are passed over', [['Upload-Limit', 'max-size=9, colour="red"']], { limits: { maxSize: 9 } }],
  ['one limit of the wrong type voids all', [['Upload-Limit', 'max-size=9, min-size="a"']], {}],
  ['limits in two lines are one list', [['Upload-Limit', 'max-size=9'], ['Upload-Limit', 'min-size=1']], { limits: { maxSize: 9, minSize: 1 } }],
  ['an empty list says nothing', [['Upload-Limit', '']], {}],
]
for (const [sentence, headers, expected] of fields) {
  test(`fields: ${sentence}`, () => {
    const none = { offset: undefined, isComplete: undefined, length: undefined, limits: undefined }
    assert.deepEqual(readUploadFields(headers), { ...none, ...expected })
  })
}

test('no limits at all are said as min-size=0', () => {
  assert.deepEqual(writeUploadFields({ limits: {} }), [['Upload-Limit', 'min-size=0']])
})

test('parts follow each other to the end, and none is larger than the receiver takes', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.integer({ min: 1, max: 90 }), limits, (length, wanted, given) => {
      let [offset, last] = [0, false]
      for (let parts = 0; !last; parts++) {
        assert.ok(parts <= length, 'parts without end')
        const part = nextUploadPart(length, offset, wanted, given)
        assert.equal(part.start, offset)
        assert.ok(part.end - part.start <= Math.max(1, given.maxAppendSize ?? Infinity))
        const least = Math.min(given.minAppendSize ?? 0, given.maxAppendSize ?? Infinity)
        assert.ok(part.isLast || part.end - part.start >= least)
        offset = part.end
        last = part.isLast
      }
      assert.equal(offset, length)
    }),
  )
})

test('a length may be said by the field, by the content, by both alike, or not at all', () => {
  assert.equal(statedLength({ length: 10 }, 0, undefined), 10)
  assert.equal(statedLength({ isComplete: true }, 4, 6), 10)
  assert.equal(statedLength({ isComplete: true, length: 10 }, 4, 6), 10)
  assert.equal(statedLength({ isComplete: true, length: 11 }, 4, 6), 'inconsistent')
  assert.equal(statedLength({ isComplete: false }, 4, 6), undefined)
})

const patch = (offset: number, complete: boolean, more: HeaderList = []): HeaderList => [
  ['Content-Type', PARTIAL_UPLOAD_TYPE],
  ...writeUploadFields({ offset, isComplete: complete }),
  ...more,
]
// oxfmt-ignore
const appends: [sentence: string, headers: HeaderList, bytes: number | undefined, expected: number | 'append' | 'last'][] = [
  ['the right offset appends',                        patch(40, false),                            10,        'append'],
  ['the last part is the last',                       patch(40, true),                             60,        'last'],
  ['no content may say that all is there',            patch(40, false, []),                        0,         'append'],
  ['another offset is a conflict',                    patch(41, false),                            10,        409],
  ['another type is not taken',                       [['Content-Type', 'text/plain'], ...patch(40, false).slice(1)], 10, 415],
  ['fields that are missing are asked for',           [['Content-Type', PARTIAL_UPLOAD_TYPE]],     10,        400],
  ['an end before the length that was said is odd',   patch(40, true),                             10,        400],
  ['another length than before is odd',               patch(40, false, [['Upload-Length', '99']]), 10,        400],
  ['more than the length is too much',                patch(40, false),                            61,        413],
  ['content of unknown length is counted as it comes', patch(40, false),                           undefined, 'append'],
]
for (const [sentence, headers, bytes, expected] of appends) {
  test(`append: ${sentence}`, () => {
    const verdict = appendVerdict(headers, { offset: 40, length: 100, maxSize: 1_000 }, bytes)
    if (typeof expected === 'number') assert.ok(verdict.kind === 'refuse' && verdict.status === expected)
    else assert.deepEqual(verdict, { kind: 'append', isLast: expected === 'last', length: 100 })
  })
}

test('a conflict says where to go on, in the fields and in the problem', () => {
  const verdict = appendVerdict(patch(63, false), { offset: 40, length: 100, maxSize: 1_000 }, 10)
  assert.ok(verdict.kind === 'refuse')
  assert.deepEqual(readUploadFields(verdict.headers).offset, 40)
  const problem: Record<string, unknown> = JSON.parse(Buffer.from(verdict.body).toString())
  assert.deepEqual([problem['expected-offset'], problem['provided-offset']], [40, 63])
  assert.match(String(problem['type']), /#mismatching-upload-offset$/)
})

test('an upload of unknown length may grow to the limit and no further', () => {
  const resource = { offset: 990, length: undefined, maxSize: 1_000 }
  assert.equal(appendVerdict(patch(990, false), resource, 10).kind, 'append')
  assert.equal(appendVerdict(patch(990, false), resource, 11).kind, 'refuse')
})
