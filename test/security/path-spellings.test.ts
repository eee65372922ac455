/** A crawl, a push and a link meet a page in many spellings of its address: what is decided of one is decided of all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKeyRing } from '@comity/protocol'
import { comityHere } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { PushSender } from '../push/push-sender.ts'
import { CALLS_ONLY, nextSecond, page as longPage, PushWatch, until } from '../push/push-watch.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Route } from '../sites/small-site.ts'

const LIMIT = { timeout: 60_000 }

/** Spellings of `/secret/…` that servers take for it. */
// oxfmt-ignore
const SECRET = [
  '/secret/1', '/secre%74/2', '//secret/3', '/open/..%2fsecret/4', '/secret%2F5', '/%2Fsecret/7',
  '/open/%2e%2e%2Fsecret/9', '/%5Csecret%5C10', '/secret;v=1/11', '/open/..;/secret/12', '//secret/%0013', '/secret%0a/14',
]
/** And those of other pages, which only look like it. */
const OPEN = [
  '/open/1',
  '//open/2',
  '/open%2Fsecret/3',
  '/secrets%2F4',
  '/open/caf%C3%A9',
  '/open;v=1/5',
  '/%2573ecret/6',
]

test('a crawl asks for no spelling of what robots.txt disallows, and for all others', LIMIT, async () => {
  const routes: Record<string, Route> = {
    '/robots.txt': {
      body: 'User-agent: *\nDisallow: /secret/\nDisallow: /secret$',
      headers: { 'content-type': 'text/plain' },
    },
    '/': page('home', ...[...SECRET, ...OPEN].map((path) => (path.startsWith('//') ? `.${path}` : path))),
  }
  await using site = await createSmallSite(routes)
  await quickCrawl(newDirectory(), [`${site.origin}/`, ...[...SECRET, ...OPEN].map((path) => site.origin + path)])
  assert.deepEqual(site.paths.toSorted(), ['/', ...OPEN].toSorted())
})

/** Spellings of `/p4` that a crawl keeps apart, as a site may answer each with another page. */
const FORGOTTEN = ['//p4', '/%2Fp4', '/x%2F..%2Fp4', '/p4;v=1', '/p4%00']
const linked = (path: string): string => (path.startsWith('//') ? `.${path}` : path)

test('what was forgotten comes back by no spelling, be it linked or started from', LIMIT, async () => {
  const secret = 'a word that nobody may find'
  const routes: Record<string, Route> = {
    '/': page('home', '/p4', '/p5'),
    '/p4': secret,
    '/p5': page('five'),
    '/new': page('new', ...FORGOTTEN.map(linked)),
    ...Object.fromEntries(FORGOTTEN.map((path) => [path, secret])),
  }
  await using site = await createSmallSite(routes)
  const [into, home] = [newDirectory(), `${site.origin}/`]
  await quickCrawl(into, [home])
  assert.ok(site.paths.includes('/p4'))
  const { code, stderr } = await comityHere(['forget', into, `${site.origin}/p4`])
  assert.equal(code, 0, stderr)
  const before = site.paths.length
  await quickCrawl(into, [home, `${site.origin}/new`, ...FORGOTTEN.map((path) => site.origin + path)])
  assert.deepEqual(site.paths.slice(before), ['/new'])
})

test('a page is forgotten in all spellings that are held, and by a spelling in its plain one too', LIMIT, async () => {
  const PAGES = ['/p4', '//p4', '/p5', '//p5', '/p6', '//p6']
  const routes: Record<string, Route> = {
    '/': page('home', '/p4', './/p4', '/p5', './/p6'),
    ...Object.fromEntries(PAGES.map((path) => [path, 'a page'])),
  }
  await using site = await createSmallSite(routes)
  const [into, home] = [newDirectory(), `${site.origin}/`]
  await quickCrawl(into, [home])
  const forget = async (path: string): Promise<unknown> =>
    (JSON.parse((await comityHere(['forget', into, site.origin + path, '--json'])).stdout) as { pages: number }).pages
  assert.equal(await forget('//p4'), 2)
  assert.equal(await forget('//p5'), 1, 'it is known by another spelling')
  assert.equal(await forget('//p6'), 1, 'nobody has come by the plain one yet')
  const before = site.paths.length
  await quickCrawl(into, [home, ...PAGES.map((path) => site.origin + path)])
  assert.deepEqual(site.paths.slice(before), [])
})

test('what was forgotten is not taken in from a site that sends it in another spelling', LIMIT, async () => {
  const ring = newKeyRing(Buffer.alloc(32, 11), Date.now() - 86_400_000)
  const calls = { keys: { ring: () => ring } }
  const pages = { '/': longPage('Home', '/p4', '/p5'), '/p4': longPage('four'), '/p5': longPage('five') }
  await using site = await createCooperatingSite(pages, { calls, schemes: [...CALLS_ONLY] })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  assert.equal((await comityHere(['forget', into, `${site.origin}/p4`])).code, 0)
  await using watch = new PushWatch(into, { watch: { subscriptions: 0 } })
  await watch.opened
  const sender = new PushSender(watch.doors.url, site.origin, () => ring)
  const urls = FORGOTTEN.map((path) => site.origin + path)
  await nextSecond()
  await sender.pages(...urls.map((url) => ({ url, body: longPage('back again'), at: Date.now() })))
  await until('all of them', () => watch.events.length >= urls.length)
  assert.deepEqual(new Set(watch.events.map(({ outcome }) => outcome)), new Set(['forgotten']))
})
