import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capabilityListsOf, catalogsOf } from './capability-links.ts'

const URL_HERE = 'https://a.example/docs/page'
const headers: [string, string][] = [
  ['Link', '</capability.xml>; rel="resourcesync", <https://b.example/c>; rel="resourcesync"'],
  ['Link', '</.well-known/api-catalog>; rel="api-catalog"'],
]

const cases: [sentence: string, visit: Parameters<typeof capabilityListsOf>[0], lists: string[]][] = [
  ['a Link field names capability lists', { headers }, ['https://a.example/capability.xml', 'https://b.example/c']],
  ['so does the page itself', { headers: [], capabilityList: 'https://a.example/c' }, ['https://a.example/c']],
  ['a page that had no answer of its own names none', {}, []],
]
for (const [sentence, visit, lists] of cases) {
  test(sentence, () => assert.deepEqual(capabilityListsOf(visit, URL_HERE), lists))
}

test('a catalog is named by its own relation', () => {
  assert.deepEqual(catalogsOf({ headers }, URL_HERE), ['https://a.example/.well-known/api-catalog'])
  assert.deepEqual(catalogsOf({}, URL_HERE), [])
})
