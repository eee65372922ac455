import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorMs } from '../testing/processor-time.ts'
import { hasAnchor, readAnchors } from './anchors.ts'

const cases: [sentence: string, html: string, names: string[]][] = [
  ['an id of any element', '<h2 id="a">x</h2><p class=y id=b>', ['a', 'b']],
  ['the name of a link, and of nothing else', '<a name="old">x</a><input name="field">', ['old']],
  ['in quotes of either kind, or in none', `<i id='a'><i id = "b"><i ID=c>`, ['a', 'b', 'c']],
  ['references are what they stand for', '<i id="caf&eacute;&amp;bar">', ['café&bar']],
  ['an end of a tag in an attribute is none', '<i title="a > b" id="x">', ['x']],
  [
    'nothing in a comment, a script or a text field',
    '<!-- <i id=a> --><script>"<i id=b>"</script><textarea><i id=c></textarea><i id=d>',
    ['d'],
  ],
  ['nothing of what is never ended', '<i id=a><i title="<i id=b>', ['a']],
  ['nothing behind a script that is never ended', '<i id=a><script><i id=b>', ['a']],
  ['no empty one', '<i id=""><i id>', []],
  ['a sign of the equation alone is nobody', '<i = id=a>', ['a']],
]
for (const [sentence, html, names] of cases)
  test(`anchors: ${sentence}`, () => assert.deepEqual([...readAnchors(html).names], names))

const fragments: [fragment: string, isThere: boolean][] = [
  ['über', true],
  ['%C3%BCber', true],
  ['%', false],
  ['other', false],
  ['', true],
  ['top', true],
  [':~:text=words', true],
]
for (const [fragment, isThere] of fragments)
  test(`#${fragment} has ${isThere ? 'a' : 'no'} place in the page`, () => {
    assert.equal(hasAnchor(readAnchors('<h2 id="über">'), fragment), isThere)
  })

test('of a page with more anchors than are kept, none is said to be missing', () => {
  const anchors = readAnchors(Array.from({ length: 100_001 }, (_, n) => `<i id=x${n}>`).join(''))
  assert.ok(anchors.isCut)
  assert.ok(hasAnchor(anchors, 'anything'))
})

test('what is left open costs no more than its length', () => {
  const beganAt = processorMs()
  for (const piece of ['<a id="', '<script>', '<!--', '<a id', '< ', "<a '", '<a ='])
    readAnchors(piece.repeat(1_000_000 / piece.length))
  assert.ok(processorMs() - beganAt < 5_000)
})
