/** A short round of fuzzing for every target; `npm run fuzz` takes longer over it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzTargets } from './fuzz-targets.ts'
import { fuzz } from './fuzz.ts'

const budgetMs = Number(process.env['COMITY_FUZZ_MS'] ?? 500)
const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)

for (const target of fuzzTargets) {
  test(`fuzz: no bytes break the reading of ${target.name} (seed ${seed})`, (t) => {
    for (const sample of target.samples) target.check(Buffer.from(sample))
    const { runs, find } = fuzz(target, budgetMs, seed)
    t.diagnostic(`${runs} inputs`)
    assert.equal(find, undefined, `${find?.error.stack}\ninput (base64): ${find?.input.toString('base64')}`)
  })
}

const draw = (): string[] => {
  const inputs: string[] = []
  const check = (bytes: Buffer): void => void inputs.push(bytes.toString('hex'))
  fuzz({ name: 'x', samples: ['sample'], words: ['word'], check }, 0, 7)
  return inputs
}
test('the same seed draws the same inputs', () => assert.deepEqual(draw(), draw()))

const failing = (bytes: Buffer): void => assert.ok(bytes.length < 0, 'no')
test('what is found comes with its input and its error', () => {
  const { find } = fuzz({ name: 'x', samples: ['sample'], words: ['word'], check: failing }, 1_000, 7)
  assert.match(find?.error.message ?? '', /no/)
  assert.ok(Buffer.isBuffer(find?.input))
})
