import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { decodeWithDictionary, encodeWithDictionary, type DictionaryCoding } from './dictionary-coding.ts'
import { editedPairs } from '../testing/edited-pair-fixture.ts'
import { missing } from '../testing/shared-data.ts'

const dictionary = Buffer.from(Array.from({ length: 2_000 }, (_, n) => `<li>${(n * 7_919) % 10_007}</li>\n`).join(''))
const page = Buffer.from(dictionary.toString().replace('<li>7919', '<li>new 7919').replaceAll('</li>\n<li>1', '<li>1'))
const limits = { maxBytes: page.length }
const codings: [coding: DictionaryCoding, headBytes: number][] = [
  ['dcz', 40],
  ['dcb', 36],
]

for (const [coding, headBytes] of codings) {
  const coded = encodeWithDictionary(coding, page, dictionary)!
  const kindOf = (bytes: Uint8Array, known: Uint8Array = dictionary, maxBytes = page.length): string =>
    decodeWithDictionary(coding, bytes, known, { maxBytes }).kind

  test(`${coding} takes a twentieth of the page at most, and gives it back`, () => {
    assert.ok(coded.length < page.length / 20, `${coded.length} of ${page.length}`)
    assert.deepEqual(decodeWithDictionary(coding, coded, dictionary, limits), { kind: 'ok', body: page })
  })
  test(`${coding} with another dictionary is refused before it is decoded`, () => {
    assert.equal(kindOf(coded, page), 'wrong-dictionary')
    assert.equal(kindOf(coded, new Uint8Array(0)), 'wrong-dictionary')
  })
  test(`${coding} above the cap is too large`, () =>
    assert.equal(kindOf(coded, dictionary, page.length - 1), 'too-large'))
  test(`${coding} cut short is truncated`, () => {
    assert.equal(kindOf(coded.subarray(0, -3)), 'truncated')
    assert.equal(kindOf(coded.subarray(0, headBytes - 1)), 'truncated')
    assert.equal(kindOf(coded.subarray(0, headBytes)), 'truncated')
  })
  test(`other bytes are no ${coding}`, () => {
    assert.equal(kindOf(page), 'bad-magic')
    assert.equal(kindOf(new Uint8Array(0)), 'bad-magic')
    assert.equal(kindOf(Buffer.concat([coded.subarray(0, headBytes), Buffer.alloc(50, 0xff)])), 'corrupt')
  })
  test(`${coding} brings back any edited text, and any damage is survived`, () => {
    fc.assert(
      fc.property(editedPairs, fc.nat(), fc.nat(255), ({ source, target }, place, flip) => {
        const whole = encodeWithDictionary(coding, target, source)!
        const result = decodeWithDictionary(coding, whole, source, { maxBytes: target.length })
        assert.ok(result.kind === 'ok' && Buffer.from(target).equals(result.body))
        whole[place % whole.length]! ^= flip
        const damaged = decodeWithDictionary(coding, whole, source, { maxBytes: 1_000 })
        assert.ok(damaged.kind !== 'ok' || damaged.body.length <= 1_000)
      }),
      { numRuns: 100 },
    )
  })
}

test('a zstd window above what the RFC grants is refused', () => {
  const params = { [zlib.constants.ZSTD_c_windowLog]: 24, [zlib.constants.ZSTD_c_contentSizeFlag]: 0 }
  const head = encodeWithDictionary('dcz', page, dictionary)!.subarray(0, 40)
  const wide = zlib.zstdCompressSync(Buffer.alloc(20_000_000), { params })
  const result = decodeWithDictionary('dcz', Buffer.concat([head, wide]), dictionary, { maxBytes: 30_000_000 })
  assert.deepEqual(result, { kind: 'window-too-large' })
})

test('bytes that look like a trained dictionary of zstd are not used as a raw one', () => {
  const trained = Buffer.concat([Buffer.from('37a430ec', 'hex'), dictionary])
  assert.equal(encodeWithDictionary('dcz', page, trained), undefined)
  assert.ok(encodeWithDictionary('dcb', page, trained) !== undefined)
  assert.equal(
    decodeWithDictionary('dcz', encodeWithDictionary('dcz', page, dictionary)!, trained, limits).kind,
    'wrong-dictionary',
  )
})

/** Runs zstd in the folder; false when it is not installed. */
function zstd(folder: string, args: readonly string[]): boolean {
  try {
    execFileSync('zstd', ['-q', '-f', ...args], { cwd: folder, stdio: 'pipe' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

test('the zstd program reads our dcz, head and all, and we read its frames', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'comity-dcz-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const coded = encodeWithDictionary('dcz', page, dictionary)!
  writeFileSync(join(folder, 'old'), dictionary)
  writeFileSync(join(folder, 'new'), page)
  writeFileSync(join(folder, 'ours.zst'), coded)
  if (!zstd(folder, ['-d', '-D', 'old', 'ours.zst', '-o', 'out'])) {
    return missing(t, 'the program zstd', 'install zstd')
  }
  assert.ok(readFileSync(join(folder, 'out')).equals(page))
  for (const how of [['-D', 'old'], ['--patch-from=old']]) {
    zstd(folder, [...how, 'new', '-o', 'theirs.zst'])
    const theirs = Buffer.concat([coded.subarray(0, 40), readFileSync(join(folder, 'theirs.zst'))])
    assert.deepEqual(decodeWithDictionary('dcz', theirs, dictionary, limits), { kind: 'ok', body: page }, how.join(' '))
  }
})
