import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { notificationSignals, readChangeNotification, writeChangeNotification } from './change-notification.ts'
import { changeEntryOf } from '../feeds/page-entry.ts'
import type { ChangeEntry } from '../feeds/page-entry.ts'

const topic = 'https://a.example/changelist.xml'
const read = (xml: string | Uint8Array): ReturnType<typeof readChangeNotification> =>
  readChangeNotification(Buffer.from(xml), topic)
const at = Date.UTC(2026, 10, 15, 12)
const digest = `sha-256:${'0f'.repeat(32)}`

test('a notification has the elements of the specification', () => {
  const xml = writeChangeNotification({
    capabilityList: 'https://a.example/capabilitylist.xml',
    changes: [
      {
        url: 'https://a.example/1',
        change: 'created',
        changedAt: at,
        modifiedAt: at,
        digest,
        bytes: 7,
        type: 'text/html',
      },
      { url: 'https://a.example/?a&b', change: 'deleted', changedAt: at + 1_000 },
    ],
  })
  assert.equal(
    xml.replaceAll('\n', ''),
    '<?xml version="1.0" encoding="UTF-8"?>' +
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">' +
      '<rs:ln rel="up" href="https://a.example/capabilitylist.xml"/>' +
      '<rs:md capability="change-notification" from="2026-11-15T12:00:00Z" until="2026-11-15T12:00:01Z"/>' +
      '<url><loc>https://a.example/1</loc><lastmod>2026-11-15T12:00:00Z</lastmod>' +
      `<rs:md change="created" datetime="2026-11-15T12:00:00Z" hash="${digest}" length="7" type="text/html"/></url>` +
      '<url><loc>https://a.example/?a&amp;b</loc>' +
      '<rs:md change="deleted" datetime="2026-11-15T12:00:01Z"/></url></urlset>',
  )
})

// As the publisher of github.com/resync/resourcesync_push sends it, white space before the declaration included.
const old = `
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:rs="http://www.openarchives.org/rs/terms/">
<url><loc>http://example.com/res3.tiff</loc><lastmod>2013-01-02T18:00:00Z</lastmod><rs:md change="deleted"  /></url>
</urlset>
        `
const urlset = (md: string, ...entries: string[]): string =>
  `<urlset xmlns:rs="http://www.openarchives.org/rs/terms/">${md}${entries.join('')}</urlset>`
const entry = '<url><loc>/x</loc><rs:md change="updated"/></url>'
const cases: [sentence: string, xml: string | Uint8Array, expected: number | RegExp][] = [
  ['without a capability, as the first publisher wrote it', old, 1],
  ['that calls itself a change list', urlset('<rs:md capability="changelist" from="2026-01-01"/>', entry), 1],
  ['that is packed', gzipSync(urlset('<rs:md capability="change-notification"/>', entry)), 1],
  ['that is cut off keeps what is whole', urlset('', entry, entry).slice(0, -20), 1],
  ['with an entry that does not say what changed', urlset('', entry, '<url><loc>/y</loc></url>'), 1],
  ['of nothing', urlset('<rs:md capability="change-notification"/>'), 0],
  ['that is a resource list', urlset('<rs:md capability="resourcelist"/>', entry), /resourcelist/],
  ['that is an index', `<sitemapindex><sitemap><loc>/x</loc></sitemap></sitemapindex>`, /no urlset/],
  ['that is a page', '<html><body>hello</body></html>', /no urlset/],
  ['that is empty', '', /no urlset/],
]
for (const [sentence, xml, expected] of cases) {
  test(`a notification ${sentence}`, () => {
    const notification = read(xml)
    if (expected instanceof RegExp) assert.match('problem' in notification ? notification.problem : '', expected)
    else assert.equal('changes' in notification ? notification.changes.length : notification.problem, expected)
  })
}

const moments = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000)
const changes = fc.record(
  {
    url: fc.webPath().map((path) => new URL(`https://a.example/x${path}`).href),
    change: fc.constantFrom('created' as const, 'updated' as const, 'deleted' as const),
    changedAt: moments,
    modifiedAt: moments,
    bytes: fc.nat(),
    type: fc.constantFrom('text/html', 'image/png'),
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => `sha-256:${Buffer.from(b).toString('hex')}`),
  },
  { noNullPrototype: true },
)

test('a notification is read as it was written, and its signals say the same', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 20 }), (given) => {
      const all = given.toSorted((a, b) => a.changedAt - b.changedAt)
      const notification = read(writeChangeNotification({ changes: all }))
      assert.ok('changes' in notification)
      assert.deepEqual(notification.changes, all.map(changeEntryOf))
      assert.deepEqual([notification.from, notification.until], [all[0]?.changedAt, all.at(-1)?.changedAt])
      assert.deepEqual([notification.passedOver, notification.problems], [0, {}])
      const signals = notificationSignals(notification.changes, 'websub')
      const expected = all.map(({ url, change, changedAt, digest: hash }) => [url, change, 'websub', changedAt, hash])
      assert.deepEqual(
        signals.map((signal) => [signal.url, signal.change, signal.channel, signal.changedAt, signal.digest]),
        expected,
      )
    }),
  )
})

test('more than is allowed is passed over and counted', () => {
  const many: ChangeEntry[] = Array.from({ length: 30 }, (_, i) => ({
    url: `https://a.example/${i}`,
    change: 'updated',
  }))
  const xml = Buffer.from(writeChangeNotification({ changes: many }))
  const few = readChangeNotification(xml, topic, { maxEntries: 10 })
  assert.deepEqual('changes' in few && [few.changes.length, few.passedOver], [10, 20])
  const cut = readChangeNotification(xml, topic, { maxBytes: 1_000 })
  assert.ok('changes' in cut && cut.changes.length < 30 && cut.problems['too-large'] === 1)
})

test('nothing that a stranger sends makes the reader throw', () => {
  const sample = writeChangeNotification({
    changes: [{ url: 'https://a.example/1', change: 'created', changedAt: at }],
  })
  const bits = fc.constantFrom(
    '<',
    '>',
    '"',
    '&',
    '<url>',
    '</urlset>',
    'capability="x"',
    '\0',
    '<rs:md change="updated"/>',
  )
  const edits = fc.array(fc.tuple(fc.nat(sample.length), fc.nat(20), fc.oneof(bits, fc.string())), { maxLength: 5 })
  fc.assert(
    fc.property(edits, fc.uint8Array(), (all, bytes) => {
      let text = sample
      for (const [from, cut, put] of all) text = text.slice(0, from) + put + text.slice(from + cut)
      for (const notification of [read(text), read(bytes)]) {
        if ('problem' in notification) continue
        for (const { url } of notification.changes) assert.match(url, /^https?:\/\//)
      }
    }),
    { numRuns: 300 },
  )
})
