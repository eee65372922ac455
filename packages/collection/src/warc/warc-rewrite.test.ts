import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipRecord, metadataRecord, readRecordAt, readWarc, warcTarget } from '@comity/protocol'
import fc from 'fast-check'
import { testFolder } from '../testing/sample-crawl.ts'
import { rewriteWarc } from './warc-rewrite.ts'
import type { Place } from './warc-rewrite.ts'

const urlOf = (number: number): string => `https://a.example/${number}`
const record = (number: number): Parameters<typeof gzipRecord>[0] =>
  metadataRecord({ url: urlOf(number), at: 0, fields: [['note', 'words '.repeat(number % 50)]] })

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(dir, { recursive: true })
  return dir
}

/** A file of so many records, and where each stands. */
function makeFile(path: string, count: number): { places: Place[]; size: number } {
  const members = Array.from({ length: count }, (_, number) => gzipRecord(record(number)))
  writeFileSync(path, Buffer.concat(members))
  const places: Place[] = []
  let offset = 0
  for (const { length } of members) {
    places.push({ offset, length })
    offset += length
  }
  return { places, size: offset }
}

test('whatever is left out or changed, every other record is found at its new place, byte for byte', async (t) => {
  const dir = folder(t)
  let round = 0
  const verdicts = fc.array(fc.constantFrom('keep', 'drop', 'change'), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(verdicts, async (verdict) => {
      const [from, to] = [join(dir, `from-${++round}`), join(dir, `to-${round}`)]
      const { places, size } = makeFile(from, verdict.length)
      const numbers = new Map(places.map(({ offset }, number) => [offset, number]))
      const written = await rewriteWarc(from, size, to, (old, offset) => {
        const number = numbers.get(offset) ?? -1
        assert.equal(warcTarget(old), urlOf(number))
        if (verdict[number] === 'drop') return undefined
        return verdict[number] === 'change' ? record(number + 1_000) : old
      })
      const [before, after] = [readFileSync(from), readFileSync(to)]
      assert.equal(after.length, written.size)
      const expected = verdict.flatMap((kind, i) => (kind === 'drop' ? [] : [urlOf(kind === 'change' ? i + 1_000 : i)]))
      assert.deepEqual(
        [...readWarc(after)].map((item) => (item.kind === 'record' ? warcTarget(item.record) : item.message)),
        expected,
      )
      for (const [i, place] of places.entries()) {
        if (verdict[i] === 'drop') continue
        const { offset, length } = written.relocation.of(place)
        const bytes = after.subarray(offset, offset + length)
        const item = readRecordAt(bytes)
        assert.ok(item.kind === 'record')
        if (verdict[i] === 'change') assert.equal(warcTarget(item.record), urlOf(i + 1_000))
        else assert.deepEqual(bytes, before.subarray(place.offset, place.offset + place.length))
      }
    }),
    { numRuns: 40 },
  )
})

test('only the acknowledged part of a file is read', async (t) => {
  const dir = folder(t)
  const [from, to] = [join(dir, 'from'), join(dir, 'to')]
  const { size } = makeFile(from, 3)
  writeFileSync(from, Buffer.concat([readFileSync(from), Buffer.from('torn tail')]))
  const written = await rewriteWarc(from, size, to, (old) => old)
  assert.equal(written.size, size)
  assert.deepEqual(readFileSync(to), readFileSync(from).subarray(0, size))
})

test('a damaged file is named with the place of the damage', async (t) => {
  const dir = folder(t)
  const from = join(dir, 'from')
  const { places, size } = makeFile(from, 5)
  const bytes = readFileSync(from)
  bytes.fill(0, places[2]!.offset + 15, places[2]!.offset + 30)
  writeFileSync(from, bytes)
  await assert.rejects(
    rewriteWarc(from, size, join(dir, 'to'), (old) => old),
    {
      code: 'COLLECTION_DAMAGED',
      message: new RegExp(`at byte ${places[2]!.offset}`),
    },
  )
})
