// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CopyCheck } from './check.ts'

const site = new Map([
  ['/a', 'one'],
  ['/b', 'two'],
])
const checkOf = (isSame = (content: string, digest: string): boolean => content === digest): CopyCheck => {
  const check = new CopyCheck('it', isSame)
  check.note([...site])
  return check
}

// oxfmt-ignore
const wrong: [sentence: string, news: [string, string | undefined], touched: string[], named: RegExp][] = [
  ['a page with other content',         ['/a', 'old'],      ['/a'], /it: the copy is not the site: \/a is wrong/],
  ['a page that is gone here',          ['/b', undefined],  ['/b'], /\/b is wrong or missing/],
  ['a page that is gone there',         ['/c', 'three'],    ['/c'], /\/c is wrong or missing/],
  ['one page too many, never touched',  ['/c', 'three'],    [],     /wrong or missing/],
]
for (const [sentence, news, touched, named] of wrong) {
  test(`${sentence} is found`, () => {
    const check = checkOf()
    check.note([news])
    assert.throws(() => check.compare(site, touched), named)
  })
}

test('what is counted is pages that were looked at', () => {
  const check = checkOf()
  check.compare(site, ['/a', '/a'])
  check.compareAll(site)
  assert.equal(check.compared, 3)
})

test('a page that nobody touched is looked at when all are', () => {
  const check = checkOf()
  check.note([['/a', 'old']])
  check.compare(site, ['/b'])
  assert.throws(() => check.compareAll(site), /\/a is wrong/)
})

test('what counts as the same is for the scheme to say', () => {
  const check = checkOf((content, digest) => content[0] === digest[0])
  check.note([['/b', 'twenty']])
  assert.doesNotThrow(() => check.compareAll(site))
})
