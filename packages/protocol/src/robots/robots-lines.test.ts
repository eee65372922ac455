import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRobotsText, RobotsLineReader } from './robots-lines.ts'

const cases: [sentence: string, text: string, expected: string[]][] = [
  ['a record has a line, a kind and a value', 'Allow: /x', ['1 allow allow=/x']],
  [
    'any of the three line ends will do, and lines are counted',
    'a: 1\rb: 2\n\nc: 3\r\nd: 4',
    ['1 other a=1', '2 other b=2', '4 other c=3', '5 other d=4'],
  ],
  ['comments and blank lines are no records', '# x\n \t\nAllow: /#y', ['3 allow allow=/']],
  ['only the first colon parts key and value', 'Sitemap: https://a', ['1 sitemap sitemap=https://a']],
  ['a known key needs no colon', 'disallow /x', ['1 disallow disallow=/x']],
  ['an unknown one does', 'hello world', []],
  ['a key that objects are born with is unknown', 'constructor: x', ['1 other constructor=x']],
]
for (const [sentence, text, expected] of cases) {
  test(sentence, () => {
    const lines = new RobotsLineReader(Buffer.from(text, 'latin1'))
    const records: string[] = []
    while (lines.next()) records.push(`${lines.line} ${lines.kind} ${lines.name}=${lines.value}`)
    assert.deepEqual(records, expected)
  })
}

test('text is read one octet a character', () => {
  assert.deepEqual([...readRobotsText('/ü', 10).octets], [0x2f, 0xc3, 0xbc])
  assert.deepEqual([...readRobotsText(Uint8Array.of(0x2f, 0xe9), 10).octets], [0x2f, 0xe9])
})

test('no more than the limit is ever read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), (bytes, maxBytes) => {
      const { ignoredBytes } = readRobotsText(bytes, maxBytes)
      assert.equal(ignoredBytes, Math.max(bytes.length - maxBytes, 0))
    }),
  )
})
