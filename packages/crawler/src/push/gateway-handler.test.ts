import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { PageRow } from '@comity/collection'
import { isDigestOf } from '@comity/ingest'
import { gatewayBench, newFolder } from '../testing/gateway-fixture.ts'
import { batchItem, DAY, digestOf, NOON } from '@comity/ingest/testing'
import type { Bench } from '../testing/gateway-fixture.ts'
import type { MadeBatch, Passed } from '@comity/ingest/testing'
import { readingFact, readingOf } from '@comity/search'
import { FACTS } from '@comity/collection'

const scratch = mkdtempSync(join(tmpdir(), 'comity-gateway-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const A = 'http://a.example/'
const passed = (text: string, at = NOON, url = A): Passed => ({ url, text, at })
const rowOf = ({ collection, frontier }: Bench, url = A): PageRow | undefined => {
  const page = frontier.findUrl(url)
  return page === -1 ? undefined : collection.page(page)
}
const holds = (bench: Bench, text: string, url = A): boolean =>
  isDigestOf(digestOf(text), rowOf(bench, url)?.contentKey) === true

async function taken(bench: Bench, batches: readonly MadeBatch[], name = 'north'): Promise<Record<string, number>> {
  for (const [place, batch] of batches.entries()) await bench.handler.take(batchItem(name, place + 1, batch))
  return { ...bench.handler.rows[name]!.outcomes }
}

const cases: [sentence: string, batches: readonly MadeBatch[], outcomes: Record<string, number>, held: string][] = [
  ['the first sight of a page is taken', [{ words: [passed('one')] }], { taken: 1 }, 'one'],
  [
    'the same again is no second one',
    [{ words: [passed('one')] }, { words: [passed('one', NOON + 5_000)] }],
    { taken: 1, confirmed: 1 },
    'one',
  ],
  [
    'what passed later is newer',
    [{ words: [passed('one')] }, { words: [passed('two', NOON + 1_000)] }],
    { taken: 2 },
    'two',
  ],
  [
    'what passed before comes late',
    [{ words: [passed('two', NOON + 1_000)] }, { words: [passed('one')] }],
    { taken: 1, late: 1 },
    'two',
  ],
  [
    'what was seen again since makes an older one late',
    [{ words: [passed('one')] }, { seen: [passed('one', NOON + 9_000)] }, { words: [passed('two', NOON + 5_000)] }],
    { taken: 1, confirmed: 1, late: 1 },
    'one',
  ],
  [
    'a page that comes whole is held whole, and its words say nothing more',
    [{ words: [passed('one')], whole: [passed('one')] }],
    { taken: 1 },
    'one',
  ],
  [
    'seen again without its words it is missing, as nobody may ask',
    [{ words: [passed('one')] }, { seen: [passed('two', NOON + 1_000)] }],
    { taken: 1, missing: 1 },
    'one',
  ],
  [
    'of a host that is not theirs nothing is taken',
    [{ words: [passed('one'), passed('x', NOON, 'http://bank.test/')] }],
    { taken: 1, foreign: 1 },
    'one',
  ],
  [
    'of a site that was forgotten neither',
    [{ words: [passed('one'), passed('x', NOON, 'http://forgotten.example/')] }],
    { taken: 1, forgotten: 1 },
    'one',
  ],
]
for (const [sentence, batches, outcomes, held] of cases) {
  test(sentence, async () => {
    await using bench = await gatewayBench(newFolder(scratch))
    assert.deepEqual(await taken(bench, batches), outcomes)
    assert.ok(holds(bench, held), held)
  })
}

test('a page that is gone is gone, and comes back', async () => {
  await using bench = await gatewayBench(newFolder(scratch))
  const gone = [{ url: A, status: 451, at: NOON + 1_000 }]
  assert.deepEqual(await taken(bench, [{ words: [passed('one')] }, { gone }]), { taken: 1, gone: 1 })
  assert.equal(rowOf(bench)?.status, 410)
  await bench.handler.take(batchItem('north', 3, { words: [passed('one', NOON + 2_000)] }))
  assert.ok(holds(bench, 'one') && rowOf(bench)?.status === 200)
})

test('a page that is held is taken out though robots.txt does not allow it any more, or it was seen in the same second', async () => {
  await using bench = await gatewayBench(newFolder(scratch))
  const { collection, frontier, handler } = bench
  await handler.take(batchItem('north', 1, { words: [passed('one')] }))
  const body = Buffer.from('User-agent: *\nDisallow: /')
  const rules = { fetchedAt: 0, expiresAt: 0, status: 200, verdict: 'rules', body } as const
  collection.putRobots(frontier.pages.siteOf(frontier.findUrl(A)), rules)
  await handler.take(batchItem('north', 2, { gone: [{ url: A, status: 200, at: NOON }] }))
  assert.equal(rowOf(bench)?.status, 410)
  assert.equal(handler.rows['north']?.outcomes['gone'], 1)
})

test('a page says that it passed, by whom, and what it links to', async () => {
  await using bench = await gatewayBench(newFolder(scratch))
  const links = [[`${A}next`, 'the next one'] as const]
  await bench.handler.take(batchItem('north', 1, { words: [{ ...passed('one'), links }] }))
  await bench.commit(1)
  const { collection, frontier } = bench
  const page = frontier.findUrl(A)
  const [capture] = [...collection.captures(page)]
  assert.deepEqual(capture?.key, [page, NOON])
  assert.equal(capture?.value.source, 'gateway')
  assert.match(capture?.value.why ?? '', /seen by gateway north/)
  assert.deepEqual(
    collection.links(page).map(({ to, anchor }) => [collection.url(to), anchor]),
    [[`${A}next`, 'the next one']],
  )
  assert.equal(frontier.count('waiting'), 0, 'nobody asks for anything')
})

test('where a start page leads there, what is new waits for a visit and what was confirmed does not', async () => {
  await using bench = await gatewayBench(newFolder(scratch), { seeds: [A] })
  await bench.handler.take(batchItem('north', 1, { words: [passed('one'), passed('two', NOON, `${A}2`)] }))
  assert.equal(bench.frontier.count('waiting'), 0, 'both are held')
  await bench.handler.take(
    batchItem('north', 2, { seen: [passed('one', NOON + 9_000), passed('three', NOON + 9_000, `${A}2`)] }),
  )
  assert.deepEqual(bench.confirmed, [[bench.frontier.findUrl(A), NOON + 9_000]])
  assert.equal(bench.handler.rows['north']?.outcomes['visited'], 1)
  assert.equal(bench.frontier.count('waiting'), 1)
})

test('robots.txt holds where it is known, noindex where the page says so, and a time in the future is none', async () => {
  await using bench = await gatewayBench(newFolder(scratch))
  const { collection, frontier, handler } = bench
  await handler.take(batchItem('north', 1, { words: [passed('one')] }))
  const rules = {
    fetchedAt: 0,
    expiresAt: 0,
    status: 200,
    verdict: 'rules',
    body: Buffer.from('User-agent: *\nDisallow: /no'),
  } as const
  collection.putRobots(frontier.pages.siteOf(frontier.findUrl(A)), rules)
  const hidden = '<meta name="robots" content="noindex"><p>hidden'
  const whole = [passed(hidden, NOON + 3 * DAY, `${A}hidden`)]
  await handler.take(batchItem('north', 2, { words: [passed('x', NOON, `${A}no/x`)], whole }))
  assert.equal(rowOf(bench, `${A}no/x`), undefined)
  assert.equal(handler.rows['north']?.outcomes['outside'], 1)
  assert.equal(rowOf(bench, `${A}hidden`)?.noindex, true)
  assert.equal(rowOf(bench, `${A}hidden`)?.visitedAt, NOON + DAY, 'no later than it came')
})

test('what cannot be read counts as such, and hits of pages that nobody shipped are kept', async () => {
  await using bench = await gatewayBench(newFolder(scratch))
  const { handler, collection, frontier } = bench
  await handler.take(batchItem('north', 1, {}, { body: Buffer.from('torn') }))
  assert.deepEqual(handler.rows['north']?.outcomes, { unreadable: 1 })
  await handler.take(batchItem('north', 1, { hits: [{ url: A, readers: 3, robots: 1 }] }))
  assert.equal(readingOf(collection, frontier.findUrl(A))?.people, 3)
  assert.deepEqual(readingFact(collection)?.hours, [{ hour: NOON / 3_600_000, people: 3, robots: 1 }])
})

// ── in any order ─────────────────────────────────────────────────────────────────────────────────────────────

const PAGES = [A, `${A}1`, 'http://b.example/'] as const
const VERSION_MS = 100_000

/** Somebody reads a page, past a gateway, at a moment: which version that is the web decides. */
const aReading = fc.record({
  gateway: fc.nat(2),
  page: fc.nat(PAGES.length - 1),
  second: fc.nat(600),
  isRobot: fc.boolean(),
})

interface Sent {
  readonly name: string
  readonly number: number
  readonly batch: MadeBatch
}

/** What each gateway ships, a few readings a batch: a page whose version it has not seen, or that it was seen again. */
function batchesOf(readings: readonly { gateway: number; page: number; second: number; isRobot: boolean }[]): Sent[] {
  const sent: Sent[] = []
  for (const gateway of [0, 1, 2]) {
    const own = readings.filter((one) => one.gateway === gateway).toSorted((a, b) => a.second - b.second)
    const known = new Map<number, string>()
    for (let from = 0, number = 1; from < own.length; from += 3, number++) {
      const [words, seen] = [new Map<number, Passed>(), new Map<number, Passed>()]
      const some = own.slice(from, from + 3)
      for (const { page, second } of some) {
        const text = `version ${Math.floor((second * 1_000) / VERSION_MS)} of ${page}`
        ;(known.get(page) === text ? seen : words).set(page, passed(text, NOON + second * 1_000, PAGES[page]))
        known.set(page, text)
      }
      const hits = PAGES.map((url, page) => {
        const of = (isRobot: boolean): number =>
          some.filter((one) => one.page === page && one.isRobot === isRobot).length
        return { url, readers: of(false), robots: of(true) }
      }).filter(({ readers, robots }) => readers + robots > 0)
      const batch = {
        words: [...words.values()],
        seen: [...seen.values()],
        hits,
        to: NOON + some.at(-1)!.second * 1_000,
      }
      sent.push({ name: `g${gateway}`, number, batch })
    }
  }
  return sent
}

test('whatever order batches come in, twice or not, and whenever we are killed: the newest version, each hit once', async () => {
  const story = fc.array(aReading, { minLength: 1, maxLength: 24 }).chain((readings) => {
    const sent = batchesOf(readings)
    const twice = fc.shuffledSubarray([...sent, ...sent], { minLength: sent.length * 2 })
    return fc.record({
      readings: fc.constant(readings),
      order: twice,
      ends: fc.array(fc.constantFrom('commit', 'kill', 'on'), { minLength: 48, maxLength: 48 }),
    })
  })
  await fc.assert(
    fc.asyncProperty(story, async ({ readings, order, ends }) => {
      const dir = newFolder(scratch)
      let bench = await gatewayBench(dir)
      try {
        for (let next = 0, step = 0; next < order.length; step++) {
          const { name, number, batch } = order[next++]!
          await bench.handler.take(batchItem(name, number, batch))
          const end = step < ends.length ? ends[step] : 'on'
          if (end === 'commit') await bench.commit(next)
          if (end !== 'kill') continue
          // What was not committed is lost, and read from the inbox once more.
          await bench[Symbol.asyncDispose]()
          bench = await gatewayBench(dir)
          next = bench.collection.fact(FACTS.inbox) ?? 0
        }
        await bench.commit(order.length)
        for (const [page, url] of PAGES.entries()) {
          const own = readings.filter((one) => one.page === page)
          if (own.length === 0) continue
          const newest = Math.max(...own.map(({ second }) => Math.floor((second * 1_000) / VERSION_MS)))
          assert.ok(holds(bench, `version ${newest} of ${page}`, url), `version ${newest} of ${url}`)
          const row = readingOf(bench.collection, bench.frontier.findUrl(url))
          const hours = row?.hours.reduce((sum, { people, robots }) => sum + people + robots, 0)
          assert.equal(hours, own.length)
        }
        const rows = Object.values(bench.handler.rows)
        assert.equal(
          rows.reduce((sum, { people, robots }) => sum + people + robots, 0),
          readings.length,
        )
        assert.equal(
          rows.reduce((sum, { batches }) => sum + batches, 0),
          order.length / 2,
        )
      } finally {
        await bench[Symbol.asyncDispose]()
        rmSync(dir, { recursive: true, force: true })
      }
    }),
    { numRuns: 25 },
  )
})
