import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locationRules, locationScore, parseLocationRules } from './location-score.ts'

// oxfmt-ignore
const urls: [url: string, rules: string, score: number][] = [
  ['http://a.com/',                  'ending .com 2',            2],
  ['http://a.com:8080/x',            'ending .com 2',            2],
  ['http://a.example/x.com',         'ending .com 2',            2],
  ['http://a.example/x.com/y',       'ending .com 2',            0],
  ['http://a.example/y.html?q=.com', 'ending .com 2',            0],
  ['http://a.example/~me/HOME/',     'word home 1.5',            1.5],
  ['http://a.example/a/b/c',         'slash -1',                -3],
  ['http://a.example/',              'slash -1',                -1],
  ['http://home.com/a',              'ending .com 1, word home 1, slash -1', 1],
]
for (const [url, rules, score] of urls) {
  test(`"${rules}" gives ${url} ${score}`, () => {
    const parsed = parseLocationRules(rules)
    assert.ok(typeof parsed === 'object')
    assert.equal(locationScore(url, parsed), score)
  })
}

const bad: [rules: string, problem: RegExp][] = [
  ['', /is none of/],
  ['ending .com', /does not end with a number/],
  ['begin www 1', /is none of: ending TEXT NUMBER/],
  ['slash a 1', /is none of/],
  [Array.from({ length: 1_001 }, () => 'slash 1').join(), /more than 1000 rules/],
]
for (const [rules, problem] of bad) {
  test(`"${rules.slice(0, 20)}" are no rules`, () => {
    const said = parseLocationRules(rules)
    assert.match(typeof said === 'string' ? said : 'rules', problem)
  })
}

test('the usual rules are the examples of 003 §2', () => {
  assert.deepEqual(parseLocationRules('ending .com 1, word home 1, slash -1'), locationRules)
})
