import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '@comity/protocol'
import type { OtherReply } from '@comity/ingest/testing'
import { discoverHub, hubOf } from './hub-discovery.ts'
import type { HubSearch } from './hub-discovery.ts'

const url = 'https://a.example/feed'
const hub = 'https://hub.example/'
const found = (topic = url, ...hubs: string[]): HubSearch => ({
  kind: 'found',
  topic,
  hubs: hubs.length > 0 ? hubs : [hub],
})
const linked = `<${hub}>; rel="hub", <${url}>; rel="self"`
const html: HeaderList = [['Content-Type', 'text/html; charset=utf-8']]
const page = `<head><link rel="hub" href="${hub}"><link rel="self" href="/feed.html"></head>`

// Names after the cases of websub.rocks, the test suite of the specification.
const cases: [sentence: string, headers: HeaderList, body: string, expected: HubSearch | RegExp][] = [
  ['links in one field', [['Link', linked]], '', found()],
  [
    'links in several fields',
    [
      ['Link', `<${hub}>; rel=hub`],
      ['link', '</feed>; rel="self"'],
    ],
    '',
    found(),
  ],
  ['links in a page', html, page, found('https://a.example/feed.html')],
  [
    'links in a feed of Atom',
    [['Content-Type', 'application/atom+xml']],
    `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="${hub}"/><link rel="self" href="${url}"/></feed>`,
    found(),
  ],
  [
    'links in a feed of RSS',
    [['Content-Type', 'application/rss+xml']],
    `<rss><channel><atom:link rel="hub" href="${hub}"/><atom:link rel="self" href="${url}"/></channel></rss>`,
    found(),
  ],
  ['fields before elements', [...html, ['Link', linked]], page.replace(hub, 'https://other.example/'), found()],
  [
    'elements where the fields are about other things',
    [...html, ['Link', '</x>; rel="next"']],
    page,
    found('https://a.example/feed.html'),
  ],
  ['elements in the body count for nothing', html, `<head></head><body>${page}`, /names no hub/],
  ['what is neither page nor feed', [['Content-Type', 'text/plain']], page, /names no hub/],
  ['the topic is what was asked for where nothing else is said', [['Link', `<${hub}>; rel=hub`]], '', found()],
  ["another site's topic", [['Link', `<${hub}>; rel=hub, <https://b.example/>; rel=self`]], '', /another site/],
  [
    'the secure hub first, each once, and no more than five',
    [
      [
        'Link',
        ['http://plain.example/', hub, hub, ...[1, 2, 3, 4].map((n) => `https://h${n}.example/`)]
          .map((to) => `<${to}>; rel=hub`)
          .join(', '),
      ],
    ],
    '',
    found(url, hub, 'https://h1.example/', 'https://h2.example/', 'https://h3.example/', 'https://h4.example/'),
  ],
  ['a hub that is no address', [['Link', '<javascript:alert(1)>; rel=hub']], '', /names no hub/],
]
for (const [sentence, headers, body, expected] of cases) {
  test(`hub discovery: ${sentence}`, () => {
    const search = hubOf({ headers, body: Buffer.from(body) }, url)
    if (expected instanceof RegExp) assert.match(search.kind === 'none' ? search.problem : search.kind, expected)
    else assert.deepEqual(search, expected)
  })
}

const others: [reply: OtherReply, kind: HubSearch['kind']][] = [
  [{ kind: 'absent', status: 404, problem: 'status 404' }, 'none'],
  [{ kind: 'absent', status: 301, problem: 'status 301' }, 'none'],
  [{ kind: 'trouble', status: 503, problem: 'status 503' }, 'trouble'],
]
for (const [reply, kind] of others) {
  test(`hub discovery: a topic that answers ${reply.status} is ${kind}`, () => {
    const search = discoverHub(url)
    const { value } = search.next()
    assert.ok(value !== undefined && 'url' in value && value.url === url)
    assert.deepEqual(search.next(reply), { done: true, value: { kind, problem: reply.problem } })
  })
}

test('hub discovery: nothing that a site answers makes it throw', () => {
  const types = fc.constantFrom('text/html', 'application/xml', 'text/html; charset=nonsense', '')
  fc.assert(
    fc.property(fc.string(), types, fc.uint8Array(), (link, type, body) => {
      hubOf(
        {
          headers: [
            ['Link', link],
            ['Content-Type', type],
          ],
          body,
        },
        url,
      )
    }),
  )
})
