import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likelyKindOf, mediaKindOf, type MediaKind } from './media-kind.ts'

const types: [contentType: string | undefined, url: string | undefined, expected: MediaKind][] = [
  ['text/html', undefined, 'page'],
  ['Text/HTML; charset=utf-8', 'https://a.example/x.png', 'page'],
  ['application/xhtml+xml', undefined, 'page'],
  ['image/svg+xml', undefined, 'image'],
  ['text/css', undefined, 'style'],
  ['application/javascript', undefined, 'script'],
  ['video/mp4', undefined, 'media'],
  ['application/pdf', undefined, 'document'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined, 'document'],
  ['application/atom+xml;type=feed', undefined, 'feed'],
  ['application/ld+json', undefined, 'data'],
  ['text/x-unknown', undefined, 'text'],
  ['application/zip', undefined, 'other'],
  ['nonsense', 'https://a.example/x.html', 'other'],
  ['application/octet-stream', 'https://a.example/x.pdf?y', 'document'],
  ['application/octet-stream', undefined, 'other'],
  [undefined, 'https://a.example/x.css', 'style'],
  ['', 'https://a.example/x', 'page'],
  [undefined, undefined, 'page'],
]
for (const [contentType, url, expected] of types) {
  test(`${contentType ?? 'no type'} at ${url ?? 'no URL'} is ${expected}`, () => {
    assert.equal(mediaKindOf(contentType, url), expected)
  })
}

const urls: [url: string, expected: MediaKind | undefined][] = [
  ['https://a.example', 'page'],
  ['https://a.example/', 'page'],
  ['https://a.example/b/?x=y.png', 'page'],
  ['https://a.example/b.HTML#c.png', 'page'],
  ['../b/c.jpeg?d', 'image'],
  ['/v1.2/page', undefined],
  ['/a.tar.gz', 'other'],
  ['/feed.rss', 'feed'],
  ['/data.json', 'data'],
  ['/song.mp3', 'media'],
  ['/no-ending', undefined],
  ['/name.withaverylongending', undefined],
  ['https://a.png', 'page'],
]
for (const [url, expected] of urls) {
  test(`${url} is likely ${expected ?? 'anything'}`, () => assert.equal(likelyKindOf(url), expected))
}
