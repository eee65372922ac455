import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  changeLine,
  changesEndLine,
  isAskedFor,
  matchesType,
  readChangeParameters,
  readChangeQuery,
  readChanges,
  writeChangeQuery,
} from './change-query.ts'
import type { ChangeQuery } from './change-query.ts'
import type { ChangeEntry } from '../feeds/page-entry.ts'

const page = { path: '/docs/a.html', type: 'text/html', bytes: 1_000, importance: 0.5 }

const filters: [sentence: string, query: Omit<ChangeQuery, 'fields'>, expected: boolean][] = [
  ['no filter takes every page', {}, true],
  ['a type takes its pages', { types: ['text/html'] }, true],
  ['a family of types takes its pages', { types: ['image/*', 'TEXT/*'] }, true],
  ['another type does not', { types: ['image/*'] }, false],
  ['any of several prefixes is enough', { prefixes: ['/x/', '/docs/'] }, true],
  ['a page outside all prefixes is left out', { prefixes: ['/x/'] }, false],
  ['a page that is too small is left out', { minBytes: 1_001 }, false],
  ['a page that is too large is left out', { maxBytes: 999 }, false],
  ['a page at the bounds is taken', { minBytes: 1_000, maxBytes: 1_000, minImportance: 0.5 }, true],
  ['a page of less importance is left out', { minImportance: 0.6 }, false],
]
for (const [sentence, query, expected] of filters) {
  test(sentence, () => assert.equal(isAskedFor({ fields: 'meta', ...query }, page), expected))
}

test('every type is asked for by */*', () => assert.ok(matchesType('*/*', 'application/pdf')))

const wrong: [body: string, message: RegExp][] = [
  ['[]', /no JSON object/],
  ['{"sinse":"a"}', /"sinse" is no filter/],
  ['{"fields":"all"}', /one of meta, difference, page/],
  ['{"limit":-1}', /"limit" has a value/],
  ['{"types":[1]}', /"types" has a value/],
  ['{"minImportance":2}', /"minImportance" has a value/],
]
for (const [body, message] of wrong) {
  test(`the question ${body} is refused with what is wrong in it`, () => {
    const read = readChangeQuery(body)
    assert.ok('problem' in read)
    assert.match(read.problem, message)
  })
}

test('the same question can stand in a query string', () => {
  const read = readChangeParameters(new URLSearchParams('since=j.5&types=text/html,image/*&limit=10&fields=page'))
  assert.ok('query' in read)
  assert.deepEqual(JSON.parse(writeChangeQuery(read.query)), {
    since: 'j.5',
    types: ['text/html', 'image/*'],
    fields: 'page',
    limit: 10,
  })
})

test('a question that was written is read back', () => {
  const query: ChangeQuery = { since: 'x.1', types: ['text/html'], prefixes: ['/a'], minBytes: 1, fields: 'difference' }
  const read = readChangeQuery(writeChangeQuery(query))
  assert.ok('query' in read)
  assert.deepEqual(JSON.parse(JSON.stringify(read.query)), query)
})

test('changes that were written are read back, with the token that ends them', () => {
  const fields = {
    url: fc.webUrl(),
    change: fc.constantFrom('created' as const, 'updated' as const, 'deleted' as const),
    changedAt: fc.nat(),
    modifiedAt: fc.nat(),
    bytes: fc.nat(),
    type: fc.constant('text/html'),
    digest: fc.constant(`sha-256:${'0'.repeat(64)}`),
  }
  const entry = fc.record(fields, { noNullPrototype: true })
  fc.assert(
    fc.property(fc.array(entry), (entries: ChangeEntry[]) => {
      const body = entries.map(changeLine).join('') + changesEndLine({ token: 't', more: false })
      assert.deepEqual(readChanges(body), { entries, end: { token: 't', more: false }, unreadable: 0 })
    }),
  )
})

test('an answer that was cut off has no end', () => {
  const line = changeLine({ url: 'https://a.example/', change: 'updated' })
  assert.equal(readChanges(line + line.slice(0, 10)).end, undefined)
})

test('no text makes reading changes or questions throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      readChanges(text)
      readChangeQuery(text)
      readChangeParameters(new URLSearchParams(text))
    }),
  )
})
