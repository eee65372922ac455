import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ATTACKS } from '../testing/attacks-fixture.ts'
import { ownPath, safeAddress } from './address.ts'

const cases: [address: string, safe: string | undefined][] = [
  ['https://a.example', 'https://a.example/'],
  ['HTTP://A.example/x y', 'http://a.example/x%20y'],
  ['/page?key=3#x', '/page?key=3#x'],
  ['?sort=held', '?sort=held'],
  ['#main', '#main'],
  ['', undefined],
  ['page', undefined],
  ['ftp://a.example/', undefined],
  ['javascript:alert(1)', undefined],
  [' https://a.example/', undefined],
  ['//evil.example/', undefined],
  ['/\\evil.example/', undefined],
  ['/\t/evil.example/', undefined],
  ['https://good.example@evil.example/', undefined],
  ['https://', undefined],
]
for (const [address, safe] of cases) {
  test(`${JSON.stringify(address)} as a link`, () => assert.equal(safeAddress(address), safe))
}

test('what is let through leads to http, https or this server, and nowhere else', () => {
  const strings = fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' }), fc.constantFrom(...ATTACKS))
  const starts = fc.constantFrom('', '/', '//', '/\\', '?', '#', 'https://', 'javascript:', '\t', '\n/')
  fc.assert(
    fc.property(starts, strings, (start, rest) => {
      const safe = safeAddress(start + rest)
      if (safe === undefined) return
      const url = new URL(safe, 'https://here.example/deep/page')
      assert.match(url.protocol, /^https?:$/)
      if (!/^https?:/i.test(start + rest)) assert.equal(url.host, 'here.example')
    }),
    { numRuns: 2_000 },
  )
})

test('a path of this server comes back as it was asked for', () => {
  const values = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(values, values, (q, origin) => {
      const url = new URL(ownPath('/site', { q, origin, none: undefined }), 'https://here.example')
      assert.equal(url.searchParams.get('q') ?? '', q.toWellFormed())
      assert.equal(url.searchParams.get('origin') ?? '', origin.toWellFormed())
      assert.deepEqual([url.pathname, url.searchParams.has('none')], ['/site', false])
    }),
  )
})

test('what is easy to read in a query stays so', () => {
  assert.equal(ownPath('/site', { origin: 'https://a.example:8080' }), '/site?origin=https://a.example:8080')
})
