import { createRandom } from '@comity/testbed'
import assert from 'node:assert/strict'
import test from 'node:test'
import { amount } from '@comity/protocol/testing'
import { makeCapture } from './testing/capture-sample.ts'
import { checkRebuild } from './testing/rebuild-check.ts'

/** From seed `COMITY_SEED` on; each capture has a seed of its own, and `npm run torture:gateway` has more of them. */
const count = Number(process.env['COMITY_CONVERSATIONS'] ?? amount(1_000, 100_000))
const first = Number(process.env['COMITY_SEED'] ?? 0)
const MOST_SHOWN = 10

test(`of ${count} captures of known conversations, whatever befell them, nothing comes out that was not said`, (t) => {
  const faults: string[] = []
  let [whole, lossy] = [0, 0]
  for (let seed = first; seed < first + count && faults.length < MOST_SHOWN; seed++) {
    const random = createRandom(seed)
    const sample = makeCapture(() => random.next(), `s${seed}`)
    const { wrong, missing, held, whole: found } = checkRebuild(sample)
    whole += found
    if (sample.isLossy) lossy++
    // All that was said must come out of a capture that lost nothing, and nothing may be held at the end.
    if (wrong.length + missing.length + held.flows + held.bytes === 0) continue
    const again = `COMITY_CONVERSATIONS=1 COMITY_SEED=${seed}`
    faults.push(`${again} ${JSON.stringify({ wrong, missing, held, options: sample.options })}`)
  }
  t.diagnostic(
    `seeds ${first} to ${first + count - 1}: ${lossy} captures lost something, ${whole} exchanges came out whole`,
  )
  assert.deepEqual(faults, [])
  if (count >= 1_000) assert.ok(whole > count, `only ${whole} exchanges were rebuilt`)
})
