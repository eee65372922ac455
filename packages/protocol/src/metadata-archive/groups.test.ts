import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { groupByType } from './groups.ts'

const options = { smallGroup: 2, maxGroups: 3 }

/** `hhhg`: three pages of type h, one of type g; `?` for one of no known type. */
function pages(letters: string): { url: string; type?: string }[] {
  return Array.from(letters, (letter, i) => {
    const url = `https://a.example/${i}`
    return letter === '?' ? { url } : { url, type: `t/${letter}` }
  })
}

const cases: [sentence: string, letters: string, expected: string[]][] = [
  ['each large type has its own archive', 'hhhggg', ['t/g 3', 't/h 3']],
  ['small ones are together in "other"', 'hhhgiij', ['t/h 3', 'other 4']],
  ['one small type on its own keeps its name', 'gg', ['t/g 2']],
  ['three large ones fit', 'hhhhgggiii', ['t/h 4', 't/g 3', 't/i 3']],
  ['a fourth does not, and the smallest two are together', 'hhhhgggiiijjj', ['t/h 4', 't/g 3', 'other 6']],
  ['a small one needs "other", so only two have their own', 'hhhhgggiiij', ['t/h 4', 't/g 3', 'other 4']],
  ['pages of no type are in "other"', 'hhh????', ['t/h 3', 'other 4']],
  ['even when there are no others', '????', ['other 4']],
  ['no pages need no archive', '', []],
]
for (const [sentence, letters, expected] of cases) {
  test(sentence, () => {
    const groups = groupByType(pages(letters), options).map(({ group, entries }) => `${group} ${entries.length}`)
    assert.deepEqual(groups, expected)
  })
}

test('every page is in one group, and there are never too many groups', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '?'), maxLength: 40 }), (letters) => {
      const groups = groupByType(pages(letters), options)
      assert.ok(groups.length <= options.maxGroups)
      assert.equal(new Set(groups.map(({ group }) => group)).size, groups.length)
      const urls = groups.flatMap(({ entries }) => entries.map(({ url }) => url))
      assert.deepEqual(
        urls.toSorted(),
        pages(letters)
          .map(({ url }) => url)
          .toSorted(),
      )
    }),
  )
})
