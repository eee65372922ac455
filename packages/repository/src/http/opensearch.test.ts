import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSearchDescription } from './opensearch.ts'

test('the description leads to this server, and nothing in its address ends an attribute', () => {
  const text = openSearchDescription('http://a.example:80/"><x>&')
  assert.match(text, /template="http:\/\/a\.example:80\/&quot;&gt;&lt;x&gt;&amp;\/search\?q=\{searchTerms\}/)
  assert.doesNotMatch(text, /<x>/)
  assert.match(text, /<ShortName>.{1,16}<\/ShortName>/)
})
