/** Hostile framing: where the body ends, and lies about it (RFC 9112 §6 and §7). */
import { page } from './case.ts'
import type { HostileCase } from './case.ts'
import { closing, drip, fineHtml, headOf, htmlType, sendForEver } from '../raw-response.ts'

const body = fineHtml('A fine page')
const chunked: readonly [string, string] = ['Transfer-Encoding', 'chunked']
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const chunkedHead = headOf('200 OK', [htmlType, chunked, closing])
const withLength = (...lengths: readonly (string | number)[]): string =>
  headOf('200 OK', [htmlType, ...lengths.map((length) => ['Content-Length', String(length)] as const), closing])

export const framingCases: readonly HostileCase[] = [
  page('endless-body', 'sends a body without end', 'too-large', async (visit) => {
    await visit.send(headOf('200 OK', [htmlType, closing]))
    await sendForEver(visit, 'and so on '.repeat(6_000))
  }),
  page('endless-chunks', 'sends chunks without end', 'too-large', async (visit) => {
    await visit.send(chunkedHead)
    await sendForEver(visit, chunk('and so on '.repeat(6_000)))
  }),
  page('endless-tiny-chunks', 'sends chunks of one byte without end', ['too-large', 'timeout-body'], async (visit) => {
    await visit.send(chunkedHead)
    await sendForEver(visit, chunk('x').repeat(4_000))
  }),
  page('huge-promise', 'promises ten terabytes and begins', 'too-large', async (visit) => {
    await visit.send(withLength(10_000_000_000_000))
    await sendForEver(visit, 'x'.repeat(60_000))
  }),
  page('dripping-body', 'sends its body one byte at a time', 'timeout-body', async (visit) => {
    await visit.send(withLength(body.length))
    await drip(visit, body)
  }),
  page('dripping-chunks', 'sends chunks of one byte with a rest after each', 'timeout-body', async (visit) => {
    await visit.send(chunkedHead)
    while ((await visit.send(chunk('x'))) && (await visit.wait(visit.paceMs)));
  }),
  page('silent-body', 'sends a head and no body at all', 'timeout-body', async (visit) => {
    await visit.send(withLength(1_000))
    await visit.hang()
  }),
  page('stalled-body', 'stops in the middle of its body', 'timeout-body', async (visit) => {
    await visit.send(withLength(1_000) + body.slice(0, 80))
    await visit.hang()
  }),
  page('resets-mid-body', 'resets the connection in the middle of its body', 'truncated', async (visit) => {
    await visit.send(withLength(100_000) + body)
    await visit.wait(20)
    visit.reset()
  }),
  page('length-too-long', 'promises more than it sends', 'truncated', async (visit) => {
    await visit.send(withLength(body.length + 1_000) + body)
  }),
  page('length-too-short', 'sends more than it promised', 'ok', async (visit) => {
    await visit.send(`${withLength(body.length)}${body}and this nobody asked for`)
  }),
  page('second-answer', 'sends a second response nobody asked for', 'ok', async (visit) => {
    const answer = headOf('200 OK', [htmlType, ['Content-Length', String(body.length)]]) + body
    await visit.send(answer + answer)
  }),
  page(
    'negative-length',
    'gives a negative length',
    'bad-response',
    async (visit) => void (await visit.send(withLength(-1) + body)),
  ),
  page('garbage-length', 'gives a length that is no number', 'bad-response', async (visit) => {
    await visit.send(withLength('many') + body)
  }),
  page('length-overflow', 'gives a length of thirty digits', 'bad-response', async (visit) => {
    await visit.send(withLength('9'.repeat(30)) + body)
  }),
  page('plus-length', 'writes a plus before the length', 'bad-response', async (visit) => {
    await visit.send(withLength(`+${body.length}`) + body)
  }),
  page('two-lengths', 'gives two lengths that differ', 'bad-response', async (visit) => {
    await visit.send(withLength(body.length, 5) + body)
  }),
  // RFC 9110 §8.6 lets a recipient take equal repeated lengths for one, or refuse.
  page('same-length-twice', 'gives the same length twice', 'bad-response', async (visit) => {
    await visit.send(withLength(body.length, body.length) + body)
  }),
  // RFC 9112 §6.3: chunked wins, and the message ought to be handled as an error (request smuggling).
  page('length-and-chunked', 'gives a length and chunks as well', 'bad-response', async (visit) => {
    const head = headOf('200 OK', [htmlType, ['Content-Length', '5'], chunked, closing])
    await visit.send(`${head}${chunk(body)}0\r\n\r\n`)
  }),
  page('unknown-transfer-coding', 'uses a transfer coding nobody knows', 'bad-coding', async (visit) => {
    await visit.send(headOf('200 OK', [htmlType, ['Transfer-Encoding', 'rot13'], closing]) + body)
  }),
  page('bad-chunk-size', 'writes a chunk size that is no number', 'bad-response', async (visit) => {
    await visit.send(`${chunkedHead}xyz\r\n${body}\r\n0\r\n\r\n`)
  }),
  page('bad-second-chunk-size', 'writes nonsense as its second chunk size', 'truncated', async (visit) => {
    await visit.send(chunkedHead + chunk(body))
    await visit.wait(20)
    await visit.send('nonsense\r\nmore\r\n0\r\n\r\n')
  }),
  page('negative-chunk-size', 'writes a negative chunk size', 'bad-response', async (visit) => {
    await visit.send(`${chunkedHead}-5\r\nhello\r\n0\r\n\r\n`)
  }),
  page('chunk-size-overflow', 'writes a chunk size above 64 bits', 'bad-response', async (visit) => {
    await visit.send(`${chunkedHead}${'f'.repeat(20)}\r\n${body}`)
  }),
  page('chunk-too-long', 'sends more in a chunk than its size says', 'truncated', async (visit) => {
    await visit.send(`${chunkedHead}5\r\nhello and more\r\n0\r\n\r\n`)
  }),
  page('missing-last-chunk', 'closes before the last chunk', 'truncated', async (visit) => {
    await visit.send(chunkedHead + chunk(body))
  }),
  page(
    'endless-chunk-extension',
    'sends one chunk extension without end',
    ['too-large', 'timeout-body'],
    async (visit) => {
      await visit.send(`${chunkedHead}5;x=`)
      await sendForEver(visit, 'y'.repeat(8_192))
    },
  ),
  page('endless-trailers', 'sends trailers without end', 'truncated', async (visit) => {
    await visit.send(`${chunkedHead}${chunk(body)}0\r\n`)
    await sendForEver(visit, 'X-Trailer: and more and more\r\n'.repeat(200))
  }),
  page('hostile-trailer', 'changes its mind about the length in a trailer', 'truncated', async (visit) => {
    await visit.send(`${chunkedHead}${chunk(body)}0\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n`)
  }),
  page('never-closes', 'sends a whole page and never closes', 'ok', async (visit) => {
    await visit.send(headOf('200 OK', [htmlType, ['Content-Length', String(body.length)]]) + body)
    await visit.hang()
  }),
]
