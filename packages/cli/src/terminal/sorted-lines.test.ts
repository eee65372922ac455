import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { SortedLines } from './sorted-lines.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

test('lines come back sorted, however many runs they took, and nothing is left behind', async () => {
  const line = fc.stringMatching(/^[ -~]{0,20}$/)
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 200 }), fc.integer({ min: 1, max: 500 }), async (lines, maxChars) => {
      using folder = temporaryFolder()
      {
        await using sorted = new SortedLines(folder.at('run'), maxChars)
        for (const one of lines) await sorted.add(one)
        assert.deepEqual(await Array.fromAsync(sorted.all()), lines.toSorted())
      }
      assert.deepEqual(readdirSync(folder.at('.')), [])
    }),
    { numRuns: 50 },
  )
})
