/** Feeds: signals of their own channel, from whichever place they are known, and no more than that. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, openScene } from '../testing/offer-fixture.ts'
import type { Scene } from '../testing/offer-fixture.ts'

type Item = readonly [url: string, at: number]
const isoOf = (at: number): string => new Date(at).toISOString()
const FORMATS: readonly [name: string, write: (items: readonly Item[]) => string][] = [
  [
    'RSS',
    (items) =>
      `<rss version="2.0"><channel>${items.map(([url, at]) => `<item><link>${url}</link><pubDate>${new Date(at).toUTCString()}</pubDate></item>`).join('')}</channel></rss>`,
  ],
  [
    'Atom',
    (items) =>
      `<feed xmlns="http://www.w3.org/2005/Atom">${items.map(([url, at]) => `<entry><link href="${url}"/><updated>${isoOf(at)}</updated></entry>`).join('')}</feed>`,
  ],
  [
    'JSON Feed',
    (items) =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        items: items.map(([url, at]) => ({ id: url, url, date_modified: isoOf(at) })),
      }),
  ],
]

/** Serves a feed at each of these paths, with what `items` has at the moment. */
function serve({ site }: Scene, paths: readonly string[], write: () => string): void {
  site.fault = ({ path }, answer) => (paths.includes(path) ? { status: 200, body: write() } : answer)
}

for (const [name, write] of FORMATS) {
  test(`${name}: what a linked feed tells becomes signals of the feed, new pages are listed, none is ever gone`, async () => {
    await using stage = await openScene({ offers: [] })
    const { site, bench } = stage
    const { origin } = bench
    let items: Item[] = [
      [`${origin}/a.html`, bench.now - DAY],
      ['https://b.example/c.html', bench.now + DAY],
      [`${origin}/unseen.html`, bench.now - DAY],
    ]
    serve(stage, ['/feed'], () => write(items))
    await bench.search()
    bench.handler.linkedFeeds(bench.site, `${origin}/`, [`${origin}/feed`, 'https://b.example/feed'], bench.now)
    await bench.settle()
    assert.deepEqual(bench.takeSignals(), [], 'all that is held is newer')
    assert.deepEqual(bench.takeListed(), ['/unseen.html'], 'of its own pages alone')
    items = [
      [`${origin}/b.html`, bench.now + 5_000],
      [`${origin}/a.html`, bench.now - DAY],
    ]
    for (let polls = 0; polls < 3; polls++) await bench.next()
    assert.deepEqual(bench.takeSignals(), ['feed updated /b.html'], 'once, as it stays the same')
    assert.equal(site.asked.filter(({ path }) => path === '/feed').length, 4)
    assert.equal(bench.row.toldAt, undefined, 'nobody has told everything')
    assert.ok(bench.handler.spent.get('feed')!.requests >= 4)
  })
}

test('a feed among the sitemaps of robots.txt is told by the feed, also after a restart and the next search', async () => {
  await using stage = await openScene({ offers: ['sitemap'] })
  const { site, bench } = stage
  let items: Item[] = []
  serve(stage, ['/sitemap.xml'], () => FORMATS[0]![1](items))
  await bench.search()
  assert.equal(bench.offer('sitemap'), undefined, 'that was all there was of it')
  assert.equal(bench.offer('feed')?.url, `${bench.origin}/sitemap.xml`)
  items = [[`${bench.origin}/a.html`, bench.now + 5_000]]
  bench.handler = bench.newHandler()
  bench.handler.lookAt(bench.site, bench.now)
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['feed updated /a.html'])
  bench.store.note(bench.site, { offers: { ...bench.row, lookAgainAt: bench.now } })
  bench.handler = bench.newHandler()
  bench.handler.lookAt(bench.site, bench.now)
  await bench.settle()
  assert.deepEqual(
    bench.row.offers.map(({ kind }) => kind),
    ['feed'],
  )
  assert.ok(site.asked.length > 0)
})

test('feeds are polled beside the sitemap, which goes on to say what is gone', async () => {
  await using stage = await openScene({ offers: ['sitemap'] })
  const { site, bench } = stage
  const items: Item[] = [[`${bench.origin}/a.html`, bench.now + 5_000]]
  serve(stage, ['/feed'], () => FORMATS[2]![1](items))
  bench.handler.linkedFeeds(bench.site, `${bench.origin}/`, [`${bench.origin}/feed`], bench.now)
  await bench.search()
  assert.deepEqual(bench.takeSignals(), ['feed updated /a.html'])
  site.pages.delete('/c.html')
  const signals: string[] = []
  for (let polls = 0; polls < 4; polls++) {
    await bench.next()
    signals.push(...bench.takeSignals())
  }
  assert.deepEqual(signals, ['sitemap deleted /c.html'])
})

test('what is linked as a feed and is none fails, rests, and tells nothing', async () => {
  for (const body of ['<html>Welcome', '{"items":[]}', '', '<urlset><url><loc>/new.html</loc></url></urlset>']) {
    await using stage = await openScene({ offers: [] })
    const { bench } = stage
    serve(stage, ['/feed'], () => body)
    await bench.search()
    bench.handler.linkedFeeds(bench.site, `${bench.origin}/`, [`${bench.origin}/feed`], bench.now)
    await bench.settle()
    assert.equal(bench.offer('feed')!.failures, 1)
    assert.match(bench.offer('feed')!.problem!, /is no feed$/)
    assert.ok(bench.offer('feed')!.restsUntil > bench.now)
    assert.deepEqual([bench.takeSignals(), bench.takeListed()], [[], []])
  }
})

test('of many feeds that a site links to eight are read, each if modified, and one that is gone silences no other', async () => {
  await using stage = await openScene({ offers: [] })
  const { site, bench } = stage
  const paths = Array.from({ length: 12 }, (_, i) => `/feed/${i}`)
  serve(stage, paths.slice(1), () => FORMATS[1]![1]([[`${bench.origin}/a.html`, bench.now + 5_000]]))
  await bench.search()
  for (const path of paths) bench.handler.linkedFeeds(bench.site, `${bench.origin}/`, [bench.origin + path], bench.now)
  site.takePaths()
  await bench.settle()
  assert.deepEqual(site.takePaths(), paths.slice(0, 8))
  assert.ok(bench.takeSignals().every((signal) => signal === 'feed updated /a.html'))
  assert.equal(bench.offer('feed')!.failures, 0)
})
