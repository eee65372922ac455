import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordCounts, isHot, mentionsTopic, topicSimilarity, wordCounts } from './similarity.ts'

const plain = { measure: 'inner', titleWeight: 1 } as const
const near = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 1e-12, String(actual))

test('the inner product counts each word of the query as often as it stands there', () => {
  assert.equal(topicSimilarity({ body: 'Computer, computer and a COMPUTER; science' }, ['computer'], plain), 3)
  assert.equal(topicSimilarity({ body: 'computer science' }, ['computer', 'science'], plain), 2)
  assert.equal(topicSimilarity({ body: 'computers' }, ['computer'], plain), 0)
})

test('words of the title count for more, by a weight', () => {
  assert.equal(topicSimilarity({ title: 'Computer', body: 'computer' }, ['computer'], { ...plain, titleWeight: 5 }), 6)
})

test('the cosine is 1 for the query itself, whatever its length, and 0 without a word in common', () => {
  const cosine = { measure: 'cosine', titleWeight: 1 } as const
  near(topicSimilarity({ body: 'computer science computer science' }, ['computer', 'science'], cosine), 1)
  near(topicSimilarity({ body: 'computer other' }, ['computer'], cosine), Math.SQRT1_2)
  assert.equal(topicSimilarity({ body: 'nothing' }, ['computer'], cosine), 0)
  assert.equal(topicSimilarity({ body: '' }, [], cosine), 0)
})

test('idf makes a rare word weigh more: one divided by how often it stands in the collection (003 §2)', () => {
  const seen = new WordCounts()
  seen.add(wordCounts('the the the the queue'))
  const options = { ...plain, idf: seen.idf }
  near(topicSimilarity({ body: 'the queue' }, ['the'], options), 1 / 16)
  near(topicSimilarity({ body: 'the queue' }, ['queue'], options), 1)
  near(topicSimilarity({ body: 'unheard' }, ['unheard'], options), 1)
})

test('a collection with too many words goes on with those it has', () => {
  const seen = new WordCounts(1)
  seen.add(wordCounts('a b b'))
  seen.add(wordCounts('a b b'))
  assert.deepEqual([seen.idf('a'), seen.idf('b')], [1 / 2, 1])
})

// oxfmt-ignore
const pages: [what: string, title: string, body: string, hot: boolean][] = [
  ['one of the words in the title',  'Computer history', '',                        true],
  ['ten in the body',                '',                 'computer '.repeat(10),    true],
  ['nine in the body',               '',                 'computer '.repeat(9),     false],
  ['only a longer word with it',     'Supercomputers',   'computers '.repeat(20),   false],
  ['none',                           'Home',             'welcome',                 false],
]
for (const [what, title, body, hot] of pages) {
  test(`a page with ${what} is ${hot ? '' : 'not '}hot`, () => assert.equal(isHot({ title, body }, ['computer']), hot))
}

test('an anchor or a URL mentions a word also as a part of a longer one', () => {
  assert.ok(mentionsTopic('http://a.example/SuperComputers/', ['computer']))
  assert.ok(!mentionsTopic('compute', ['computer']))
})
