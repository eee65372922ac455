import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_CATALOG_PATH, CHANGES_PATH, RESOURCESYNC_WELL_KNOWN } from '@comity/protocol'
import { OfferBench, START } from './offer-fixture.ts'
import type { OfferDeskParts } from './offer-desk.ts'
import type { TellingKind } from './site-offers.ts'
import { TellingSite } from './telling-site-fixture.ts'
import type { TellingSiteOptions } from './telling-site-fixture.ts'

const PATHS = ['/a.html', '/b.html', '/c.html', '/d/e.html', '/d/f.html', '/d/g.html', '/d/h.html', '/d/i/j.html']
const texts = (paths: readonly string[], text = 'first'): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, `${text} ${path}`]))
const DAY = 86_400_000

interface Scene extends AsyncDisposable {
  readonly site: TellingSite
  readonly bench: OfferBench
}

/** A site whose pages we hold, all of them fetched just now. */
async function scene(options: TellingSiteOptions = {}, more: Partial<OfferDeskParts> = {}): Promise<Scene> {
  const site = await new TellingSite(options).listen()
  site.put(START - DAY, texts(PATHS))
  const bench = await OfferBench.open(site.origin, more)
  bench.hold(PATHS)
  const dispose = async (): Promise<void> => {
    await bench[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  }
  return { site, bench, [Symbol.asyncDispose]: dispose }
}

/** A page changes, one is new, one is gone; told at the next look. */
function change(site: TellingSite, at: number): void {
  site.put(at, { '/b.html': `second ${at}` })
  site.put(at + 1_000, { '/new.html': 'new' })
  site.remove(at + 2_000, '/c.html')
}

test('a search finds every offer of a site, and asks for nothing twice', async () => {
  await using stage = await scene()
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
  bench.desk.lookAt(bench.site, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [])
})

const TELLS: readonly [kind: TellingKind, deletions: boolean][] = [
  ['filter', true],
  ['change-list', true],
  ['metadata-archive', true],
  ['robots-rdf', false],
  ['sitemap', false],
]
for (const [kind, deletions] of TELLS) {
  test(`${kind}: what changed becomes signals, what is new is listed, and silence costs little`, async () => {
    await using stage = await scene({ offers: [kind] })
    const { site, bench } = stage
    site.put(START - DAY, { '/unseen.html': 'never seen' })
    await bench.search()
    assert.deepEqual(bench.takeSignals(), [], 'all that is held is newer than what is told')
    assert.deepEqual(bench.takeListed(), ['/unseen.html'])
    change(site, bench.now + 5_000)
    await bench.next()
    assert.deepEqual(bench.takeListed(), ['/new.html'])
    assert.deepEqual(
      bench.takeSignals().toSorted(),
      [`${kind} updated /b.html`, ...(deletions ? [`${kind} deleted /c.html`] : [])].toSorted(),
    )
    bench.hold(['/b.html', '/c.html', '/new.html'])
    site.takePaths()
    const before = bench.desk.spent.get(kind)!
    await bench.next()
    assert.deepEqual([bench.takeSignals(), bench.takeListed()], [[], []])
    const { bytes, requests } = bench.desk.spent.get(kind)!
    assert.ok(bytes - before.bytes < 100, `${bytes - before.bytes} bytes when nothing changed`)
    assert.equal(requests - before.requests, site.takePaths().length)
  })
}

test('the offer that breaks rests, longer each time; the next best tells; back again, it goes on where it was', async () => {
  await using stage = await scene({ offers: ['filter', 'change-list', 'metadata-archive', 'robots-rdf', 'sitemap'] })
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
  await using stage = await scene()
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
  await using stage = await scene({ offers: ['filter'] })
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

test('a filter that says there is more is asked on at once', async () => {
  await using stage = await scene({ offers: ['filter'], filterPages: 2 })
  const { site, bench } = stage
  await bench.search()
  for (const [n, path] of PATHS.entries()) site.put(bench.now + n * 1_000 + 1_000, { [path]: 'second' })
  site.takePaths()
  await bench.next()
  assert.equal(bench.takeSignals().length, PATHS.length)
  assert.equal(site.takePaths().length, PATHS.length / 2)
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
    await using stage = await scene({ offers: ['filter', 'sitemap'] })
    const { site, bench } = stage
    let answers = 0
    site.fault = ({ path }, answer) => (path === CHANGES_PATH ? { body: body(answers++) } : answer)
    site.put(bench.now + 1_000, { '/a.html': 'second' })
    bench.now += 2_000
    await bench.search()
    assert.ok(answers <= 200, `${answers} answers`)
  })
}

test('a filter is asked by QUERY, where that is refused by POST, then by GET, and the way that worked is remembered', async () => {
  await using stage = await scene({ offers: ['filter'] })
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
  await using stage = await scene({ offers: ['change-list'], listChanges: 3 })
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

test('a change list that has forgotten what came before leads to a list of all pages', async () => {
  await using stage = await scene({ offers: ['change-list'] })
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

test('changes noted after the clock of a site was set back are told all the same', async () => {
  await using stage = await scene({ offers: ['change-list'] })
  const { site, bench } = stage
  await bench.search()
  site.put(bench.now + 100_000, { '/a.html': 'ahead of its time' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['change-list updated /a.html'])
  bench.hold(['/a.html'])
  bench.held.set('/b.html', { visitedAt: START - 2 * DAY })
  site.put(bench.row.changesUntil! - 50_000, { '/b.html': 'after the clock was set back' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['change-list updated /b.html'])
})

test('an archive read while it was written is told as far as it goes, and read again: nothing is lost', async () => {
  await using stage = await scene({ offers: ['metadata-archive'] })
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

test('of the archives only those are read that can have something new, of the types that matter', async () => {
  await using stage = await scene({ offers: ['metadata-archive'] }, { types: ['text/html'] })
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

const TORN: readonly [kind: TellingKind, path: string][] = [
  ['change-list', '/changelist.xml'],
  ['sitemap', '/sitemap.xml'],
  ['robots-rdf', '/robots.2.rdf'],
]
for (const [kind, torn] of TORN) {
  test(`${kind}: XML that ends too early is told as far as it goes, and read again`, async () => {
    await using stage = await scene({ offers: [kind] })
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
  await using stage = await scene()
  const { site, bench } = stage
  const other = 'http://127.0.0.99:9'
  const isAbroad = (path: string): boolean => !path.includes('well-known/api-catalog')
  site.fault = ({ path }, { body = '', ...rest }) =>
    isAbroad(path)
      ? { ...rest, body: Buffer.from(body).toString('latin1').replaceAll(site.origin, other) }
      : { ...rest, body }
  await bench.search()
  assert.deepEqual(
    bench.row.offers.map(({ kind }) => kind),
    ['filter', 'batch', 'robots-rdf'],
    'the others name documents of another site',
  )
  site.put(bench.now + 1_000, texts(PATHS, 'second'))
  await bench.next()
  assert.deepEqual([bench.takeSignals(), bench.takeListed()], [[], []])
  assert.equal(bench.frontier.sites.length, 1, 'nobody else was asked')
})

test('where a proxy takes the validators away, the same bytes are known for what they are', async () => {
  await using stage = await scene({ offers: ['robots-rdf', 'sitemap', 'metadata-archive'] })
  const { site, bench } = stage
  site.fault = (_, answer) => ({ ...answer, headers: { 'no-etag': '1' } })
  await bench.search()
  change(site, bench.now + 5_000)
  await bench.next()
  assert.ok(bench.takeSignals().length >= 1)
  for (let look = 0; look < 3; look++) {
    await bench.next()
    assert.deepEqual(bench.takeSignals(), [], 'still pending, and not told again')
  }
  const [best] = bench.row.offers.toSorted((a, b) => b.checkedAt - a.checkedAt)
  assert.ok(best!.idleBytes! > 100, 'and what a look costs is known')
})

test('a site whose robots.txt is not known is not asked; what it disallows is not asked for', async () => {
  await using stage = await scene()
  const { site, bench } = stage
  bench.desk.lookAt(bench.site, bench.now)
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
    await using stage = await scene({ offers: ['change-list'] })
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
  await using stage = await scene({ offers: ['filter', 'sitemap'] })
  const { site, bench } = stage
  await bench.search()
  const kinds = (): string[] => bench.row.offers.map(({ kind }) => kind)
  const before = kinds()
  site.fault = ({ path }, answer) => (path === API_CATALOG_PATH ? { status: 502, body: '' } : answer)
  while (bench.row.lookedAt < START + 7 * DAY) await bench.next()
  assert.deepEqual(kinds().toSorted(), before.toSorted())
  assert.equal(bench.row.lookAgainAt - bench.row.lookedAt, DAY)
})

test('a capability list that a page names is looked into', async () => {
  await using stage = await scene({ offers: ['change-list'] })
  const { site, bench } = stage
  site.fault = ({ path }, answer) => (path === RESOURCESYNC_WELL_KNOWN ? { status: 404, body: '' } : answer)
  await bench.search()
  assert.deepEqual(bench.row.offers, [])
  const link: [string, string][] = [
    ['Link', '</capability.xml>; rel="resourcesync", <http://b.example/c>; rel="resourcesync"'],
  ]
  bench.desk.linked(bench.site, `${site.origin}/a.html`, link, bench.now)
  await bench.settle()
  assert.ok(bench.offer('change-list') !== undefined)
  site.takePaths()
  bench.desk.linked(bench.site, `${site.origin}/b.html`, link, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [], 'once')
})

test('after a restart all that was told is still known', async () => {
  await using stage = await scene()
  const { site, bench } = stage
  await bench.search()
  site.asked.splice(0)
  bench.desk = bench.newDesk()
  bench.desk.lookAt(bench.site, bench.now)
  await bench.settle()
  assert.deepEqual(site.takePaths(), [], 'nothing is due')
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['filter updated /a.html'])
  assert.equal((JSON.parse(site.asked[0]!.body) as { since: string }).since, String(PATHS.length))
})

test('a site that has news often is asked often, one that has none seldom', async () => {
  await using stage = await scene({ offers: ['change-list'] })
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
  await using stage = await scene({ offers: ['filter', 'sitemap'] })
  const { site, bench } = stage
  bench.trust = { filter: { recall: 0.01, precision: 0.01 }, sitemap: { recall: 0.9, precision: 0.9 } }
  await bench.search()
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['sitemap updated /a.html'])
})

test('a question that was lost with its visit is given up in time, and asked again', async () => {
  await using stage = await scene({ offers: ['sitemap'] })
  const { site, bench } = stage
  await bench.search()
  bench.now = bench.desk.nextAt()
  bench.desk.tick(bench.now)
  const lost = bench.frontier.sites[bench.site]!.errands.splice(0)
  assert.equal(lost.length, 1)
  bench.now = bench.desk.nextAt()
  await bench.settle()
  site.put(bench.now + 1_000, { '/a.html': 'second' })
  while (bench.offer('sitemap')!.failures > 0) await bench.next()
  await bench.next()
  assert.deepEqual(bench.takeSignals(), ['sitemap updated /a.html'])
})
