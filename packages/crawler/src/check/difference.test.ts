import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { encodeVcdiff, writeDigestField } from '@comity/protocol'
import type { AnsweredExchange } from '@comity/ingest'
import { deltaProblem, differenceProblem } from './difference.ts'

const earlier = Buffer.from(`<title>Before</title>${'the same words again, '.repeat(40)}`)
const page = Buffer.from(`<title>After</title>${'the same words again, '.repeat(40)} and some more`)
const other = Buffer.from(`<title>Another</title>${'the same words again, '.repeat(40)} and less`)
const TIMED = { startedAt: 0, endedAt: 0, connectMs: undefined, firstByteMs: 0, transferMs: 0 }

const HEAD: Readonly<Record<string, string>> = {
  IM: 'vcdiff',
  ETag: '"new"',
  'Delta-Base': '"old"',
  'Repr-Digest': writeDigestField(page),
}
function answer(body: Uint8Array, changes: Readonly<Record<string, string | undefined>> = {}): AnsweredExchange {
  const fields = Object.entries({ ...HEAD, ...changes }).filter(
    (field): field is [string, string] => field[1] !== undefined,
  )
  const head = { status: 226, statusText: 'IM Used', headers: fields }
  return { kind: 'answered', head, body: Uint8Array.from(body), declined: false, ...TIMED }
}

const right = encodeVcdiff(earlier, page)
const cases: [sentence: string, sent: AnsweredExchange, problem: RegExp | undefined][] = [
  ['a difference that gives the page is right', answer(right), undefined],
  ['one that is packed is, too', answer(gzipSync(right), { IM: 'vcdiff, gzip' }), undefined],
  ['one that gives another page is not', answer(encodeVcdiff(earlier, other)), /another/],
  [
    'one with one wrong letter is not',
    answer(encodeVcdiff(earlier, Buffer.from(page.toString().replace('After', 'Axter')))),
    /another page/,
  ],
  [
    'one that is longer than the page is not',
    answer(encodeVcdiff(earlier, Buffer.concat([page, page]))),
    /another length/,
  ],
  ['nonsense is not', answer(Buffer.from('nonsense')), /cannot be decoded/],
  ['one that says to be packed and is not', answer(right, { IM: 'vcdiff, gzip' }), /cannot be unpacked/],
  ['one without a digest cannot be believed', answer(right, { 'Repr-Digest': undefined }), /no Repr-Digest/],
  [
    'nor one with the digest of another page',
    answer(right, { 'Repr-Digest': writeDigestField(other) }),
    /not that of the page/,
  ],
  ['nor one from a version that was not asked for', answer(right, { 'Delta-Base': '"older"' }), /RFC 3229/],
  ['nor one that does not say what it is', answer(right, { IM: undefined }), /RFC 3229/],
  [
    'a page that changed meanwhile says nothing',
    answer(right, { ETag: '"newer"', 'Repr-Digest': undefined }),
    undefined,
  ],
]
for (const [sentence, sent, problem] of cases) {
  test(sentence, () => {
    const found = differenceProblem(sent, '"old"', { etag: '"new"', body: page })
    if (problem === undefined) assert.equal(found, undefined)
    else assert.match(found ?? 'nothing is wrong', problem)
  })
}

test('no right difference is called wrong, whatever the two versions', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ maxLength: 400 }).map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(bytes, bytes, bytes, (one, shared, two) => {
      const [from, to] = [Buffer.concat([one, shared, one]), Buffer.concat([two, shared, shared])]
      assert.equal(deltaProblem(encodeVcdiff(from, to), to), undefined)
    }),
    { numRuns: 20 },
  )
})

test('whatever bytes are sent, it ends and says something or nothing', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const delta = Uint8Array.from([...right.subarray(0, 5), ...bytes])
      assert.ok(['string', 'undefined'].includes(typeof deltaProblem(delta, page)))
    }),
    { numRuns: 20 },
  )
})
