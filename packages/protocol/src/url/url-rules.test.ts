import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules, keptPath, keptQuery } from './url-rules.ts'

const hex = '0123456789abcdef0123456789abcdef'

const queries: [sentence: string, query: string, expected: string][] = [
  ['tracking parameters go', 'utm_source=a&id=7&UTM_Medium=b&gclid=c', 'id=7'],
  ['parameters without a value go as well', 'fbclid&id=7', 'id=7'],
  ['the order of the others stays', 'b=2&fbclid=x&a=1', 'b=2&a=1'],
  ['a name that only starts alike stays', 'gclidx=1', 'gclidx=1'],
  ['session ids go by name', 'PHPSESSID=x&id=7&ASPSESSIONIDQQABCDEF=y&CFID=1&CFTOKEN=2', 'id=7'],
  ['a short sid stays', 'sid=17', 'sid=17'],
  ['a sid of many hex digits goes', `sid=${hex}&f=2`, 'f=2'],
  ['odd separators stay when nothing is dropped', 'a=1&&b', 'a=1&&b'],
]
for (const [sentence, query, expected] of queries) {
  test(sentence, () => assert.equal(keptQuery(query, defaultUrlRules), expected))
}

const paths: [sentence: string, path: string, expected: string][] = [
  ['a jsessionid goes from the end of a path', '/a/b.do;jsessionid=12AB.node1', '/a/b.do'],
  ['and from its middle', '/a;JSESSIONID=12/b;v=1', '/a/b;v=1'],
  ['a cookieless ticket goes with its segment', '/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx', '/mileg.aspx'],
  ['other brackets stay', '/(a)/b', '/(a)/b'],
]
for (const [sentence, path, expected] of paths) {
  test(sentence, () => assert.equal(keptPath(path, defaultUrlRules), expected))
}

test('session ids stay when the rules say so', () => {
  const rules = { ...defaultUrlRules, dropSessionIds: false }
  assert.equal(keptQuery(`PHPSESSID=1&sid=${hex}`, rules), `PHPSESSID=1&sid=${hex}`)
  assert.equal(keptPath('/a;jsessionid=1', rules), '/a;jsessionid=1')
})

test('a site may name its own parameters', () => {
  assert.equal(keptQuery('ref=x&REFID=2&id=7', { ...defaultUrlRules, dropParameters: ['Ref*'] }), 'id=7')
})
