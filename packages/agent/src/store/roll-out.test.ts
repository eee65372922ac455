import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AgentOutcome } from '../agent-outcome.ts'
import { AGENT_OUTCOMES } from '../agent-outcome.ts'
import { afterRun, chosenVersion, MAX_FAULTS, revoked, rolledBack, withVersion } from './roll-out.ts'
import type { AgentRollOut, RollOut, VersionState } from './roll-out.ts'

const version = (number: string, more: Partial<VersionState> = {}): VersionState => ({
  digest: `d${number}`,
  version: number,
  signers: ['k'],
  installedAt: 0,
  expiresAt: 1_000,
  done: 0,
  faults: 0,
  ...more,
})
const none: AgentRollOut = { name: 'a', versions: [], runs: 0 }
const installed = (...steps: [number: string, rollOut?: RollOut][]): AgentRollOut =>
  steps.reduce((state, [number, rollOut = { kind: 'all' }]) => withVersion(state, version(number), rollOut), none)
const chosen = (state: AgentRollOut, at = 0): string | undefined => {
  const choice = chosenVersion(state, at)
  return choice.kind === 'version' ? choice.version.version : undefined
}
const after = (state: AgentRollOut, ...outcomes: AgentOutcome[]): AgentRollOut =>
  outcomes.reduce((one, outcome) => afterRun(one, `d${chosen(one)}`, outcome), state)

test('the newest version runs when it is for all', () => {
  assert.equal(chosen(installed(['1'], ['2'])), '2')
})

test('a canary runs until enough runs went well, and is current then', () => {
  const state = installed(['1'], ['2', { kind: 'canary', runs: 2 }])
  assert.equal(chosen(state), '2')
  assert.equal(after(state, 'done').current, 'd1')
  const proven = after(state, 'done', 'done')
  assert.deepEqual([proven.current, proven.candidate], ['d2', undefined])
})

test('a candidate is withdrawn at its first fault', () => {
  const state = after(installed(['1'], ['2', { kind: 'canary', runs: 5 }]), 'done', 'threw')
  assert.equal(chosen(state), '1')
  assert.match(state.versions[1]?.withdrawn ?? '', /1 run failed in a row, at last with threw/)
})

test('a share of the runs, and no more, is of the candidate', () => {
  let state = installed(['1'], ['2', { kind: 'share', share: 0.25 }])
  let tried = 0
  for (let run = 0; run < 2_000; run++) {
    if (chosen(state) === '2') tried++
    state = after(state, 'done')
  }
  assert.ok(tried > 430 && tried < 570, `${tried} of 2000`)
  assert.equal(state.current, 'd1')
})

test('which runs a share takes can be repeated', () => {
  const state = installed(['1'], ['2', { kind: 'share', share: 0.5 }])
  const choices = (): (string | undefined)[] => Array.from({ length: 50 }, (_, runs) => chosen({ ...state, runs }))
  assert.deepEqual(choices(), choices())
})

test('a version that fails three times in a row gives way to the one before', () => {
  const state = installed(['1'], ['2'])
  assert.equal(chosen(after(state, 'threw', 'too-slow')), '2')
  assert.equal(chosen(after(state, 'threw', 'too-slow', 'crashed')), '1')
  assert.equal(chosen(after(state, 'threw', 'threw', 'done', 'threw', 'threw')), '2')
})

test('what the owner or the system ended is not held against a version', () => {
  const state = installed(['1'], ['2'])
  const others = Object.entries(AGENT_OUTCOMES).filter(([name, { isFault }]) => !isFault && name !== 'done')
  assert.deepEqual(
    others.map(([name]) => name),
    ['killed', 'stopped', 'day-spent'],
  )
  for (const [name] of others)
    assert.equal(chosen(after(state, ...Array.from({ length: 5 }, () => name as AgentOutcome))), '2')
})

test('without a version before, nothing runs, and the reason is told', () => {
  const state = after(installed(['1']), ...Array.from({ length: MAX_FAULTS }, () => 'threw' as const))
  assert.deepEqual(chosenVersion(state, 0), {
    kind: 'none',
    reason: 'version 1 was withdrawn: 3 runs failed in a row, at last with threw',
  })
})

test('an expired version does not run, nor a revoked one', () => {
  assert.equal(chosen(installed(['1']), 1_000), undefined)
  const state = revoked(installed(['1'], ['2']), 'd2', 'leaks')
  assert.equal(chosen(state), '1')
  assert.equal(state.versions[1]?.withdrawn, 'revoked by its engine (leaks)')
})

test('an owner can go back, by one or by name, and forgive; but not to what was revoked', () => {
  const state = installed(['1'], ['2'], ['3'])
  assert.equal(chosen(rolledBack(state)!), '2')
  assert.equal(chosen(rolledBack(state, '1')!), '1')
  assert.equal(rolledBack(state, '4'), undefined)
  assert.equal(rolledBack(installed(['1'])), undefined)
  const failed = after(state, 'threw', 'threw', 'threw')
  assert.equal(chosen(rolledBack(failed, '3')!), '3')
  assert.equal(rolledBack(revoked(state, 'd1', ''), '1'), undefined)
  assert.equal(chosen(rolledBack(revoked(state, 'd2', ''))!), '1')
})

test('whatever happens, what is chosen is installed, not withdrawn and not expired', () => {
  const step = fc.oneof(
    fc.record({ run: fc.constantFrom(...(Object.keys(AGENT_OUTCOMES) as AgentOutcome[])) }),
    fc.record({ install: fc.nat({ max: 5 }), canary: fc.boolean() }),
    fc.record({ revoke: fc.nat({ max: 5 }) }),
    fc.record({ back: fc.nat({ max: 5 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state = none
      for (const one of steps) {
        const choice = chosenVersion(state, 0)
        if ('run' in one) state = choice.kind === 'version' ? afterRun(state, choice.version.digest, one.run) : state
        else if ('install' in one)
          state = withVersion(
            state,
            version(`${one.install}`),
            one.canary ? { kind: 'canary', runs: 2 } : { kind: 'all' },
          )
        else if ('revoke' in one) state = revoked(state, `d${one.revoke}`, '')
        else state = rolledBack(state, `${one.back}`) ?? state
        const next = chosenVersion(state, 0)
        if (next.kind === 'version') {
          assert.equal(next.version.withdrawn, undefined)
          assert.ok(state.versions.includes(next.version))
        } else assert.notEqual(next.reason, '')
      }
    }),
    { numRuns: 500 },
  )
})
