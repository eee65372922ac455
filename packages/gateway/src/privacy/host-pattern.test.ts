import assert from 'node:assert/strict'
import test from 'node:test'
import { matchesHost, pageAddress } from './host-pattern.ts'

const cases: [pattern: string, host: string, matches: boolean][] = [
  ['www.example.org', 'www.example.org', true],
  ['www.example.org', 'WWW.example.org:8080', true],
  ['www.example.org:8080', 'www.example.org:8080', true],
  ['www.example.org:8080', 'www.example.org', false],
  ['*.example.org', 'a.b.example.org', true],
  ['*.example.org', 'example.org', false],
  ['*.example.org', 'badexample.org', false],
  ['[::1]', '[::1]:80', true],
]
for (const [pattern, host, matches] of cases) {
  test(`${host} is ${matches ? '' : 'not '}one of ${pattern}`, () =>
    assert.equal(matchesHost([pattern], host), matches))
}

test('a page has one address, by https where readers know it so, and none when that cannot be', () => {
  assert.equal(pageAddress('http://A.example:80/x?utm_source=y#z'), 'http://a.example/x')
  assert.equal(pageAddress('http://a.example/x', ['a.example']), 'https://a.example/x')
  assert.equal(pageAddress('http://b.example/x', ['a.example']), 'http://b.example/x')
  assert.equal(pageAddress('http://a.example:99999/'), undefined)
  assert.equal(pageAddress(`http://a.example/${'x'.repeat(5_000)}`), undefined)
  assert.equal(pageAddress(undefined), undefined)
})
