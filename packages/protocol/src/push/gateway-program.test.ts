import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultFigure, gatewayFaultsOf } from './gateway-program.ts'

test('faults of a version are found again among other figures', () => {
  const digest = `sha-256:${'0123456789ab'.repeat(5)}cdef`
  const figures = { cookie: 3, [faultFigure(digest)]: 2 }
  assert.match(faultFigure(digest), /^[a-z][a-z0-9-]{0,39}$/)
  const [[begins, times]] = [...gatewayFaultsOf(figures)] as [[string, number]]
  assert.ok(digest.startsWith(begins))
  assert.deepEqual([begins.length, times], ['sha-256:'.length + 12, 2])
})
