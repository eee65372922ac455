import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesStrongly, matchesWeakly, parseEntityTag, parseEntityTags } from './entity-tag.ts'

// RFC 9110 §8.8.3.2, its table.
const comparisons: [a: string, b: string, isStrong: boolean, isWeak: boolean][] = [
  ['W/"1"', 'W/"1"', false, true],
  ['W/"1"', 'W/"2"', false, false],
  ['W/"1"', '"1"', false, true],
  ['"1"', '"1"', true, true],
]
for (const [a, b, isStrong, isWeak] of comparisons) {
  test(`${a} and ${b} are${isStrong ? '' : ' not'} equal strongly and${isWeak ? '' : ' not'} weakly`, () => {
    assert.deepEqual([matchesStrongly(a, b), matchesStrongly(b, a)], [isStrong, isStrong])
    assert.deepEqual([matchesWeakly(a, b), matchesWeakly(b, a)], [isWeak, isWeak])
  })
}

const lists: [field: string, expected: '*' | readonly string[]][] = [
  ['*', '*'],
  [' * ', '*'],
  ['"a"', ['"a"']],
  ['"a", W/"b","c"', ['"a"', 'W/"b"', '"c"']],
  ['"with, comma"', []],
  ['"with,comma"', ['"with,comma"']],
  ['abc, "d"', ['"d"']],
  ['w/"a"', []],
  ['"a""b"', []],
  ['""', ['""']],
  ['"ü"', ['"ü"']],
  ['', []],
]
for (const [field, expected] of lists) {
  test(`the list ${field} holds ${expected === '*' ? 'all' : expected.length}`, () => {
    assert.deepEqual(parseEntityTags(field), expected)
  })
}

test('a tag is a tag only when it is quoted whole', () => {
  assert.equal(parseEntityTag(' W/"x" '), 'W/"x"')
  for (const none of ['x', '"x', '"x" "y"', '"a b"', '', 'W/x', 'Sun, 06 Nov 1994 08:49:37 GMT']) {
    assert.equal(parseEntityTag(none), undefined, none)
  }
})

test('a list of tags comes back, up to a hundred, and any text is survived', () => {
  const tags = fc.array(fc.stringMatching(/^(W\/)?"[!#-~]{0,20}"$/), { maxLength: 150 })
  fc.assert(
    fc.property(tags, (list) => {
      // Two tags with a comma at their inner ends could be read in two ways; no server makes such.
      const plain = list.filter((tag) => !tag.includes(','))
      assert.deepEqual(parseEntityTags(plain.join(', ')), plain.slice(0, 100))
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => void parseEntityTags(text)))
})
