import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AGENT_OUTCOMES, INNER_OUTCOMES } from './agent-outcome.ts'

test('docs/agent.md lists every outcome with its meaning, and no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/agent.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(?<name>[a-z-]+)` +\| (?<fault>fault|) +\| (?<sentence>.*?) +\|$/gm)].map(
    ({ groups }) => [groups?.['name'], groups?.['fault'], groups?.['sentence']],
  )
  const expected = Object.entries(AGENT_OUTCOMES).map(([name, { isFault, sentence }]) => [
    name,
    isFault ? 'fault' : '',
    sentence,
  ])
  assert.deepEqual(rows, expected)
})

test('a sandbox is believed in what happens inside it, and not in what the host sees', () => {
  for (const outcome of [
    'killed',
    'stopped',
    'day-spent',
    'bad-record',
    'reads-too-much',
    'emits-too-much',
    'hung',
  ] as const)
    assert.equal(INNER_OUTCOMES.has(outcome), false, outcome)
})
