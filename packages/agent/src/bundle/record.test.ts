import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkRecord } from './record.ts'

const PAGE = 'https://a.example/'
const GONE = 'https://a.example/gone'
const scope = {
  emits: ['meta', 'page'],
  isPage: (url: string) => url === PAGE,
  isGone: (url: string) => url === GONE,
} as const

// oxfmt-ignore
const cases: [sentence: string, record: unknown, kind: 'record' | 'refused'][] = [
  ['facts of a page',                 { kind: 'meta', url: PAGE, rank: 0.5 },           'record'],
  ['facts of a page that is gone',    { kind: 'meta', url: GONE, change: 'deleted' },   'record'],
  ['the wish to send a page',         { kind: 'page', url: PAGE },                      'record'],
  ['the wish to send a page that is gone', { kind: 'page', url: GONE },                 'refused'],
  ['postings that were not declared', { kind: 'postings', url: PAGE },                  'refused'],
  ['a page that is not there',        { kind: 'meta', url: `${PAGE}x` },                'refused'],
  ['no page',                         { kind: 'meta' },                                 'refused'],
  ['no kind',                         { url: PAGE },                                    'refused'],
  ['a change that there is not',      { kind: 'meta', url: PAGE, change: 1 },           'refused'],
  ['a list',                          [],                                               'refused'],
]
for (const [sentence, record, kind] of cases) {
  test(`${sentence}: ${kind}`, () => assert.equal(checkRecord(JSON.stringify(record), scope).kind, kind))
}

test('whatever comes is a record or a refusal, and never a new property of all objects', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"kind":"meta","url":"${PAGE}","__proto__":${json}}`),
  )
  fc.assert(
    fc.property(text, (one) => {
      assert.match(checkRecord(one, scope).kind, /^(?:record|refused)$/)
      assert.deepEqual(Object.keys(Object.prototype), [])
    }),
    { numRuns: 1_000 },
  )
})

test('what is nested a hundred thousand deep is refused, and not followed', () => {
  const deep = `{"kind":"meta","url":"${PAGE}","x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`
  assert.equal(checkRecord(deep, scope).kind, 'refused')
})
