import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseHttpDate, writeHttpDate } from './http-date.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

const now = Date.UTC(2026, 10, 15)
const example = Date.UTC(1994, 10, 6, 8, 49, 37)

const cases: [text: string, expected: number | undefined][] = [
  ['Sun, 06 Nov 1994 08:49:37 GMT', example],
  ['Sunday, 06-Nov-94 08:49:37 GMT', example],
  ['Sun Nov  6 08:49:37 1994', example],
  [' sun, 06 nov 1994 08:49:37 gmt ', example],
  ['Sunday, 06-Nov-76 08:49:37 GMT', Date.UTC(2076, 10, 6, 8, 49, 37)],
  ['Sunday, 06-Nov-77 08:49:37 GMT', Date.UTC(1977, 10, 6, 8, 49, 37)],
  ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Mon, 30 Feb 2026 00:00:00 GMT', undefined],
  ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
  ['Sun, 06 Nov 1994 08:49:37 +0000', undefined],
  ['Sun, 06 Foo 1994 08:49:37 GMT', undefined],
  ['1994-11-06T08:49:37Z', undefined],
  ['0', undefined],
  ['', undefined],
]
for (const [text, expected] of cases) {
  test(`"${text}" is ${expected === undefined ? 'no date' : new Date(expected).toISOString()}`, () => {
    assert.equal(parseHttpDate(text, now), expected)
  })
}

test('what is written comes back, without the parts of a second', () => {
  const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, (date) => {
      assert.equal(parseHttpDate(writeHttpDate(date.getTime()), now), Math.floor(date.getTime() / 1_000) * 1_000)
    }),
  )
})

test('any text is survived', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseHttpDate(text, now)))
})

/** One response, and one request after it; dates as text, or as seconds from now. */
interface CacheTest {
  readonly id: string
  readonly kind?: string
  readonly requests: readonly {
    readonly response_headers?: readonly (readonly [string, string | number])[]
    readonly expected_type?: string
  }[]
}

test('dates of the public cache tests are read where a cache must reuse, and refused where it must not', (t) => {
  const folder = sharedData('conformance/http-cache-tests')
  if (folder === undefined) return missing(t, 'conformance/http-cache-tests')
  const suites: { id: string; tests: CacheTest[] }[] = JSON.parse(
    readFileSync(join(folder, 'cache-tests.json'), 'utf8'),
  )
  const tests = suites.find(({ id }) => id === 'expires-parse')!.tests
  assert.equal(tests.length, 16)
  for (const { id, requests } of tests) {
    const expires = requests[0]!.response_headers!.filter(([name]) => name === 'Expires').map(([, value]) => value)
    const date = parseHttpDate(expires.join(', '), now)
    assert.equal(date !== undefined && date > now, requests[1]!.expected_type === 'cached', id)
  }
})
