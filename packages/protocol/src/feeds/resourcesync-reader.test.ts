import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { processorMs } from '../testing/processor-time.ts'
import { gzipSync } from 'node:zlib'
import type { SyncCapability, SyncEntry } from './resourcesync.ts'
import { createSyncReader, readSync, type SyncSummary } from './resourcesync-reader.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

const PATCH = 'http://www.openarchives.org/rs/terms/patch'

const url = 'http://example.com/dataset1/document.xml'
type Problems = SyncSummary['problems']
type Kind = SyncEntry['kind']
const day = (date: number, hour = 0): number => Date.UTC(2013, 0, date, hour)

// The examples of the standard are numbered alike in both versions; a second count is that of 1.1 where it differs.
// oxfmt-ignore
const examples: [example: string, capability: SyncCapability, kind: Kind, entries: number | [number, number], links: string, problems?: Problems][] = [
  ['1', 'resourcelist', 'page', 2, ''],
  ['2', 'resourcelist', 'page', 2, ''],
  ['3', 'changelist', 'change', [2, 3], ''],
  ['4', 'resourcedump', 'package', 1, ''],
  ['5', 'resourcedump-manifest', 'page', 2, ''],
  ['6', 'capabilitylist', 'document', 3, 'describedby up'],
  ['7', 'description', 'document', 1, 'describedby'],
  ['8', 'resourcelist', 'document', 2, ''],
  ['12', 'description', 'document', 3, 'describedby'],
  ['13', 'capabilitylist', 'document', 4, 'describedby up'],
  ['14', 'resourcelist', 'page', 2, 'up'],
  ['15', 'resourcelist', 'document', 3, 'up'],
  ['16', 'resourcelist', 'page', 2, 'up index'],
  ['17', 'resourcedump', 'package', 3, 'up'],
  ['18', 'resourcedump-manifest', 'page', 2, 'up'],
  ['19', 'changelist', 'change', 4, 'up'],
  ['20', 'changelist', 'document', 3, 'up'],
  ['21', 'changelist', 'change', 4, 'up index'],
  ['22', 'changedump', 'package', 3, 'up'],
  ['23', 'changedump-manifest', 'change', 4, 'up'],
  ['24', 'changelist', 'change', 1, 'up', { 'bad-link': 1 }],
  ['25', 'changelist', 'change', 1, 'up'],
  ['26', 'changelist', 'change', 1, 'up'],
  ['27', 'changelist', 'change', 2, 'up', { 'bad-hash': 4 }],
  ['28', 'changelist', 'change', 2, 'up'],
  ['29', 'changelist', 'change', 1, 'up'],
  ['30', 'changelist', 'change', 1, 'up'],
  ['31', 'changelist', 'change', 1, 'up'],
  ['32', 'changelist', 'change', 1, 'up'],
  ['33', 'changelist', 'change', 1, 'up'],
]
const numbered = examples.flatMap(([example, capability, kind, entries, links, problems]) =>
  [0, 1].map((minor): Expected => {
    const count = typeof entries === 'number' ? entries : (entries[minor] ?? 0)
    return [`examples_from_spec_v1_${minor}/resourcesync_ex_${example}.xml`, capability, kind, count, links, problems]
  }),
)

type Expected = [
  file: string,
  capability: SyncCapability | undefined,
  kind: Kind,
  entries: number,
  links: string,
  problems?: Problems | undefined,
]
// oxfmt-ignore
const others: Expected[] = [
  ['examples_from_spec_v1_0/archives_ex_2_1.xml', 'capabilitylist', 'document', 8, 'describedby up'],
  ['examples_from_spec_v1_0/archives_ex_2_2.xml', 'changelist', 'change', 2, 'up archives'],
  ['examples_from_spec_v1_0/archives_ex_3_1.xml', 'resourcelist-archive', 'document', 3, 'up'],
  ['examples_from_spec_v1_0/archives_ex_3_2.xml', 'resourcelist-archive', 'document', 2, 'up'],
  ['examples_from_spec_v1_0/archives_ex_4_1.xml', 'resourcedump-archive', 'document', 2, 'up'],
  ['examples_from_spec_v1_0/archives_ex_5_1.xml', 'changelist-archive', 'document', 3, 'up'],
  ['examples_from_spec_v1_0/archives_ex_6_1.xml', 'changedump-archive', 'document', 2, 'up'],
  ['archives1/caps1.xml', 'capabilitylist', 'document', 8, 'describedby up'],
  ['archives1/caps2.xml', 'capabilitylist', 'document', 0, 'describedby'],
  ['archives1/dataset1/resourcelist-archive.xml', 'resourcelist-archive', 'document', 3, 'up'],
  ['archives1/dataset1/resourcelist.xml', 'resourcelist', 'page', 3, 'resourcesync'],
  ['archives1/dataset1/resourcelist1.xml', 'resourcelist', 'page', 3, 'resourcesync'],
  ['archives1/resourcesync', 'description', 'document', 2, 'describedby'],
  ['client/dir1/resourcelist.xml', 'resourcelist', 'page', 3, 'up'],
  ['explore1/caps1.xml', 'capabilitylist', 'document', 4, 'describedby'],
  ['explore1/caps2.xml', 'capabilitylist', 'document', 4, 'describedby'],
  ['explore1/caps3.xml', 'capabilitylist', 'document', 4, 'describedby'],
  ['explore1/dataset1/resourcelist.xml', 'resourcelist', 'page', 3, 'resourcesync'],
  ['explore1/resourcesync', 'description', 'document', 3, 'describedby'],
  ['find/find1/.well-known/resourcelist.xml', 'resourcelist', 'page', 0, 'up'],
  ['find/find1/.well-known/resourcesync', 'description', 'document', 1, 'describedby'],
  ['find/find1/data/capabilitylist.xml', 'capabilitylist', 'document', 1, ''],
  ['find/find1/data/resourcelist.xml', 'resourcelist', 'page', 1, 'up'],
  ['find/find2/resourcelist.xml', 'resourcelist', 'page', 1, 'up'],
  ['find/find3/sitemap.xml', 'resourcelist', 'page', 1, 'up'],
  ['sitemapindex1/sitemap.xml', undefined, 'document', 3, ''],
  ['sitemapindex1/sitemap00000.xml', undefined, 'page', 6, ''],
  ['sitemapindex1/sitemap00001.xml', undefined, 'page', 5, ''],
  ['sitemapindex1/sitemap00002.xml', undefined, 'page', 6, ''],
  ['sitemapindex2/sitemap.xml', undefined, 'document', 3, ''],
  ['sitemapindex2/sitemap00000.xml', undefined, 'page', 6, ''],
  ['sitemapindex2/sitemap00001.xml', undefined, 'page', 5, ''],
  ['sitemapindex2/sitemap00002.xml', undefined, 'page', 6, ''],
  ['sitemapindex2/sitemap_mapper.xml', undefined, 'document', 3, ''],
  ['unknown/unknown1.xml', undefined, 'page', 2, '', { 'unknown-capability': 1 }],
]
for (const [file, capability, kind, count, links, problems = {}] of [...numbered, ...others]) {
  test(`${file} is ${capability ?? 'no capability'} with ${count} entries of kind ${kind}`, (t) => {
    const folder = sharedData('conformance/resourcesync')
    if (folder === undefined) return missing(t, 'examples of ResourceSync')
    const bytes = readFileSync(join(folder, file))
    const { entries, summary } = readSync(bytes, url)
    assert.equal(summary.capability, capability)
    assert.deepEqual([summary.entries, summary.dropped, summary.problems], [count, 0, problems])
    assert.deepEqual(
      entries.map((entry) => entry.kind),
      Array.from({ length: count }, () => kind),
    )
    assert.equal(summary.links.map(({ rel }) => rel).join(' '), links)
    assert.deepEqual(inPieces(bytes, 7), { entries, summary })
    assert.deepEqual(readSync(gzipSync(bytes), url), { entries, summary })
  })
}

/** A document of our own: what is in its root, before its entries. */
const urlset = (head: string, ...entries: string[]): string =>
  `<urlset xmlns:rs="http://www.openarchives.org/rs/terms/">${head}${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`
const changelist = '<rs:md capability="changelist" from="2013-01-03T00:00:00Z"/>'
const res = '<loc>http://example.com/res</loc>'
const page = 'http://example.com/res'
const digest = 'sha-256:854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784'

const cases: [sentence: string, xml: string, entries: SyncEntry[], problems?: Problems][] = [
  [
    'a page of a resource list with all that may be said of it',
    urlset(
      '<rs:md capability="resourcelist"/>',
      `${res}<lastmod>2013-01-02T13:00:00Z</lastmod><rs:md hash="md5:1e0d\n ${digest.toUpperCase()}" length="14599" type="Text/HTML; charset=utf-8"/><rs:ln rel="duplicate" href="/mirror" pri="2" modified="2013-01-02" length="7" type="text/html"/>`,
    ),
    [
      {
        kind: 'page',
        url: page,
        modifiedAt: day(2, 13),
        digest,
        bytes: 14_599,
        type: 'text/html',
        links: [
          {
            rel: 'duplicate',
            href: 'http://example.com/mirror',
            priority: 2,
            modifiedAt: day(2),
            bytes: 7,
            type: 'text/html',
          },
        ],
      },
    ],
  ],
  [
    'in 1.1, datetime is the time of the change, and lastmod may be years before',
    urlset(changelist, `${res}<lastmod>2000-01-01</lastmod><rs:md change="created" datetime="2013-01-03T11:00:00Z"/>`),
    [{ kind: 'change', url: page, change: 'created', changedAt: day(3, 11), modifiedAt: Date.UTC(2000, 0) }],
  ],
  [
    'in 1.0, lastmod is the time of the change',
    urlset(changelist, `${res}<lastmod>2013-01-03T18:00:00Z</lastmod><rs:md change="deleted"/>`),
    [{ kind: 'change', url: page, change: 'deleted', changedAt: day(3, 18), modifiedAt: day(3, 18) }],
  ],
  [
    'a change without any time is a change',
    urlset(changelist, `${res}<rs:md change="updated"/>`),
    [{ kind: 'change', url: page, change: 'updated' }],
  ],
  [
    'changes that are not in order of time are given out, and counted',
    urlset(changelist, ...[5, 4, 4, 6].map((date) => `${res}<rs:md change="updated" datetime="2013-01-0${date}"/>`)),
    [5, 4, 4, 6].map((date) => ({ kind: 'change', url: page, change: 'updated', changedAt: day(date) })),
    { 'not-chronological': 1 },
  ],
  [
    'an entry of a change list that does not say what changed is a page',
    urlset(changelist, res, `${res}<rs:md change="renamed"/>`),
    [
      { kind: 'page', url: page },
      { kind: 'page', url: page },
    ],
    { 'missing-change': 2, 'bad-change': 1 },
  ],
  [
    'a difference is a link of a change',
    urlset(changelist, `${res}<rs:md change="updated"/><rs:ln rel="${PATCH}" href="d" hash="${digest}" length="73"/>`),
    [
      {
        kind: 'change',
        url: page,
        change: 'updated',
        links: [{ rel: PATCH, href: 'http://example.com/dataset1/d', digest, bytes: 73 }],
      },
    ],
  ],
  [
    'the packages of a dump',
    urlset(
      '<rs:md capability="changedump"/>',
      `${res}<rs:md type="application/zip" length="9" from="2013-01-01" until="2013-01-02"/><rs:ln rel="contents" href="/m.xml"/>`,
    ),
    [
      {
        kind: 'package',
        url: page,
        type: 'application/zip',
        bytes: 9,
        from: day(1),
        until: day(2),
        links: [{ rel: 'contents', href: 'http://example.com/m.xml' }],
      },
    ],
  ],
  [
    'where in its package a page is',
    urlset('<rs:md capability="resourcedump-manifest"/>', `${res}<rs:md path="/resources/res"/>`),
    [{ kind: 'page', url: page, path: '/resources/res' }],
  ],
  [
    'a path that leads out of the package is none',
    urlset('', ...['/../x', 'x', '/a\\..\\x'].map((path) => `${res}<rs:md path="${path}"/>`)),
    [1, 2, 3].map(() => ({ kind: 'page', url: page })),
    { 'bad-path': 3 },
  ],
  [
    'what a capability list, an archive and an index refer to',
    `<sitemapindex>${changelist}<sitemap>${res}<rs:md from="2013-01-01"/></sitemap></sitemapindex>`,
    [{ kind: 'document', url: page, capability: 'changelist', from: day(1) }],
  ],
  [
    'an archive tells by what it is what it lists',
    urlset('<rs:md capability="changelist-archive"/>', res),
    [{ kind: 'document', url: page, capability: 'changelist' }],
  ],
  [
    'what a capability list adds in our own namespace, by any prefix',
    `<urlset xmlns:c="urn:comity:capabilities" xmlns:d="urn:other"><rs:md capability="capabilitylist"/><url>${res}<rs:md c:capability="batch" d:capability="x"/></url></urlset>`,
    [{ kind: 'document', url: page, extension: { capability: 'batch' } }],
  ],
  [
    'a document that says last what it is: entries before that speak for themselves',
    urlset('', `${res}<rs:md change="updated"/>`, `${res}<rs:md capability="changelist"/>`, res).replace(
      '</urlset>',
      `${changelist}</urlset>`,
    ),
    [
      { kind: 'change', url: page, change: 'updated' },
      { kind: 'document', url: page, capability: 'changelist' },
      { kind: 'page', url: page },
    ],
    { 'late-md': 1 },
  ],
  [
    'values that are none are left out and counted, the rest is read',
    urlset(
      '<rs:md capability="resourcelist" at="soon"/><rs:md/>',
      `${res}<rs:md hash="sha-256:xyz" length="-1" type="html"/><rs:md/><rs:ln href="/x"/><rs:ln rel="up"/><rs:ln rel="up" href="ftp://x/"/><rs:ln rel="via" href="/x" pri="first"/>`,
    ),
    [{ kind: 'page', url: page, links: [{ rel: 'via', href: 'http://example.com/x' }] }],
    {
      'bad-date': 1,
      'repeated-md': 2,
      'bad-hash': 1,
      'bad-length': 1,
      'bad-type': 1,
      'bad-link': 3,
      'bad-priority': 1,
    },
  ],
  [
    'values that are too long, and links that are too many',
    urlset('', `${res}<rs:md path="/${'x'.repeat(3_000)}"/>${'<rs:ln rel="via" href="/x"/>'.repeat(70)}`),
    [
      {
        kind: 'page',
        url: page,
        links: Array.from({ length: 63 }, () => ({ rel: 'via', href: 'http://example.com/x' })),
      },
    ],
    { 'value-too-long': 1, 'too-many-marks': 7 },
  ],
  [
    'what no XML parser takes',
    urlset(changelist, `<loc>http://example.com/?a&b</loc><rs:md change='updated' datetime="2013-01-04"/>`),
    [{ kind: 'change', url: 'http://example.com/?a&b', change: 'updated', changedAt: day(4) }],
    { 'malformed-xml': 1 },
  ],
]
for (const [sentence, xml, entries, problems = {}] of cases) {
  test(`ResourceSync: ${sentence}`, () => {
    const read = readSync(Buffer.from(xml), url)
    assert.deepEqual(read.entries, entries)
    assert.deepEqual(read.summary.problems, problems)
    assert.deepEqual(inPieces(Buffer.from(xml), 5), read)
  })
}

test('a document tells the time it covers and where it belongs', () => {
  const head = `<rs:ln rel="up" href="caps.xml"/><rs:md capability="resourcelist" at="2013-01-03T09:00:00Z" completed="2013-01-03T10:00:00Z"/>`
  assert.deepEqual(readSync(Buffer.from(urlset(head)), url).summary, {
    format: 'urlset',
    capability: 'resourcelist',
    at: day(3, 9),
    completedAt: day(3, 10),
    links: [{ rel: 'up', href: 'http://example.com/dataset1/caps.xml' }],
    entries: 0,
    dropped: 0,
    isWhole: true,
    problems: {},
  })
})

test('bytes and entries beyond the limits are not given out', () => {
  const xml = Buffer.from(urlset(changelist, ...Array.from({ length: 100 }, () => `${res}<rs:md change="updated"/>`)))
  const few = readSync(xml, url, { maxEntries: 10 })
  assert.deepEqual([few.entries.length, few.summary.entries, few.summary.dropped], [10, 10, 90])
  const half = readSync(xml, url, { maxBytes: xml.length / 2 })
  assert.ok(half.entries.length > 40 && half.entries.length < 60)
  assert.equal(half.summary.problems['too-large'], 1)
  const links = readSync(Buffer.from(urlset('<rs:ln rel="up" href="x"/>'.repeat(300))), url).summary
  assert.deepEqual([links.links.length, links.problems], [256, { 'too-many-marks': 44 }])
})

const megabytes = 5_000_000
for (const [name, part] of [
  ['marks', '<rs:ln rel="up" href="x"/><rs:md/>'],
  ['attributes', `<rs:md ${'a:b="" '.repeat(500)}/>`],
  ['attributes of no XML', `<rs:md ${'a:b="" '.repeat(1_500)} & />`],
  ['entries with marks', `<url>${res}<rs:md hash="${'sha-256:x '.repeat(200)}"/></url>`],
] as const) {
  test(`five megabytes of ${name} are read in good time`, () => {
    const bytes = Buffer.from(`<urlset>${part.repeat(megabytes / part.length)}`)
    const started = processorMs()
    const { entries, summary } = readSync(bytes, url)
    assert.ok(processorMs() - started < 5_000)
    assert.ok(entries.length <= 50_000 && summary.links.length <= 256)
  })
}

function inPieces(bytes: Uint8Array, size: number): ReturnType<typeof readSync> {
  const entries: SyncEntry[] = []
  const reader = createSyncReader({ url, onEntry: (entry) => entries.push(entry) })
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return { summary: reader.end(), entries }
}
