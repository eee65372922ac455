import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRefresh, srcsetUrls, type Refresh } from './html-values.ts'

const srcsets: [sentence: string, srcset: string, expected: string[]][] = [
  ['one URL alone', 'a.png', ['a.png']],
  ['descriptors are skipped', ' a.png 1x , b.png 2x', ['a.png', 'b.png']],
  ['a comma behind a URL ends it', 'a.png, b.png', ['a.png', 'b.png']],
  ['a comma inside a URL is part of it', 'a,b 1x', ['a,b']],
  ['a comma in parentheses ends nothing', 'a (x,y) 1x, b', ['a', 'b']],
  ['nothing gives nothing', ' ,, ', []],
]
for (const [sentence, srcset, expected] of srcsets) {
  test(`srcset: ${sentence}`, () => assert.deepEqual(srcsetUrls(srcset), expected))
}

const refreshes: [content: string, expected: Refresh | undefined][] = [
  ['5', { seconds: 5, href: '' }],
  ['0;url=a.html', { seconds: 0, href: 'a.html' }],
  [' 3 ; URL = "a b.html" rest', { seconds: 3, href: 'a b.html' }],
  ["1,url='x", { seconds: 1, href: 'x' }],
  ['2.9; a.html', { seconds: 2, href: 'a.html' }],
  ['.5; url=a', { seconds: 0, href: 'a' }],
  ['1 a.html', { seconds: 1, href: 'a.html' }],
  ['1; url', { seconds: 1, href: 'url' }],
  ['url=a', undefined],
  ['5x; url=a', undefined],
  ['', undefined],
  [`${'9'.repeat(400)};url=a`, { seconds: Number.MAX_SAFE_INTEGER, href: 'a' }],
]
for (const [content, expected] of refreshes) {
  test(`refresh "${content.slice(0, 30)}"`, () => assert.deepEqual(parseRefresh(content), expected))
}
