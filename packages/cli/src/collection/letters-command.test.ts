import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Collection, DeadLetters } from '@comity/collection'
import { comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
const dir = folder.at('held')

before(async () => {
  for (const name of ['held', 'empty']) {
    await using _ = await Collection.open(folder.at(name), 0)
  }
  const body = Buffer.from('it')
  new DeadLetters(dir, 'crawl').keep({ kind: 'page', at: 0, reason: 'TypeError: x', url: 'http://a.example/', body })
  new DeadLetters(dir, 'import').keep({ kind: 'record', at: 1, reason: 'RangeError: y', from: 'a.warc, at 3' })
})
after(() => folder[Symbol.dispose]())

// oxfmt-ignore
const cases: [sentence: string, args: readonly string[], code: number, said: RegExp][] = [
  ['an empty collection has none',               [folder.at('empty')],                          0, /^Nothing was kept aside\.\n$/],
  ['what is no collection is said',              [folder.at('none')],                           1, /There is no collection at/],
  ['all are listed, with what went wrong',       [dir],                                         0, /^2 dead letters:[^]*import-1[^]*a\.warc, at 3[^]*crawl-1[^]*TypeError: x/],
  ['one is shown with where its bytes are',      [dir, 'crawl-1'],                              0, /page +http:\/\/a\.example\/[^]*2 bytes: tail -n \+2 .*crawl-000000000001\.letter/],
  ['one that is not there is said',              [dir, 'crawl-7'],                              2, /There is no letter crawl-7/],
  ['one that is not there cannot be dropped',    [dir, '--drop', 'crawl-7'],                    2, /There is no letter crawl-7/],
  ['to show and to drop are two things',         [dir, 'crawl-1', '--drop', 'all'],             2, /one thing at a time/],
  ['to try again and to drop are two things',    [dir, '--retry', 'all', '--drop', 'crawl-1'],  2, /one thing at a time/],
  ['a record is imported again, and that is said', [dir, '--retry', 'import-1'],                0, /^0 letters[^]*import-1 cannot be tried again: import its archive again/],
  ['what can be tried again is, by whom is said', [dir, '--retry', 'all'],                      0, /^1 letter to be tried again by the next crawl[^]*, to be tried again/],
  ['one is dropped',                             [dir, '--drop', 'import-1'],                   0, /^1 letter dropped\n1 dead letter:/],
]
for (const [sentence, args, code, said] of cases) {
  test(sentence, async () => {
    const ended = await comityHere(['letters', ...args])
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stdout + ended.stderr, said)
  })
}

test('a program reads the same as JSON', async () => {
  const { total, letters } = lastJson(await comityHere(['letters', dir, '--json'])) as {
    total: number
    letters: { name: string }[]
  }
  assert.deepEqual([total, letters.map(({ name }) => name)], [1, ['crawl-1']])
})
