import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { isBinary } from './binary-body.ts'

const noise = (bytes: number): Uint8Array => createHash('shake256', { outputLength: bytes }).update('noise').digest()
const text = 'Salmon climb the rapids, and herons wait for them on one leg.\r\n\t'.repeat(50)

// oxfmt-ignore
const bodies: readonly [sentence: string, body: Uint8Array, charset: string, expected: boolean][] = [
  ['noise is',                              noise(30_000),                                             'windows-1252', true],
  ['what is packed is',                     deflateRawSync(noise(5_000)),                              'windows-1252', true],
  ['a little noise is',                     noise(300),                                                'utf-8',        true],
  ['text is not',                           Buffer.from(text),                                         'utf-8',        false],
  ['text in other letters is not',          Buffer.from('Лосось и цапли 鮭と鷺 '.repeat(200)),          'utf-8',        false],
  ['text in an old alphabet is not',        Buffer.from(text.replaceAll('a', '\u00e4'), 'latin1'),     'windows-1252', false],
  ['UTF-16 is not, zeros and all',          Buffer.from(text, 'utf16le'),                              'utf-16le',     false],
  ['ISO-2022-JP is not, with its escapes',  Buffer.from('\u001b$B%5%1\u001b(B fish '.repeat(100)),     'iso-2022-jp',  false],
  ['text with a few stray bytes is not',    Buffer.from(`${text}\u0000\u0001\u0002${text}`),           'utf-8',        false],
  ['text with noise far behind is not',     Buffer.concat([Buffer.from(text.repeat(30)), noise(9_000)]), 'utf-8',      false],
  ['text strewn with zeros is not',         Buffer.from(text.replaceAll('a', 'a\0')),                    'utf-8',        false],
  ['nothing is not',                        new Uint8Array(0),                                         'utf-8',        false],
]
for (const [sentence, body, charset, expected] of bodies) {
  test(`binary: ${sentence}`, () => assert.equal(isBinary(body, charset), expected))
}
