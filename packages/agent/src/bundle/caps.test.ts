import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAP_NAMES, capProblem, defaultCaps, grantedCaps, LEAST_MEMORY, MOST_CAPS } from './caps.ts'

test('the smaller of what is asked for and what is granted counts', () => {
  const caps = grantedCaps({ cpuMs: 1, reads: 1e9 })
  assert.deepEqual(caps, { ...defaultCaps, cpuMs: 1 })
})

test('every cap has a name, a default and a most', () => {
  assert.deepEqual(CAP_NAMES.toSorted(), Object.keys(defaultCaps).toSorted())
  for (const name of CAP_NAMES) {
    assert.equal(capProblem(name, defaultCaps[name]), undefined)
    assert.equal(capProblem(name, MOST_CAPS[name]), undefined)
    assert.notEqual(capProblem(name, MOST_CAPS[name] + 1), undefined)
  }
})

test('memory below what QuickJS begins with cannot be had', () => {
  assert.equal(capProblem('memoryBytes', LEAST_MEMORY), undefined)
  assert.match(capProblem('memoryBytes', LEAST_MEMORY - 1) ?? '', /from 16777216/)
})
