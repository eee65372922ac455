import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FeedLinks } from './feed-links.ts'

const A = 'https://a.example'

test('a feed that the home page links to is the site’s', () => {
  assert.deepEqual(new FeedLinks().linked(A, `${A}/`, [`${A}/feed`]), [`${A}/feed`])
})

test('one that another page links to is when a second page does, and not when the same one does again', () => {
  const links = new FeedLinks()
  assert.deepEqual(links.linked(A, `${A}/1`, [`${A}/feed`, `${A}/1/feed`]), [])
  assert.deepEqual(links.linked(A, `${A}/1`, [`${A}/feed`, `${A}/1/feed`]), [])
  assert.deepEqual(links.linked(A, `${A}/2`, [`${A}/feed`, `${A}/2/feed`]), [`${A}/feed`])
})

test('a feed elsewhere is none, nor are more than a site can have', () => {
  const links = new FeedLinks()
  assert.deepEqual(links.linked(A, `${A}/`, ['https://b.example/feed', 'javascript:1', `${A}:8443/feed`]), [])
  const many = Array.from({ length: 20 }, (_, i) => `${A}/${i}`)
  assert.equal(links.linked(A, `${A}/`, many).length, 8)
})

test('pages that have a feed each do not fill the memory', () => {
  const links = new FeedLinks()
  for (let page = 0; page < 30_000; page++) links.linked(A, `${A}/${page}`, [`${A}/${page}/feed`])
  assert.deepEqual(links.linked(A, `${A}/x`, [`${A}/0/feed`]), [], 'the first is long forgotten')
  assert.deepEqual(links.linked(A, `${A}/x`, [`${A}/29999/feed`]), [`${A}/29999/feed`])
})
