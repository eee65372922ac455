import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discover, discoverPages, discoverSites } from './discovery.ts'
import { madeSite } from '../../webs/made-site.ts'

test('links take a round for each level, and what no link leads to is not found', () => {
  const found = discover('small', [[1, 2], [0], [3], [], [3]], 0)
  assert.deepEqual([found.pages, found.reached, found.rounds], [5, 4, [1, 2, 1]])
  assert.deepEqual(found.known, [
    { downloaded: 0, known: 1 },
    { downloaded: 1, known: 3 },
    { downloaded: 2, known: 3 },
    { downloaded: 3, known: 4 },
    { downloaded: 4, known: 4 },
  ])
})

test('a made site is reached whole, in as many rounds as it has levels of folders and one', () => {
  const site = madeSite({ pages: 3_000, seed: 1, urlChars: 64, meanBytes: 1_000 })
  const { reached, rounds, known } = discoverPages({ ...site, links: site.links! })
  assert.equal(reached, 3_000)
  assert.equal(rounds.length, 4)
  assert.deepEqual(known.at(-1), { downloaded: 3_000, known: 3_000 })
})

test('each site of a web is looked at without the links of others, from the page that leads to most', () => {
  // Site 0 has pages 0, 2, 3, site 1 has page 1; 2 leads to 0 and 3, and 1 leads into site 0.
  const web = {
    name: 'two',
    pages: 4,
    starts: Uint32Array.of(0, 1, 2, 4, 4),
    targets: Uint32Array.of(1, 0, 0, 3),
    sites: 2,
    siteOf: Uint32Array.of(0, 1, 0, 0),
    homes: [],
  }
  const found = discoverSites(web, (site) => `site ${site}`)
  assert.deepEqual(
    found.map(({ name, pages, reached, rounds }) => ({ name, pages, reached, rounds })),
    [
      { name: 'site 0', pages: 3, reached: 3, rounds: [1, 2] },
      { name: 'site 1', pages: 1, reached: 1, rounds: [1] },
    ],
  )
})
