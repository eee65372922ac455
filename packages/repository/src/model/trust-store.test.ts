import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptFresh } from '../testing/kept-fresh-fixture.ts'
import { AT, sampleRepository } from '../testing/sample-repository.ts'

const all = { offset: 0, limit: 50 }

test('sites that help are listed with what they offer, and the others are counted', async (t) => {
  const { collection, crawl, survey, clock } = await sampleRepository(t)
  assert.deepEqual(await survey.cooperating(all), { total: 0, ordinary: 2, rows: [] })
  await keptFresh(collection, crawl)
  clock.now = AT + 60_000
  const { total, ordinary, rows } = await survey.cooperating(all)
  assert.deepEqual([total, ordinary], [1, 1])
  const [site] = rows
  assert.deepEqual(
    [site?.origin, site?.held, site?.uses, site?.offers.map(({ kind }) => kind)],
    ['https://a.example', 2, 'filter', ['filter', 'sitemap']],
  )
  assert.match(site?.why.join(' ') ?? '', /filter: 1 of 1 announced pages had changed/)
})

test('a stretch beyond the end is empty', async (t) => {
  const { collection, crawl, survey } = await sampleRepository(t)
  await keptFresh(collection, crawl)
  const { total, rows } = await survey.cooperating({ offset: 5, limit: 2 })
  assert.deepEqual([total, rows], [1, []])
})
