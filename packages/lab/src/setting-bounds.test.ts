import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsWithin } from './setting-bounds.ts'

const defaults = { pages: 10, share: 0.5, name: 'web' }
const within = (given: object): typeof defaults =>
  settingsWithin<typeof defaults>(given, defaults, { whole: [['pages', 1, 100]], amounts: [['share', 0, 1]] })

test('what is not given has its default', () => {
  assert.deepEqual(within({ pages: 20 }), { pages: 20, share: 0.5, name: 'web' })
})

const wrong: [given: object, message: RegExp][] = [
  [{ page: 1 }, /there is no setting page; it has pages, share, name/],
  [{ pages: 1.5 }, /pages is 1.5; give a whole number from 1 to 100/],
  [{ pages: 0 }, /pages is 0; give 1 to 100/],
  [{ share: 1.1 }, /share is 1.1; give 0 to 1/],
  [{ share: NaN }, /share is NaN; give 0 to 1/],
]
for (const [given, message] of wrong) {
  test(`${message.source} is said`, () => assert.throws(() => within(given), { name: 'RangeError', message }))
}
