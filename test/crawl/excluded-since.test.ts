/** What an operator excludes stays out from then on, whatever had a page wait before: a link, a letter, a revisit, a site that sends it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadLetters } from '@comity/collection'
import { newKeyRing } from '@comity/protocol'
import { comityHere } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createFaults } from '../../packages/ingest/src/testing/fault-fixture.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { PushSender } from '../push/push-sender.ts'
import { CALLS_ONLY, nextSecond, page as longPage, PushWatch, until } from '../push/push-watch.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const LIMIT = { timeout: 60_000 }
const EXCLUDE = { exclude: ['*/private/*'] }
const routes = {
  '/': page('home', '/private/a', '/open'),
  '/private/a': page('a'),
  '/open': page('open'),
}

test('a page that waits when it is excluded is not asked for', LIMIT, async () => {
  await using site = await createSmallSite(routes)
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { maxPages: 1 })
  assert.deepEqual(site.paths, ['/'])
  await quickCrawl(into, [`${site.origin}/`], EXCLUDE)
  assert.deepEqual(site.paths, ['/', '/open'])
})

test(
  'a page that is due again is not asked for once it is excluded; a start page is, as somebody names it',
  LIMIT,
  async () => {
    await using site = await createSmallSite(routes)
    const [into, home] = [newDirectory(), `${site.origin}/`]
    await quickCrawl(into, [home])
    const before = site.paths.length
    await quickCrawl(into, [home], { ...EXCLUDE, revisitAfterMs: 0 })
    assert.deepEqual(site.paths.slice(before).toSorted(), ['/', '/open'])
    await quickCrawl(into, [home, `${home}private/a`], { ...EXCLUDE, revisitAfterMs: 0 })
    assert.ok(site.paths.slice(before).includes('/private/a'))
  },
)

test('a letter that is tried again asks for no page that was excluded since', LIMIT, async () => {
  await using site = await createSmallSite(routes)
  const [into, home] = [newDirectory(), `${site.origin}/`]
  await quickCrawl(into, [home])
  {
    using faults = createFaults(into)
    for (const path of ['private/a', 'open']) faults.failed({ kind: 'page', url: home + path }, new TypeError('broken'))
  }
  assert.equal((await comityHere(['letters', into, '--retry', 'all'])).code, 0)
  const before = site.paths.length
  await quickCrawl(into, [home], EXCLUDE)
  assert.deepEqual(site.paths.slice(before), ['/open'])
  assert.deepEqual(deadLetters(into), [])
})

test('what a site sends of a page that was excluded since is not taken in', LIMIT, async () => {
  const ring = newKeyRing(Buffer.alloc(32, 11), Date.now() - 86_400_000)
  const pages = { '/': longPage('Home', '/private/a'), '/private/a': longPage('first') }
  await using site = await createCooperatingSite(pages, { calls: { keys: { ring: () => ring } }, schemes: CALLS_ONLY })
  const [into, url] = [newDirectory(), `${site.origin}/private/a`]
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  await using watch = new PushWatch(into, { watch: { subscriptions: 0 }, crawl: EXCLUDE })
  await watch.opened
  await nextSecond()
  const sender = new PushSender(watch.doors.url, site.origin, () => ring)
  await sender.pages({ url, body: longPage('second'), at: Date.now() })
  await until('its outcome', () => watch.outcomes(url).length > 0)
  assert.deepEqual(watch.outcomes(url), ['outside'])
  assert.ok(await watch.holds(url, 'first'))
})
