import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '@comity/protocol'
import { generateWeb } from '../generated/web.ts'
import { MAX_PAGE_BYTES, servedText } from './page.ts'
import { serveWeb } from './web.ts'
import { linksOf } from '../graph/web-graph.ts'
import type { WebGraph } from '../graph/web-graph.ts'

const web = generateWeb({ pages: 60, sites: 4, seed: 3, bowTie: false })

test('every page can be fetched at its address, and says what the web says', async () => {
  await using served = await serveWeb(web)
  const { words, bytes } = served.web
  for (let page = 0; page < web.pages; page++) {
    const response = await fetch(words.urlOf(page))
    const html = await response.text()
    const { title, text, links } = readHtml(html)
    assert.equal(response.status, 200)
    assert.equal(title, web.words.titleOf(page))
    assert.equal(text.split(/\s+/).join(' ').trim(), servedText(web, page))
    assert.deepEqual(
      links.map(({ href }) => href),
      Array.from(linksOf(web, page), (target) => words.urlOf(target)),
    )
    assert.equal(Buffer.byteLength(html), bytes[page])
    assert.ok(bytes[page]! >= Math.min(web.bytes[page]!, MAX_PAGE_BYTES) - 10)
  }
})

test('sites have addresses of their own, and start pages are where the web has them', async () => {
  await using served = await serveWeb(web)
  assert.equal(new Set(served.homes.map((home) => new URL(home).hostname)).size, web.sites)
  for (const [n, home] of served.homes.entries()) {
    const { hostname, pathname } = new URL(home)
    assert.equal(served.siteAt(hostname), web.siteOf[web.homes[n]!])
    assert.equal(served.pageAt(hostname, pathname), web.homes[n])
  }
})

test('what is no page is not there, robots.txt included, and the log has it all', async () => {
  await using served = await serveWeb(web)
  const [home] = served.homes
  for (const path of ['robots.txt', 'nowhere']) {
    const response = await fetch(home! + path)
    assert.equal(response.status, 404)
    await response.text()
  }
  const post = await fetch(home!, { method: 'POST' })
  assert.equal(post.status, 405)
  await post.text()
  await served[Symbol.asyncDispose]()
  const { requests, connections } = served.log.read()
  assert.deepEqual(
    requests.map(({ path, status, site }) => [path, status, site]),
    [
      ['/robots.txt', 404, '127.0.1.1'],
      ['/nowhere', 404, '127.0.1.1'],
      ['/', 405, '127.0.1.1'],
    ],
  )
  assert.ok(connections.every(({ closedAt }) => closedAt < Infinity))
})

test('speeds are those of the web, times what is asked for', async () => {
  await using served = await serveWeb(web, { latencyFactor: 0.5, bandwidthFactor: 4 })
  assert.deepEqual(
    served.web.latencyMs,
    web.latencyMs.map((ms) => ms * 0.5),
  )
  assert.deepEqual(
    served.web.bandwidth,
    web.bandwidth.map((bytes) => bytes * 4),
  )
})

test('a body that is sent slowly is the same body', async () => {
  await using served = await serveWeb(web, { bandwidthFactor: 10 })
  const page = web.homes[0]!
  const response = await fetch(served.web.words.urlOf(page))
  assert.equal((await response.arrayBuffer()).byteLength, served.web.bytes[page])
})

const written = (over: Partial<WebGraph>): WebGraph => ({ ...web, ...over })
const refusals: [sentence: string, given: WebGraph, options: Parameters<typeof serveWeb>[1], expected: RegExp][] = [
  ['a web without words', written({ words: undefined }), {}, /has no words/],
  ['more sites than one process can serve', written({ sites: 100_000 }), {}, /on 100000 sites; at most/],
  ['a latency below nothing', web, { latencyFactor: -1 }, /latencies cannot be -1 times/],
  ['no bandwidth', web, { bandwidthFactor: 0 }, /no site sends 0 times/],
]
for (const [sentence, given, options, expected] of refusals) {
  test(`${sentence} is refused`, () =>
    assert.rejects(serveWeb(given, options), { name: 'RangeError', message: expected }))
}
