import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deliveryVerdict } from './delivery-verdict.ts'
import type { DeliveryVerdict, Sent } from './delivery-verdict.ts'

const plain: Sent = { by: 'websub', isPacked: false, hasDifferences: false }
// oxfmt-ignore
const cases: [status: number, sent: Partial<Sent>, expected: DeliveryVerdict][] = [
  [200, {},                        'delivered'],
  [202, {},                        'delivered'],
  [204, {},                        'delivered'],
  [410, {},                        'ended'],
  [410, { by: 'push' },            'later'],
  [413, {},                        'halve'],
  [415, { isPacked: true },        'unpack'],
  [415, {},                        'refused'],
  [409, { hasDifferences: true },  'whole'],
  [412, { hasDifferences: true },  'whole'],
  [409, {},                        'later'],
  [429, {},                        'slower'],
  [503, {},                        'slower'],
  [400, {},                        'refused'],
  [422, {},                        'refused'],
  [401, {},                        'later'],
  [403, {},                        'later'],
  [404, {},                        'later'],
  [408, {},                        'later'],
  [425, {},                        'later'],
  [301, {},                        'later'],
  [500, {},                        'later'],
  [502, {},                        'later'],
]
for (const [status, sent, expected] of cases) {
  test(`${status}${Object.keys(sent).length > 0 ? ` (${JSON.stringify(sent)})` : ''}: ${expected}`, () => {
    assert.equal(deliveryVerdict(status, { ...plain, ...sent }), expected)
  })
}

test('no answer but one of success counts as delivered, whatever it is', () => {
  fc.assert(
    fc.property(fc.integer(), fc.boolean(), (status, flag) => {
      const verdict = deliveryVerdict(status, { by: 'push', isPacked: flag, hasDifferences: flag })
      return (verdict === 'delivered') === (status >= 200 && status < 300)
    }),
  )
})
