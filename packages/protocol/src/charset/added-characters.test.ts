import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeAs } from './decoders.ts'

// Bytes and characters of the Encoding standard's indexes.
const cases: [charset: string, bytes: number[], text: string][] = [
  ['euc-kr', [0x81, 0x41], '갂'],
  ['euc-kr', [0x81, 0xfe], '괓'],
  ['euc-kr', [0xa0, 0xfe], '좤'],
  ['euc-kr', [0xa1, 0x41], '좥'],
  ['euc-kr', [0xc6, 0x52], '힣'],
  ['euc-kr', [0xb0, 0xa1], '가'],
  ['euc-kr', [0xa2, 0xe6], '€'],
  ['euc-kr', [0x8c, 0x63, 0x20, 0xb9, 0xe6, 0xb0, 0xa2, 0xc7, 0xcf], '똠 방각하'],
  ['euc-kr', [0xc6, 0x53], '\ufffdS'],
  ['euc-kr', [0x80, 0x41, 0xff, 0xa1, 0xfe, 0xfe, 0x81], '\ufffdA\ufffd￢\ufffd'],
  ['big5', [0xc6, 0xa1], '①'],
  ['big5', [0xc6, 0xe7], 'ぁ'],
  ['big5', [0xc7, 0x40], 'す'],
  ['big5', [0xc7, 0xf2], 'ヶ'],
  ['big5', [0xc8, 0x40], 'Л'],
  ['big5', [0xa7, 0x41, 0xc7, 0x66, 0xa7, 0xda], '你み我'],
  ['gbk', [0x81, 0x30, 0x84, 0x36], '¥'],
]
for (const [charset, bytes, text] of cases)
  test(`${charset} ${Buffer.from(bytes).toString('hex')} is ${text}`, () =>
    assert.equal(decodeAs(charset, Uint8Array.from(bytes)), text))

test('every syllable of Korean is there once', () => {
  const found = new Set<string>()
  for (let lead = 0x81; lead <= 0xc8; lead++)
    for (let trail = 0x41; trail <= 0xfe; trail++) {
      const text = decodeAs('euc-kr', Uint8Array.of(lead, trail))
      if (!/^[가-힣]$/u.test(text)) continue
      assert.ok(!found.has(text), text)
      found.add(text)
    }
  assert.equal(found.size, 11_172)
})

test('an added character does not shift what stands around it', () => {
  const bytes = Uint8Array.of(0x41, 0xb0, 0xa1, 0x81, 0x41, 0xb0, 0xa1, 0x42)
  assert.equal(decodeAs('euc-kr', bytes), 'A가갂가B')
})
