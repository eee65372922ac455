import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { fitOf, isFitted } from './fit.ts'
import { linkedFrom } from './sites.ts'
import { generateWeb } from './web.ts'
import type { GeneratedWeb } from './web.ts'
import { transposed } from '../graph/links.ts'
import { reachableFrom } from '../graph/reach.ts'
import { LabError } from '../../lab-error.ts'
import { linksOf } from '../graph/web-graph.ts'

const web = generateWeb({ pages: 30_000 })
const median = (values: Float32Array): number => values.toSorted()[values.length >> 1]!

function hashOf({ starts, targets, siteOf, bytes, topics, latencyMs, bandwidth, homes }: GeneratedWeb): string {
  const hash = createHash('sha256')
  for (const array of [starts, targets, siteOf, bytes, topics, latencyMs, bandwidth]) hash.update(array)
  return hash.update(homes.join()).digest('hex')
}

test('the same seed gives the same web, another seed another', () => {
  assert.equal(hashOf(generateWeb({ pages: 30_000 })), hashOf(web))
  assert.notEqual(hashOf(generateWeb({ pages: 30_000, seed: 2 })), hashOf(web))
})

const fitted = [
  { pages: 30_000 },
  { pages: 30_000, seed: 99 },
  { pages: 30_000, bowTie: false },
  { pages: 100_000, seed: 5 },
]
for (const settings of fitted) {
  test(`the figures of 003 §6, 004 §4 and Broder et al. are met: ${JSON.stringify(settings)}`, () => {
    const rows = fitOf(generateWeb(settings))
    assert.ok(rows.length >= 10)
    assert.deepEqual(
      rows.filter((row) => !isFitted(row)),
      [],
    )
  })
}

test('any web, however small or lopsided, keeps the promises of a WebGraph', () => {
  const settings = fc.record({
    pages: fc.integer({ min: 1, max: 600 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(),
    bowTie: fc.boolean(),
  })
  fc.assert(
    fc.property(settings, ({ pages, share, seed, bowTie }) => {
      assertWebGraph(generateWeb({ pages, seed, bowTie, sites: Math.max(1, Math.round(share * pages)) }))
    }),
    { numRuns: 60 },
  )
})

test('the web of the other tests keeps them too', () => assertWebGraph(web))

function assertWebGraph(made: GeneratedWeb): void {
  assert.equal(made.starts.length, made.pages + 1)
  assert.equal(made.starts[made.pages], made.targets.length)
  const seen = new Uint32Array(made.pages)
  for (let page = 0; page < made.pages; page += 1) {
    for (const target of linksOf(made, page)) {
      assert.ok(target < made.pages && target !== page && seen[target] !== page + 1)
      seen[target] = page + 1
    }
  }
  for (let site = 0; site < made.sites; site += 1) {
    const home = made.pageStarts[site]!
    assert.ok(made.siteOf[home] === site && made.levels[home] === 0 && made.pageStarts[site + 1]! > home)
  }
  assert.ok(made.homes.length > 0 && made.homes.every((home) => made.levels[home] === 0))
}

test('links between sites go only where the bow tie lets them', () => {
  for (let page = 0; page < web.pages; page += 1) {
    for (const target of linksOf(web, page)) {
      if (web.siteOf[page] === web.siteOf[target]) continue
      assert.ok(
        linkedFrom[web.partOf(target)].includes(web.partOf(page)),
        `${web.partOf(page)} → ${web.partOf(target)}`,
      )
    }
  }
})

test('a crawl from the core reaches all of core and OUT, and nothing else', () => {
  const { reached } = reachableFrom(web, web.homes)
  for (let page = 0; page < web.pages; page += 1) {
    assert.equal(reached[page] === 1, ['core', 'out'].includes(web.partOf(page)))
  }
})

test('every IN site reaches the start, and so does every core site', () => {
  const [start] = web.homes
  const backwards = reachableFrom(transposed(web), [start!])
  for (let site = 0; site < web.sites; site += 1) {
    const home = web.pageStarts[site]!
    assert.equal(backwards.reached[home] === 1, ['core', 'in'].includes(web.partOf(home)), web.partOf(home))
  }
})

test('without the bow tie every home page is a start page and every page is reached', () => {
  const flat = generateWeb({ pages: 5_000, bowTie: false })
  assert.equal(flat.homes.length, flat.sites)
  assert.equal(reachableFrom(flat, flat.homes).count, flat.pages)
  const unlinked = flat.homes.filter((home) => !flat.targets.includes(home)).length
  assert.ok(unlinked / flat.sites > 0.05, 'many home pages have no in-links (004 §7)')
})

test('no site is larger than asked', () => {
  const small = generateWeb({ pages: 5_000, maxSitePages: 100 })
  for (let site = 0; site < small.sites; site += 1) {
    assert.ok(small.pageStarts[site + 1]! - small.pageStarts[site]! <= 100)
  }
})

test('every page can be reached from its home page inside the site, in as many clicks as its level says', () => {
  const clicks = new Int32Array(web.pages).fill(-1)
  for (let site = 0; site < web.sites; site += 1) clicks[web.pageStarts[site]!] = 0
  // Pages of a site are numbered in preorder, but short cuts may lead back: repeat until nothing changes.
  for (let changed = true; changed;) {
    changed = false
    for (let page = 0; page < web.pages; page += 1) {
      if (clicks[page] === -1) continue
      for (const target of linksOf(web, page)) {
        const shorter = clicks[page]! + 1
        if (web.siteOf[target] !== web.siteOf[page] || (clicks[target] !== -1 && clicks[target]! <= shorter)) continue
        clicks[target] = shorter
        changed = true
      }
    }
  }
  assert.ok(clicks.every((count, page) => count >= 0 && count <= web.levels[page]!))
})

test('home pages and first levels are linked more; past the fourth level depth tells little', () => {
  const [sums, counts] = [new Float64Array(256), new Float64Array(256)]
  const backlinks = new Uint32Array(web.pages)
  for (const target of web.targets) backlinks[target]! += 1
  for (const [page, number] of backlinks.entries()) {
    sums[web.levels[page]!]! += number
    counts[web.levels[page]!]! += 1
  }
  const meanAt = (level: number): number => sums[level]! / counts[level]!
  assert.ok(meanAt(1) > 3 * meanAt(3))
  assert.ok(meanAt(5) > meanAt(3) / 2 && meanAt(5) < meanAt(3) * 2)
})

test('sites differ in speed around the medians asked for', () => {
  const { latencyMs, bandwidth } = generateWeb({ pages: 4_000, sites: 2_000, latencyMs: 100, bandwidth: 5_000 })
  assert.ok(Math.abs(median(latencyMs) - 100) < 15)
  assert.ok(Math.abs(median(bandwidth) - 5_000) < 750)
})

test('progress is told, and settings that cannot be met are refused', () => {
  const stages: string[] = []
  generateWeb({ pages: 100 }, (stage, done, of) => stages.push(`${stage} ${done}/${of}`))
  assert.deepEqual(stages, ['sites 0/100', 'links 0/100', 'sizes 0/100', 'sizes 100/100'])
  assert.throws(() => generateWeb({ pages: -1 }), LabError)
})
