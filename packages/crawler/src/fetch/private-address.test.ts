import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayVisit } from './private-address.ts'

test('a network that is none is a wrong option of the crawl, and is named', () => {
  assert.throws(() => mayVisit(['10.0.0.0/33']), { code: 'OPTION_INVALID', message: /not "10\.0\.0\.0\/33"/ })
  assert.ok(mayVisit(['10.0.0.0/8'])('10.1.2.3'))
})
