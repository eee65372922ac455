import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTextType, mimeTypeOf } from './mime-types.ts'

const cases: [name: string, type: string, isText: boolean][] = [
  ['a.html', 'text/html', true],
  ['A.HTM', 'text/html', true],
  ['a.tar.gz', 'application/gzip', false],
  ['feed.atom', 'application/atom+xml', true],
  ['data.json', 'application/json', true],
  ['image.svg', 'image/svg+xml', true],
  ['photo.JPG', 'image/jpeg', false],
  ['README', 'application/octet-stream', false],
  ['a.unheard-of', 'application/octet-stream', false],
  ['.', 'application/octet-stream', false],
]
for (const [name, type, isText] of cases) {
  test(`${name} is ${type}, which is ${isText ? '' : 'not '}text`, () => {
    assert.equal(mimeTypeOf(name), type)
    assert.equal(isTextType(type), isText)
  })
}
