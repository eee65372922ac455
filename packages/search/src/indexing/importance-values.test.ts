import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { importanceOf } from './importance-values.ts'

const AT = Date.UTC(2026, 10, 14)
const link = (to: number): { to: number; anchor: string } => ({ to, anchor: 'x' })

test('a collection without links has no importance to tell of', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT)
  assert.equal(importanceOf(collection).length, 0)
})

test('importance is of every page that links name, its mean is one, and who is linked to more has more', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT)
  const crawl = new SampleCrawl(collection)
  const pages = ['/', '/a', '/b', '/popular', '/never-visited'].map((path) => crawl.offer(path))
  const [home, a, b, popular, unseen] = pages as [number, number, number, number, number]
  crawl.visit({ page: home, at: AT, body: 'home', links: [link(a), link(b), link(popular)] })
  crawl.visit({ page: a, at: AT, body: 'a', links: [link(popular)] })
  crawl.visit({ page: b, at: AT, body: 'b', links: [link(popular), link(unseen)] })
  await crawl.commit()
  const values = importanceOf(collection)
  assert.equal(values.length, 5)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  assert.ok(Math.abs(mean - 1) < 0.01, `mean ${mean}`)
  assert.equal(values.indexOf(Math.max(...values)), popular)
  assert.ok(values[unseen]! > values[home]!, 'also a page that was only heard of')
})
