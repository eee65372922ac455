import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bar } from './bar.ts'

const cases: [sentence: string, share: number, width: number][] = [
  ['a half is half', 0.5, 50],
  ['nothing is nothing', 0, 0],
  ['what is there at all is seen', 0.0001, 1],
  ['more than all is all', 3, 100],
  ['less than nothing is nothing', -1, 0],
  ['no number is nothing', Number.NaN, 0],
]
for (const [sentence, share, width] of cases) {
  test(sentence, () => assert.match(bar(share).source, new RegExp(`class="part" width="${width}"`)))
}
