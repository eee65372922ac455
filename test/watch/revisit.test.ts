/** Revisits, and what the archive says about them: conditional requests, unchanged and changed pages, equal bodies. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { payloadDigest, readWarc } from '@comity/protocol'
import { recordsIn } from '../crawl/archive-records.ts'
import { holdingsOf } from '../crawl/holdings.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

/** Our own reader checks the digests of blocks and payloads; every body must give the digest that its page's row has. */
async function checkArchive(dir: string): Promise<void> {
  await using collection = Collection.openReadOnly(dir)
  for (const path of collection.warcPaths) {
    for (const item of readWarc(readFileSync(path), 0, { verify: true })) assert.equal(item.kind, 'record')
  }
  for (const { value: row } of collection.pages()) {
    if (row.body !== undefined) assert.equal(payloadDigest(collection.readBody(row.body)), row.digest)
  }
}

test('a revisit is conditional, and a page that has not changed is a revisit record', async () => {
  const modified = 'Sun, 06 Nov 1994 08:49:37 GMT'
  await using site = await createSmallSite({
    '/': ({ headers }) =>
      headers['if-none-match'] === '"v1"'
        ? { status: 304, headers: { etag: '"v1"' } }
        : { headers: { etag: '"v1"' }, body: page('Home', '/dated', '/plain') },
    '/dated': ({ headers }) =>
      headers['if-modified-since'] === modified
        ? { status: 304 }
        : { headers: { 'last-modified': modified }, body: page('Dated') },
    '/plain': page('Plain'),
  })
  const into = newDirectory()
  const first = await quickCrawl(into, [`${site.origin}/`])
  assert.equal(first.pages, 3)
  const before = site.asked.length
  const second = await quickCrawl(into, [], { revisitAfterMs: 0 })
  const asked = new Map(site.asked.slice(before).map(({ path, headers }) => [path, headers]))
  assert.equal(asked.get('/')?.['if-none-match'], '"v1"')
  assert.equal(asked.get('/dated')?.['if-modified-since'], modified)
  assert.equal(asked.get('/plain')?.['if-none-match'], undefined)
  assert.equal(asked.get('/robots.txt'), undefined, 'robots.txt is good for a day')
  assert.equal(second.outcomes['not-modified'], 2)

  const held = await holdingsOf(into)
  const home = held.get(`${site.origin}/`)
  assert.deepEqual([home?.row?.outcome, home?.row?.status, home?.row?.visits], ['not-modified', 304, 2])
  assert.deepEqual([home?.row?.changes, home?.row?.title, home?.links.length], [0, 'Home', 2])
  assert.equal(home?.row?.etag, '"v1"', 'the next revisit is conditional too')

  const records = await recordsIn(into)
  const count = (type: string, profile?: string): number =>
    records.filter((one) => one.type === type && one.header('WARC-Profile')?.includes(profile ?? '') !== false).length
  assert.equal(count('warcinfo'), 1)
  assert.equal(count('response'), 3)
  assert.equal(count('revisit', 'server-not-modified'), 2)
  // The plain page came again with the same bytes.
  assert.equal(count('revisit', 'identical-payload-digest'), 1)
  assert.equal(count('request'), 4)
  await checkArchive(into)
})

test('a page that has changed is stored anew and counted', async () => {
  let version = 1
  await using site = await createSmallSite({
    '/': () => ({ headers: { etag: `"v${version}"` }, body: page(`Version ${version}`, `/found-${version}`) }),
    '/found-1': page('One'),
    '/found-2': page('Two'),
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  version = 2
  const summary = await quickCrawl(into, [], { revisitAfterMs: 0 })
  const held = await holdingsOf(into)
  const { row, links } = held.get(`${site.origin}/`)!
  assert.deepEqual([row?.outcome, row?.title, row?.visits, row?.changes], ['ok', 'Version 2', 2, 1])
  assert.deepEqual(links, [`${site.origin}/found-2`])
  assert.equal(held.get(`${site.origin}/found-2`)?.row?.outcome, 'ok', 'new links are followed')
  assert.equal(summary.seeds[0]?.done, true)
  await checkArchive(into)
})

test('the same bytes under two names are stored once', async () => {
  const twin = `<title>Twin</title>${'the same words over and over '.repeat(50)}`
  await using site = await createSmallSite({ '/': page('Home', '/a', '/b'), '/a': twin, '/b': twin })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const held = await holdingsOf(into)
  const [a, b] = ['/a', '/b'].map((path) => held.get(site.origin + path)?.row)
  assert.equal(a?.digest, b?.digest)
  assert.deepEqual(a?.body, b?.body)
  const records = await recordsIn(into)
  const revisit = records.find(({ type }) => type === 'revisit')
  assert.equal(revisit?.url, `${site.origin}/b`)
  assert.equal(revisit?.header('WARC-Refers-To-Target-URI'), `${site.origin}/a`)
  assert.match(revisit?.header('WARC-Profile') ?? '', /identical-payload-digest/)
  await checkArchive(into)
})

test('a page that is gone keeps its old body, and is asked for without conditions', async () => {
  let isGone = false
  await using site = await createSmallSite({
    '/': () => (isGone ? { status: 410, body: 'gone' } : { headers: { etag: '"x"' }, body: page('Here') }),
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  isGone = true
  const summary = await quickCrawl(into, [], { revisitAfterMs: 0 })
  assert.equal(summary.outcomes['client-error'], 1)
  const { row } = (await holdingsOf(into)).get(`${site.origin}/`)!
  assert.deepEqual([row?.outcome, row?.status], ['client-error', 410])
  await using collection = Collection.openReadOnly(into)
  assert.match(Buffer.from(collection.readBody(row!.body!)).toString(), /Here/)
})

test('a page in trouble stays as it was known: it has not changed, and is asked for with the conditions of the copy', async () => {
  let isTroubled = false
  await using site = await createSmallSite({
    '/': ({ headers }) => {
      if (isTroubled) return { status: 500, headers: { etag: '"trouble"' }, body: 'no database' }
      return headers['if-none-match'] === '"x"' ? { status: 304 } : { headers: { etag: '"x"' }, body: page('Here') }
    },
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const before = (await holdingsOf(into)).get(`${site.origin}/`)!.row!
  isTroubled = true
  await quickCrawl(into, [], { revisitAfterMs: 0, maxTries: 1 })
  const { row } = (await holdingsOf(into)).get(`${site.origin}/`)!
  assert.deepEqual([row?.outcome, row?.status, row?.visits, row?.changes], ['server-error', 500, 2, 0])
  assert.deepEqual([row?.digest, row?.title, row?.changedAt], [before.digest, 'Here', before.changedAt])
  await checkArchive(into)
  isTroubled = false
  const summary = await quickCrawl(into, [], { revisitAfterMs: 0 })
  assert.equal(summary.outcomes['not-modified'], 1)
})

test('a crawl that is done asks for nothing when it is started again', async () => {
  await using site = await createSmallSite({ '/': page('Home', '/gone') })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const before = site.asked.length
  const again = await quickCrawl(into, [`${site.origin}/`])
  assert.equal(site.asked.length, before)
  assert.deepEqual([again.pages, again.waiting], [1, 0])
})
