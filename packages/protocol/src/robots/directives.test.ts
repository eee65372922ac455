import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeRobotsDirectives, noDirectives, parseRobotsDirectives } from './directives.ts'
import type { RobotsDirectives } from './directives.ts'

const june = Date.UTC(2031, 5, 25, 15)

const cases: [sentence: string, values: string[], expected: Partial<RobotsDirectives>][] = [
  ['nothing said forbids nothing', [], {}],
  ['all forbids nothing', ['all'], {}],
  ['none forbids both', ['none'], { noindex: true, nofollow: true }],
  ['a list may have any spelling', [' NoIndex ,NOARCHIVE'], { noindex: true, noarchive: true }],
  ['several values add up', ['nofollow', 'noindex'], { noindex: true, nofollow: true }],
  ['unknown directives are ignored', ['noodp, max-snippet:-1, constructor, nofollow'], { nofollow: true }],
  ['a value for another crawler is not for us', ['otherbot: noindex, nofollow'], {}],
  ['a value with our name is', ['Comity: noindex, nofollow'], { noindex: true, nofollow: true }],
  [
    'a name holds until the next one',
    ['otherbot: noindex, comity: nofollow, noarchive'],
    { nofollow: true, noarchive: true },
  ],
  ['all for us does not undo what everybody was told', ['noindex', 'comity: all'], { noindex: true }],
  ['a date of RFC 822', ['unavailable_after: 25 Jun 2031 15:00:00 GMT'], { unavailableAfter: june }],
  [
    'with its day of the week',
    ['unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, noarchive'],
    { unavailableAfter: june, noarchive: true },
  ],
  ['a date of RFC 850', ['unavailable_after: Wednesday, 25-Jun-31 15:00:00 GMT'], { unavailableAfter: june }],
  ['a date of ISO 8601', ['unavailable_after: 2031-06-25T15:00:00Z'], { unavailableAfter: june }],
  ['a date in another zone', ['unavailable_after: 2031-06-25T17:00:00+02:00'], { unavailableAfter: june }],
  ['a date without a zone is in UTC', ['unavailable_after: 2031-06-25T15:00'], { unavailableAfter: june }],
  ['a date behind a name', ['comity: unavailable_after: 25 Jun 2031 15:00:00 GMT'], { unavailableAfter: june }],
  ['a date that is none is ignored', ['unavailable_after: soon, noindex'], { noindex: true }],
]
for (const [sentence, values, expected] of cases) {
  test(sentence, () => assert.deepEqual(parseRobotsDirectives(values, 'comity'), { ...noDirectives, ...expected }))
}

test('of two dates the earlier counts', () => {
  const merged = mergeRobotsDirectives(
    { ...noDirectives, unavailableAfter: 9 },
    { ...noDirectives, unavailableAfter: 5 },
  )
  assert.deepEqual(merged, { ...noDirectives, unavailableAfter: 5 })
})

test('no further value ever makes the answer less restrictive', () => {
  const words = fc.constantFrom(
    'all',
    'none',
    'noindex',
    'nofollow',
    'noarchive',
    'index',
    'comity: nofollow',
    'other: noindex',
    'x',
  )
  const values = fc.array(
    fc.array(words, { maxLength: 4 }).map((list) => list.join(', ')),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(values, values, (some, more) => {
      const before = parseRobotsDirectives(some, 'comity')
      const after = parseRobotsDirectives([...some, ...more], 'comity')
      for (const name of ['noindex', 'nofollow', 'noarchive'] as const) assert.ok(!before[name] || after[name])
    }),
  )
})

test('no value makes it throw', () => {
  const pieces = fc.constantFrom(
    ',',
    ':',
    ' ',
    'noindex',
    'unavailable_after:',
    'Wed',
    '25 Jun 2031',
    '__proto__',
    'comity:',
    '\0',
  )
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.array(values), fc.string(), (list, token) =>
      assert.doesNotThrow(() => parseRobotsDirectives(list, token)),
    ),
    {
      interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
      numRuns: 1_000_000,
      markInterruptAsFailure: false,
    },
  )
})
