import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentKey } from '@comity/ingest'
import { EstimateTally, sumTypes, totalsOf } from './estimate-tally.ts'
import type { HeldEstimate, HeldRow } from './estimate-tally.ts'
import type { ReportedPage } from '@comity/follow'

const URL_OF = (n: number): string => `https://a.example/${n}`
const told = (n: number, facts: Partial<ReportedPage> = {}): ReportedPage => ({
  url: URL_OF(n),
  change: 'updated',
  ...facts,
})
const digest = (text: string): string => `sha-256:${hash('sha256', text)}`
const VISIT = Date.UTC(2026, 5, 1)
const row: HeldRow = { visitedAt: VISIT, contentKey: contentKey(Buffer.from('ours')) }
const dated: HeldRow = { visitedAt: VISIT, lastModified: new Date(VISIT - 86_400_000).toUTCString() }

const CASES: [sentence: string, held: HeldRow | undefined, said: Partial<ReportedPage>, verdict: keyof HeldEstimate][] =
  [
    ['a page that is not held is new', undefined, {}, 'fresh'],
    [
      'the digest of our copy: it is as it was, whatever its date',
      row,
      { digest: digest('ours'), modifiedAt: VISIT + 1e9 },
      'unchanged',
    ],
    ['another digest: it has changed', row, { digest: digest('theirs'), modifiedAt: 0 }, 'changed'],
    ['a date after our visit: it has changed', row, { modifiedAt: VISIT + 5_000 }, 'changed'],
    ['a date before our visit: it is as it was', row, { modifiedAt: VISIT - 5_000 }, 'unchanged'],
    [
      'a date after that of our copy: it has changed, though before our visit',
      dated,
      { modifiedAt: VISIT - 1_000 },
      'changed',
    ],
    ['the date of our copy, to the second', dated, { modifiedAt: VISIT - 86_400_000 + 900 }, 'unchanged'],
    ['when a change was noted counts where nothing else is told', row, { changedAt: VISIT + 5_000 }, 'changed'],
    ['neither date nor digest', row, {}, 'unsure'],
  ]
for (const [sentence, held, said, verdict] of CASES) {
  test(sentence, () => {
    const tally = new EstimateTally(true, new Map(held === undefined ? [] : [[URL_OF(1), held]]))
    tally.add(URL_OF(1), told(1, said))
    assert.equal(tally.held?.[verdict], 1)
    assert.equal(tally.held.gone, 0)
  })
}

test('what a whole list leaves out is gone; a list of changes has to say so', () => {
  const held = new Map([1, 2, 3].map((n) => [URL_OF(n), row]))
  const whole = new EstimateTally(true, held)
  whole.add(URL_OF(1), told(1))
  assert.equal(whole.held?.gone, 2)
  const changes = new EstimateTally(false, held)
  changes.add(URL_OF(1), told(1))
  assert.equal(changes.held?.gone, undefined)
  changes.add(URL_OF(2), told(2, { change: 'deleted' }))
  assert.equal(changes.held?.gone, 1)
})

test('every page counts once under one type, with or without a size, and sites add up', () => {
  const entries = fc.array(
    fc.record({
      n: fc.nat(20),
      type: fc.option(fc.constantFrom('text/html', 'image/png'), { nil: undefined }),
      bytes: fc.option(fc.nat(1_000), { nil: undefined }),
    }),
  )
  fc.assert(
    fc.property(fc.array(entries, { maxLength: 3 }), (sites) => {
      const tallies = sites.map((site) => {
        const tally = new EstimateTally(true)
        for (const { n, type, bytes } of site) tally.add(URL_OF(n), told(n, { type, bytes }))
        return tally
      })
      const pages = sites.reduce((sum, site) => sum + new Set(site.map(({ n }) => n)).size, 0)
      const sum = sumTypes(tallies.map(({ types }) => types))
      assert.equal(totalsOf(sum).pages, pages)
      assert.ok(sum.every((type) => type.unknownSize <= type.pages))
    }),
  )
})
