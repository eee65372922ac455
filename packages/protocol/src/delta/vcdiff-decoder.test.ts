import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editedPairs } from '../testing/edited-pair-fixture.ts'
import { decodeVcdiff, type DecodedVcdiff, type VcdiffFault } from './vcdiff-decoder.ts'
import { encodeVcdiff } from './vcdiff-encoder.ts'
import { adler32 } from './vcdiff-format.ts'

const limits = { maxBytes: 1_000 }
const source = Buffer.from('hello, world')
const HEAD = 'd6c3c400'
const decode = (hex: string, from: Uint8Array = source): DecodedVcdiff =>
  decodeVcdiff(from, Buffer.from(hex.replaceAll(' ', ''), 'hex'), limits)
const decodedText = (hex: string): string => {
  const result = decode(hex)
  return result.kind === 'ok' ? Buffer.from(result.body).toString() : result.kind
}

const good: [sentence: string, hex: string, expected: string][] = [
  ['a file without windows is empty', `${HEAD} 00`, ''],
  ['ADD takes its bytes from the data', `${HEAD} 00 00 08 02 00 02 01 00 6869 03`, 'hi'],
  ['RUN repeats one byte', `${HEAD} 00 00 08 05 00 01 02 00 78 0005`, 'xxxxx'],
  ['COPY takes bytes of the source segment', `${HEAD} 00 01 0c00 07 05 00 00 01 01 15 07`, 'world'],
  ['a segment may begin within the source', `${HEAD} 00 01 0507 07 05 00 00 01 01 15 00`, 'world'],
  ['COPY may repeat what it is making', `${HEAD} 00 00 0a 06 00 02 02 01 6162 03 14 00`, 'ababab'],
  ['COPY may run from the source into the target', `${HEAD} 00 01 0507 08 09 00 00 02 01 13 09 00`, 'worldworl'],
  [
    'a window may copy from what earlier windows made',
    `${HEAD} 00 00 09 03 00 03 01 00 616263 04 02 0300 08 06 00 00 02 01 13 06 00`,
    'abcabcabc',
  ],
  ['an application header is passed over', `${HEAD} 04 03 616263 00 08 02 00 02 01 00 6869 03`, 'hi'],
  ['a compressor that is named and not used does no harm', `${HEAD} 01 02 00 08 02 00 02 01 00 6869 03`, 'hi'],
  ['a right Adler-32 is accepted', `${HEAD} 00 04 0c 02 00 02 01 00 013b00d2 6869 03`, 'hi'],
]
for (const [sentence, hex, expected] of good) test(sentence, () => assert.equal(decodedText(hex), expected))

const bad: [kind: VcdiffFault, what: string, hex: string][] = [
  ['truncated', 'nothing at all', ''],
  ['truncated', 'a window that breaks off', `${HEAD} 00 00 08 02 00 02 01 00 6869`],
  ['truncated', 'data that are too few', `${HEAD} 00 00 08 03 00 02 01 00 6869 04`],
  ['truncated', 'an address that is missing', `${HEAD} 00 01 0c00 06 05 00 00 01 00 15`],
  ['bad-magic', 'other bytes', '504b030414'],
  ['unknown-version', 'the S of SDCH', 'd6c3c45300'],
  ['secondary-compressor', 'a compressed section', `${HEAD} 00 00 08 02 01 02 01 00 6869 03`],
  ['custom-code-table', 'a table in the header', `${HEAD} 02 00`],
  ['bad-indicator', 'an unknown bit of the header', `${HEAD} 08`],
  ['bad-indicator', 'an unknown bit of a window', `${HEAD} 00 08 00`],
  ['bad-indicator', 'a window from source and target', `${HEAD} 00 03 0000`],
  ['bad-integer', 'an integer without end', `${HEAD} 00 00 ffffffffffff7f`],
  ['bad-integer', 'an integer above 31 bits', `${HEAD} 00 00 8f80808000`],
  ['too-large', 'a target above the cap', `${HEAD} 00 00 0a 8769 00 01 03 00 78 008769`],
  ['too-large', 'windows that pass the cap together', `${HEAD} 00${' 00 0a 8710 00 01 03 00 78 008710'.repeat(2)}`],
  ['bad-length', 'more than the window claims', `${HEAD} 00 00 08 01 00 02 01 00 6869 03`],
  ['bad-length', 'less than the window claims', `${HEAD} 00 00 08 03 00 02 01 00 6869 03`],
  ['bad-length', 'data that nobody takes', `${HEAD} 00 00 09 02 00 03 01 00 686900 03`],
  ['bad-length', 'bytes behind the sections', `${HEAD} 00 00 09 02 00 02 01 00 6869 03 00`],
  ['bad-source-segment', 'a segment beyond the source', `${HEAD} 00 01 0d00 07 05 00 00 01 01 15 07`],
  ['bad-source-segment', 'a segment of a target not yet made', `${HEAD} 00 02 0100 07 05 00 00 01 01 15 00`],
  ['bad-address', 'an address beyond here', `${HEAD} 00 01 0c00 07 05 00 00 01 01 15 0c`],
  ['bad-address', 'an address before the beginning', `${HEAD} 00 01 0c00 07 05 00 00 01 01 25 0d`],
  ['bad-address', 'a copy with nothing to copy from', `${HEAD} 00 00 07 05 00 00 01 01 15 00`],
  ['checksum', 'a wrong Adler-32', `${HEAD} 00 04 0c 02 00 02 01 00 013b00d3 6869 03`],
]
for (const [kind, what, hex] of bad) test(`${what} is ${kind}`, () => assert.deepEqual(decode(hex), { kind }))

test('Adler-32 is that of RFC 1950', () => {
  assert.equal(adler32(Buffer.from('Wikipedia'), 0, 9), 0x11e60398)
  assert.equal(adler32(Buffer.alloc(100_000, 255), 0, 100_000), 0x149a302c)
  assert.equal(adler32(source, 3, 3), 1)
})

const PLACES = 2 ** 16

test('no mutation of a delta makes it throw or pass the cap', () => {
  const flips = fc.array(fc.tuple(fc.nat(PLACES), fc.nat(255)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(editedPairs, flips, fc.option(fc.nat(PLACES)), ({ source: from, target }, mutations, cut) => {
      const delta = encodeVcdiff(from, target)
      for (const [place, value] of mutations) delta[place % delta.length] = value
      const result = decodeVcdiff(from, cut === null ? delta : delta.subarray(0, cut % delta.length), limits)
      assert.ok(result.kind !== 'ok' || result.body.length <= limits.maxBytes)
    }),
    { numRuns: 2_000 },
  )
})

test('any bytes after a good head are survived', () => {
  const head = Buffer.from(`${HEAD}00`, 'hex')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const result = decodeVcdiff(source, Buffer.concat([head, bytes]), limits)
      assert.ok(result.kind !== 'ok' || result.body.length <= limits.maxBytes)
    }),
    { numRuns: 2_000 },
  )
})
