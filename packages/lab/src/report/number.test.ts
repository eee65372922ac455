import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatNumber, formatQuantity, formatTick, withUnit } from './number.ts'

const plain = (text: string): string => text.replaceAll('\u00a0', ' ')

const numbers: [value: number, text: string][] = [
  [0, '0'],
  [-0.0000001, '−10⁻⁷'],
  [1_234, '1,234'],
  [1_234_567.8, '1,234,568'],
  [54.64, '54.6'],
  [3.456, '3.46'],
  [0.05, '0.05'],
  [-2.5, '−2.5'],
  [0.00025, '2.5 × 10⁻⁴'],
  [6.02e23, '6 × 10²³'],
  [NaN, '–'],
  [Infinity, '∞'],
]
for (const [value, text] of numbers) {
  test(`${value} is written ${text}`, () => assert.equal(plain(formatNumber(value)), text))
}

const quantities: [value: number, unit: string, text: string][] = [
  [0.035, 'share', '3.5 %'],
  [0.00004, 'share', '0.004 %'],
  [1, 'share', '100 %'],
  [12.34, 's', '12.3 s'],
  [0.25, 's', '250 ms'],
  [90, 's', '90 s'],
  [4_212, 's', '70.2 min'],
  [259_200, 's', '3 days'],
  [512, 'bytes', '512 bytes'],
  [20_480_000, 'bytes', '20.5 MB'],
  [7, 'pages', '7 pages'],
]
for (const [value, unit, text] of quantities) {
  test(`${value} ${unit} is written ${text}`, () => assert.equal(plain(formatQuantity(value, unit)), text))
}

test('ticks are short and leave the unit to the label of the axis', () => {
  assert.equal(formatTick(0.2, 'share'), '20')
  assert.equal(plain(formatTick(2_500_000)), '2.5 M')
  assert.equal(withUnit('Found', 'share'), 'Found (%)')
})
