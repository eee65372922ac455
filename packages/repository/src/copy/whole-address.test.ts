import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeAddress } from './whole-address.ts'

const BASE = 'https://a.example/dir/page'
const cases: [sentence: string, address: string, whole: string | undefined][] = [
  ['a relative one', '../x.png', 'https://a.example/x.png'],
  [
    'parameters that other rules would drop',
    'x?utm_source=y&PHPSESSID=1',
    'https://a.example/dir/x?utm_source=y&PHPSESSID=1',
  ],
  ['a fragment', 'x#part', 'https://a.example/dir/x'],
  ['what runs', 'java\tscript:x()', undefined],
  ['data', 'data:,x', undefined],
  ['no address', 'http://[', undefined],
  ['one that is too long', 'x'.repeat(9_000), undefined],
]
for (const [sentence, address, whole] of cases) {
  test(`whole address: ${sentence}`, () => assert.equal(wholeAddress(address, BASE), whole))
}
