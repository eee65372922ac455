import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unpackAnchors } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults, reasonNamed, siteLimits } from '@comity/frontier'
import type { ExclusionReason } from '@comity/frontier'
import { LinkHandler } from './link-handler.ts'
import { read } from '../read/reading.ts'
import { answerOf, readingOptions } from '../testing/reading-fixture.ts'
import type { LinkTable } from '../read/reading.ts'

const createFrontier = (maxKnown = 1_000, limits = siteLimits): Frontier =>
  new Frontier({
    siteLimits: limits,
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 1_000, maxBytes: 1e9, maxKnown }),
    maxTries: 3,
    random: () => 0,
    gates: false,
    textOf: () => assert.fail('every text is still in memory'),
  })
const table = (html: string): LinkTable => read(answerOf(html, { url: 'http://a.example/' }), readingOptions).links

const hostOnly = (url: string): ExclusionReason | undefined =>
  url.startsWith('http://a.example/') ? undefined : 'scope'

test('new links wait one click deeper than the page they stand on, and keep its seed', () => {
  const frontier = createFrontier()
  const home = frontier.offer('http://a.example/', { depth: 3, seed: 7 })
  const {
    targets: [page],
  } = new LinkHandler(frontier, hostOnly).follow({ page: home, depth: 3 }, table('<a href="/x">'))
  assert.equal(frontier.pages.depthOf(page!), 4)
  assert.equal(frontier.pages.seedOf(page!), 7)
  assert.equal(frontier.urlOf(page!), 'http://a.example/x')
  assert.equal(frontier.count('waiting'), 2)
})

test('a link found twice is one page', () => {
  const frontier = createFrontier()
  const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
  const handler = new LinkHandler(frontier, hostOnly)
  const once = handler.follow({ page: home, depth: 0 }, table('<a href="/x">'))
  assert.deepEqual(handler.follow({ page: home, depth: 0 }, table('<a href="/x">')), once)
})

const reasons: [sentence: string, html: string, reason: ExclusionReason][] = [
  ['a link out of scope is remembered with its reason', '<a href="http://b.example/">', 'scope'],
  ['so is one that asks not to be followed', '<a rel=nofollow href="/x">', 'nofollow'],
  ['and one of a kind not wanted', '<img src="/x">', 'type'],
]
for (const [sentence, html, reason] of reasons) {
  test(sentence, () => {
    const frontier = createFrontier()
    const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
    const {
      targets: [page],
    } = new LinkHandler(frontier, hostOnly).follow({ page: home, depth: 0 }, table(html))
    assert.equal(frontier.count('excluded'), 1)
    assert.equal(reasonNamed(frontier.pages.triesOf(page!)), reason)
  })
}

test('a page that one link asked not to follow is taken in when another does not mind', () => {
  const frontier = createFrontier()
  const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
  const handler = new LinkHandler(frontier, hostOnly)
  handler.follow({ page: home, depth: 0 }, table('<a rel=nofollow href="/x">'))
  handler.follow({ page: home, depth: 0 }, table('<a href="/x">'))
  assert.equal(frontier.count('excluded'), 0)
  assert.equal(frontier.count('waiting'), 2)
})

test('a page found nearer to the start moves up', () => {
  const frontier = createFrontier()
  const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
  const handler = new LinkHandler(frontier, hostOnly)
  const {
    targets: [page],
  } = handler.follow({ page: home, depth: 9 }, table('<a href="/x">'))
  handler.follow({ page: home, depth: 1 }, table('<a href="/x">'))
  assert.equal(frontier.pages.depthOf(page!), 2)
})

test('a site without room for more URLs is told apart from one that has', () => {
  const frontier = createFrontier(3)
  const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
  const handler = new LinkHandler(frontier, hostOnly)
  const links = Array.from({ length: 10 }, (_, i) => `<a href="/${i}">`).join('')
  assert.equal(handler.follow({ page: home, depth: 0 }, table(links)).targets.length, 2)
  assert.equal(handler.overflow, 8)
})

test('a farm of host names fills its limit and not the memory', () => {
  const frontier = createFrontier(1_000, { maxSites: 100, maxSitesPerDomain: 5 })
  const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
  const handler = new LinkHandler(frontier, () => undefined)
  const links = Array.from({ length: 20 }, (_, i) => `<a href="http://h${i}.farm.example/">`).join('')
  assert.equal(handler.follow({ page: home, depth: 0 }, table(links)).targets.length, 5)
  assert.equal(handler.follow({ page: home, depth: 0 }, table(links)).targets.length, 5)
  assert.equal(handler.overflow, 30)
  assert.equal(handler.follow({ page: home, depth: 0 }, table('<a href="http://honest.test/">')).targets.length, 1)
})

test('a link that finds no room takes its anchor with it', () => {
  const frontier = createFrontier(2)
  const home = frontier.offer('http://a.example/', { depth: 0, seed: 0 })
  const links = table('<a href="/x">first</a> <a href="/y">second</a> <a href="/">home</a> <a href="/x">again</a>')
  const more = table('<a href="/z">no room</a> <a href="/x">first</a>')
  const handler = new LinkHandler(frontier, hostOnly)
  handler.follow({ page: home, depth: 0 }, links)
  const { targets, anchors } = handler.follow({ page: home, depth: 0 }, more)
  assert.deepEqual(
    targets.map((page) => frontier.urlOf(page)),
    ['http://a.example/x'],
  )
  assert.deepEqual(unpackAnchors(anchors), ['first'])
})
