/**
 * Text of strangers, made to take long: whatever pattern looks at it must be done in a time that grows as the text does. The bound is
 * many times what it takes: a pattern that was here before took 49 s for the line of a request.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrivacyGate } from '../privacy/privacy-gate.ts'
import { BrowserChunks } from '../browser/browser-chunks.ts'
import { codingError } from '../browser/browser-coding.ts'
import { contentLength, isChunked, isRedirect, readBrowserHead } from '../browser/browser-head.ts'
import { isRobot } from '../node/hit-count.ts'
import { matchesHost, pageAddress } from '../privacy/host-pattern.ts'
import { isSimpleRequest, oddHeadEnd, readRequestHead, readResponseHead } from './head.ts'
import { codedOf } from '../privacy/page-verdict.ts'
import { urlOf } from './observed-exchange.ts'
import { sampleExchange, seenExchange } from '../testing/observed-exchange-sample.ts'
import { RangeJoin } from './range-join.ts'
import { ReaderQuorum } from '../privacy/reader-quorum.ts'
import { asksForPassword } from '../privacy/password-form.ts'

const MOST_MS = 5_000
/** As long as a head may be. */
const HEAD = 128 << 10
const PAGE = 128 << 10

const pieces = [
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\n ',
  '\r\n ',
  '\n\v',
  'a',
  'GET ',
  ' HTTP/1.1',
  ' HTTP/',
  'HTTP/1.1 200',
  '\0',
  ':',
  ': ',
  ':1',
  '-',
  'a-',
  ';',
  '; ',
  ',',
  ', ',
  '=',
  '"',
  '\\"',
  '*',
  '.',
  'a.',
  '/',
  '//',
  '%',
  '%2',
  '%2e',
  '<',
  '<input',
  '<input ',
  '<input type',
  '<input type =',
  'type ',
  'type=',
  'type="p',
  '>',
  'password',
  '<meta name=robots content=',
  'noindex,',
  'bot',
  'Mozilla/5.0 (compatible; ',
  'private',
  'cache-control',
  'authenticat',
  'content-range:',
  'content-range: bytes 0-1/2\n',
  '--b\r\n',
  'boundary=',
  'multipart/byteranges; ',
  '&#',
  '&amp',
  'constructor',
  '__proto__',
]
const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
/** Alone, behind what may begin it, and before what may end it. */
const texts = (length: number): string[] =>
  pieces.flatMap((piece) => {
    const many = filled(piece, length)
    return [many, `<input ${many}`, `type${many}password`]
  })

const gate = new PrivacyGate(
  { hosts: ['*'], queries: new Map(), plainText: true },
  new ReaderQuorum(Uint8Array.of(1), { readers: 2 }),
)
const join = new RangeJoin({ observed: () => undefined })

// oxfmt-ignore
const looks: [what: string, length: number, look: (text: string) => unknown][] = [
  ['a page',                     PAGE, (text) => gate.pass(seenExchange({ body: Buffer.from(text, 'latin1') }))],
  ['a form',                     PAGE, asksForPassword],
  ['the line of a request',      HEAD, (text) => readRequestHead(`GET ${text}\r\n\r\n`)],
  ['the line of a request that is none', HEAD, (text) => readRequestHead(`${text}\r\n\r\n`)],
  ['the line of an answer',      HEAD, (text) => readResponseHead(`HTTP/1.1 ${text}\r\n\r\n`)],
  ['the line of an answer that is none', HEAD, (text) => readResponseHead(`ICY ${text}\r\n\r\n`)],
  ['the fields of a request',    HEAD, (text) => readRequestHead(`GET / HTTP/1.1\r\n${text}\r\n\r\n`)],
  ['a request of the first HTTP', HEAD, (text) => isSimpleRequest(`GET ${text}\n`)],
  ['a head without an end',      HEAD, (text) => oddHeadEnd(Buffer.from(text, 'latin1'))],
  ['a host',                     HEAD, (text) => [urlOf({ ...sampleExchange().request!, headers: [['Host', text]] }), matchesHost(['*.a.example'], text)]],
  ['a target',                   HEAD, (text) => urlOf({ ...sampleExchange().request!, target: `http://${text}` })],
  ['an address',                 HEAD, (text) => pageAddress(`http://a.example/${text}`)],
  ['a browser',                  HEAD, (text) => isRobot([['User-Agent', text]])],
  ['fields of an answer',        HEAD, (text) => ['Content-Type', 'Cache-Control', 'Vary', 'X-Robots-Tag', 'Content-Encoding', text].map((name) =>
    gate.pass(seenExchange({ answer: { 'Content-Type': 'text/html', [name]: text } })))],
  ['a head as a browser reads it', HEAD, (text) => [`HTTP/${text}\r\n\r\n`, `HTTP/1.1 200 OK\r\n${text}\r\n\r\n`].map(readBrowserHead)],
  ['fields as a browser reads them', HEAD, (text) => {
    const head = { status: 302, isChunkable: true, headers: ['Content-Length', 'Transfer-Encoding', 'Content-Encoding', 'Location'].map((name) => [name, text] as const) }
    return [contentLength(head), isChunked(head), isRedirect(head), codingError(head, text)]
  }],
  ['pieces as a browser reads them', PAGE, (text) => new BrowserChunks(() => undefined).take(Buffer.from(`${text}\r\n`, 'latin1'), 0)],
  ['what is judged',             HEAD, (text) => codedOf(sampleExchange({ answer: { [text]: text } }), '')],
  ['a part',                     HEAD, (text) => join.observed(sampleExchange({ status: 206, answer: { ETag: '"a"', 'Content-Range': text, 'Content-Type': text } }))],
  ['parts of a part',            PAGE, (text) => join.observed(sampleExchange({ status: 206, answer: { ETag: '"a"', 'Content-Type': 'multipart/byteranges; boundary=b' }, body: Buffer.from(`--b\r\n${text}\r\n\r\n--b--`, 'latin1') }))],
]
for (const [what, length, look] of looks) {
  test(`${what}: no text takes longer than its length says`, () => {
    for (const text of texts(length)) {
      const from = performance.now()
      look(text)
      const took = performance.now() - from
      assert.ok(took < MOST_MS, `${JSON.stringify(text.slice(0, 30))}… took ${took.toFixed(0)} ms`)
    }
  })
}
