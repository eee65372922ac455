import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readParameters } from './parameter.ts'
import type { Parameter } from './parameter.ts'
import { Problem } from '@comity/receiver'
import { PAGE_PARAMETERS, SEARCH_PARAMETERS, SITES_PARAMETERS, pageName, searchQuestion } from './route-parameters.ts'

const table: readonly Parameter[] = [
  { name: 'word', kind: 'text', maxLength: 5 },
  { name: 'count', kind: 'integer', min: 1, max: 9, fallback: 3 },
  { name: 'order', kind: 'choice', choices: ['up', 'down'], fallback: 'up' },
  { name: 'all', kind: 'flag' },
]
const read = (query: string, isStrict = true): ReturnType<typeof readParameters> =>
  readParameters(table, new URLSearchParams(query), isStrict)

test('what is left out, or empty, is what stands for it', () => {
  for (const query of ['', 'word=&count=&order=&all=']) {
    const given = read(query)
    assert.deepEqual(
      [given.has('word'), given.number('count'), given.text('order'), given.flag('all')],
      [false, 3, 'up', false],
    )
  }
})

const wrong: [query: string, detail: RegExp][] = [
  ['word=toolong', /5 characters/],
  ['count=0', /from 1 to 9/],
  ['count=1.5', /from 1 to 9/],
  ['count=%2B1', /from 1 to 9/],
  ['order=sideways', /up, down/],
  ['all=yes', /1 or 0/],
  ['count=1&count=2', /2 times/],
  ['cuont=1', /no parameter "cuont".*Known: word, count/],
]
for (const [query, detail] of wrong)
  test(`parameters: ${query} is refused`, () => assert.throws(() => read(query), detail))

test('where people ask, parameters of others are passed over', () =>
  assert.equal(read('utm_source=x', false).number('count'), 3))

test('a name that is not in the table is a bug of ours', () =>
  assert.throws(() => read('').text('nothing'), /no parameter/))

test('whatever is asked, what is read is within the limits, or a problem', () => {
  const names = fc.constantFrom('q', 'rank', 'limit', 'offset', 'unfolded', 'url', 'key', 'sort')
  const queries = fc.array(fc.tuple(names, fc.oneof(fc.string(), fc.nat().map(String))), { maxLength: 6 })
  fc.assert(
    fc.property(queries, (pairs) => {
      const query = new URLSearchParams(pairs)
      for (const parameters of [SEARCH_PARAMETERS, SITES_PARAMETERS, PAGE_PARAMETERS]) {
        try {
          const given = readParameters(parameters, query, false)
          if (parameters === PAGE_PARAMETERS) pageName(given)
          if (parameters !== SEARCH_PARAMETERS) continue
          const { limit, offset, query: words } = searchQuestion(given)
          assert.ok(limit >= 1 && limit <= 100 && offset >= 0 && offset <= 1_000 && words.length <= 1_000)
        } catch (error) {
          assert.ok(error instanceof Problem)
        }
      }
    }),
  )
})
