import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { urlRulesLines } from './url-rules-note.ts'

const told: [sentence: string, rules: Partial<UrlRules>, lines: string[]][] = [
  ['what a new collection has', {}, []],
  ['how long a URL may be', { maxLength: 100 }, []],
  [
    'an older version',
    { version: 1 },
    ['version 1: long hexadecimal numbers in session, sid, s and the like are session ids'],
  ],
  ['the one after it', { version: 2 }, ['version 2: what a ; parts from a session id goes with it']],
  ['an older version that does not matter', { version: 1, dropSessionIds: false }, ['all sites with session ids']],
  [
    'more and less for all sites',
    { dropParameters: [...defaultUrlRules.dropParameters.slice(1), 'ref', 'sid'] },
    ['all sites without ref, sid, with utm_*'],
  ],
  [
    'sites, each as it is',
    {
      sites: [
        { host: '*.a.example', dropParameters: ['s'], dropSessionIds: true },
        { origin: 'https://b.example', keepParameters: ['utm_source'], dropSessionIds: false },
      ],
    },
    ['*.a.example without s, without session ids', 'https://b.example with utm_source, with session ids'],
  ],
]
for (const [sentence, rules, lines] of told) {
  test(`told of URL rules: ${sentence}`, () => assert.deepEqual(urlRulesLines({ ...defaultUrlRules, ...rules }), lines))
}

test('no more is told than can be read, and nothing that moves a terminal', () => {
  const dropParameters = Array.from({ length: 12 }, (_, i) => `p${i}`)
  const sites = Array.from({ length: 12 }, () => ({ host: 'a\u001b[2J.example', dropParameters }))
  const lines = urlRulesLines({ ...defaultUrlRules, sites })
  assert.equal(lines.length, 11)
  assert.match(lines[0]!, /without p0, .*, p9 and 2 more$/)
  assert.equal(lines[10], '2 more sites')
  assert.ok(!lines.join('').includes('\u001b'))
})
