import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExpectedOutcome } from './case.ts'
import { hostileCase, hostileCases } from './cases.ts'

test('every case has a name of its own in kebab-case and a sentence', () => {
  assert.equal(new Set(hostileCases.map(({ name }) => name)).size, hostileCases.length)
  for (const { name, sentence } of hostileCases) {
    assert.match(name, /^[a-z0-9]+([-.][a-z0-9]+)*$/)
    assert.match(sentence, /^[a-z].*[^.]$/, name)
  }
})

test('the table is long, and every kind of place is in it', () => {
  assert.ok(hostileCases.length >= 60, String(hostileCases.length))
  const places = new Set(hostileCases.map(({ place }) => place))
  assert.deepEqual(places, new Set(['page', 'site', 'accept', 'tls', 'nowhere', 'name']))
})

test('an outcome is expected when it is the first or as sound', () => {
  const one = hostileCase('million-links')
  assert.ok(isExpectedOutcome(one, 'ok') && isExpectedOutcome(one, 'too-large'))
  assert.ok(!isExpectedOutcome(one, 'timeout-body'))
})

test('a misspelt name is an error that says where the names are', () => {
  assert.throws(() => hostileCase('endles-headers'), /hostile-cases\.ts/)
})
