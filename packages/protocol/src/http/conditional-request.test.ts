import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeaderList } from '../capture.ts'
import { type ConditionVerdict, type Validators, evaluateConditions, mayServeRange } from './conditional-request.ts'
import { writeHttpDate } from './http-date.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

const now = Date.UTC(2026, 10, 15)
/** With parts of a second, as a file system has it. */
const changedAt = Date.UTC(2026, 10, 1) + 437
const current: Validators = { etag: '"v2"', lastModified: changedAt }
const [before, same, after] = [-60_000, 0, 60_000].map((ms) => writeHttpDate(changedAt + ms))

const cases: [method: string, headers: Record<string, string>, expected: ConditionVerdict][] = [
  ['GET', {}, 'proceed'],
  ['GET', { 'If-None-Match': '"v2"' }, 'not-modified'],
  ['HEAD', { 'If-None-Match': '"v1", W/"v2"' }, 'not-modified'],
  ['GET', { 'If-None-Match': '"v1"' }, 'proceed'],
  ['GET', { 'If-None-Match': '*' }, 'not-modified'],
  ['PUT', { 'If-None-Match': '*' }, 'precondition-failed'],
  ['QUERY', { 'If-None-Match': '"v2"' }, 'precondition-failed'],
  ['GET', { 'If-None-Match': 'v2' }, 'proceed'],
  ['GET', { 'If-Modified-Since': same! }, 'not-modified'],
  ['GET', { 'If-Modified-Since': after! }, 'not-modified'],
  ['GET', { 'If-Modified-Since': before! }, 'proceed'],
  ['POST', { 'If-Modified-Since': after! }, 'proceed'],
  ['GET', { 'If-Modified-Since': 'yesterday' }, 'proceed'],
  ['GET', { 'If-Modified-Since': `${after}, ${after}` }, 'proceed'],
  ['GET', { 'If-None-Match': '"v1"', 'If-Modified-Since': after! }, 'proceed'],
  ['GET', { 'If-None-Match': '"v2"', 'If-Modified-Since': before! }, 'not-modified'],
  ['PUT', { 'If-Match': '"v2"' }, 'proceed'],
  ['PUT', { 'If-Match': 'W/"v2"' }, 'precondition-failed'],
  ['GET', { 'If-Match': '"v1"' }, 'precondition-failed'],
  ['GET', { 'If-Match': '*' }, 'proceed'],
  ['GET', { 'If-Match': '"v2"', 'If-Unmodified-Since': before! }, 'proceed'],
  ['GET', { 'If-Match': '"v2"', 'If-None-Match': '"v2"' }, 'not-modified'],
  ['GET', { 'If-Match': '"v1"', 'If-None-Match': '"v2"' }, 'precondition-failed'],
  ['PUT', { 'If-Unmodified-Since': before! }, 'precondition-failed'],
  ['PUT', { 'If-Unmodified-Since': same! }, 'proceed'],
  ['PUT', { 'If-Unmodified-Since': 'never' }, 'proceed'],
  ['OPTIONS', { 'If-Match': '"v1"' }, 'proceed'],
]
for (const [method, headers, expected] of cases) {
  test(`${method} with ${JSON.stringify(headers)}: ${expected}`, () => {
    assert.equal(evaluateConditions({ method, headers: Object.entries(headers) }, current, now), expected)
  })
}

const ask = (headers: HeaderList): ConditionVerdict => evaluateConditions({ method: 'PUT', headers }, undefined, now)

test('without a page, If-Match fails and If-None-Match passes', () => {
  assert.equal(ask([['If-Match', '*']]), 'precondition-failed')
  assert.equal(ask([['If-None-Match', '*']]), 'proceed')
})

test('without validators dates and tags say nothing', () => {
  const headers: HeaderList = [
    ['If-None-Match', '"v2"'],
    ['If-Modified-Since', after!],
  ]
  assert.equal(evaluateConditions({ method: 'GET', headers }, {}, now), 'proceed')
  assert.equal(evaluateConditions({ method: 'GET', headers: headers.slice(1) }, {}, now), 'proceed')
})

test('tags may come on several lines', () => {
  const headers: HeaderList = [
    ['If-None-Match', '"v1"'],
    ['if-none-match', '"v2"'],
  ]
  assert.equal(evaluateConditions({ method: 'GET', headers }, current, now), 'not-modified')
})

const ranges: [field: string, validators: Validators, expected: boolean][] = [
  ['"v2"', current, true],
  ['"v1"', current, false],
  ['W/"v2"', { etag: 'W/"v2"' }, false],
  [same!, current, true],
  [after!, current, false],
  [writeHttpDate(now), { lastModified: now }, false],
  ['nonsense', current, false],
]
for (const [field, validators, expected] of ranges) {
  test(`If-Range: ${field} ${expected ? 'lets a part through' : 'asks for the whole'}`, () => {
    assert.equal(mayServeRange([['If-Range', field]], validators, now), expected)
  })
}

test('without If-Range a part may be sent', () => assert.ok(mayServeRange([], {}, now)))

test('a GET that offers what it got is always told that nothing changed, and any header is survived', () => {
  const tags = fc.stringMatching(/^(W\/)?"[!#-+.-~]{0,20}"$/)
  fc.assert(
    fc.property(tags, fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(now) }), (etag, date) => {
      const validators = { etag, lastModified: date.getTime() }
      const byTag: HeaderList = [['If-None-Match', etag]]
      const byDate: HeaderList = [['If-Modified-Since', writeHttpDate(date.getTime())]]
      assert.equal(evaluateConditions({ method: 'GET', headers: byTag }, validators, now), 'not-modified')
      assert.equal(evaluateConditions({ method: 'GET', headers: byDate }, validators, now), 'not-modified')
    }),
  )
  const names = fc.constantFrom('If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since')
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.string())), (headers) => {
      evaluateConditions({ method: 'GET', headers }, current, now)
    }),
  )
})

type Fields = readonly (readonly [name: string, value: string | number])[]
interface CacheTest {
  readonly id: string
  readonly kind?: string
  readonly requests: readonly {
    readonly request_headers?: Fields
    readonly response_headers?: Fields
    readonly expected_status?: number
  }[]
}

test('the public cache tests: what an optimal cache answers with 304, we do', (t) => {
  const folder = sharedData('conformance/http-cache-tests')
  if (folder === undefined) return missing(t, 'conformance/http-cache-tests')
  const suites: { id: string; tests: CacheTest[] }[] = JSON.parse(
    readFileSync(join(folder, 'cache-tests.json'), 'utf8'),
  )
  const all = suites.filter(({ id }) => id.startsWith('conditional-')).flatMap(({ tests }) => tests)
  // `check` marks what is merely observed of caches. Without Last-Modified a cache compares with the time it was stored.
  const required = all.filter(
    ({ id, kind, requests }) =>
      kind !== 'check' && requests[1]?.expected_status === 304 && id !== 'conditional-lm-fresh-no-lm',
  )
  assert.equal(required.length, 11)
  for (const { id, requests } of required) {
    const stored = textOf(requests[0]!.response_headers ?? [])
    const lastModified = stored.find(([name]) => name === 'Last-Modified')?.[1]
    const validators = {
      etag: stored.find(([name]) => name === 'ETag')?.[1],
      lastModified: lastModified === undefined ? undefined : Date.parse(lastModified),
    }
    const headers = textOf(requests[1]!.request_headers ?? [])
    assert.equal(evaluateConditions({ method: 'GET', headers }, validators, now), 'not-modified', id)
  }
})

/** Numbers stand for dates, in seconds from now. */
const textOf = (fields: Fields): HeaderList =>
  fields.map(([name, value]) => [name, typeof value === 'number' ? writeHttpDate(now + value * 1_000) : value])
