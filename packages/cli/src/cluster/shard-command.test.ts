import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@comity/cluster'
import { shardOf } from '@comity/cluster'
import { wordsOf } from './shard-command.ts'

const DIR = '/data/web/shard-3'
const SHARDS = 8

// oxfmt-ignore
const tasks: [sentence: string, task: Message, words: string][] = [
  ['an export goes to standard output',            { word: 'export', what: 'csv' },                                  `export --csv=- -- ${DIR}`],
  ['what filters is attached to its flag',         { word: 'export', what: 'jsonl', changedSince: '7d', text: true }, `export --jsonl=- --text --changed-since=7d -- ${DIR}`],
  ['a look at all',                                { word: 'inspect', links: 2, agent: 'comity' },                   `inspect --json --links=2 --agent=comity -- ${DIR}`],
  ['a look at what looks like a flag',             { word: 'inspect', links: 2, agent: 'comity', url: '--into' },    `inspect --json --links=2 --agent=comity -- ${DIR} --into`],
  ['an index',                                     { word: 'index', anew: true, positions: false },                  `index --json --anew --no-positions -- ${DIR}`],
]
for (const [sentence, task, words] of tasks) {
  test(`${sentence} is a line of words`, () => assert.equal(wordsOf(DIR, task, SHARDS)?.join(' '), words))
}

test('what is forgotten is kept out where it is at home, and taken out where it is known', () => {
  const name = 'https://a.example/x'
  const home = shardOf('https://a.example', SHARDS)
  const words = (shard: number, rest: string): string | undefined =>
    wordsOf(`/data/web/shard-${shard}${rest}`, { word: 'forget', name }, SHARDS)?.[2]
  assert.deepEqual(
    [words(home, ''), words(home, '.before-7'), words((home + 1) % SHARDS, '')],
    ['--keep-out', '--keep-out', '--if-known'],
  )
})

// oxfmt-ignore
const none: [sentence: string, task: Message][] = [
  ['no word',                      {}],
  ['another command',              { word: 'crawl' }],
  ['an archive',                   { word: 'export', what: 'wacz' }],
  ['a file of the machine',        { word: 'export', what: 'jsonl=/etc/passwd' }],
  ['a filter that is no text',     { word: 'export', what: 'jsonl', site: ['a'] }],
  ['a filter without an end',      { word: 'export', what: 'jsonl', where: 'x'.repeat(20_000) }],
  ['a number of links that is none', { word: 'inspect', links: -1, agent: 'comity' }],
]
for (const [sentence, task] of none) {
  test(`${sentence} is no task`, () => assert.equal(wordsOf(DIR, task, SHARDS), undefined))
}
