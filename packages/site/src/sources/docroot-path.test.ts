import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pathsOfFile, systemPath, toOctets, urlPathOf } from './docroot-path.ts'
import { faultOf } from '../journal/observation.ts'

const names: [name: string, path: string][] = [
  ['a/b.html', '/a/b.html'],
  ['', '/'],
  ['a b/', '/a%20b/'],
  ['100%.txt', '/100%25.txt'],
  ['what?#.txt', '/what%3F%23.txt'],
  ['ü.txt', '/%C3%BC.txt'],
  ["it's(1)!$&*+,;=:@~-._", "/it's(1)!$&*+,;=:@~-._"],
]
for (const [name, path] of names) {
  test(`a file named ${JSON.stringify(name)} has the address ${path}`, () =>
    assert.equal(urlPathOf(toOctets(name)), path))
}

test('every name has an address of its own that a journal takes, and percent-decoding gives the name back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const octets = Buffer.from(bytes).toString('latin1')
      const path = urlPathOf(octets)
      assert.equal(faultOf({ path, gone: true }), undefined)
      const decoded = path
        .slice(1)
        .replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      assert.equal(decoded, octets)
      assert.deepEqual(systemPath('/srv', octets), Buffer.concat([Buffer.from('/srv/'), bytes]))
    }),
  )
})

const indexes: [octets: string, isIndex: boolean, indexPaths: 'folder' | 'file' | 'both', expected: string[]][] = [
  ['a/index.html', true, 'folder', ['/a/']],
  ['a/index.html', true, 'file', ['/a/index.html']],
  ['a/index.html', true, 'both', ['/a/', '/a/index.html']],
  ['a/index.html', false, 'both', ['/a/index.html']],
  ['index.html', true, 'folder', ['/']],
]
for (const [octets, isIndex, indexPaths, expected] of indexes) {
  test(`${octets}, ${isIndex ? 'the' : 'no'} index of its folder, is listed as ${expected.join(' and ')}`, () =>
    assert.deepEqual(pathsOfFile(octets, isIndex, { indexNames: [], indexPaths }), expected))
}
