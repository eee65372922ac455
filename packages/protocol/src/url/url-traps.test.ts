import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultTrapLimits, trapOf } from './url-traps.ts'
import type { Trap } from './url-traps.ts'

const site = 'https://a.example'
const deep = Array.from({ length: 21 }, (_, i) => `s${i}`).join('/')

const cases: [sentence: string, url: string, expected: Trap | undefined][] = [
  ['an ordinary page is no trap', `${site}/docs/guide/page.html`, undefined],
  ['nor is the root', `${site}/`, undefined],
  ['2,000 characters are not too long', `${site}/${'x'.repeat(1_982)}`, undefined],
  ['2,001 are', `${site}/${'x'.repeat(1_983)}`, 'too-long'],
  ['21 segments are too deep', `${site}/${deep}`, 'too-deep'],
  ['20 are not', `${site}/${deep.slice(0, deep.lastIndexOf('/'))}`, undefined],
  ['nor with a slash at the end', `${site}/${deep.slice(0, deep.lastIndexOf('/'))}/`, undefined],
  ['slashes of a query do not count', `${site}/?u=${deep}/${deep}`, undefined],
  ['a segment twice in sequence is no trap', `${site}/a/a/b`, undefined],
  ['three times is', `${site}/x/a/a/a`, 'repeating'],
  ['a pair three times is', `${site}/a/b/a/b/a/b`, 'repeating'],
  ['a triple three times is', `${site}/x/a/b/c/a/b/c/a/b/c/y`, 'repeating'],
  ['a pair twice is not', `${site}/a/b/a/b/c`, undefined],
  ['a segment four times anywhere is', `${site}/a/1/a/2/a/3/a`, 'repeating'],
  ['three times apart is not', `${site}/a/1/a/2/a/3`, undefined],
  ['segments that only start alike are different', `${site}/a1/a2/a3/a4/a5`, undefined],
]
for (const [sentence, url, expected] of cases) {
  test(sentence, () => assert.equal(trapOf(url), expected))
}

test('the limits are settings', () => {
  assert.equal(trapOf(`${site}/a/a`, { ...defaultTrapLimits, runRepeats: 2 }), 'repeating')
  assert.equal(trapOf(`${site}/a/b/c`, { ...defaultTrapLimits, maxSegments: 2 }), 'too-deep')
})

test('segments that all differ are never called repeating', () => {
  const paths = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 20 })
  fc.assert(fc.property(paths, (segments) => assert.equal(trapOf(`${site}/${segments.join('/')}`), undefined)))
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.doesNotThrow(() => trapOf(text))),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})
