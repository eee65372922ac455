import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderCopyPage } from './copy-page.ts'
import type { HeldCopy } from '../model/models.ts'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import { models } from '../testing/pages-fixture.ts'

const held = models.copy as HeldCopy
const render = (changes: Partial<HeldCopy> = {}): string => flat(renderCopyPage({ ...held, ...changes }))

test('a copy says of when it is, how it was learnt, which others there are, and where the page itself is', () => {
  const page = render()
  assert.match(wordsOf(page), /A stored copy, as it was on 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
  assert.match(wordsOf(render({ shown: { ...held.shown, source: 'push' } })), /UTC ?: sent by the site/)
  assert.ok(page.includes(`href="/page/copy?key=101&amp;near=${held.older!.at}"`))
  assert.ok(page.includes(`href="/page/copy?key=101&amp;near=${held.newer!.at}"`))
  assert.match(wordsOf(page), new RegExp(`${held.versions.length + 3} versions held`))
  assert.equal(page.match(/aria-current="true"/g)?.length, 1)
  assert.ok(page.includes(`href="${held.url}"`))
  assert.match(page, /<a href="\/page\?key=101">The page’s story<\/a>/)
})

test('it stands in a frame that has no rights, at the part that was asked for', () => {
  const page = render()
  assert.ok(page.includes(`src="/page/view?key=101&amp;at=${held.shown.at}#waiting"`))
  assert.match(page, /<iframe class="copy" title="[^"]+" sandbox="allow-top-navigation-by-user-activation" /)
})

test('the only version has no others, and what is no page is no frame but a file', () => {
  const page = render({ versions: [held.shown], more: 0, older: undefined, newer: undefined, isFile: true })
  assert.match(wordsOf(page), /the only version held/)
  assert.doesNotMatch(page, /<iframe/)
  assert.match(wordsOf(page), /neither a page nor text.+Keep it as a file/)
})

test('what is not held says so, and why, and where to ask', () => {
  const url = 'https://b.example/<b>'
  const words = (why: 'unknown' | 'not-visited' | 'no-content' | 'noarchive'): string =>
    wordsOf(flat(renderCopyPage({ kind: 'absent', url, why })))
  assert.match(words('unknown'), /This page is not held.+Nothing is known of it here.+Ask the site itself: ?b\.example/)
  assert.match(words('not-visited'), /was not visited/)
  assert.match(words('noarchive'), /The copy of this page is not shown.+noarchive/)
})
