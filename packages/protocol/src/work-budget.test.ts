/** What is small on the wire and large to read is refused by name, after a bounded number of steps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  applyDelta,
  createWarcReader,
  decodeVcdiff,
  encodeRecord,
  metadataRecord,
  readMetadataArchive,
  readBatchAnswer,
  readChanges,
  readWarc,
  WorkBudget,
} from './index.ts'
import { WORK_LIMITS } from './work-budget.ts'
import type { WarcItem } from './index.ts'

const blankMember = gzipSync(Buffer.alloc(15 << 20, '\r\n'))
const emptyMember = gzipSync('')
const emptyWindow = Buffer.from([0, 5, 0, 0, 0, 0, 0])
const deltaHead = Buffer.from([0xd6, 0xc3, 0xc4, 0, 0])
const repeated = (bytes: Uint8Array, times: number): Buffer => Buffer.alloc(bytes.length * times, bytes)

/** A fifth of what an archive may cost: enough to see where it ends. */
const someWork = (): WorkBudget => new WorkBudget(WORK_LIMITS.archive / 5)

const closing = encodeRecord(metadataRecord({ url: 'http://a.example/', at: 0, json: { sent: 0, unchanged: 0 } }))
const smallest = Buffer.from('WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n')

// oxfmt-ignore
const archives: [name: string, bytes: () => Buffer][] = [
  ['gzip members full of blank lines', () => Buffer.concat([repeated(blankMember, 8), gzipSync(closing)])],
  ['empty gzip members', () => Buffer.concat([repeated(emptyMember, 20_000), gzipSync(closing)])],
  ['a member of the smallest records', () => gzipSync(Buffer.concat([repeated(smallest, 20_000), closing]))],
  ['a member of lines that begin like a record', () => gzipSync(Buffer.concat([Buffer.alloc(512 << 10, 'WARC/9\n'), closing]))],
]

for (const [name, make] of archives) {
  test(`${name}: too much work, by that name, and nothing is taken for closed`, async () => {
    const bytes = make()
    const { closing: end, problems } = readBatchAnswer(bytes, undefined, someWork())
    assert.equal(end, undefined)
    assert.match(problems.at(-1) ?? '', /^too-much-work/)
    assert.ok(problems.length <= 1_001)
    const items: WarcItem[] = []
    for await (const item of createWarcReader(chunksOf(bytes), { work: someWork() })) items.push(item)
    const last = items.at(-1)
    assert.deepEqual([last?.kind, last?.kind === 'problem' && last.problem], ['problem', 'too-much-work'])
  })
}

test('40 such members, 613 kilobytes, are refused as what they are by the budget of any archive', () => {
  assert.match(readBatchAnswer(repeated(blankMember, 40)).problems.at(-1) ?? '', /^too-much-work/)
})

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1 << 16) yield bytes.subarray(at, at + (1 << 16))
}

test('an archive may cost what its length makes likely: many small records pass, half a gigabyte out of half a megabyte does not', () => {
  const record = encodeRecord(metadataRecord({ url: 'http://a.example/', at: 0, json: { text: 'x'.repeat(2_000) } }))
  const honest = WorkBudget.ofArchive(20_000 * gzipSync(record).length)
  const isEnough = ['member', 'record'].every((kind) => honest.spend(kind as 'member' | 'record', 20_000))
  assert.ok(isEnough && honest.spend('byte', 20_000 * record.length))
  assert.ok(WorkBudget.ofArchive(612_720).bytesLeft < 128 << 20)
})

test('a file of the user is read to its end, whatever it holds', () => {
  const records = [...readWarc(gzipSync(Buffer.concat([Buffer.alloc(1 << 20, '\n'), closing])))]
  assert.equal(records.filter(({ kind }) => kind === 'record').length, 1)
})

test('a difference of empty windows is refused once they pass what a page can need', () => {
  const delta = Buffer.concat([deltaHead, repeated(emptyWindow, 200_000)])
  assert.deepEqual(decodeVcdiff(new Uint8Array(10), delta, { maxBytes: 64 << 20 }), { kind: 'too-much-work' })
  const some = Buffer.concat([deltaHead, repeated(emptyWindow, 1_000)])
  assert.deepEqual(decodeVcdiff(new Uint8Array(10), some, { maxBytes: 64 << 20 }).kind, 'ok')
})

test('also when it was packed: 30 kilobytes that stand for four million windows', () => {
  const body = gzipSync(Buffer.concat([deltaHead, repeated(emptyWindow, 4_000_000)]))
  const headers = [
    ['IM', 'vcdiff, gzip'],
    ['ETag', '"b"'],
    ['Delta-Base', '"a"'],
  ] as const
  const base = new Map([['"a"', new Uint8Array(10)]])
  assert.ok(body.length < 50_000)
  assert.deepEqual(applyDelta({ status: 226, headers, body }, base, { maxBytes: 64 << 20 }), { kind: 'too-much-work' })
})

test('rows that are none are read up to a number of them', () => {
  const { end, problem } = readChanges(`${'{\n'.repeat(200_000)}{"token":"t","more":false}\n`)
  assert.deepEqual([end, problem], [undefined, 'too-much-work'])
})

test('a metadata archive of empty members, and one of blank lines', () => {
  const options = { site: 'http://a.example' }
  for (const bytes of [repeated(emptyMember, 40_000), gzipSync(Buffer.alloc(2 << 20, 'a\n'))]) {
    const { complete, problems } = readMetadataArchive(bytes, options)
    assert.deepEqual([complete, problems['too-much-work']], [false, 1])
  }
})
