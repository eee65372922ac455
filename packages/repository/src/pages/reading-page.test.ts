import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import type { ReadingModel } from '../model/models.ts'
import { models } from '../testing/pages-fixture.ts'
import { renderReadingPage } from './reading-page.ts'

const draw = (changes: Partial<ReadingModel> = {}): string => flat(renderReadingPage({ ...models.reading, ...changes }))

test('what is read now, the most read first, with counts and nothing of readers', () => {
  const page = wordsOf(draw())
  assert.match(page, /pages that were read ?4,310/)
  assert.match(page, /Reading now ?Pages read in this hour and the one before ?Page ?People ?Robots ?Last read/)
  assert.match(page, /310 ?0 ?2026-11-15 12:20:00 UTC.+155 ?1 ?2026-11-15 12:18:50 UTC/)
  assert.match(wordsOf(draw({ recent: [] })), /Nobody reads in this hour, as far as gateways told/)
})

test('hits over time are drawn by the server, and told in words to who cannot see', () => {
  const page = draw()
  assert.match(page, /<path class="line s0" d="M0\.0 [\d.]+L/)
  assert.match(page, /aria-label="Hits an hour over 96 hours: at most \d+ by people, \d+ by robots; in the last hour/)
  assert.doesNotMatch(page, /freshness\.js/)
  assert.match(wordsOf(draw({ hours: [] })), /Nothing was counted yet/)
})

test('what no link leads to, what a crawler was saved, and what each gateway ships and leaves out', () => {
  const page = wordsOf(draw())
  assert.match(page, /212 pages of 4,310 that were read: no page of ?the collection links there.+The 3 most read:/)
  assert.match(page, /About 5,780 requests and 42\.6 MB of pages/)
  assert.match(page, /confirmed ?76,800 ?seen again as it is held/)
  assert.match(
    page,
    /campus-north ?2026-11-15 12:19:19 UTC ?412 ?\+ 3 again ?1\.8 MB ?3 % of the HTML ?36,120 ?\+ 3,980 by robots/,
  )
  assert.match(page, /6\.8 % of 43,026 ?cookie 4\.9 %.+private 1\.7 %.+query 0\.22 %/)
  assert.match(page, /campus-south.+41 KB ?36,120.+nothing/)
  assert.match(wordsOf(draw({ unfound: [], unfoundTotal: 0 })), /No page of 4,310 that were read/)
})

test('who runs which program, for whom each version is, and what was withdrawn', () => {
  const page = wordsOf(draw())
  assert.match(page, /campus-north ?news-rules ?1\.0\.0 ?1\.0\.0 ?0 ?2026-11-15 12:10:00 UTC/)
  assert.match(page, /campus-south ?news-rules ?none yet ?1\.0\.0 ?2 ?2026-11-15 12:05:00 UTC/)
  assert.match(page, /news-rules ?1\.0\.0 ?all ?1 ?0 of 5 ?no/)
  assert.match(
    page,
    /1\.1\.0 ?campus-north, and 10 % of all ?0 ?6 of 5 ?2026-11-15 11:20:00 UTC: ?6 faults at campus-north/,
  )
  assert.doesNotMatch(wordsOf(draw({ programs: undefined })), /Programs that gateways run/)
  assert.match(wordsOf(draw({ programs: 'it cannot be read' })), /not used: it cannot be read\./)
  assert.match(wordsOf(draw({ programs: { versions: [], uses: [] } })), /None is nominated/)
})

test('faults of programs are not among the pages that were left out', () => {
  const [north] = models.reading.gateways
  const page = wordsOf(draw({ gateways: [{ ...north!, skipped: { 'program-fault-abc': 9, cookie: 1 } }] }))
  assert.match(page, /cookie/)
  assert.doesNotMatch(page, /program-fault/)
})

test('where no gateway was heard it is said how one is', () => {
  const page = wordsOf(draw({ gateways: [], hours: [], recent: [], unfound: [], unfoundTotal: 0, pages: 0 }))
  assert.match(page, /No gateway was heard/)
  assert.match(page, /comity watch DIR --listen 8091 --gateways gateways\.json/)
})
