import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules } from '@comity/protocol'
import { locationOf } from './location.ts'

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')
// oxfmt-ignore
const cases: [sentence: string, location: string | undefined, expected: string | undefined][] = [
  ['a path is taken from the page',            '/b',                        'http://a.example/b'],
  ['a relative path too',                      'c?d=1',                     'http://a.example/x/c?d=1'],
  ['an absolute URL is itself',                'https://b.example/',        'https://b.example/'],
  ['an empty reference is the page itself',    '',                          'http://a.example/x/y'],
  ['a missing one is none',                    undefined,                   undefined],
  ['UTF-8 is read as UTF-8',                   latin1('/müller'),           'http://a.example/m%C3%BCller'],
  ['what is not UTF-8 is read as Latin-1',     '/m\u00fcller',              'http://a.example/m%C3%BCller'],
  ['wide digits are digits',                   latin1('http://１０.0.0.1/'), 'http://10.0.0.1/'],
  ['a fragment goes',                          '/b#c',                      'http://a.example/b'],
  ['what is no page of the Web leads nowhere', 'javascript:alert(1)',       undefined],
  ['nor does what is no URL',                  'http://[broken',            undefined],
]
for (const [sentence, location, expected] of cases) {
  test(sentence, () => {
    const headers = location === undefined ? [] : ([['Location', location]] as const)
    assert.equal(locationOf(headers, 'http://a.example/x/y', defaultUrlRules), expected)
  })
}
