/** A short round of fuzzing for every target; `npm run fuzz` takes longer over it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzTargets } from './fuzz-targets.ts'
import { Fuzzing, fuzzLine } from '../fuzz.ts'
import { dictionary } from './fuzz-dictionary.ts'

const budgetMs = Number(process.env['COMITY_FUZZ_MS'] ?? 300)
const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)

for (const target of fuzzTargets) {
  test(`fuzz: no bytes break the reading of ${target.name} (seed ${seed})`, { timeout: 120_000 }, async (t) => {
    t.after(target.close)
    for (const sample of target.samples) await target.check(Buffer.from(sample))
    const fuzzing = new Fuzzing(target, seed)
    await fuzzing.run({ ms: budgetMs })
    const { find } = fuzzing
    t.diagnostic(fuzzLine(fuzzing))
    assert.equal(find, undefined, `${find?.error.stack}\ninput (base64): ${find?.input.toString('base64')}`)
  })
}

const draw = async (): Promise<string[]> => {
  const inputs: string[] = []
  const check = (bytes: Buffer): void => void inputs.push(bytes.toString('hex'))
  await new Fuzzing({ name: 'x', samples: ['sample'], words: ['word'], check }, 7).run({ inputs: 20 })
  return inputs
}
test('the same seed draws the same inputs', async () => assert.deepEqual(await draw(), await draw()))

const failing = (bytes: Buffer): void => assert.ok(bytes.length < 0, 'no')
test('what is found comes with its input and its error', async () => {
  const fuzzing = new Fuzzing({ name: 'x', samples: ['sample'], words: ['word'], check: failing }, 7)
  await fuzzing.run({ ms: 1_000 })
  assert.match(fuzzing.find?.error.message ?? '', /no/)
  assert.ok(Buffer.isBuffer(fuzzing.find?.input))
})

test('a target is given all words of the dictionary, in places of words of its own', async () => {
  const labels = new Set<string>()
  const check = (bytes: Buffer): void => void labels.add(bytes.toString('latin1').split(':', 1)[0]!)
  const fuzzing = new Fuzzing({ name: 'x', samples: ['sha1:AAAA'], words: ['word'], check }, 7)
  await fuzzing.run({ inputs: 20_000 })
  assert.equal(fuzzing.tried.size, dictionary.length)
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])
    assert.ok(labels.has(name), name)
})
