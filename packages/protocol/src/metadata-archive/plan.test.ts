import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { metadataArchivesSince, canGoOnFrom } from './choice.ts'
import type { ArchiveEntry } from './archive-line.ts'
import { formatMetadataArchiveName } from './archive-name.ts'
import {
  type ArchivePlan,
  type ArchivePlanOptions,
  changeArchives,
  planMetadataArchives,
  type PlannedArchive,
} from './plan.ts'
import type { ChangeEntry, PageEntry } from '../feeds/page-entry.ts'
import { pagesOf } from '../testing/archived-pages.ts'

const site = 'https://a.example'
const now = Date.UTC(2026, 10, 14)
const day = 86_400_000
const types = ['text/html', 'image/png', 'image/gif', 'application/pdf', 'text/css']
const small: Partial<ArchivePlanOptions> = {
  segmentEntries: 20,
  smallGroup: 2,
  maxGroups: 3,
  looseEntries: 3,
  maxLoose: 4,
  keepLoose: 1,
}

function pagesOfSite(count: number): PageEntry[] {
  return Array.from({ length: count }, (_, i) => ({
    url: `${site}/${i}`,
    modifiedAt: now - ((i * 7_919) % 1_000) * day,
    bytes: i,
    type: types[i % types.length]!,
  }))
}

function changeOf(i: number, changedAt: number, change: ChangeEntry['change'] = 'updated'): ChangeEntry {
  const page = { url: `${site}/${i}`, type: types[i % types.length]!, change, changedAt }
  return change === 'deleted' ? page : { ...page, modifiedAt: changedAt, bytes: changedAt % 1_000 }
}

function namesOf(plan: ArchivePlan): readonly string[] {
  return plan.archives.map(({ name }) => formatMetadataArchiveName(name))
}

test('100,000 pages of five types are in 250 archives or fewer, now and after 20,000 changes', (t) => {
  let plan = planMetadataArchives(pagesOfSite(100_000), now)
  const first = plan.archives.length
  let most = first
  for (let i = 0; i < 20_000; i += 16) {
    const changes = Array.from({ length: 16 }, (_, j) => changeOf(((i + j) * 7_919) % 100_000, now + i * 1_000))
    plan = changeArchives(plan, changes).plan
    most = Math.max(most, plan.archives.length)
  }
  t.diagnostic(`${first} archives at first, ${most} at most`)
  assert.ok(most <= 250, String(most))
  assert.equal(pagesOf(plan.archives).size, 100_000)
  assert.ok(plan.archives.every(({ entries }) => entries.length <= 2_000))
})

test('half as many pages are split into all five types', () => {
  const { archives } = planMetadataArchives(pagesOfSite(50_000), now)
  assert.equal(archives.length, 126)
  assert.equal(archives.at(-1)?.entries.length, 0)
})

test('what changed since a date is in the archives from there on, one of each type at most partly (000 §3.3)', () => {
  const { archives } = planMetadataArchives(pagesOfSite(30_000), now)
  const since = now - 300 * day - day / 2
  const chosen = metadataArchivesSince(archives, { since })
  const isOld = ({ modifiedAt }: ArchiveEntry): boolean => (modifiedAt ?? now) < since
  const partly = chosen.filter(({ entries }) => entries.some(isOld))
  assert.deepEqual(
    new Set(chosen.flatMap(({ entries }) => entries).filter((entry) => !isOld(entry))),
    new Set(archives.flatMap(({ entries }) => entries).filter((entry) => !isOld(entry))),
  )
  assert.equal(new Set(partly.map(({ name }) => name.number)).size, 1)
  assert.ok(partly.length <= types.length)
})

test('a page whose date lies ahead, or that has none, is among the newest', () => {
  const ahead = { url: `${site}/a`, modifiedAt: now + 1e12, type: 'text/html' }
  const plan = planMetadataArchives([ahead, { url: `${site}/b`, type: 'text/html' }, ...pagesOfSite(9)], now, small)
  assert.equal(metadataArchivesSince(plan.archives, { since: now }).flatMap(({ entries }) => entries).length, 11)
  assert.ok(plan.archives.every(({ name }) => (name.to ?? 0) < now + 1_000))
  const later = metadataArchivesSince(plan.archives, { since: now + 1_000 })
  assert.deepEqual(
    later.map(({ name }) => name.number),
    [2],
  )
})

test('a changed page enters the open archive, and nothing else is written', () => {
  const plan = planMetadataArchives(pagesOfSite(100), now)
  const step = changeArchives(plan, [changeOf(7, now + 5_000)])
  assert.deepEqual(
    step.written.map(({ name, entries }) => [formatMetadataArchiveName(name), entries.length]),
    [['20261114T000000Z-.0002.other.gz', 1]],
  )
  assert.deepEqual([step.removed, step.compacted], [[], false])
  assert.equal(pagesOf(step.plan.archives).get(`${site}/7`)?.modifiedAt, now + 5_000)
})

test('a page that changes again takes the place it had', () => {
  let { plan } = changeArchives(planMetadataArchives([], now), [changeOf(1, now), changeOf(2, now)])
  plan = changeArchives(plan, [changeOf(1, now + 9_000)]).plan
  assert.equal(plan.archives.at(-1)?.entries.length, 2)
})

test('a deleted page leaves a line that says so, and when', () => {
  const { plan } = changeArchives(planMetadataArchives(pagesOfSite(5), now), [changeOf(3, now + 2_000, 'deleted')])
  assert.deepEqual(plan.archives.at(-1)?.entries, [
    { url: `${site}/3`, type: 'application/pdf', modifiedAt: now + 2_000, gone: true },
  ])
  assert.equal(pagesOf(plan.archives).size, 4)
})

test('when the site’s clock goes back, its archives do not', () => {
  let plan = planMetadataArchives([], now, small)
  for (let i = 0; i < 12; i++) plan = changeArchives(plan, [changeOf(i, now - i * day)], small).plan
  const starts = plan.archives.map(({ name }) => name.from)
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  )
  assert.equal(starts[0], now)
})

test('deletions are forgotten when they may be, and the plan says so', () => {
  const wishes = { ...small, maxSuperseded: 0 }
  let plan = planMetadataArchives(pagesOfSite(50), now, wishes)
  for (let i = 0; i < 9; i++) plan = changeArchives(plan, [changeOf(i, now + i * day, 'deleted')], wishes).plan
  const told = new Set(plan.archives.map(({ name }) => name.number)).size
  for (let i = 20; i < 40; i++) {
    plan = changeArchives(plan, [changeOf(i, now + 20 * day)], { ...wishes, forgetGoneBefore: now + 5 * day }).plan
  }
  const gone = plan.archives.flatMap(({ entries }) => entries).filter((entry) => entry.gone === true)
  assert.equal(gone.length, 4)
  assert.equal(pagesOf(plan.archives).size, 41)
  assert.ok(plan.deletionsAfter > 3 && plan.deletionsAfter <= told)
  assert.deepEqual(
    [canGoOnFrom(plan, plan.deletionsAfter), canGoOnFrom(plan, plan.deletionsAfter - 1), canGoOnFrom(plan, 1e6)],
    [true, false, false],
  )
})

test('a segment in which nothing is superseded is not written anew with the others', () => {
  const wishes = { ...small, maxSuperseded: 0 }
  const pages = Array.from({ length: 60 }, (_, i) => ({ url: `${site}/${i}`, modifiedAt: now - 1e9 + i * 1e6 }))
  let plan = planMetadataArchives(pages, now, wishes)
  const first = plan.archives[0]
  let compactions = 0
  for (let i = 0; i < 40; i++) {
    const step = changeArchives(plan, [changeOf(20 + i, now + i * day)], wishes)
    plan = step.plan
    compactions += Number(step.compacted)
  }
  assert.ok(compactions > 1)
  assert.equal(plan.archives[0], first)
})

test('segments from times when they were larger are cut, and every piece has a name that no file had before', () => {
  let plan = planMetadataArchives(pagesOfSite(40), now, small)
  const files = new Map(plan.archives.map((archive) => [formatMetadataArchiveName(archive.name), archive.entries]))
  const wishes = { ...small, segmentEntries: 5, maxSuperseded: 0 }
  for (let i = 0; i < 40; i++) {
    const step = changeArchives(plan, [changeOf(i % 10, now + i * day)], wishes)
    plan = step.plan
    for (const { name, entries } of step.written) {
      const file = formatMetadataArchiveName(name)
      assert.ok(name.to === undefined || !files.has(file), `${file} was closed`)
      files.set(file, entries)
    }
    assert.equal(new Set(namesOf(plan)).size, plan.archives.length)
    assert.equal(pagesOf(plan.archives).size, 40)
  }
  assert.ok(plan.archives.every(({ entries }) => entries.length <= 5))
})

const kinds = fc.constantFrom<ChangeEntry['change']>('created', 'updated', 'updated', 'deleted')
const batches = fc.array(
  fc.array(fc.tuple(fc.nat(79), kinds, fc.integer({ min: -2, max: 9 })), { minLength: 1, maxLength: 6 }),
  { maxLength: 60 },
)
/** With the lower one, types have to share archives. */
const budgets = fc.constantFrom(12, 250)

interface Crawler {
  held: Map<string, ArchiveEntry>
  after: number
}

/** What a crawler does that polls: reads what is new by number, and keeps what it had. */
function poll(crawler: Crawler, plan: ArchivePlan): readonly PlannedArchive[] {
  const all = !canGoOnFrom(plan, crawler.after)
  if (all) crawler.held.clear()
  const chosen = metadataArchivesSince(plan.archives, all ? {} : { after: crawler.after })
  for (const entry of chosen.flatMap(({ entries }) => entries)) {
    if (entry.gone === true) crawler.held.delete(entry.url)
    else crawler.held.set(entry.url, entry)
  }
  crawler.after = plan.archives.at(-1)!.name.number
  return chosen
}

test('whatever happens: archives hold exactly the pages, closed files never change, and crawlers miss nothing', () => {
  fc.assert(
    fc.property(fc.nat(80), batches, fc.infiniteStream(fc.nat(9)), budgets, (count, history, chance, maxArchives) => {
      const wishes = { ...small, maxArchives }
      let plan = planMetadataArchives(pagesOfSite(count), now, wishes)
      const pages = new Map<string, ArchiveEntry>(pagesOfSite(count).map((page) => [page.url, page]))
      const ever = new Map<string, PlannedArchive>(
        plan.archives.map((archive) => [formatMetadataArchiveName(archive.name), archive]),
      )
      const crawlers: Crawler[] = [0, 5, 9].map(() => ({ held: new Map(), after: -1 }))
      let at = now
      for (const batch of history) {
        const changes = batch.map(([i, kind, step]) => changeOf(i, (at += step * 3_600_000), kind))
        for (const change of changes) applyTo(pages, change)
        const options = { ...wishes, forgetGoneBefore: at - 2 * day }
        const step = changeArchives(plan, changes, options)
        assertSteady(step, plan, ever, changes.length)
        plan = step.plan
        assert.deepEqual(pagesOf(plan.archives), pages)
        // One polls each time, one often, one seldom.
        for (const [i, crawler] of crawlers.entries()) {
          if (chance.next().value! < i * 5 - 4) continue
          poll(crawler, plan)
          assert.deepEqual(crawler.held, pages)
        }
      }
    }),
  )
})

test('a deletion that came into the segment that somebody had read last, and is forgotten since, makes it read all', () => {
  const begin = Array.from({ length: 4 }, (_, i) => changeOf(i, now, 'created'))
  let { plan } = changeArchives(planMetadataArchives([], now, small), begin, small)
  const crawler: Crawler = { held: new Map(), after: -1 }
  poll(crawler, plan)
  assert.equal(crawler.after, plan.archives.at(-1)!.name.number)
  // Into the segment that is still open.
  plan = changeArchives(plan, [changeOf(0, now, 'deleted')], small).plan
  assert.equal(plan.archives.at(-1)!.name.number, crawler.after)
  const options = { ...small, forgetGoneBefore: now + day }
  for (let i = 4; plan.deletionsAfter === 0; i++)
    plan = changeArchives(plan, [changeOf(i, now + 3 * day)], options).plan
  poll(crawler, plan)
  assert.deepEqual(crawler.held, pagesOf(plan.archives))
})

function applyTo(pages: Map<string, ArchiveEntry>, { change, url, type, modifiedAt, bytes }: ChangeEntry): void {
  if (change === 'deleted') pages.delete(url)
  else pages.set(url, { url, type, modifiedAt, bytes })
}

/** The promises about files. */
function assertSteady(
  step: ReturnType<typeof changeArchives>,
  before: ArchivePlan,
  ever: Map<string, PlannedArchive>,
  changes: number,
): void {
  const open = before.archives.at(-1)!
  if (!step.compacted) {
    assert.ok(step.written.length <= changes + 1, 'a file for each change at most, and the one that was open')
    if (changes === 1) assert.equal(step.written.length, 1)
    assert.equal(step.removed.length, 0)
  }
  for (const archive of step.written) {
    const file = formatMetadataArchiveName(archive.name)
    const known = ever.get(file)
    assert.ok(
      known === undefined || file === formatMetadataArchiveName(open.name),
      `${file} changed after it was closed`,
    )
    ever.set(file, archive)
  }
  const names = namesOf(step.plan)
  assert.equal(new Set(names).size, names.length)
  const numbers = step.plan.archives.map(({ name }) => name.number)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  assert.ok(step.plan.archives.every(({ entries }) => entries.length <= 20))
  const loose = step.plan.archives.filter(({ name }) => name.to === undefined).length
  assert.ok(loose <= small.maxLoose! + 1)
}

test('20,000 changes one by one: files written, and lines superseded', (t) => {
  let plan = planMetadataArchives(pagesOfSite(20_000), now)
  const pages = new Map<string, ArchiveEntry>(pagesOfSite(20_000).map((page) => [page.url, page]))
  let [written, compactions, superseded, seed] = [0, 0, 0, 1]
  for (let i = 0; i < 20_000; i++) {
    seed = (seed * 48_271) % 2_147_483_647
    const change = changeOf(seed % 20_000, now + i * 1_000_000)
    const step = changeArchives(plan, [change])
    applyTo(pages, change)
    plan = step.plan
    written += step.written.length
    if (!step.compacted) continue
    compactions += 1
    const lines = plan.archives.reduce((sum, { entries }) => sum + entries.length, 0)
    superseded = Math.max(superseded, 1 - 20_000 / lines)
  }
  assert.deepEqual(pagesOf(plan.archives), pages)
  t.diagnostic(
    `${written} files written, ${compactions} compactions, at most ${(100 * superseded).toFixed(0)} % of lines superseded`,
  )
  assert.ok(superseded <= 0.25)
  assert.ok(written < 20_000 * 1.1)
})
