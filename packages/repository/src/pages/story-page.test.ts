import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import type { PageModel } from '../model/models.ts'
import { story } from '../testing/pages-fixture.ts'
import { renderStoryPage } from './story-page.ts'

const render = (changes: Partial<PageModel> = {}): string => flat(renderStoryPage({ ...story, ...changes }))

test('the newest capture and the newest that differs are chosen to be compared', () => {
  const page = render()
  assert.match(page, /<form action="\/page\/difference" method="get">\s*<input type="hidden" name="key" value="101">/)
  assert.match(page, new RegExp(`name="to" value="${story.captures[0]!.at}" checked`))
  assert.match(page, new RegExp(`name="from" value="${story.captures[2]!.at}" checked`))
})

test('only captures whose body is held can be compared and viewed', () => {
  const page = render()
  assert.equal(page.match(/name="from"/g)?.length, 6)
  assert.ok(page.includes(`/page/copy?key=101&amp;near=${story.captures[0]!.at}`))
  assert.ok(!page.includes(`/page/copy?key=101&amp;near=${story.captures[4]!.at}`))
})

test('where noarchive, copies are neither shown nor compared, and it says why', () => {
  const page = render({ noarchive: true })
  assert.doesNotMatch(page, /\/page\/(?:copy|view)/)
  assert.doesNotMatch(page, /\/page\/difference/)
  assert.match(wordsOf(page), /asks not to be shown from an archive \(noarchive\)/)
})

test('one capture alone cannot be compared', () => {
  assert.doesNotMatch(render({ captures: story.captures.slice(0, 1) }), /\/page\/difference/)
})

test('content counts as new when it differs from the last content seen, whatever failed in between', () => {
  const words = [...render().matchAll(/data-name="Content">(.*?)<\/td>/gs)].map(
    ([, cell]) => /same|new|first|none/.exec(wordsOf(cell!))?.[0],
  )
  assert.deepEqual(words, ['same', 'new', 'same', 'same', 'none', 'new', 'new', 'first'])
})

test('importance is told in multiples of the mean, or that it is not known yet', () => {
  assert.match(wordsOf(render({ importance: 1.8123 })), /times the mean importance ?1\.8/)
  assert.match(wordsOf(render({ importance: 0 })), /importance ?not known yet/)
})

test('a page that was never visited says so', () => {
  const page = wordsOf(render({ captures: [], linksIn: [], linksOut: [], moreIn: false, moreOut: 0, title: '' }))
  assert.match(page, /It was not visited yet/)
  assert.match(page, /No page that we know links here/)
  assert.match(page, /docs\.example\.org\/archive\/2021\/politeness-1\.html/)
})

test('long lists are cut, and say how much is missing', () => {
  const links = Array.from({ length: 130 }, (_, i) => ({
    key: i,
    url: `https://a.example/${i}`,
    title: '',
    anchor: '',
  }))
  const captures = Array.from({ length: 90 }, (_, i) => ({ ...story.captures[0]!, at: i * 1_000 }))
  const page = wordsOf(render({ linksOut: links, captures }))
  assert.match(page, /30 links not listed here/)
  assert.match(page, /30 older captures not listed/)
})

test('freshness: how it changes, what was heard, when it is due, why it was visited, and how far its site is believed', () => {
  const words = wordsOf(flat(renderStoryPage(story)))
  assert.match(words, /Changes ?about every 5 days, by 7 visits/)
  assert.match(words, /Heard since the last visit ?2 signals by filter, last at 2026-11-15 13:00:00 UTC/)
  assert.match(words, /Outdated by now ?with a probability of 87 %/)
  assert.match(words, /Worth a visit ?from 2026-11-15 13:01:40 UTC on, by the policy value/)
  assert.match(words, /\(not-modified\) ?due: Visited 3 days ago/)
  assert.match(words, /How far its site is believed ?filter: 46 of 48/)
  assert.doesNotMatch(words, /A day here/)
})

test('freshness: what nobody keeps fresh has no such part, and what only a signal makes due says so', () => {
  const plain = { ...story, freshness: undefined, captures: story.captures.map((one) => ({ ...one, why: undefined })) }
  assert.doesNotMatch(renderStoryPage(plain), /<h2>Freshness/)
  const waiting = {
    ...story,
    freshness: { ...story.freshness!, heard: [], heardAt: undefined, dueAt: undefined, dayMs: 5_000 },
  }
  const words = wordsOf(flat(renderStoryPage(waiting)))
  assert.match(words, /Heard since the last visit ?nothing/)
  assert.match(words, /not before something is heard of it/)
  assert.match(words, /A day here ?lasts 5 s/)
})

test('a count is told as a number', () => {
  assert.match(wordsOf(render()), /Redirects in a row ?1,200/)
})
