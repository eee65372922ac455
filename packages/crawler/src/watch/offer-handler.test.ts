import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_CATALOG_PATH, CHANGES_PATH, RESOURCESYNC_WELL_KNOWN } from '@comity/protocol'
import { DAY, PATHS, START, changeSome, openScene } from '../testing/offer-fixture.ts'
import { CHANGE_OFFERS } from '@comity/follow/testing'

test('a search finds every offer of a site, and asks for nothing twice', async () => {
  await using stage = await openScene()
  const { site, bench } = stage
  await bench.search()
  assert.deepEqual(
    bench.row.offers.map(({ kind, url }) => `${kind} ${url.slice(site.origin.length)}`),
    [
      'filter /.well-known/comity/changes',
      'batch /batch',
      'sitemap /resourcelist.xml',
      'change-list /changelist.xml',
      'robots-rdf /robots.rdf',
      'sitemap /sitemap.xml',
      'metadata-archive /metadata/archives.txt',
    ],
  )
  assert.deepEqual(site.takePaths(), [
    API_CATALOG_PATH,
    RESOURCESYNC_WELL_KNOWN,
    '/capability.xml',
    '/robots.rdf',
    CHANGES_PATH,
  ])
  bench.handler.lookAt(bench.site, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [])
})

for (const kind of CHANGE_OFFERS) {
  test(`${kind}: what changed becomes signals, what is new is listed, and silence costs little`, async () => {
    await using stage = await openScene({ offers: [kind] })
    const { site, bench } = stage
    site.put(START - DAY, { '/unseen.html': 'never seen' })
    await bench.search()
    assert.deepEqual(bench.takeSignals(), [], 'all that is held is newer than what is told')
    assert.deepEqual(bench.takeListed(), ['/unseen.html'])
    changeSome(site, bench.now + 5_000)
    await bench.next()
    assert.deepEqual(bench.takeListed(), ['/new.html'])
    // robots-rdf and sitemaps say that a page is gone by naming it no more.
    assert.deepEqual(bench.takeSignals().toSorted(), [`${kind} deleted /c.html`, `${kind} updated /b.html`])
    bench.hold(['/b.html', '/c.html', '/new.html'])
    site.takePaths()
    const before = bench.handler.spent.get(kind)!
    await bench.next()
    assert.deepEqual([bench.takeSignals(), bench.takeListed()], [[], []])
    const { bytes, requests } = bench.handler.spent.get(kind)!
    assert.ok(bytes - before.bytes < 100, `${bytes - before.bytes} bytes when nothing changed`)
    assert.equal(requests - before.requests, site.takePaths().length)
  })
}

test('a filter that says there is more is asked on at once', async () => {
  await using stage = await openScene({ offers: ['filter'], filterPages: 2 })
  const { site, bench } = stage
  await bench.search()
  for (const [n, path] of PATHS.entries()) site.put(bench.now + n * 1_000 + 1_000, { [path]: 'second' })
  site.takePaths()
  await bench.next()
  assert.equal(bench.takeSignals().length, PATHS.length)
  assert.equal(site.takePaths().length, PATHS.length / 2)
})

test('a filter is asked by QUERY, where that is refused by POST, then by GET, and the way that worked is remembered', async () => {
  await using stage = await openScene({ offers: ['filter'] })
  const { site, bench } = stage
  const refused = new Set(['QUERY'])
  site.fault = ({ method }, answer) => (refused.has(method) ? { status: 405, body: 'no' } : answer)
  await bench.search()
  assert.equal(bench.row.method, 'POST')
  refused.add('POST')
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  site.asked.splice(0)
  await bench.next()
  assert.deepEqual(
    site.asked.splice(0).map(({ method }) => method),
    ['POST', 'GET'],
  )
  assert.deepEqual(bench.takeSignals(), ['filter updated /a.html'])
  await bench.next()
  assert.deepEqual(
    site.asked.splice(0).map(({ method }) => method),
    ['GET'],
  )
})

test('a change list in parts is followed from the open part to the index and on, and no part is lost', async () => {
  await using stage = await openScene({ offers: ['change-list'], listChanges: 3 })
  const { site, bench } = stage
  await bench.search()
  assert.equal(bench.row.isBehind, false, 'all pages were listed once, as a list of changes does not reach back')
  const seen: string[] = []
  for (let round = 0; round < 12; round++) {
    site.put(bench.now + 1_000, { [PATHS[round % PATHS.length]!]: `round ${round}` })
    if (round % 5 === 4) for (const path of PATHS.slice(0, 4)) site.put(bench.now + 2_000, { [path]: `burst ${round}` })
    site.takePaths()
    await bench.next()
    const signals = bench.takeSignals()
    seen.push(...signals)
    assert.ok(
      signals.includes(`change-list updated ${PATHS[round % PATHS.length]!}`),
      `round ${round}: ${signals.join()}`,
    )
    bench.hold(PATHS)
  }
  assert.equal(bench.row.changesUntil, site.changes.at(-1)!.changedAt)
  site.takePaths()
  await bench.next()
  assert.deepEqual(site.takePaths().length, 1, 'only the open part is asked for')
})

test('of the archives only those are read that can have something new, of the types that matter', async () => {
  await using stage = await openScene({ offers: ['metadata-archive'] }, { types: ['text/html'] })
  const { site, bench } = stage
  await bench.search()
  for (let n = 0; n < 30; n++) site.put(bench.now + 1_000 * (n + 1), { [`/n${n}.html`]: 'new' })
  await bench.next()
  assert.equal(bench.takeListed().length, 30)
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  site.takePaths()
  await bench.next()
  assert.ok(site.takePaths().length <= 3, 'the list, and one or two archives')
  assert.deepEqual(bench.takeSignals(), ['metadata-archive updated /a.html'])
})

test('a site whose robots.txt is not known is not asked; what it disallows is not asked for', async () => {
  await using stage = await openScene()
  const { site, bench } = stage
  bench.handler.lookAt(bench.site, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [])
  site.robots = 'User-agent: *\nDisallow: /.well-known/\nDisallow: /robots.rdf\n'
  await bench.search()
  assert.deepEqual(
    site.takePaths().filter((path) => path.startsWith('/.well-known') || path === '/robots.rdf'),
    [],
  )
  assert.deepEqual(
    bench.row.offers.map(({ kind }) => kind),
    ['sitemap', 'metadata-archive'],
  )
})

test('a capability list that a page names is looked into', async () => {
  await using stage = await openScene({ offers: ['change-list'] })
  const { site, bench } = stage
  site.fault = ({ path }, answer) => (path === RESOURCESYNC_WELL_KNOWN ? { status: 404, body: '' } : answer)
  await bench.search()
  assert.deepEqual(bench.row.offers, [])
  const named = [`${site.origin}/capability.xml`, 'http://b.example/c']
  bench.handler.linked(bench.site, named, bench.now)
  await bench.settle()
  assert.ok(bench.offer('change-list') !== undefined)
  site.takePaths()
  bench.handler.linked(bench.site, named, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [], 'once')
})

test('after a restart all that was told is still known', async () => {
  await using stage = await openScene()
  const { site, bench } = stage
  await bench.search()
  site.asked.splice(0)
  bench.handler = bench.newHandler()
  bench.handler.lookAt(bench.site, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [], 'nothing is due')
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['filter updated /a.html'])
  assert.equal((JSON.parse(site.asked[0]!.body) as { since: string }).since, String(PATHS.length))
})

test('a site that has news often is asked often, one that has none seldom', async () => {
  await using stage = await openScene({ offers: ['change-list'] })
  const { site, bench } = stage
  await bench.search()
  let waits: number[] = []
  for (let round = 0; round < 30; round++) {
    site.put(bench.now + 1_000, { '/a.html': `round ${round}` })
    waits.push(await bench.next())
    bench.hold(['/a.html'])
  }
  assert.ok(waits.at(-1)! < waits[0]! / 10, `${waits[0]} ms at first, ${waits.at(-1)} ms then`)
  waits = []
  for (let round = 0; round < 60; round++) waits.push(await bench.next())
  assert.ok(waits.at(-1)! > 3_600_000 && waits.at(-1)! <= 1.1 * DAY, `${waits.at(-1)} ms in silence`)
})

test('what the channels of a site turned out to be worth decides which is asked', async () => {
  await using stage = await openScene({ offers: ['filter', 'sitemap'] })
  const { site, bench } = stage
  bench.trust = { filter: { recall: 0.01, precision: 0.01 }, sitemap: { recall: 0.9, precision: 0.9 } }
  await bench.search()
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['sitemap updated /a.html'])
})

test('a page put back from a backup has changed, though the date that it is listed with is an old one', async () => {
  await using stage = await openScene({ offers: ['metadata-archive'] })
  const { site, bench } = stage
  await bench.search()
  for (const path of ['/a.html', '/b.html']) {
    const lastModified = new Date(START - DAY).toUTCString()
    const seen = { outcome: 'ok', status: 200, bytes: 10 }
    const row = { ...seen, site: bench.site, visitedAt: START, visits: 1, changes: 0, timings: {}, lastModified }
    const page = bench.frontier.findUrl(`${site.origin}${path}`)
    bench.collection.deposit({ page, row, at: START, capture: { ...seen, source: 'crawl' } })
  }
  const fill = { '/c.html': 'of today', '/d/e.html': 'of today', '/d/f.html': 'of today', '/d/g.html': 'of today' }
  site.put(bench.now + 1_000, fill)
  site.put(START - 30 * DAY, { '/b.html': 'as it was a month ago' })
  site.put(START - DAY, { '/a.html': 'noted again, with the date that we know' })
  await bench.next()
  const changed = ['/b.html', ...Object.keys(fill)]
  assert.deepEqual(bench.takeSignals().toSorted(), changed.map((path) => `metadata-archive updated ${path}`).toSorted())
})
