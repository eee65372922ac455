import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { ownName, shellWord, visible } from './terminal.ts'

test('a stranger cannot paint, move the cursor or turn the line around', () => {
  assert.equal(visible('a\x1b[31mb\r\nc\u009bd\u202ee'), 'a [31mb c d e')
})

test('a shell reads back every word as it was', () => {
  const words = fc.array(
    fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\0')),
    { minLength: 1, maxLength: 50 },
  )
  fc.assert(
    fc.property(words, (list) => {
      const script = `printf '%s\\0' ${list.map(shellWord).join(' ')}`
      assert.deepEqual(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1), list)
    }),
    { numRuns: 20 },
  )
})

// oxfmt-ignore
const names: [script: string, env: Record<string, string>, expected: string][] = [
  ['/usr/bin/comity',                        {},                      'comity'],
  ['/project/packages/cli/bin/comity.js',    {},                      'comity'],
  ['/project/node_modules/.bin/comity',      { npm_command: 'exec' }, 'npx comity'],
  ['/project/packages/cli/src/main.ts',      {},                      'npx comity'],
]
for (const [script, env, expected] of names) {
  test(`started as ${script}, it calls itself ${expected}`, () => assert.equal(ownName(script, env), expected))
}
