import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut, foreign, languageName, outward, plain, readableUrl, titleOf } from './foreign-text.ts'

const urls: [url: string, readable: string][] = [
  ['https://a.example/', 'a.example'],
  ['http://a.example/x/', 'a.example/x/'],
  ['https://a.example/%C3%BCber', 'a.example/über'],
  ['https://a.example/%E2%80%AEgnp.exe', 'a.example/%E2%80%AEgnp.exe'],
  ['https://a.example/a%2Fb%20c', 'a.example/a%2Fb%20c'],
  ['https://a.example/%ff', 'a.example/%ff'],
]
for (const [url, readable] of urls) {
  test(`${url} reads as ${readable}`, () => assert.equal(readableUrl(url), readable))
}

test('strangers’ text stands isolated, and is cut', () => {
  assert.equal(foreign('<b>').source, '<bdi>&lt;b&gt;</bdi>')
  assert.equal(foreign('abcdef', 4).source, '<bdi>abc…</bdi>')
})

test('a cut leaves no half of a character', () => {
  assert.equal(cut('ab😀cd', 4), 'ab…')
  assert.equal(cut('ab😀cd', 5), 'ab😀…')
})

test('where no element can stand, direction marks are left out', () => {
  assert.equal(plain('a\u202eb\u2067c\u200f'), 'abc')
})

test('an address that must not be a link is shown as text', () => {
  assert.equal(outward('javascript:alert(1)').source, '<bdi>javascript:alert(1)</bdi>')
  assert.equal(outward('/own').source, '<bdi>/own</bdi>')
  assert.match(outward('https://a.example/').source, /^<a href="https:\/\/a.example\/" rel="noreferrer nofollow">/)
})

test('a page without a title is called by its URL', () => {
  assert.equal(titleOf({ title: ' \n', url: 'https://a.example/x' }), 'a.example/x')
})

test('languages have names, and what is none has not', () => {
  assert.deepEqual(['de', 'zh-Hant', 'und', 'x', '"><b>', 'constructor', undefined].map(languageName), [
    'German',
    'Traditional Chinese',
    'unknown',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
