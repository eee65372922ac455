import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everywhere } from './everywhere.ts'

type Env = Readonly<Record<string, string>>

// oxfmt-ignore
const cases: readonly [words: string[], env: Env, argv: string[], wishes: string[]][] = [
  [['crawl', '--nonsense', '--help'],       {},                                             ['crawl', '--nonsense'],     ['help']],
  [['-h'],                                  {},                                             [],                          ['help']],
  [['search', 'd', '--', '--help'],         {},                                             ['search', 'd', '--', '--help'], []],
  [['crawl', '--version'],                  {},                                             ['crawl'],                   ['version']],
  [['-q', 'crawl', '--into', 'd'],          {},                                             ['crawl', '--into', 'd'],    ['quiet']],
  [['crawl', '-v'],                         {},                                             ['crawl'],                   ['verbose']],
  [['crawl'],                               { COMITY_QUIET: '1' },                          ['crawl'],                   ['quiet']],
  [['crawl', '-v'],                         { COMITY_QUIET: '1' },                          ['crawl'],                   ['verbose']],
  [['crawl'],                               { COMITY_QUIET: '' },                           ['crawl'],                   []],
]
for (const [words, env, argv, wishes] of cases) {
  test(`${words.join(' ')} with ${JSON.stringify(env)} asks for ${wishes.join() || 'nothing'}`, () => {
    const said = everywhere(words, env)
    assert.deepEqual([said.argv, [...said.wishes]], [argv, wishes])
  })
}
