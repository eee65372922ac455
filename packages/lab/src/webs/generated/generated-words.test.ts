import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedTopics } from './vocabulary.ts'
import { generateWeb } from './web.ts'
import { linksOf } from '../graph/web-graph.ts'

const web = generateWeb({ pages: 6_000, seed: 3 })
const { words, topics, targets } = web
const pages = Array.from({ length: web.pages }, (_, page) => page)
const occurrences = (text: string, word: string): number =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((found) => found === word).length
const share = (list: readonly number[], isMeant: (n: number) => boolean): number =>
  list.filter(isMeant).length / list.length

test('texts are the same whenever they are asked for, and in other webs of the seed', () => {
  const again = generateWeb({ pages: 6_000, seed: 3 }).words
  for (const page of [5_999, 17, 0]) {
    assert.equal(again.bodyOf(page), words.bodyOf(page))
    assert.equal(again.titleOf(page), words.titleOf(page))
    assert.equal(again.urlOf(page), words.urlOf(page))
    assert.equal(again.anchorOf(page), words.anchorOf(page))
  }
})

for (const word of ['computer', 'admission']) {
  const topic = generatedTopics.findIndex(({ head }) => head === word)
  test(`a page is hot for ${word}, by the prose and by Figure 5 of 003, when it is on that topic`, () => {
    for (const page of pages) {
      const inTitle = occurrences(words.titleOf(page), word) > 0
      const inBody = occurrences(words.bodyOf(page), word)
      assert.equal(inTitle || inBody >= 10, topics[page] === topic)
      assert.equal(inTitle || inBody > 10, topics[page] === topic)
    }
  })

  test(`about 8 % of the pages are on ${word}, and more than a third of these have one backlink`, () => {
    const backlinks = new Uint32Array(web.pages)
    for (const target of targets) backlinks[target]! += 1
    const hot = pages.filter((page) => topics[page] === topic)
    assert.ok(hot.length / web.pages > 0.04 && hot.length / web.pages < 0.14, String(hot.length / web.pages))
    assert.ok(share(hot, (page) => backlinks[page] === 1) > 1 / 3)
  })

  test(`three anchors in ten say ${word} when their target is on it, one in a hundred when it is not`, () => {
    const says = { on: 0, off: 0 }
    const all = { on: 0, off: 0 }
    for (const [link, target] of targets.entries()) {
      const kind = topics[target] === topic ? 'on' : 'off'
      all[kind] += 1
      says[kind] += Math.min(1, occurrences(words.anchorOf(link), word))
    }
    assert.ok(Math.abs(says.on / all.on - 0.3) < 0.04)
    assert.ok(Math.abs(says.off / all.off - 0.01) < 0.003)
  })
}

test('pages link to their own topic far more than chance would', () => {
  let [same, all] = [0, 0]
  for (const page of pages) {
    for (const target of linksOf(web, page)) {
      all += 1
      if (topics[target] === topics[page]) same += 1
    }
  }
  assert.ok(same / all > 0.5, String(same / all))
})

test('addresses are valid, all different, and as deep as the level of the page', () => {
  const urls = pages.map((page) => words.urlOf(page))
  assert.equal(new Set(urls).size, web.pages)
  for (const [page, text] of urls.entries()) {
    const url = new URL(text)
    assert.equal(url.href, text)
    assert.equal(url.hostname, `s${web.siteOf[page]}.example`)
    assert.equal(url.pathname.split('/').filter((part) => part !== '').length, web.levels[page])
  }
})
