import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withHits, encodeReading, HOUR_MS } from '@comity/collection'
import type { ReadingRow } from '@comity/collection'
import { AT, sampleRepository } from '../testing/sample-repository.ts'
import { surveyReading } from './reading-survey.ts'

const NOW = AT + 30 * HOUR_MS
const rowOf = (...hits: readonly (readonly [hoursAgo: number, people: number, robots: number])[]): Uint8Array => {
  const row = hits.reduce<ReadingRow | undefined>(
    (before, [hoursAgo, people, robots]) =>
      withHits(before, { at: NOW - hoursAgo * HOUR_MS, people, robots }, Infinity),
    undefined,
  )
  return encodeReading(row!)
}

interface Row {
  readonly key: number
  readonly value: Uint8Array
}

const survey = (rows: readonly Row[], isLinked: (page: number) => boolean): ReturnType<typeof surveyReading> => {
  const collection = { fact: () => undefined, readings: () => rows }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is asked of it.
  return surveyReading({ collection: () => collection as unknown as Collected, isLinked, now: NOW })
}

type Collected = ReturnType<Parameters<typeof surveyReading>[0]['collection']>

test('reading now is this hour and the one before, the most read first', async () => {
  const rows = [
    { key: 1, value: rowOf([0, 3, 1], [1, 2, 0]) },
    { key: 2, value: rowOf([0, 9, 0]) },
    { key: 3, value: rowOf([2, 50, 0]) },
    { key: 4, value: rowOf([1, 0, 7]) },
    { key: 5, value: Buffer.from('damaged') },
  ]
  const { recent, pages } = await survey(rows, () => true)
  assert.equal(pages, 4)
  assert.deepEqual(
    recent.map(({ page, people, robots }) => [page, people, robots]),
    [
      [2, 9, 0],
      [1, 5, 1],
      [4, 0, 7],
    ],
  )
})

test('what people read and no link leads to is listed, what only robots read is not', async () => {
  const rows = [
    { key: 1, value: rowOf([9, 3, 0]) },
    { key: 2, value: rowOf([9, 0, 8]) },
    { key: 3, value: rowOf([90, 30, 0]) },
    { key: 4, value: rowOf([1, 99, 0]) },
  ]
  const { unfound, unfoundTotal } = await survey(rows, (page) => page === 4)
  assert.deepEqual([unfound.map(({ page }) => page), unfoundTotal], [[3, 1], 2])
})

test('of any number of pages the most read are listed and all are counted', async () => {
  const rows = Array.from({ length: 1_000 }, (_, key) => ({ key, value: rowOf([0, key, 0]) }))
  const { recent, unfound, unfoundTotal } = await survey(rows, () => false)
  assert.deepEqual([recent.length, recent[0]?.page, unfound.length, unfoundTotal], [50, 999, 50, 999])
})

test('a survey of a collection knows which pages are linked to', async (t) => {
  const { survey: surveyor, collection, crawl, repository } = await sampleRepository(t)
  await surveyor.settled()
  // Page 0 is a start page; a link leads to 1; nothing leads to what a gateway saw.
  const alone = crawl.offer('/alone', 0, 1)
  for (const page of [0, 1, alone]) collection.putReading(page, rowOf([0, 5, 0]))
  await crawl.commit()
  const { unfound, unfoundTotal, pages } = await surveyor.reading()
  assert.deepEqual([unfound.map(({ page }) => page), unfoundTotal, pages], [[alone], 1, 3])
  const model = await repository.reading()
  assert.deepEqual([model.gateways, model.pages, model.unfound[0]?.url], [[], 3, collection.url(alone)])
})
