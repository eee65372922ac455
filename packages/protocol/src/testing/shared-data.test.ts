import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOut, missing, sharedData } from './shared-data.ts'

/** Runs with an environment variable set or absent, and puts it back. */
function withVariable(name: string, value: string | undefined, run: () => void): void {
  const before = process.env[name]
  const set = (to: string | undefined): void => {
    if (to === undefined) delete process.env[name]
    else process.env[name] = to
  }
  set(value)
  try {
    run()
  } finally {
    set(before)
  }
}

test('data that is not on this machine has no path', () => {
  withVariable('COMITY_SHARED', '/nowhere', () => assert.equal(sharedData('conformance'), undefined))
})

test('a test that lacks what it needs is skipped, with what to do', () => {
  const reasons: (string | undefined)[] = []
  withVariable('COMITY_REQUIRE_ALL', undefined, () =>
    missing({ skip: (reason) => void reasons.push(reason) }, 'nginx', 'install it'),
  )
  assert.deepEqual(reasons, ['nginx: install it'])
})

test('where everything must be there, it fails instead', () => {
  withVariable('COMITY_REQUIRE_ALL', '1', () => {
    assert.throws(
      () => missing({ skip: () => assert.fail('skipped') }, 'nginx', 'install it'),
      /nginx is not here: install it/,
    )
  })
})

test('a test that nobody could run here is skipped everywhere, and says why', () => {
  const reasons: (string | undefined)[] = []
  withVariable('COMITY_REQUIRE_ALL', '1', () => leftOut({ skip: (reason) => void reasons.push(reason) }, 'no rights'))
  assert.deepEqual(reasons, ['no rights'])
})
