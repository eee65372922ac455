import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckEstimate, SiteEstimate } from '@comity/crawler'
import { estimateReport, heldSentence } from './estimate-report.ts'
import { plain } from '../terminal/terminal.ts'

const html = { type: 'text/html', pages: 200, bytes: 1_000_000, unknownSize: 0 }
const pdf = { type: 'application/pdf', pages: 10, bytes: 500_000, unknownSize: 5 }
const bare = { type: 'image/png', pages: 3, bytes: 0, unknownSize: 3 }
const asked = { requests: 6, bytes: 2_000 }
const site: SiteEstimate = {
  origin: 'https://a.example',
  offers: ['filter'],
  listing: 'filter',
  isWhole: true,
  types: [html, pdf, bare],
  pages: 213,
  bytes: 1_500_000,
  unknownSize: 8,
  asked,
}
const silent: SiteEstimate = {
  origin: 'https://b.example',
  offers: ['sitemap'],
  isWhole: false,
  types: [],
  pages: 0,
  bytes: 0,
  unknownSize: 0,
  asked,
  problem: 'sitemap: it broke off',
}
const estimateOf = (...sites: SiteEstimate[]): CheckEstimate => ({ ...site, sites })

test('a site is told by type, with what nobody knows', () => {
  const lines = estimateReport(estimateOf(site), plain)
  assert.ok(lines.some((line) => /^ {2}text\/html +200 +1 MB$/.test(line)))
  assert.ok(lines.some((line) => /application\/pdf +10 +500 KB +50 % without a size/.test(line)))
  assert.ok(lines.some((line) => /image\/png +3 +\? +sizes are not told/.test(line)))
  assert.ok(!lines.includes('All sites'), 'one site is all of them')
})

test('several sites are added up, and one that tells nothing is told what to do', () => {
  const lines = estimateReport(estimateOf(site, silent), plain)
  assert.ok(lines.includes('All sites'))
  assert.ok(lines.some((line) => line.includes('nothing to estimate from: sitemap: it broke off')))
  assert.ok(lines.some((line) => line.includes('comity check')))
})

test('what is held is told by what became of it', () => {
  const held = { held: 1_200, unchanged: 1_000, changed: 150, unsure: 0, fresh: 20, gone: 50 }
  assert.equal(heldSentence(held), 'Of 1,200 pages held: 150 changed, 1,000 as they were, 50 gone; 20 new.')
  assert.equal(
    heldSentence({ ...held, unsure: 3, gone: undefined }),
    'Of 1,200 pages held: 150 changed, 1,000 as they were, 3 without a date; 20 new.',
  )
})
