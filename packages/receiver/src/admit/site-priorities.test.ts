import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SitePriorities } from './site-priorities.ts'

test('a site is worth what the crawl says, and otherwise what a stranger is', () => {
  const worths = new SitePriorities(0.1)
  worths.replace([
    ['https://a.example', 0.9],
    ['https://b.example', 0],
  ])
  assert.deepEqual(
    ['https://a.example', 'https://b.example', 'https://c.example'].map((origin) => worths.of(origin)),
    [0.9, 0, 0.1],
  )
  worths.replace([])
  assert.deepEqual([worths.of('https://a.example'), worths.size], [0.1, 0])
})
