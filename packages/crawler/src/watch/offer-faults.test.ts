/** Whatever breaks at a site that tells crawlers of its pages: nothing false is believed, nothing true is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_CATALOG_PATH, CHANGES_PATH } from '@comity/protocol'
import { DAY, PATHS, START, changeSome, openScene, textsOf } from '../testing/offer-fixture.ts'
import type { ChangeOfferKind } from '@comity/follow'

test('the offer that breaks rests, longer each time; the next best tells; back again, it goes on where it was', async () => {
  await using stage = await openScene({
    offers: ['filter', 'change-list', 'metadata-archive', 'robots-rdf', 'sitemap'],
  })
  const { site, bench } = stage
  await bench.search()
  assert.equal(bench.row.token, String(PATHS.length))
  site.fault = ({ path }, answer) => (path.startsWith(CHANGES_PATH) ? { status: 500, body: 'oh' } : answer)
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['change-list updated /a.html'])
  const { failures, restsUntil, problem } = bench.offer('filter')!
  assert.deepEqual([failures, restsUntil - bench.now, problem], [1, 60_000, 'status 500'])
  bench.hold(['/a.html'])
  site.put(bench.now + 1_000, { '/b.html': 'third' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['change-list updated /b.html'], 'it was tried again, and the other one told')
  assert.ok(bench.offer('filter')!.restsUntil - bench.now > 60_000, 'rests twice as long')
  site.fault = undefined
  bench.hold(['/b.html'])
  site.put(bench.now + 1_000, { '/d/e.html': 'fourth' })
  while (bench.offer('filter')!.failures > 0) await bench.next()
  assert.equal(bench.row.token, String(site.changes.length), 'the token was kept all the while')
  assert.equal(bench.takeSignals().length, 1, 'whoever told it, it was told once')
})

test('when every offer fails, each rests, and none is asked in between', async () => {
  await using stage = await openScene()
  const { site, bench } = stage
  await bench.search()
  site.takePaths()
  site.fault = () => ({ status: 503, body: 'busy' })
  await bench.next()
  const tries = site.takePaths().length
  assert.equal(tries, 6)
  assert.equal(await bench.next(), 60_000)
  assert.equal(await bench.next(), 120_000)
  assert.equal(await bench.next(), 240_000)
  for (let look = 0; look < 20; look++) await bench.next()
  assert.ok(bench.offer('filter')!.restsUntil - bench.now <= DAY)
})

test('a filter whose token is too old is asked for everything, once', async () => {
  await using stage = await openScene({ offers: ['filter'] })
  const { site, bench } = stage
  await bench.search()
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  site.put(bench.now + 2_000, { '/b.html': 'second' })
  site.forgotten = site.changes.length - 1
  site.asked.splice(0)
  await bench.next()
  assert.deepEqual(
    site.asked.map(({ body }) => (JSON.parse(body) as { since?: string }).since),
    [String(PATHS.length), undefined],
  )
  assert.deepEqual(bench.takeSignals(), ['filter updated /a.html', 'filter updated /b.html'])
  assert.equal(bench.row.token, String(site.changes.length))
})

const ENDLESS: readonly [sentence: string, body: (n: number) => string][] = [
  ['with one token over and over', () => '{"token":"same","more":true}\n'],
  ['with a new token each time, and nothing else', (n) => `{"token":"t${n}","more":true}\n`],
  ['with lines that nobody can read', (n) => `{"what":${n}}\n{"token":"t${n}","more":true}\n`],
  [
    'with the same page for ever',
    (n) => `{"url":"/a.html","change":"updated","at":${n}}\n{"token":"t${n}","more":true}\n`,
  ],
]
for (const [sentence, body] of ENDLESS) {
  test(`a filter that always says there is more, ${sentence}, comes to an end`, async () => {
    await using stage = await openScene({ offers: ['filter', 'sitemap'] })
    const { site, bench } = stage
    let answers = 0
    site.fault = ({ path }, answer) => (path === CHANGES_PATH ? { body: body(answers++) } : answer)
    site.put(bench.now + 1_000, { '/a.html': 'second' })
    bench.now += 2_000
    await bench.search()
    assert.ok(answers <= 200, `${answers} answers`)
  })
}

test('a change list that has forgotten what came before leads to a list of all pages', async () => {
  await using stage = await openScene({ offers: ['change-list'] })
  const { site, bench } = stage
  await bench.search()
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  site.put(bench.now + 2_000, { '/b.html': 'second' })
  site.forgotten = site.changes.length - 1
  await bench.next()
  assert.deepEqual(bench.takeSignals(), [
    'change-list updated /b.html',
    'sitemap updated /a.html',
    'sitemap updated /b.html',
  ])
  assert.equal(bench.row.isBehind, false)
})

for (const listChanges of [1_000, 2]) {
  test(`changes noted after the clock of a site was set back are told all the same, ${listChanges} in a list`, async () => {
    await using stage = await openScene({ offers: ['change-list'], listChanges })
    const { site, bench } = stage
    await bench.search()
    site.put(bench.now + 100_000, { '/a.html': 'ahead of its time' })
    await bench.next()
    assert.deepEqual(bench.takeSignals(), ['change-list updated /a.html'])
    bench.hold(['/a.html'])
    const earlier = bench.row.changesUntil! - 50_000
    const paths = PATHS.slice(1, 6)
    for (const [n, path] of paths.entries()) {
      bench.held.set(path, { visitedAt: START - 2 * DAY })
      site.put(earlier + n, { [path]: 'after the clock was set back' })
    }
    await bench.next()
    assert.deepEqual(
      bench.takeSignals(),
      paths.map((path) => `change-list updated ${path}`),
    )
  })
}

test('an archive read while it was written is told as far as it goes, and read again: nothing is lost', async () => {
  await using stage = await openScene({ offers: ['metadata-archive'] })
  const { site, bench } = stage
  await bench.search()
  for (const [n, path] of PATHS.entries()) site.put(bench.now + 1_000 * (n + 1), { [path]: 'second' })
  let isHalf = true
  site.fault = ({ path }, { body, ...rest }) => {
    const isArchive = path.endsWith('.gz') && body !== undefined && isHalf
    return isArchive
      ? { ...rest, body: Buffer.from(body).subarray(0, Math.floor(body.length / 2)) }
      : { ...rest, body: body ?? '' }
  }
  await bench.next()
  const first = bench.takeSignals()
  assert.match(bench.offer('metadata-archive')!.problem ?? '', /cut off/)
  isHalf = false
  await bench.next()
  const told = new Set([...first, ...bench.takeSignals()])
  assert.deepEqual([...told].toSorted(), PATHS.map((path) => `metadata-archive updated ${path}`).toSorted())
  assert.equal(bench.offer('metadata-archive')!.failures, 0)
})

const TORN: readonly [kind: ChangeOfferKind, path: string][] = [
  ['change-list', '/changelist.xml'],
  ['sitemap', '/sitemap.xml'],
  ['robots-rdf', '/robots.2.rdf'],
]
for (const [kind, torn] of TORN) {
  test(`${kind}: XML that ends too early is told as far as it goes, and read again`, async () => {
    await using stage = await openScene({ offers: [kind] })
    const { site, bench } = stage
    await bench.search()
    const changed = ['/a.html', '/d/e.html', '/d/i/j.html']
    for (const path of changed) site.put(bench.now + 1_000, { [path]: 'second' })
    site.fault = ({ path }, { body = '', ...rest }) =>
      path === torn ? { ...rest, body: Buffer.from(body).subarray(0, body.length - 60) } : { ...rest, body }
    await bench.next()
    const first = bench.takeSignals().filter((signal) => signal.startsWith(kind))
    site.fault = undefined
    while (bench.offer(kind)!.failures > 0) await bench.next()
    const told = new Set([...first, ...bench.takeSignals().filter((signal) => signal.startsWith(kind))])
    assert.deepEqual([...told].toSorted(), changed.map((path) => `${kind} updated ${path}`).toSorted())
  })
}

test('pages and documents of other sites count for nothing', async () => {
  await using stage = await openScene()
  const { site, bench } = stage
  const other = 'http://127.0.0.99:9'
  site.fault = ({ path }, { body = '', ...rest }) =>
    path !== API_CATALOG_PATH
      ? { ...rest, body: Buffer.from(body).toString('latin1').replaceAll(site.origin, other) }
      : { ...rest, body }
  await bench.search()
  assert.deepEqual(
    bench.row.offers.map(({ kind }) => kind),
    ['filter', 'batch', 'robots-rdf'],
    'the others name documents of another site',
  )
  site.put(bench.now + 1_000, textsOf(PATHS, 'second'))
  await bench.next()
  assert.deepEqual([bench.takeSignals(), bench.takeListed()], [[], []])
  assert.equal(bench.frontier.sites.length, 1, 'nobody else was asked')
})

test('where a proxy takes the validators away, the same bytes are known for what they are', async () => {
  await using stage = await openScene({ offers: ['robots-rdf', 'sitemap', 'metadata-archive'] })
  const { site, bench } = stage
  site.fault = (_, answer) => ({ ...answer, headers: { 'no-etag': '1' } })
  await bench.search()
  changeSome(site, bench.now + 5_000)
  await bench.next()
  assert.ok(bench.takeSignals().length >= 1)
  for (let look = 0; look < 3; look++) {
    await bench.next()
    assert.deepEqual(bench.takeSignals(), [], 'still pending, and not told again')
  }
  const [best] = bench.row.offers.toSorted((a, b) => b.checkedAt - a.checkedAt)
  assert.ok(best!.idleBytes! > 100, 'and what a poll costs is known')
})

const NOTHING: readonly [
  sentence: string,
  answer: { status?: number; headers?: Record<string, string>; body: string },
][] = [
  ['404 to everything', { status: 404, body: 'no' }],
  [
    'a home page to everything',
    { headers: { 'content-type': 'text/html' }, body: '<html><body>Welcome!</body></html>' },
  ],
  ['an empty page to everything', { body: '' }],
  ['a redirect to everything', { status: 302, headers: { location: '/capability.xml' }, body: '' }],
]
for (const [sentence, answer] of NOTHING) {
  test(`a site that answers ${sentence} offers nothing, and is asked again a week later`, async () => {
    await using stage = await openScene({ offers: ['change-list'] })
    const { site, bench } = stage
    site.fault = ({ path }, real) => (path === '/robots.txt' ? real : answer)
    await bench.search()
    assert.deepEqual(bench.row.offers, [])
    assert.deepEqual(site.takePaths().length, 3)
    assert.equal(await bench.next(), 7 * DAY)
    assert.equal(site.takePaths().length, 3)
  })
}

test('a site in trouble keeps its offers, and is searched again after a day', async () => {
  await using stage = await openScene({ offers: ['filter', 'sitemap'] })
  const { site, bench } = stage
  await bench.search()
  const kinds = (): string[] => bench.row.offers.map(({ kind }) => kind)
  const before = kinds()
  site.fault = ({ path }, answer) => (path === API_CATALOG_PATH ? { status: 502, body: '' } : answer)
  while (bench.row.lookedAt < START + 7 * DAY) await bench.next()
  assert.deepEqual(kinds().toSorted(), before.toSorted())
  assert.equal(bench.row.lookAgainAt - bench.row.lookedAt, DAY)
})

test('a question that was lost with its visit is given up in time, and asked again', async () => {
  await using stage = await openScene({ offers: ['sitemap'] })
  const { site, bench } = stage
  await bench.search()
  bench.now = bench.handler.nextAt()
  bench.handler.tick(bench.now)
  const lost = bench.frontier.sites[bench.site]!.prerequisites.splice(0)
  assert.equal(lost.length, 1)
  bench.now = bench.handler.nextAt()
  await bench.settle()
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  while (bench.offer('sitemap')!.failures > 0) await bench.next()
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['sitemap updated /a.html'])
})
