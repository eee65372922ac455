import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { metadataArchivesSince } from './choice.ts'
import { archivesOfRobots, MAX_LISTED, metadataRecords, readArchiveList, writeArchiveLists } from './list.ts'
import { formatMetadataArchiveName } from './archive-name.ts'
import { type ArchivePlan, changeArchives, planMetadataArchives } from './plan.ts'
import { manuals } from '../testing/manuals-fixture.ts'
import { writeMetadataArchive } from './metadata-archive.ts'
import type { PageEntry } from '../feeds/page-entry.ts'
import { defaultRobotsLimits, isAllowed, parseRobots } from '../robots/robots.ts'

const now = Date.UTC(2026, 10, 14)
const url = 'https://a.example/meta/archives.txt'

function planOf(count: number, changes: number): ArchivePlan {
  const pages = Array.from({ length: count }, (_, i) => ({
    url: `https://a.example/${i}`,
    modifiedAt: now - i * 1e6,
    type: ['text/html', 'image/png', 'image/gif', 'text/css', 'text/plain'][i % 5]!,
  }))
  const list = Array.from({ length: changes }, (_, i) => ({
    ...pages[i]!,
    change: 'updated' as const,
    changedAt: now + i,
  }))
  return changeArchives(planMetadataArchives(pages, now), list).plan
}

test('both lists together name every archive', () => {
  const plan = planOf(9_000, 100)
  const { head, closed } = writeArchiveLists(plan)
  const first = readArchiveList(head, url)
  assert.deepEqual(first.lists, [{ url: `https://a.example/meta/${closed?.name}`, upTo: 5 }])
  const second = readArchiveList(closed!.text, first.lists[0]!.url)
  assert.deepEqual(
    [...first.archives, ...second.archives].map((archive) => archive.name),
    plan.archives.map(({ name }) => name).toReversed(),
  )
  assert.deepEqual([first.ignoredLines, second.ignoredLines, second.lists], [0, 0, []])
})

test('the head changes only when an archive is opened, the list of closed ones only when one is closed', () => {
  let plan = planOf(3_000, 0)
  const heads = new Set<string>()
  const closed = new Set<string>()
  for (let i = 0; i < 200; i++) {
    const change = { url: `https://a.example/${i}`, change: 'updated', changedAt: now + i * 1_000 } as const
    plan = changeArchives(plan, [change]).plan
    heads.add(writeArchiveLists(plan).head)
    closed.add(writeArchiveLists(plan).closed!.name)
  }
  assert.deepEqual([heads.size, closed.size], [Math.ceil(200 / 32), 1])
})

test('forgotten deletions are told', () => {
  const plan = { ...planOf(10, 0), deletionsAfter: 7 }
  assert.equal(readArchiveList(writeArchiveLists(plan).head, url).deletionsAfter, 7)
})

test('the archives of 100,000 pages, listed in robots.txt, are found, and leave most of it to the rules', () => {
  const plan = planOf(100_000, 0)
  const urls = plan.archives.map(
    ({ name }) => `https://a.example/.well-known/metadata/${formatMetadataArchiveName(name)}`,
  )
  const file = `User-agent: *\n${metadataRecords(urls)}Disallow: /private\n`
  const robots = parseRobots(file)
  assert.ok(file.length < defaultRobotsLimits.maxBytes / 10, `${file.length} bytes`)
  assert.equal(archivesOfRobots(robots.metadata, 'https://a.example/robots.txt').archives.length, 201)
  assert.deepEqual([robots.others.length, robots.ignoredLines], [0, 0])
  assert.equal(isAllowed(robots, 'comity', 'https://a.example/private').allowed, false)
})

test('what robots.txt names may be a path, an archive or a list; anything else is left out', () => {
  const { archives, lists, ignoredLines } = archivesOfRobots(
    ['/m/20260101T000000Z-.0001.other.gz', 'https://cdn.example/archives.0042.0a1b.txt', 'ftp://x/y', 'http://['],
    'https://a.example/robots.txt',
  )
  assert.deepEqual(
    archives.map((archive) => archive.url),
    ['https://a.example/m/20260101T000000Z-.0001.other.gz'],
  )
  assert.deepEqual(lists, [{ url: 'https://cdn.example/archives.0042.0a1b.txt', upTo: 42 }])
  assert.equal(ignoredLines, 2)
})

test('a list longer than any is read up to the limit', () => {
  const { archives, ignoredLines } = readArchiveList('20260101T000000Z-.0001.other.gz\n'.repeat(MAX_LISTED + 5), url)
  assert.deepEqual([archives.length, ignoredLines], [MAX_LISTED, 5])
})

test('no text makes the reader throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readArchiveList(text, url)))
})

/** Status line and headers of an answer by nginx with ETag, Last-Modified, Date and Cache-Control. */
const HEAD_BYTES = 250

test('after one changed page, a crawler that polls gets less than 2 KB, whenever it comes', (t) => {
  const sites = manuals(t)
  if (sites === undefined) return
  // Those with the most pages have the longest paths, and so the largest archives.
  const largest = [...sites].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 3)
  for (const [origin, pages] of largest) pollEachChange(t, origin, pages)
})

/** Change 1,200 pages, one after the other; after each, fetch what changed of what the names say is needed. */
function pollEachChange(t: TestContext, origin: string, pages: readonly PageEntry[]): void {
  let plan = planMetadataArchives(pages, now)
  let { head } = writeArchiveLists(plan)
  let after = plan.archives.at(-1)!.name.number
  let most = 0
  let sum = 0
  for (let i = 0; i < CHANGES; i++) {
    const page = pages[(i * 7_919) % pages.length]!
    const at = now + i * 3_600_000
    const step = changeArchives(plan, [{ ...page, change: 'updated', modifiedAt: at - 17_000, changedAt: at }])
    plan = step.plan
    const lists = writeArchiveLists(plan)
    const { archives, lists: more } = readArchiveList(lists.head, `${origin}/metadata/archives.txt`)
    assert.ok((more[0]?.upTo ?? 0) < after, 'the list of closed archives is not needed')
    let bytes = HEAD_BYTES + (lists.head === head ? 0 : lists.head.length)
    for (const { name } of metadataArchivesSince(archives, { after })) {
      const file = formatMetadataArchiveName(name)
      const fresh = step.written.find((archive) => formatMetadataArchiveName(archive.name) === file)
      bytes += HEAD_BYTES
      if (fresh !== undefined) bytes += writeMetadataArchive(fresh.entries, { site: origin, group: name.group }).length
    }
    head = lists.head
    after = plan.archives.at(-1)!.name.number
    most = Math.max(most, bytes)
    sum += bytes
  }
  t.diagnostic(`${new URL(origin).hostname}: ${Math.round(sum / CHANGES)} bytes on average, ${most} at most`)
  assert.ok(most < 2_048, `${origin}: ${most}`)
}

const CHANGES = 1_200
