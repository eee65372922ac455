/** Odd answers, what their bodies are coded with: names, lists, headers, sums and ends that are not what they should be. */
import * as zlib from 'node:zlib'
import { oddAnswers, page, PAGE } from './odd-answer.ts'
import type { OddAnswer } from './odd-answer.ts'

const TEXT = Buffer.from(Array.from({ length: 30 }, (_, at) => `${at * at * 7919} ${PAGE}\n`).join(''))
const GZIP = zlib.gzipSync(TEXT)
const ZLIB = zlib.deflateSync(TEXT)
const RAW = zlib.deflateRawSync(TEXT)
const BR = zlib.brotliCompressSync(TEXT)
const ZSTD = zlib.zstdCompressSync(TEXT)
const TWICE = zlib.gzipSync(GZIP)

function coded(
  codings: string | readonly string[],
  body: Uint8Array,
  more = `Content-Length: ${body.length}\r\n`,
): Buffer {
  const fields = [codings].flat().map((coding) => `Content-Encoding: ${coding}\r\n`)
  return Buffer.concat([page(`HTTP/1.1 200 OK\r\n${fields.join('')}${more}\r\n`), body])
}
const changed = (bytes: Uint8Array, at: number, to: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at < 0 ? bytes.length + at : at] = to
  return copy
}
const joined = (...parts: (Uint8Array | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? page(part) : part)))
const pieces = (body: Uint8Array, last = '0\r\n\r\n'): Buffer =>
  joined(`${body.length.toString(16)}\r\n`, body, `\r\n${last}`)
/** The header of gzip with these flags, what they announce, and the rest as it was. */
const flagged = (flags: number, fields: string): Buffer =>
  joined(changed(GZIP, 3, flags).subarray(0, 10), fields, GZIP.subarray(10))

export const oddCodingNames: readonly OddAnswer[] = oddAnswers('name of a coding', [
  ['gzip', coded('gzip', GZIP)],
  ['x-gzip', coded('x-gzip', GZIP)],
  ['GZIP', coded('GZIP', GZIP)],
  ['gzip in quotes', coded('"gzip"', GZIP)],
  ['gzip with a parameter', coded('gzip;q=1', GZIP)],
  ['gzip with a semicolon', coded('gzip;', GZIP)],
  ['gzip and an underscore', coded('gzip_x', GZIP)],
  ['gzip with a blank in it', coded('gz ip', GZIP)],
  ['gzip with words behind it', coded('gzip or so', GZIP)],
  ['gzip with blanks around it', coded(' \t gzip \t ', GZIP)],
  ['gzip behind a vertical tab', coded('\vgzip', GZIP)],
  ['gzip with a zero behind it', coded('gzip\0', GZIP)],
  ['gzip behind two colons', coded(': gzip', GZIP)],
  ['gzip, folded', coded('\r\n gzip', GZIP)],
  [
    'gzip, the colon behind a blank',
    joined(`HTTP/1.1 200 OK\r\nContent-Encoding : gzip\r\nContent-Length: ${GZIP.length}\r\n\r\n`, GZIP),
  ],
  ['deflate', coded('deflate', ZLIB)],
  ['Deflate', coded('Deflate', ZLIB)],
  ['x-deflate', coded('x-deflate', ZLIB)],
  ['br', coded('br', BR), 'br'],
  ['br that was not asked for', coded('br', BR)],
  ['BR', coded('BR', BR), 'br'],
  ['brotli', coded('brotli', BR), 'br'],
  ['x-br', coded('x-br', BR), 'br'],
  ['zstd', coded('zstd', ZSTD), 'br'],
  ['zstd that was not asked for', coded('zstd', ZSTD)],
  ['x-zstd', coded('x-zstd', ZSTD), 'br'],
  ['compress', coded('compress', TEXT)],
  ['x-compress', coded('x-compress', TEXT)],
  ['identity', coded('identity', TEXT)],
  ['none', coded('none', TEXT)],
  ['empty', coded('', TEXT)],
  ['a star', coded('*', TEXT)],
  ['utf-8', coded('utf-8', TEXT)],
  ['lzma', coded('lzma', TEXT)],
  ['dcb', coded('dcb', TEXT), 'br'],
  ['dcz', coded('dcz', TEXT), 'br'],
  ['binary', coded('binary', TEXT)],
])

export const oddCodingLists: readonly OddAnswer[] = oddAnswers('list of codings', [
  ['gzip, gzip over gzip in gzip', coded('gzip, gzip', TWICE)],
  ['gzip, gzip over gzip', coded('gzip, gzip', GZIP)],
  ['gzip in two fields over gzip', coded(['gzip', 'gzip'], GZIP)],
  ['gzip in two fields over gzip in gzip', coded(['gzip', 'gzip'], TWICE)],
  ['gzip over gzip in gzip', coded('gzip', TWICE)],
  ['deflate, gzip', coded('deflate, gzip', zlib.gzipSync(ZLIB))],
  ['gzip, deflate', coded('gzip, deflate', zlib.deflateSync(GZIP))],
  ['deflate, gzip in two fields', coded(['deflate', 'gzip'], zlib.gzipSync(ZLIB))],
  ['gzip, deflate over deflate in gzip', coded('gzip, deflate', zlib.gzipSync(ZLIB))],
  ['br, gzip', coded('br, gzip', zlib.gzipSync(BR)), 'br'],
  ['gzip, br', coded('gzip, br', zlib.brotliCompressSync(GZIP)), 'br'],
  ['zstd, gzip', coded('zstd, gzip', zlib.gzipSync(ZSTD)), 'br'],
  ['identity, gzip', coded('identity, gzip', GZIP)],
  ['gzip, identity', coded('gzip, identity', GZIP)],
  ['gzip, and a hole', coded('gzip,', GZIP)],
  ['a hole, and gzip', coded(', gzip', GZIP)],
  ['gzip and an empty field', coded(['gzip', ''], GZIP)],
  ['an empty field and gzip', coded(['', 'gzip'], GZIP)],
  ['gzip and one that nobody knows', coded('gzip, rot13', GZIP)],
  ['one that nobody knows and gzip', coded('rot13, gzip', GZIP)],
  ['gzip three times', coded('gzip, gzip, gzip', zlib.gzipSync(TWICE))],
  ['ten times', coded(Array.from({ length: 10 }, () => 'gzip').join(', '), manifold(10))],
  ['eleven times', coded(Array.from({ length: 11 }, () => 'gzip').join(', '), manifold(11)), 'alone'],
  [
    'eleven times, and one that nobody knows',
    coded([...Array.from({ length: 11 }, () => 'gzip'), 'rot13'], manifold(11)),
  ],
])

function manifold(times: number): Buffer {
  let bytes: Buffer = TEXT
  for (let time = 0; time < times; time++) bytes = zlib.gzipSync(bytes)
  return bytes
}

export const oddCodings: readonly OddAnswer[] = oddAnswers('coded body', [
  ['gzip named deflate', coded('deflate', GZIP)],
  ['deflate named gzip', coded('gzip', ZLIB)],
  ['raw deflate named gzip', coded('gzip', RAW)],
  ['raw deflate named deflate', coded('deflate', RAW)],
  ['raw deflate of one byte', coded('deflate', zlib.deflateRawSync(Buffer.from('x')))],
  ['raw deflate, stored', coded('deflate', zlib.deflateRawSync(TEXT, { level: 0 }))],
  ['plain text named gzip', coded('gzip', TEXT)],
  ['plain text named deflate', coded('deflate', TEXT)],
  ['plain text named br', coded('br', TEXT), 'br'],
  ['plain text named zstd', coded('zstd', TEXT), 'br'],
  ['gzip named br', coded('br', GZIP), 'br'],
  ['gzip named zstd', coded('zstd', GZIP), 'br'],
  ['gzip that is not said', joined(`HTTP/1.1 200 OK\r\nContent-Length: ${GZIP.length}\r\n\r\n`, GZIP)],
  ['an empty body named gzip', coded('gzip', Buffer.alloc(0))],
  ['an empty body named deflate', coded('deflate', Buffer.alloc(0))],
  ['an empty body named br', coded('br', Buffer.alloc(0)), 'br'],
  ['an empty body named zstd', coded('zstd', Buffer.alloc(0)), 'br'],
  ['gzip of nothing', coded('gzip', zlib.gzipSync(Buffer.alloc(0)))],
  ['one byte of gzip', coded('gzip', GZIP.subarray(0, 1))],
  ['half the header of gzip', coded('gzip', GZIP.subarray(0, 5))],
  ['the header of gzip alone', coded('gzip', GZIP.subarray(0, 10))],
  ['gzip with a wrong sum', coded('gzip', changed(GZIP, -6, 0xaa))],
  ['gzip with a wrong length', coded('gzip', changed(GZIP, -1, 0xaa))],
  ['gzip without its end', coded('gzip', GZIP.subarray(0, -8))],
  ['gzip with half its end', coded('gzip', GZIP.subarray(0, -4))],
  ['gzip cut in its data', coded('gzip', GZIP.subarray(0, -20))],
  ['gzip with junk behind it', coded('gzip', joined(GZIP, 'junk'))],
  ['gzip with zeros behind it', coded('gzip', joined(GZIP, Buffer.alloc(20)))],
  ['gzip in two members', coded('gzip', joined(GZIP, zlib.gzipSync('and more')))],
  ['gzip with junk before it', coded('gzip', joined('x', GZIP))],
  ['gzip with damaged data', coded('gzip', changed(GZIP, 20, GZIP[20]! ^ 0xff))],
  ['gzip with a wrong first byte', coded('gzip', changed(GZIP, 0, 0x1e))],
  ['gzip with a wrong second byte', coded('gzip', changed(GZIP, 1, 0x8a))],
  ['gzip of another method', coded('gzip', changed(GZIP, 2, 7))],
  ['gzip with flags that nobody knows', coded('gzip', changed(GZIP, 3, 0xe0))],
  ['gzip of text', coded('gzip', flagged(1, ''))],
  ['gzip with a sum of its header', coded('gzip', flagged(2, 'xx'))],
  ['gzip with an extra field', coded('gzip', flagged(4, '\x03\0abc'))],
  ['gzip with an empty extra field', coded('gzip', flagged(4, '\0\0'))],
  ['gzip with a name', coded('gzip', flagged(8, 'name\0'))],
  ['gzip with a comment', coded('gzip', flagged(16, 'comment\0'))],
  ['gzip with all of them', coded('gzip', flagged(31, '\x01\0aname\0comment\0xx'))],
  ['gzip with a name that never ends', coded('gzip', flagged(8, '').subarray(0, 10))],
  ['gzip longer than a buffer', coded('gzip', zlib.gzipSync(Buffer.alloc(200_000, 'a long page ')))],
  [
    'gzip with a wrong sum, longer than a buffer',
    coded('gzip', changed(zlib.gzipSync(Buffer.alloc(200_000, 'a long page ')), -6, 1)),
  ],
  ['deflate without its end', coded('deflate', ZLIB.subarray(0, -4))],
  ['deflate with a wrong sum', coded('deflate', changed(ZLIB, -1, ZLIB.at(-1)! ^ 1))],
  ['deflate with junk behind it', coded('deflate', joined(ZLIB, 'junk'))],
  ['deflate cut in its data', coded('deflate', ZLIB.subarray(0, -15))],
  ['deflate with a wrong header', coded('deflate', changed(ZLIB, 1, 0))],
  ['deflate with a dictionary', coded('deflate', zlib.deflateSync(TEXT, { dictionary: Buffer.from('a page') }))],
  ['deflate cut behind its header', coded('deflate', ZLIB.subarray(0, 2))],
  ['raw deflate with junk behind it', coded('deflate', joined(RAW, 'junk'))],
  ['raw deflate cut in its data', coded('deflate', RAW.subarray(0, -10))],
  ['raw deflate with damaged data', coded('deflate', changed(RAW, 12, RAW[12]! ^ 0xff))],
  ['br cut in its data', coded('br', BR.subarray(0, -5)), 'br'],
  ['br with junk behind it', coded('br', joined(BR, 'junk')), 'br'],
  ['br with damaged data', coded('br', changed(BR, 8, BR[8]! ^ 0xff)), 'br'],
  ['zstd cut in its data', coded('zstd', ZSTD.subarray(0, -5)), 'br'],
  ['zstd with junk behind it', coded('zstd', joined(ZSTD, 'junk and more')), 'br'],
  ['zstd in two frames', coded('zstd', joined(ZSTD, zlib.zstdCompressSync('and more'))), 'br'],
  ['zstd with damaged data', coded('zstd', changed(ZSTD, 20, ZSTD[20]! ^ 0xff)), 'br'],
  [
    'zstd with a wrong sum',
    coded('zstd', changed(zlib.zstdCompressSync(TEXT, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } }), -1, 0)),
    'br',
  ],
  ['zstd with a frame to be skipped', coded('zstd', joined('\x50\x2a\x4d\x18\x04\0\0\0skip', ZSTD)), 'br'],
  ['gzip with the length of what it unpacks to', coded('gzip', GZIP, `Content-Length: ${TEXT.length}\r\n`)],
  ['gzip with a length too large', coded('gzip', GZIP, 'Content-Length: 5000\r\n')],
  ['gzip with a length too small', coded('gzip', GZIP, `Content-Length: ${GZIP.length - 12}\r\n`)],
  ['gzip without a length', coded('gzip', GZIP, '')],
  ['gzip in pieces', coded('gzip', pieces(GZIP), 'Transfer-Encoding: chunked\r\n')],
  ['gzip in pieces without the last', coded('gzip', pieces(GZIP, ''), 'Transfer-Encoding: chunked\r\n')],
  [
    'gzip in pieces without the last, and the length it unpacks to',
    coded('gzip', pieces(GZIP, ''), `Transfer-Encoding: chunked\r\nContent-Length: ${TEXT.length}\r\n`),
  ],
  ['gzip in pieces with a wrong number', coded('gzip', pieces(GZIP, 'zz\r\n'), 'Transfer-Encoding: chunked\r\n')],
  ['gzip as transfer coding, too', coded('gzip', pieces(GZIP), 'Transfer-Encoding: gzip, chunked\r\n')],
])
