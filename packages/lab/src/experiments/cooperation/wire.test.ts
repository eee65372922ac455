import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerOf } from '@comity/protocol'
import { madeSite } from '../../webs/made-site.ts'
import { openCooperatingSite } from './server.ts'
import { bytesOf, GET_EACH, HEAD_EACH, measureSite, VISITS } from './wire.ts'
import type { SiteCosts } from './wire.ts'

const settings = { seed: 1, userAgent: 'comity/0.1', readPages: 10_000 }
const site = (pages: number): ReturnType<typeof madeSite> =>
  madeSite({ pages, seed: 1, urlChars: 64, meanBytes: 1_000 })
const cost = ({ schemes }: SiteCosts, name: string, visit: (typeof VISITS)[number]): number =>
  bytesOf(schemes.find(({ scheme }) => scheme === name)!.visits[visit])

test('a made site has as many pages as asked for, all different, with URLs of about the length asked for', () => {
  for (const count of [2, 249, 3_000]) {
    const { pages, links, base } = site(count)
    assert.equal(new Set(pages.map(({ url }) => url)).size, count)
    assert.ok(pages.every(({ url }) => url.startsWith(base) && URL.parse(url)?.href === url))
    assert.equal(links!.flat().length, count - 1)
  }
  const lengths = site(249).pages.map(({ url }) => url.length)
  assert.ok(Math.abs(lengths.reduce((sum, length) => sum + length, 0) / 249 - 64) < 3)
})

test('249 pages cost what the paper found, each scheme tells of what changed, and twice is the same', async () => {
  const costs = await measureSite(site(249), settings)
  const [head, rdf] = [cost(costs, HEAD_EACH, 'first'), cost(costs, 'robots.rdf as printed', 'first')]
  assert.ok(Math.abs(rdf / 249 - 247) < 10, `${rdf / 249} bytes a page`)
  assert.ok(1 - rdf / head > 0.4)
  assert.equal(costs.schemes.find(({ scheme }) => scheme === HEAD_EACH)!.visits.one.requests, 249)
  assert.deepEqual(await measureSite(site(249), settings), costs)
})

test('after one changed page whoever polls a list of changes pays under 2 KB', async () => {
  const costs = await measureSite(site(2_000), settings)
  for (const scheme of ['metadata archives', 'change list', 'filter'])
    assert.ok(cost(costs, scheme, 'one') < 2_000, `${scheme}: ${cost(costs, scheme, 'one')}`)
  assert.ok(costs.rdfParts > 1)
  assert.ok(cost(costs, 'robots.rdf by levels', 'one') < cost(costs, 'robots.rdf, packed', 'one') / 2)
  assert.ok(cost(costs, 'robots.rdf, top only', 'top') < 3_000)
})

test('documents that are only weighed weigh the same as when they are read', async () => {
  const [read, weighed] = [
    await measureSite(site(300), settings),
    await measureSite(site(300), { ...settings, readPages: 0 }),
  ]
  assert.deepEqual(weighed, read)
})

test('what polling every page costs is added up as it is when it is asked for', async () => {
  const pages = site(40)
  const costs = await measureSite(pages, settings)
  const served = await openCooperatingSite(pages)
  const line = served.line('parts', [['User-Agent', settings.userAgent]])
  const headers = [
    ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
    ['Accept-Encoding', 'gzip, br, zstd, deflate'],
  ] as const
  const paths = pages.pages.map(({ url }) => new URL(url).pathname)
  const tags: string[] = []
  for (const path of paths) tags.push(headerOf((await line.ask({ method: 'HEAD', path, headers })).headers, 'etag')!)
  await served.change([3])
  const before = bytesOf(line.traffic)
  let bodies = 0
  let changed = 0
  for (const [page, path] of paths.entries()) {
    const { status, body } = await line.ask({ path, headers: [...headers, ['If-None-Match', tags[page]!]] })
    bodies += body.length
    changed += Number(status === 200)
    assert.equal(body.length, page === 3 ? pages.pages[3]!.bytes : 0)
  }
  assert.equal(changed, 1)
  const bytes = bytesOf(line.traffic) - before - bodies
  const [nothing, one] = [cost(costs, GET_EACH, 'nothing'), cost(costs, GET_EACH, 'one')]
  // The digits of a page's length are all that another page may differ by.
  assert.ok(Math.abs(bytes - nothing - (one - nothing)) <= 3, `${bytes} instead of ${one}`)
})
